// Development.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Development(): ReactNode {
  return <Page title="Development">{null}</Page>
}
