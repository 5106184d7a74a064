// External parties whose setup waits for their signature.
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Contract } from '../../../../../../generated/validator/types.gen.ts'
import { OLDEST } from '../../lib/oldest.ts'
import { textAt } from '../../lib/payload.ts'
import { validator } from '../../lib/wallet.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { PartyName } from '../../parts/party.tsx'
import { contractId, Listing } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

export function SetupProposals(): ReactNode {
  const query = validator.useQuery('listExternalPartySetupProposals', OLDEST)
  return (
    <Listing
      query={query}
      of={({ contracts }) => contracts.map(({ contract }) => contract)}
      empty={rich(
        'None. A client that holds the keys of a party sets it up: {0}.',
        <Anchor href="/docs/external-parties.html">{t('see the documentation')}</Anchor>,
      )}
      label={t('External parties being set up')}
      keyOf={contractId}
      columns={COLUMNS}
    />
  )
}

const COLUMNS: readonly Column<Contract>[] = [
  {
    title: t('Party'),
    of: ({ payload }) => <PartyName of={textAt(payload, 'user')} label={t('the external party')} />,
  },
  {
    title: t('Proposal'),
    of: (contract) => <Identifier of={contractId(contract)} label={t('the contract id')} />,
  },
  { title: t('Proposed'), of: ({ created_at: at }) => <When at={at} /> },
  {
    title: t('Preapproval until'),
    of: ({ payload }) => <When at={textAt(payload, 'preapprovalExpiresAt')} />,
  },
  {
    title: t('State'),
    of: ({ payload }) => (
      <>
        {rich(
          'waits for a signature, {0}',
          <TimeLeft until={textAt(payload, 'preapprovalExpiresAt')} />,
        )}
      </>
    ),
  },
]
