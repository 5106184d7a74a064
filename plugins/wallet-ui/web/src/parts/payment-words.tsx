// What a payment will do, in one or two sentences.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRate, useStatus } from '../lib/facts.ts'
import { partyText } from '../lib/party.ts'
import { amountText } from '../lib/sending.ts'
import type { Payment } from '../lib/sending.ts'
import { useWallet } from '../lib/wallet.tsx'
import { rich } from './rich.tsx'

/** The receiver stands there in letters that differ from each other. */
export function PaymentWords({ of }: { readonly of: Payment }): ReactNode {
  const { coin } = useWallet().configuration
  const own = useStatus().data?.party_id ?? ''
  const amount = amountText(of.amount, coin, useRate())
  const name = (
    <Text span inherit ff="monospace">
      {partyText(of.whom.party, own)}
    </Text>
  )
  switch (of.kind) {
    case 'one-step':
      return rich(
        'You send {0} to {1} in one step. It arrives at once and cannot be undone.',
        amount,
        name,
      )
    case 'two-steps':
      return rich(
        'You send {0} to {1} in two steps. It is locked until {2} accepts or you withdraw it, and comes back by itself after {3}.',
        amount,
        name,
        name,
        of.expiry.label,
      )
    case 'offer':
      return rich(
        'You offer {0} to {1}. Nothing moves until {2} accepts within {3}. Then your validator pays.',
        amount,
        name,
        name,
        of.expiry.label,
      )
  }
}
