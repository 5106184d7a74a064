// Users and parties.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Users(): ReactNode {
  return <Page title="Users and parties">{null}</Page>
}
