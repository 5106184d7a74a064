// The end of somebody's wallet, and what that means, before it is done.
import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { validator } from '../../lib/wallet.tsx'
import { Confirm } from '../../parts/confirm.tsx'

interface Props {
  readonly name: string
  /** Gets a sentence once it is done. */
  readonly onClose: (done?: string) => void
}

export function Offboard({ name, onClose }: Props): ReactNode {
  const offboard = validator.useMutation('offboardUser')
  return (
    <Confirm
      title={`Offboard ${name}?`}
      confirm={`Offboard ${name}`}
      color="red"
      act={() => offboard.mutateAsync({ query: { username: name } })}
      onClose={(isDone) => onClose(isDone ? `${name} is offboarded.` : undefined)}
    >
      <Text size="sm">This ends the wallet of {name} at this validator:</Text>
      <List size="sm" spacing={4}>
        <List.Item>
          The user {name} is removed from the ledger; its tokens are no longer let in.
        </List.Item>
        <List.Item>
          You no longer may act for its party, unless another user here shares it. Nothing is
          collected or paid for it any more.
        </List.Item>
        <List.Item>
          The party, its coins and its history stay on the ledger. Nobody can move the coins until
          somebody is onboarded with that party again.
        </List.Item>
      </List>
    </Confirm>
  )
}
