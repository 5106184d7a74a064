// Overview.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Dashboard(): ReactNode {
  return <Page title="Overview">{null}</Page>
}
