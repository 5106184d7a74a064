// Users and parties: wallets at this validator, users of the ledger with their rights, parties, and
// what was agreed for parties here.
import type { ReactNode } from 'react'
import { NeedsOperator } from '../parts/needs-operator.tsx'
import { Page, Section } from '../parts/page.tsx'
import { PreapprovalList } from '../parts/preapproval-list.tsx'
import { LedgerUsers } from './users/ledger-users.tsx'
import { Parties } from './users/parties.tsx'
import { SetupProposals } from './users/setup-proposals.tsx'
import { Wallets } from './users/wallets.tsx'

export default function Users(): ReactNode {
  return (
    <Page
      title="Users and parties"
      about="Who has a wallet at this validator, who may do what on the ledger, and which parties there are."
    >
      <Wallets />
      <Section title="Users of the ledger">
        <LedgerUsers />
      </Section>
      <Section title="Parties">
        <Parties />
      </Section>
      <Section title="External parties being set up">
        <NeedsOperator what="Proposals are">
          <SetupProposals />
        </NeedsOperator>
      </Section>
      <Section title="Transfer preapprovals">
        <NeedsOperator what="Preapprovals are">
          <PreapprovalList />
        </NeedsOperator>
      </Section>
    </Page>
  )
}
