// Everything that is kept, sent again at every node: what is good for nothing there must be
// refused, and what was done before must change nothing.
import type { Violation } from '../driver/observe.ts'
import { verdictOf } from './binding.ts'
import type { Kept } from './kept.ts'
import { namesOf, renamed, sendTo } from './kept.ts'
import type { Ledger, Place } from './ledger.ts'
import { combined, halved, swapped } from './combined.ts'
import { pastOf, use } from './scene.ts'
import type { Scene } from './scene.ts'

/** The last ones, and some of those before: an episode has more than there is time for. */
const MOST = 30
/** Most combinations that are put together, at each node. */
const MOST_COMBINED = 12
/** How much of what is good for something is used. */
const USED = 0.1

export interface Tried {
  readonly tries: number
  readonly violations: readonly Violation[]
}

/** Tries everything at every node of every ledger. */
export async function tryAll(scene: Scene): Promise<Tried> {
  const results = await Promise.all(
    scene.ledgers.map(async (ledger) => {
      await spend(scene, ledger)
      const before = await ledger.end()
      const { tries, violations } = await tryOn(scene, ledger)
      const after = await ledger.end()
      const detail = `${ledger.name} has got from offset ${before} to ${after}`
      const moved = after === before ? [] : [{ rule: 'nothing is done again', detail }]
      return { tries, violations: [...violations, ...moved] }
    }),
  )
  return {
    tries: results.reduce((sum, { tries }) => sum + tries, 0),
    violations: results.flatMap(({ violations }) => violations),
  }
}

/** Some of what is good for something is used: it has to be worth nothing afterwards. */
async function spend(scene: Scene, ledger: Ledger): Promise<void> {
  const now = await ledger.now()
  for (const place of ledger.places)
    for (const kept of scene.kept) {
      const past = pastOf(scene, ledger)
      const verdict = verdictOf(kept.binds, { place, past, now })
      if (verdict === 'once' && scene.dice.chance(USED)) await use(scene, place, kept)
    }
}

async function tryOn(scene: Scene, ledger: Ledger): Promise<Tried> {
  const now = await ledger.now()
  const past = pastOf(scene, ledger)
  const violations: Violation[] = []
  let tries = 0
  for (const place of ledger.places) {
    for (const kept of triesAt(scene, place)) {
      const verdict = verdictOf(kept.binds, { place, past, now })
      if (verdict === 'once') continue
      tries += 1
      const { status, text } = await sendTo(place, kept)
      const isWrong = status >= 500 || (verdict === 'refuse' && status < 400)
      if (isWrong)
        violations.push({
          rule: `accepted: ${kept.what.replace(/, made at .*/, '')}`,
          detail: `${kept.what}: ${status} at ${place.name} ${text.slice(0, 200)}`,
        })
    }
  }
  return { tries, violations }
}

/** Each as it is, and with the names of the node; then what is put together anew. */
function triesAt(scene: Scene, place: Place): readonly Kept[] {
  const recent = scene.kept.slice(-MOST)
  const older = scene.dice.some(scene.kept.slice(0, -MOST), MOST)
  const names = namesOf(place)
  return [...older, ...recent]
    .flatMap((kept) => [kept, ...renamed(kept, names)])
    .concat(
      scene.dice.some(
        [...swapped(scene), ...halved(scene), ...combined(scene, place)],
        MOST_COMBINED,
      ),
    )
}
