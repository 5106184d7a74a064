// Transfer preapprovals that this validator provides for its parties: until when, and the end of
// one.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { OLDEST } from '../lib/oldest.ts'
import { nameOf } from '../lib/party.ts'
import { preapprovalOf } from '../lib/preapproval.ts'
import type { Preapproval } from '../lib/preapproval.ts'
import { validator } from '../lib/wallet.tsx'
import { Confirm } from './confirm.tsx'
import { PartyName } from './party.tsx'
import { Listing } from './table.tsx'
import type { Column } from './table.tsx'
import { TimeLeft, When } from './when.tsx'
import { t } from '../lib/language.ts'
import { rich } from './rich.tsx'

export function PreapprovalList(): ReactNode {
  const query = validator.useQuery('listTransferPreapprovals', OLDEST)
  const cancel = validator.useMutation('cancelTransferPreapprovalByParty')
  const [asked, setAsked] = useState<string>()
  return (
    <>
      <Listing
        query={query}
        of={({ contracts }) => contracts.map(({ contract }) => preapprovalOf(contract))}
        empty={t('None. Anyone who sets one up on the Preapproval page is paid in one step.')}
        label={t('Transfer preapprovals')}
        keyOf={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: t('Actions'),
            isActions: true,
            of: ({ receiver }) => <EndButton party={receiver} ask={setAsked} />,
          },
        ]}
      />
      {asked === undefined ? null : (
        <Confirm
          title={t('End the preapproval of {0}?', nameOf(asked))}
          confirm={t('End the preapproval')}
          color="red"
          onClose={() => setAsked(undefined)}
          act={() => cancel.mutateAsync({ path: { 'receiver-party': asked } })}
        >
          <Text size="sm">
            {rich(
              'From then on, nobody can pay {0} in one step: they make offers, which {1} accepts or rejects. The fee for the preapproval is not refunded. {2} can set up a new one at any time.',
              nameOf(asked),
              nameOf(asked),
              nameOf(asked),
            )}
          </Text>
        </Confirm>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Preapproval>[] = [
  {
    title: t('Receiver'),
    of: ({ receiver }) => <PartyName of={receiver} label={t('the receiver')} />,
  },
  { title: t('Since'), of: ({ validFrom }) => <When at={validFrom} /> },
  { title: t('Renewed'), of: ({ renewedAt }) => <When at={renewedAt} /> },
  {
    title: t('Ends'),
    of: ({ expiresAt }) => (
      <Group gap="xs">
        <When at={expiresAt} />
        <TimeLeft until={expiresAt} />
      </Group>
    ),
  },
]

function EndButton({
  party,
  ask,
}: {
  readonly party: string
  readonly ask: (party: string) => void
}): ReactNode {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => ask(party)}
      aria-label={t('End the preapproval of {0}', nameOf(party))}
    >
      {t('End')}
    </Button>
  )
}
