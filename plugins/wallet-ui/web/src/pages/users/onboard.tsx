// A wallet for somebody: the name, and a party that is there already or is made for it.
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPartyId } from '../../lib/party.ts'
import { validator } from '../../lib/wallet.tsx'
import { Outcome, useAction } from '../../parts/action.tsx'

/** `onClose` gets a sentence once it is done. */
export function Onboard({ onClose }: { readonly onClose: (done?: string) => void }): ReactNode {
  const [name, setName] = useState('')
  const [party, setParty] = useState('')
  const [isNew, setIsNew] = useState(false)
  const onboard = validator.useMutation('onboardUser')
  const user = name.trim()
  const wanted = party.trim()
  const body = {
    name: user,
    ...(wanted === '' ? {} : { party_id: wanted, createPartyIfMissing: isNew }),
  }
  const action = useAction(
    () => onboard.mutateAsync({ body }),
    () => onClose(`${user} has a wallet.`),
  )
  const isPending = action.state.kind === 'pending'
  const isWrong = wanted !== '' && !isPartyId(wanted)
  return (
    <Modal
      opened
      onClose={() => {
        if (!isPending) onClose()
      }}
      title="Onboard a user"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (user !== '' && !isWrong) action.run()
        }}
      >
        <Stack>
          <Text size="sm">
            The user gets a wallet at this validator, and you may act for its party.
          </Text>
          <TextInput
            label="Name"
            description="As its tokens name it."
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Party (optional)"
            description="Leave it empty for a party that is made for the user."
            placeholder="name::1220…"
            value={party}
            error={isWrong ? 'A party is a name and a namespace: name::1220…' : undefined}
            onChange={(event) => setParty(event.currentTarget.value)}
          />
          {wanted === '' ? null : (
            <Checkbox
              label="Make the party if this node does not know it"
              checked={isNew}
              onChange={(event) => setIsNew(event.currentTarget.checked)}
            />
          )}
          <Outcome state={action.state} />
          <Group justify="end">
            <Button variant="default" onClick={() => onClose()} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={user === '' || isWrong}>
              {action.state.kind === 'failed' ? 'Try again' : 'Onboard'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
