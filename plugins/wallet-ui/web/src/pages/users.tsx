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
import { t } from '../lib/language.ts'

export default function Users(): ReactNode {
  return (
    <Page
      title={t('Users and parties')}
      about={t('Wallets at this validator, users of the ledger and their rights, and parties.')}
    >
      <Wallets />
      <Section title={t('Users of the ledger')}>
        <LedgerUsers />
      </Section>
      <Section title={t('Parties')}>
        <Parties />
      </Section>
      <Section title={t('External parties being set up')}>
        <NeedsOperator what={t('Proposals are')}>
          <SetupProposals />
        </NeedsOperator>
      </Section>
      <Section title={t('Transfer preapprovals')}>
        <NeedsOperator what={t('Preapprovals are')}>
          <PreapprovalList />
        </NeedsOperator>
      </Section>
    </Page>
  )
}
