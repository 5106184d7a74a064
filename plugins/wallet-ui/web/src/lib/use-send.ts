// Makes payments: one request for each kind, under a key that is paid once however often it is
// asked for.
import { wireAmount } from './amount.ts'
import { useLater } from './ledger-time.ts'
import { useSameRequest } from './same-request.ts'
import type { Payment, SentState } from './sending.ts'
import { validator } from './wallet.tsx'

type Send = (payment: Payment, key: string) => Promise<SentState>

/** Rejects with the server's refusal; then nothing was paid, unless `isUncertain` says so. */
export function useSend(): Send {
  const oneStep = validator.useMutation('transferPreapprovalSend')
  const twoSteps = validator.useMutation('createTokenStandardTransfer')
  const offer = validator.useMutation('createTransferOffer')
  const later = useLater()
  const sameRequest = useSameRequest<Offer>()
  return async ({ kind, whom, amount, description, expiry }, key) => {
    const common = { receiver_party_id: whom.party, amount: wireAmount(amount) }
    if (kind === 'one-step') {
      await oneStep.mutateAsync({
        body: { ...common, deduplication_id: key, ...(description === '' ? {} : { description }) },
      })
      return 'paid'
    }
    const make = (): Offer => ({
      ...common,
      description,
      expires_at: later(expiry.millis),
      tracking_id: key,
    })
    if (kind === 'offer') {
      await sameRequest(key, make, (body) => offer.mutateAsync({ body }))
      return 'offered'
    }
    const { output } = await sameRequest(key, make, (body) => twoSteps.mutateAsync({ body }))
    return 'transfer_instruction_cid' in output ? 'locked' : 'paid'
  }
}

type Offer = validator.Input<'createTransferOffer'>['body']
