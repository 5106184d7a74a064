// The end of somebody's wallet, and what that means, before it is done.
import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { validator } from '../../lib/wallet.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

interface Props {
  readonly name: string
  /** Gets a sentence once it is done. */
  readonly onClose: (done?: string) => void
}

export function Offboard({ name, onClose }: Props): ReactNode {
  const offboard = validator.useMutation('offboardUser')
  return (
    <Confirm
      title={t('Offboard {0}?', name)}
      confirm={t('Offboard {0}', name)}
      color="red"
      act={() => offboard.mutateAsync({ query: { username: name } })}
      onClose={(isDone) => onClose(isDone ? t('{0} is offboarded.', name) : undefined)}
    >
      <Text size="sm">{rich('This ends the wallet of {0} at this validator:', name)}</Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {rich(
            'The user {0} is removed from the ledger, and its tokens are no longer valid.',
            name,
          )}
        </List.Item>
        <List.Item>
          {t(
            'You can no longer act for its party, unless another user here shares it. Nothing is collected or paid for it any more.',
          )}
        </List.Item>
        <List.Item>
          {t(
            'The party, its coins and its history stay on the ledger. Nobody can move the coins until a user is onboarded with that party again.',
          )}
        </List.Item>
      </List>
    </Confirm>
  )
}
