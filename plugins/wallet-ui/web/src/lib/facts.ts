// Facts of the wallet that several pages share, each read in one place.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { scan, validator } from './wallet.tsx'

/** The price of a coin in US dollars, from the newest round that is open; undefined until it is known. */
export function useRate(): Amount | undefined {
  const { data } = validator.useGetOpenAndIssuingMiningRounds({}, { refetchInterval: 15_000 })
  const open = data?.open_mining_rounds ?? []
  const prices = open.map(({ contract }) => contract.payload).flatMap((payload) => {
    const price: unknown = payload['conversionRate']
    const number: unknown = typeof payload['round'] === 'object' ? Reflect.get(payload['round'] ?? {}, 'number') : undefined
    return typeof price === 'string' ? [{ price, number: BigInt(String(number ?? '0')) }] : []
  })
  const [newest] = prices.toSorted((a, b) => (a.number > b.number ? -1 : 1))
  return newest === undefined ? undefined : parseAmount(newest.price)
}

/** The person's status at this validator: onboarded or not, and the party. */
export function useStatus(): ReturnType<typeof validator.useUserStatus> {
  return validator.useUserStatus()
}

/** What the network calls itself and its coin. */
export function useNames(): ReturnType<typeof scan.useGetNetworkInstanceNames> {
  return scan.useGetNetworkInstanceNames({}, { staleTime: Infinity, refetchInterval: false })
}
