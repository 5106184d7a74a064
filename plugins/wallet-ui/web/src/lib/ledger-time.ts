// What time it is on the ledger. A development network's clock is simulated and may be days ahead
// of this machine's; only operators may ask for it, but everybody sees when the rounds opened.
import { ledgerNow } from './clock.ts'
import { textAt } from './payload.ts'
import { validator } from './wallet.tsx'

/**
 * Makes times to come: microseconds since 1970, `millis` after the ledger's now, for whatever
 * expires. The ledger's now is taken as the later of what the page takes for it and the opening of
 * the earliest open round.
 */
export function useLater(): (millis: number) => bigint {
  const { data } = validator.useQuery(
    'getOpenAndIssuingMiningRounds',
    {},
    { refetchInterval: 15_000 },
  )
  const openings = (data?.open_mining_rounds ?? []).map(({ contract }) =>
    Date.parse(textAt(contract.payload, 'opensAt')),
  )
  const opened = Math.min(...openings.filter((time) => !Number.isNaN(time)))
  return (millis) =>
    BigInt(Math.max(ledgerNow(), Number.isFinite(opened) ? opened : 0) + millis) * 1_000n
}
