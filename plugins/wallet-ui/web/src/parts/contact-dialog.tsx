// Gives a party a name that the person knows it by, or another.
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LONGEST_NAME, useNaming } from '../lib/contacts.ts'
import { t } from '../lib/language.ts'
import { givenName, hintOf, isPartyId } from '../lib/party.ts'
import { useStanding } from '../lib/standing.ts'
import { Confirm } from './confirm.tsx'
import { WholeParty } from './whole-party.tsx'
import { LookAlikes } from './whom-notice.tsx'

interface Props {
  /** The party to name; undefined: it is asked for as well. */
  readonly party: string | undefined
  readonly onClose: () => void
}

/** An open dialog; render it only while it is wanted. */
export function ContactDialog({ party, onClose }: Props): ReactNode {
  const [typed, setTyped] = useState({
    party: party ?? '',
    name: party === undefined ? '' : (givenName(party) ?? hintOf(party)),
  })
  const naming = useNaming()
  const contact = { party: typed.party.trim(), name: typed.name.trim() }
  const isNoParty = contact.party !== '' && !isPartyId(contact.party)
  const standing = useStanding(isNoParty ? '' : contact.party, contact.name)
  const isGood = isPartyId(contact.party) && contact.name !== ''
  const isNew = party === undefined || givenName(party) === undefined
  return (
    <Confirm
      title={isNew ? t('Add a person') : t('Change the name')}
      confirm={t('Save')}
      isGood={isGood}
      act={() => naming.mutateAsync(contact)}
      onClose={onClose}
    >
      {party === undefined ? (
        <TextInput
          label={t('Party id')}
          description={t('A name, two colons and a long number')}
          value={typed.party}
          spellCheck={false}
          error={isNoParty ? t('That is not a whole party id.') : undefined}
          onChange={({ currentTarget: { value } }) => setTyped({ ...typed, party: value })}
          data-autofocus
        />
      ) : (
        <WholeParty of={party} canCopy />
      )}
      {standing === undefined ? null : <LookAlikes of={standing} />}
      <TextInput
        label={t('Name')}
        description={t('Only you see it.')}
        maxLength={LONGEST_NAME}
        value={typed.name}
        onChange={({ currentTarget: { value } }) => setTyped({ ...typed, name: value })}
        {...(party === undefined ? {} : { 'data-autofocus': true })}
      />
      <Text size="xs" c="dimmed">
        {t('Kept by this server for you alone.')}
      </Text>
    </Confirm>
  )
}
