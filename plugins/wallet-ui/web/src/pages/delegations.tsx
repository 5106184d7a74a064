// Minting delegations: who asks this wallet to mint its rewards for it, for whom it does, and what
// this wallet has asked of others.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { delegationsOf, obstacle } from '../lib/delegations.ts'
import type { Delegation } from '../lib/delegations.ts'
import { useStatus } from '../lib/facts.ts'
import { validator } from '../lib/wallet.tsx'
import { DelegationDialog } from '../parts/delegation-dialog.tsx'
import type { DelegationAct } from '../parts/delegation-dialog.tsx'
import { Page, Section } from '../parts/page.tsx'
import { PartyName } from '../parts/party.tsx'
import { Listing } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { TimeLeft, useNow, When } from '../parts/when.tsx'
import { t } from '../lib/language.ts'

type Ask = (act: DelegationAct, delegation: Delegation) => void
type Asked = { readonly act: DelegationAct; readonly delegation: Delegation }

const DONE: Readonly<Record<DelegationAct, string>> = {
  accept: t('The delegation is active.'),
  reject: t('The proposal was rejected.'),
  withdraw: t('The proposal was withdrawn.'),
  end: t('The delegation was ended.'),
}

export default function Delegations(): ReactNode {
  const proposals = validator.useQuery('listMintingDelegationProposals')
  const active = validator.useQuery('listMintingDelegations')
  const [asked, setAsked] = useState<Asked>()
  const [said, setSaid] = useState('')
  const ask: Ask = (act, delegation) => setAsked({ act, delegation })
  const close = (isDone: boolean): void => {
    setSaid(isDone && asked !== undefined ? DONE[asked.act] : '')
    setAsked(undefined)
  }
  const existing = delegationsOf(active.data?.delegations ?? [])
  return (
    <Page
      title={t('Delegations')}
      about={t(
        'A party with keys of its own can ask you to mint its rewards for it, into its own coins.',
      )}
    >
      <Text role="status" c="teal" size="sm" {...(said === '' ? { display: 'none' } : {})}>
        {said === '' ? '' : `✓ ${said}`}
      </Text>
      <Section title={t('Proposals')}>
        <Listing
          query={proposals}
          of={({ proposals: entries }) => delegationsOf(entries)}
          empty={t('No proposals. One appears here when a party asks you to mint for it.')}
          label={t('Proposals')}
          keyOf={({ id }) => id}
          columns={columns(ProposalActions, ask)}
        />
      </Section>
      <Section title={t('Active')}>
        <Listing
          query={active}
          of={() => existing}
          empty={t(
            'None active. Accept a proposal, and this validator mints rewards for the party that made it.',
          )}
          label={t('Active delegations')}
          keyOf={({ id }) => id}
          columns={columns(ActiveActions, ask)}
        />
      </Section>
      {asked === undefined ? null : (
        <DelegationDialog {...asked} active={existing} onClose={close} />
      )}
    </Page>
  )
}

const columns = (Actions: ComponentType<ActionsProps>, ask: Ask): readonly Column<Delegation>[] => [
  {
    title: t('Beneficiary'),
    of: ({ beneficiary }) => <Side of={beneficiary} label={t('the beneficiary')} />,
  },
  { title: t('Delegate'), of: ({ delegate }) => <Side of={delegate} label={t('the delegate')} /> },
  { title: t('Merge limit'), of: ({ mergeLimit }) => t('{0} coins', mergeLimit) },
  { title: t('Hosted here'), of: ({ isHosted }) => (isHosted ? t('Yes') : t('No')) },
  {
    title: t('Expires'),
    of: ({ expiresAt }) => (
      <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
        <When at={expiresAt} />
        <TimeLeft until={expiresAt} />
      </Stack>
    ),
  },
  {
    title: t('Actions'),
    isActions: true,
    of: (delegation) => <Actions delegation={delegation} ask={ask} />,
  },
]

function Side({ of, label }: { readonly of: string; readonly label: string }): ReactNode {
  const { data } = useStatus()
  return data?.party_id === of ? t('You') : <PartyName of={of} label={label} />
}

interface ActionsProps {
  readonly delegation: Delegation
  readonly ask: Ask
}

function ProposalActions({ delegation, ask }: ActionsProps): ReactNode {
  const { data } = useStatus()
  const blocked = obstacle(delegation, useNow(1_000))
  if (data?.party_id !== delegation.delegate) {
    return (
      <Button size="xs" variant="default" onClick={() => ask('withdraw', delegation)}>
        {t('Withdraw')}
      </Button>
    )
  }
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          disabled={blocked !== undefined}
          onClick={() => ask('accept', delegation)}
        >
          {t('Accept')}
        </Button>
        <Button size="xs" variant="default" onClick={() => ask('reject', delegation)}>
          {t('Reject')}
        </Button>
      </Group>
      {blocked === undefined ? null : <Warning>{blocked}</Warning>}
    </Stack>
  )
}

function ActiveActions({ delegation, ask }: ActionsProps): ReactNode {
  const { data } = useStatus()
  if (data?.party_id === delegation.delegate) {
    return (
      <Button size="xs" variant="default" onClick={() => ask('end', delegation)}>
        {t('End')}
      </Button>
    )
  }
  return (
    <Text span size="sm" c="dimmed">
      {t('Ends at its expiry, or when its delegate ends it.')}
    </Text>
  )
}

/** The mark says it to the eye, the words to everybody. */
function Warning({ children }: { readonly children: string }): ReactNode {
  return (
    <Text size="sm" c="var(--mantine-color-orange-text)" maw={260}>
      <span aria-hidden="true">⚠ </span>
      {children}
    </Text>
  )
}
