// External parties whose setup waits for their signature.
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

export function SetupProposals(): ReactNode {
  const query = validator.useQuery('listExternalPartySetupProposals', OLDEST)
  return (
    <Loaded query={query}>
      {({ contracts }) =>
        contracts.length === 0 ? (
          <Empty>
            None waits. A party with keys of its own is set up by a client that holds them:
            docs/external-parties.md says how.
          </Empty>
        ) : (
          <DataTable
            label="External parties being set up"
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
    title: 'Party',
    of: ({ contract }) => (
      <PartyName of={textAt(contract.payload, 'user')} label="the external party" />
    ),
  },
  {
    title: 'Proposal',
    of: ({ contract }) => <Identifier of={contract.contract_id} label="the contract id" />,
  },
  { title: 'Proposed', of: ({ contract }) => <When at={contract.created_at} /> },
  {
    title: 'Preapproval until',
    of: ({ contract }) => <When at={textAt(contract.payload, 'preapprovalExpiresAt')} />,
  },
  {
    title: 'State',
    of: ({ contract }) => (
      <>
        waits for a signature, <TimeLeft until={textAt(contract.payload, 'preapprovalExpiresAt')} />
      </>
    ),
  },
]
