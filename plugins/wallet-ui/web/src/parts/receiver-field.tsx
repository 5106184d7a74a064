// The field for whom to pay: completes names of known parties, asks where a name does not say which
// of them is meant, and says whom it names before anything is sent.
import { Autocomplete, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { givenName } from '../lib/party.ts'
import type { Receiver, ReceiverOf } from '../lib/receivers.ts'
import { useAcquaintance } from '../lib/standing.ts'
import { Identifier } from './identifier.tsx'
import { WholeParty } from './whole-party.tsx'

interface Props {
  readonly text: string
  readonly onText: (text: string) => void
  /** Party ids to choose from. */
  readonly known: readonly string[]
  readonly receiver: Receiver
  readonly disabled: boolean
}

export function ReceiverField({ text, onText, known, receiver, disabled }: Props): ReactNode {
  const acquaintance = useAcquaintance()
  return (
    <Stack gap={4}>
      <Autocomplete
        label={t('To')}
        description={t(
          'A name from People or of a party of this validator, one whom you have paid, or a party id',
        )}
        placeholder={t('Name or party id')}
        value={text}
        onChange={onText}
        data={[...known]}
        limit={8}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        filter={({ options, search }) =>
          options.filter((option) => 'value' in option && isLike(option.value, search))
        }
        renderOption={({ option: { value } }) => (
          <WholeParty of={value} about={acquaintance(value)} />
        )}
      />
      <div role="status">
        <Said text={text.trim()} receiver={receiver} choose={onText} />
      </div>
    </Stack>
  )
}

function isLike(party: string, search: string): boolean {
  const typed = search.trim().toLowerCase()
  return [party, givenName(party) ?? ''].some((text) => text.toLowerCase().includes(typed))
}

interface SaidProps {
  readonly text: string
  readonly receiver: Receiver
  readonly choose: (party: string) => void
}

function Said({ text, receiver, choose }: SaidProps): ReactNode {
  switch (receiver.kind) {
    case 'empty':
      return null
    case 'looking':
      return (
        <Text size="sm" c="dimmed">
          {t('Looking…')}
        </Text>
      )
    case 'unknown':
      return (
        <Text size="sm" c="red">
          {receiver.reason}
        </Text>
      )
    case 'choice':
      return <Choice text={text} of={receiver} choose={choose} />
    case 'found':
      return <Found of={receiver} />
  }
}

interface ChoiceProps {
  readonly text: string
  readonly of: ReceiverOf<'choice'>
  readonly choose: (party: string) => void
}

/** Parties to read as well as to press: nobody is chosen before. */
function Choice({ text, of: { parties, holder }, choose }: ChoiceProps): ReactNode {
  const acquaintance = useAcquaintance()
  return (
    <Stack gap={6} role="group" aria-label={t('Which one do you mean?')}>
      <Text size="sm" fw={600}>
        {t('Which one do you mean?')}
      </Text>
      {parties.map((party) => (
        <UnstyledButton key={party} className="surface card" onClick={() => choose(party)}>
          <WholeParty
            of={party}
            about={[party === holder ? t('has the name {0}', text) : '', acquaintance(party)]
              .filter((word) => word !== '')
              .join(' · ')}
          />
        </UnstyledButton>
      ))}
    </Stack>
  )
}

function Found({ of: { standing, isKnown, isPreapproved } }: FoundProps): ReactNode {
  return (
    <Group gap="xs">
      <Identifier of={standing.party} label={t('the receiver')} />
      <Text size="sm" c="dimmed">
        {isKnown
          ? isPreapproved
            ? t('✓ takes payments in one step')
            : t('✓ known to the network')
          : t('not known to the network: please check')}
      </Text>
      {standing.isFirst ? (
        <Text size="sm" fw={600}>
          {t('First payment to this party.')}
        </Text>
      ) : null}
    </Group>
  )
}

interface FoundProps {
  readonly of: ReceiverOf<'found'>
}
