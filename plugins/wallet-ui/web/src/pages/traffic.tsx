// Traffic.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Traffic(): ReactNode {
  return <Page title="Traffic">{null}</Page>
}
