// A wallet for somebody: the name, and a party that is there already or is made for it.
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPartyId } from '../../lib/party.ts'
import { validator } from '../../lib/wallet.tsx'
import { Outcome, useAction } from '../../parts/action.tsx'
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
  const action = useAction(
    () => onboard.mutateAsync({ body }),
    () => onClose(t('{0} has a wallet.', user)),
  )
  const isPending = action.state.kind === 'pending'
  const isWrong = wanted !== '' && !isPartyId(wanted)
  return (
    <Modal
      opened
      onClose={() => {
        if (!isPending) onClose()
      }}
      title={t('Onboard a user')}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (user !== '' && !isWrong) action.run()
        }}
      >
        <Stack>
          <Text size="sm">
            {t('The user gets a wallet at this validator, and you may act for its party.')}
          </Text>
          <Fields draft={draft} isWrong={isWrong} onChange={setDraft} />
          <Outcome state={action.state} />
          <Group justify="end">
            <Button variant="default" onClick={() => onClose()} disabled={isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={user === '' || isWrong}>
              {action.state.kind === 'failed' ? t('Try again') : t('Onboard')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
