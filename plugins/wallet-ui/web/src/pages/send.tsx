// Send.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Send(): ReactNode {
  return <Page title="Send">{null}</Page>
}
