// Whether a party can be paid in one step.
import { isRefusal } from './problem.ts'
import { validator } from './wallet.tsx'

/** A refusal is an error in the browser's console: it is not asked for as often as other things. */
export const UNTOLD_MS = 5_000

/** Undefined until it is known. */
export function usePreapproved(party: string): boolean | undefined {
  const { data, error } = validator.useQuery(
    'lookupTransferPreapprovalByPartyFromScan',
    { path: { party } },
    { enabled: party !== '', refetchInterval: UNTOLD_MS },
  )
  if (isRefusal(error) && error.status === 404) return false
  return data === undefined ? undefined : true
}
