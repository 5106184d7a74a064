// Network.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Network(): ReactNode {
  return <Page title="Network">{null}</Page>
}
