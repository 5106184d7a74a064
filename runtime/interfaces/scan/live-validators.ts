// The validators that were live in the most rounds. No index is in this order, so all licences are
// read: by one read for all who ask in these seconds. spec/scan.yaml
import type { ValidatorReceivedFaucets } from '../../../generated/scan/types.gen.ts'
import { validatorLicense } from '../../contracts/index.ts'
import type { Economy } from '../../economy/economy.ts'
import { compareUtf8 } from '../../store/rules.ts'
import { faucetsIn } from './participants.ts'

const KEPT_MS = 5_000
const MOST = 1_000

/** How to ask for them: most rounds first, at most 1,000, as of a few seconds ago. */
export function liveValidators({
  reader,
}: Pick<Economy, 'reader'>): () => Promise<readonly ValidatorReceivedFaucets[]> {
  let found: Promise<readonly ValidatorReceivedFaucets[]> | undefined
  let until = 0
  const read = async (): Promise<readonly ValidatorReceivedFaucets[]> =>
    (await reader.all(validatorLicense))
      .flatMap(({ payload }) => faucetsIn(payload))
      .sort(byRounds)
      .slice(0, MOST)
  return () => {
    const now = performance.now()
    if (found === undefined || now >= until) {
      until = now + KEPT_MS
      found = read()
      // What failed is asked again.
      found.catch(() => (found = undefined))
    }
    return found
  }
}

function byRounds(one: ValidatorReceivedFaucets, other: ValidatorReceivedFaucets): number {
  return (
    Number(other.numRoundsCollected - one.numRoundsCollected) ||
    compareUtf8(one.validator, other.validator)
  )
}
