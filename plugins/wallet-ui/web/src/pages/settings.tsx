// Settings.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Settings(): ReactNode {
  return <Page title="Settings">{null}</Page>
}
