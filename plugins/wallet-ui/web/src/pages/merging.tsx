// Merging.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Merging(): ReactNode {
  return <Page title="Merging">{null}</Page>
}
