// Holdings.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Holdings(): ReactNode {
  return <Page title="Holdings">{null}</Page>
}
