// Metrics.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Metrics(): ReactNode {
  return <Page title="Metrics">{null}</Page>
}
