// External parties whose setup waits for their signature.
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContractWithState } from '../../../../../../generated/validator/types.gen.ts'
import { OLDEST } from '../../lib/oldest.ts'
import { textAt } from '../../lib/payload.ts'
import { validator } from '../../lib/wallet.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Empty, Loaded } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

export function SetupProposals(): ReactNode {
  const query = validator.useQuery('listExternalPartySetupProposals', OLDEST)
  return (
    <Loaded query={query}>
      {({ contracts }) =>
        contracts.length === 0 ? (
          <Empty>
            {rich(
              'None. A client that holds the keys of a party sets it up: {0}.',
              <Anchor href="/docs/external-parties.html">{t('see the documentation')}</Anchor>,
            )}
          </Empty>
        ) : (
          <DataTable
            label={t('External parties being set up')}
            items={contracts}
            keyOf={({ contract }) => contract.contract_id}
            columns={COLUMNS}
          />
        )
      }
    </Loaded>
  )
}

const COLUMNS: readonly Column<ContractWithState>[] = [
  {
    title: t('Party'),
    of: ({ contract }) => (
      <PartyName of={textAt(contract.payload, 'user')} label={t('the external party')} />
    ),
  },
  {
    title: t('Proposal'),
    of: ({ contract }) => <Identifier of={contract.contract_id} label={t('the contract id')} />,
  },
  { title: t('Proposed'), of: ({ contract }) => <When at={contract.created_at} /> },
  {
    title: t('Preapproval until'),
    of: ({ contract }) => <When at={textAt(contract.payload, 'preapprovalExpiresAt')} />,
  },
  {
    title: t('State'),
    of: ({ contract }) => (
      <>
        {rich(
          'waits for a signature, {0}',
          <TimeLeft until={textAt(contract.payload, 'preapprovalExpiresAt')} />,
        )}
      </>
    ),
  },
]
