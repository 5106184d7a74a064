// Delegations.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Delegations(): ReactNode {
  return <Page title="Delegations">{null}</Page>
}
