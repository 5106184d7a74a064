// Offers.
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'

export default function Offers(): ReactNode {
  return <Page title="Offers">{null}</Page>
}
