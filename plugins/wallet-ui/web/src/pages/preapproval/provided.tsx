// For the operator: whose preapprovals this validator provides, and ending one.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { preapprovalOf } from '../../lib/preapproval.ts'
import type { Preapproval } from '../../lib/preapproval.ts'
import { validator } from '../../lib/wallet.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'

export function Provided(): ReactNode {
  const query = validator.useListTransferPreapprovals()
  const [ending, setEnding] = useState<Preapproval>()
  return (
    <Section title="Provided by this validator">
      <Loaded query={query}>
        {({ contracts }) => (contracts.length === 0 ? <Empty>None. Users turn theirs on here, on this page.</Empty> : (
          <DataTable
            label="Provided preapprovals" items={contracts.map(({ contract }) => preapprovalOf(contract))} keyOf={({ id }) => id}
            columns={[
              { title: 'Receiver', of: ({ receiver }) => <Identifier of={receiver} label="receiver" /> },
              { title: 'Since', of: ({ validFrom }) => <When at={validFrom} /> },
              { title: 'Valid until', of: ({ expiresAt }) => <When at={expiresAt} /> },
              { title: 'Action', isActions: true, of: (one) => <Button size="compact-sm" variant="default" onClick={() => setEnding(one)}>End</Button> },
            ]}
          />
        ))}
      </Loaded>
      {ending === undefined ? null : <End receiver={ending.receiver} onClose={() => setEnding(undefined)} />}
    </Section>
  )
}

function End({ receiver, onClose }: { readonly receiver: string; readonly onClose: () => void }): ReactNode {
  const cancel = validator.useCancelTransferPreapprovalByParty()
  return (
    <Confirm title="End this preapproval?" confirm="End it" color="red" onClose={onClose} act={() => cancel.mutateAsync({ path: { 'receiver-party': receiver } })}>
      <Identifier of={receiver} label="receiver" />
      <Text>Its owner will have to accept payments, until it is turned on again.</Text>
    </Confirm>
  )
}
