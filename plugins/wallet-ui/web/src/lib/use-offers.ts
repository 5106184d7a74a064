// The offers of whoever is logged in, of all kinds and both directions, kept current.
import { ledgerNow } from './clock.ts'
import { OLDEST } from './oldest.ts'
import { byTimeLeft, offerOf, twoStepOf } from './offers.ts'
import type { Offer } from './offers.ts'
import { useStatus } from './facts.ts'
import { validator } from './wallet.tsx'

export interface Offers {
  readonly incoming: readonly Offer[]
  readonly outgoing: readonly Offer[]
}

interface OffersRead {
  /** Undefined until all of it was read. */
  readonly data: Offers | undefined
  readonly error: Error | null
}

/** Each list sorted by the time that is left. Coin for oneself is among the incoming ones. */
export function useOffers(): OffersRead {
  const party = useStatus().data?.party_id ?? ''
  const enabled = party !== ''
  const open = validator.useQuery('listTransferOffers', OLDEST, { enabled })
  const accepted = validator.useQuery('listAcceptedTransferOffers', OLDEST, { enabled })
  const transfers = validator.useQuery('listTokenStandardTransfers', OLDEST, { enabled })
  const error = open.error ?? accepted.error ?? transfers.error
  if (open.data === undefined || accepted.data === undefined || transfers.data === undefined)
    return { data: undefined, error }
  const all = byTimeLeft([
    ...open.data.offers.map((contract) => offerOf('offer', contract)),
    ...accepted.data.accepted_offers.map((contract) => offerOf('accepted', contract)),
    ...transfers.data.transfers.map(twoStepOf),
  ])
  const isIncoming = ({ receiver }: Offer): boolean => receiver === party
  return {
    data: { incoming: all.filter(isIncoming), outgoing: all.filter((offer) => !isIncoming(offer)) },
    error,
  }
}

/** How many wait for the person's answer; 0 while that is unknown. */
export function useWaitingCount(): number {
  const { data } = useOffers()
  return (
    data?.incoming.filter(
      ({ kind, expiresAt }) => kind !== 'accepted' && Date.parse(expiresAt) > ledgerNow(),
    ).length ?? 0
  )
}
