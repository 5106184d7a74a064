// What can be done about an offer, whichever kind of contract it is.
import { shownAmount } from './amount.ts'
import type { Offer } from './offers.ts'
import { useWallet, validator } from './wallet.tsx'

type Act = () => Promise<unknown>

/** Actions on an offer, by the operations of its kind. */
export function useOfferActs({ kind, id }: Offer): {
  readonly accept: Act
  readonly reject: Act
  readonly withdraw: Act
} {
  const offers = {
    accept: validator.useMutation('acceptTransferOffer'),
    reject: validator.useMutation('rejectTransferOffer'),
    withdraw: validator.useMutation('withdrawTransferOffer'),
  }
  const transfers = {
    accept: validator.useMutation('acceptTokenStandardTransfer'),
    reject: validator.useMutation('rejectTokenStandardTransfer'),
    withdraw: validator.useMutation('withdrawTokenStandardTransfer'),
  }
  const { accept, reject, withdraw } = kind === 'two-steps' ? transfers : offers
  const input = { path: { contract_id: id } }
  return {
    accept: () => accept.mutateAsync(input),
    reject: () => reject.mutateAsync(input),
    withdraw: () => withdraw.mutateAsync(input),
  }
}

/** The amount with its coin. */
export function useSaid({ amount }: Offer): string {
  return `${shownAmount(amount)} ${useWallet().configuration.coin}`
}
