// Automations.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Automations(): ReactNode {
  return <Page title="Automations">{null}</Page>
}
