// A wallet for somebody: the name, and a party that is there already or is made for it.
import { Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPartyId } from '../../lib/party.ts'
import { validator } from '../../lib/wallet.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../lib/language.ts'

interface Draft {
  readonly name: string
  readonly party: string
  /** Whether the party is made where it is unknown. */
  readonly isNew: boolean
}

/** `onClose` gets a sentence once it is done. */
export function Onboard({ onClose }: { readonly onClose: (done?: string) => void }): ReactNode {
  const [draft, setDraft] = useState<Draft>({ name: '', party: '', isNew: false })
  const onboard = validator.useMutation('onboardUser')
  const user = draft.name.trim()
  const wanted = draft.party.trim()
  const body = {
    name: user,
    ...(wanted === '' ? {} : { party_id: wanted, createPartyIfMissing: draft.isNew }),
  }
  const isWrong = wanted !== '' && !isPartyId(wanted)
  return (
    <Confirm
      title={t('Onboard a user')}
      confirm={t('Onboard')}
      isGood={user !== '' && !isWrong}
      act={() => onboard.mutateAsync({ body })}
      onClose={(isDone) => onClose(isDone ? t('{0} has a wallet.', user) : undefined)}
    >
      <Text size="sm">
        {t('The user gets a wallet at this validator, and you may act for its party.')}
      </Text>
      <Fields draft={draft} isWrong={isWrong} onChange={setDraft} />
    </Confirm>
  )
}

function Fields({
  draft,
  isWrong,
  onChange,
}: {
  readonly draft: Draft
  readonly isWrong: boolean
  readonly onChange: (draft: Draft) => void
}): ReactNode {
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('As the user’s tokens name it.')}
        required
        data-autofocus
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Party (optional)')}
        description={t('Leave it empty to create a party for the user.')}
        placeholder={t('name::1220…')}
        value={draft.party}
        error={isWrong ? t('A party is a name and a namespace: name::1220…') : undefined}
        onChange={(event) => onChange({ ...draft, party: event.currentTarget.value })}
      />
      {draft.party.trim() === '' ? null : (
        <Checkbox
          label={t('Create the party if this node does not know it')}
          checked={draft.isNew}
          onChange={(event) => onChange({ ...draft, isNew: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
