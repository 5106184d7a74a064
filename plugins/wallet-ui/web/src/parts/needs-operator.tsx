// What stands where only the validator's own user may look: who that is, and why it is not this
// person.
import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRights, useValidatorUser } from '../lib/rights.ts'
import { t } from '../lib/language.ts'
import { rich } from './rich.tsx'

interface Props {
  /** `Automations are`: the beginning of the sentence. */
  readonly what: string
  readonly children: ReactNode
}

/** Its children for the validator's own user, else the reason; nothing until that is known. */
export function NeedsOperator({ what, children }: Props): ReactNode {
  const { isKnown, runsValidator } = useRights()
  const { data } = useValidatorUser()
  if (runsValidator) return <>{children}</>
  if (!isKnown || data === undefined) return null
  return (
    <Alert title={t('For the validator’s own user')}>
      {rich(
        '{0} for the user {1}, who owns the validator’s party. Administering the ledger is a separate right: log in as {2} to see them.',
        what,
        data.user_name,
        data.user_name,
      )}
    </Alert>
  )
}
