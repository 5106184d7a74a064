// What is said when the server is away, or does not let the person in.
import { Alert, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from './lib/facts.ts'
import { t } from './lib/language.ts'
import { isUnreachable } from './lib/problem.ts'
import { useWallet } from './lib/wallet.tsx'

/** Nothing while all is well. */
export function Away(): ReactNode {
  const { error, data, failureReason } = useStatus()
  const { logOut } = useWallet()
  const reason = error ?? failureReason
  if (isUnreachable(reason)) {
    return (
      <Alert color="orange" mb="md" role="alert" title={t('The server does not answer')}>
        {t('You see the last known state. The wallet continues when the server is back.')}
      </Alert>
    )
  }
  if (data !== undefined || reason === null) return null
  return (
    <Alert color="red" mb="md" role="alert" title={t('The server does not let you in')}>
      <Group>
        {t('Log in again, perhaps as another user.')}
        <Button size="xs" onClick={logOut}>
          {t('Log out')}
        </Button>
      </Group>
    </Alert>
  )
}
