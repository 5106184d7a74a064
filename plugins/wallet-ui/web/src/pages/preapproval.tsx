// Preapproval.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Preapproval(): ReactNode {
  return <Page title="Preapproval">{null}</Page>
}
