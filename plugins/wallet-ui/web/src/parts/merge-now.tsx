// Making one holding of many at once: a one-step transfer of the whole to oneself, for which the
// ledger takes the largest holdings first.
import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { wireAmount } from '../lib/amount.ts'
import { useStatus } from '../lib/facts.ts'
import { mergeable, MOST_INPUTS } from '../lib/holdings.ts'
import type { Holding } from '../lib/holdings.ts'
import { useLater } from '../lib/ledger-time.ts'
import { useSameRequest } from '../lib/same-request.ts'
import { validator } from '../lib/wallet.tsx'
import { ActionButton } from './action.tsx'
import { t } from '../lib/language.ts'

const AN_HOUR_MS = 3_600_000

/** Nothing where there is nothing to merge, but for what was just done. */
export function MergeNow({ holdings }: { readonly holdings: readonly Holding[] }): ReactNode {
  const transfer = validator.useMutation('createTokenStandardTransfer')
  const later = useLater()
  const sameRequest = useSameRequest<Parameters<typeof transfer.mutateAsync>[0]['body']>()
  const { data: status } = useStatus()
  const { count, amount } = useMemo(() => mergeable(holdings), [holdings])
  const [isDone, setIsDone] = useState(false)
  if (status === undefined || count < 2)
    return isDone ? (
      <Text size="sm" c="teal" role="status">
        {t('✓ Merged into one')}
      </Text>
    ) : null
  const merge = (key: string): Promise<unknown> =>
    sameRequest(
      key,
      () => ({
        receiver_party_id: status.party_id,
        amount: wireAmount(amount),
        description: '',
        tracking_id: key,
        expires_at: later(AN_HOUR_MS),
      }),
      (body) => transfer.mutateAsync({ body }),
    )
  return (
    <ActionButton size="sm" act={merge} onDone={() => setIsDone(true)}>
      {count < MOST_INPUTS ? t('Merge {0} into one', count) : t('Merge the largest {0}', count)}
    </ActionButton>
  )
}
