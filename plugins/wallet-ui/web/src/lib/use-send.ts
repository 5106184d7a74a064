// Makes payments: one request for each kind, under a key that is paid once however often it is asked for.
import { wireAmount } from './amount.ts'
import { useLater } from './ledger-time.ts'
import { isRefusal } from './problem.ts'
import type { Payment, SentState } from './sending.ts'
import { validator } from './wallet.tsx'

export type Send = (payment: Payment, key: string) => Promise<SentState>

/** Rejects with the server's refusal; then nothing was paid, unless `isUncertain` says so. */
export function useSend(): Send {
  const oneStep = validator.useTransferPreapprovalSend()
  const twoSteps = validator.useCreateTokenStandardTransfer()
  const offer = useOffer()
  const later = useLater()
  return async ({ kind, receiver: receiver_party_id, amount, description, expiry }, key) => {
    const common = { receiver_party_id, amount: wireAmount(amount) }
    if (kind === 'one-step') {
      await oneStep.mutateAsync({ body: { ...common, deduplication_id: key, ...description === '' ? {} : { description } } })
      return 'paid'
    }
    const body = { ...common, description, expires_at: later(expiry.millis), tracking_id: key }
    if (kind === 'offer') return offer(body)
    const { output } = await twoSteps.mutateAsync({ body })
    return 'transfer_instruction_cid' in output ? 'locked' : 'paid'
  }
}

type Offer = Parameters<ReturnType<typeof validator.useCreateTransferOffer>['mutateAsync']>[0]['body']

/** A second offer of a key is refused, also where the first one's answer was lost: then there is one, and that is what was wanted. */
function useOffer(): (body: Offer) => Promise<SentState> {
  const create = validator.useCreateTransferOffer()
  const client = validator.useClient()
  return async (body) => {
    try {
      await create.mutateAsync({ body })
    } catch (error) {
      const isUsed = isRefusal(error) && error.status === 409
      const status = isUsed ? await client.getTransferOfferStatus({ path: { tracking_id: body.tracking_id } }) : undefined
      if (status?.status !== 200) throw error
    }
    return 'offered'
  }
}
