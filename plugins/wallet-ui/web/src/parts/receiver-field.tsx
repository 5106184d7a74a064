// The field for whom to pay: completes names of known parties, and says whom the text names before
// anything is sent.
import { Autocomplete, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { givenName, nameOf, shortened } from '../lib/party.ts'
import type { Receiver } from '../lib/receivers.ts'
import { Identicon } from './identicon.tsx'
import { Identifier } from './identifier.tsx'
import { t } from '../lib/language.ts'

interface Props {
  readonly text: string
  readonly onText: (text: string) => void
  /** Party ids to choose from. */
  readonly known: readonly string[]
  readonly receiver: Receiver
  readonly disabled: boolean
}

export function ReceiverField({ text, onText, known, receiver, disabled }: Props): ReactNode {
  return (
    <Stack gap={4}>
      <Autocomplete
        label={t('To')}
        description={t(
          'A name from People, a party that you have paid or that is on this validator, or a party id',
        )}
        placeholder={t('Name or party id')}
        value={text}
        onChange={onText}
        data={known.map((party) => givenName(party) ?? party)}
        limit={8}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        filter={({ options, search }) =>
          options.filter(
            (option) =>
              'value' in option && option.value.toLowerCase().includes(search.trim().toLowerCase()),
          )
        }
        renderOption={({ option: { value } }) => (
          <Suggested party={known.find((party) => givenName(party) === value) ?? value} />
        )}
      />
      <div role="status">
        <Said receiver={receiver} />
      </div>
    </Stack>
  )
}

function Suggested({ party }: { readonly party: string }): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap">
      <Identicon of={party} size={30} />
      <div>
        <Text size="sm" fw={500}>
          {nameOf(party)}
        </Text>
        <Text size="xs" ff="monospace" c="dimmed">
          {shortened(party)}
        </Text>
      </div>
    </Group>
  )
}

function Said({ receiver }: { readonly receiver: Receiver }): ReactNode {
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
    case 'found':
      return (
        <Group gap="xs">
          {receiver.entry === undefined ? null : (
            <Text size="sm">{t('{0} belongs to', receiver.entry)}</Text>
          )}
          <Identifier of={receiver.party} label={t('the receiver')} />
          <Text size="sm" c="dimmed">
            {receiver.isKnown
              ? receiver.isPreapproved
                ? t('✓ takes payments in one step')
                : t('✓ known to the network')
              : t('not known to the network: please check')}
          </Text>
        </Group>
      )
  }
}
