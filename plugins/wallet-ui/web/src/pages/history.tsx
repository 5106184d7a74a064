// History.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function History(): ReactNode {
  return <Page title="History">{null}</Page>
}
