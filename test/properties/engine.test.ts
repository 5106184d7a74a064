// The real engine, contracts and wallets against the model, on every store, with commits that
// conflict: nothing is found in 1,500 steps (PROPERTY_STEPS), and each planted fault is. `npm run
// properties` plays as many steps as it is asked for.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { search } from '../drive/search.ts'
import type { Found } from '../drive/search.ts'
import { releaseStores, storeNamed } from '../support/open-store.ts'
import { draftsOf, KINDS } from './commands.ts'
import type { Draft } from './commands.ts'
import { FAULTS } from './driver/plants.ts'
import { playEpisode } from './episode.ts'

const GIVEN = process.env['PROPERTY_SEED']
const SEED = Number(GIVEN ?? 1)
const SIZES = {
  memory: Number(process.env['PROPERTY_STEPS'] ?? 1500),
  sqlite: Number(process.env['PROPERTY_SQLITE_STEPS'] ?? 400),
  postgres: Number(process.env['PROPERTY_POSTGRES_STEPS'] ?? 300),
}
const FAULT_STEPS = 6000
/** Seeds that find a fault within few steps. */
const SEEDS: Readonly<Record<string, number>> = {
  'too-many-inputs': 79,
  'accept-pays-less': 9,
  'burn-kept': 9,
  'cost-rounds-up': 9,
  'coupon-kept': 21,
  'dedup-ignored': 12,
  'early-expiry': 54,
  'expired-accepted': 33,
  'folded-rounding': 13,
  'half-commit': 38,
  'live-dust': 8,
  'lock-for-others': 9,
  'lock-too-small': 9,
  'lost-lock': 9,
  'lost-total': 8,
  'mint-rounds-up': 17,
  'negative-output': 52,
  'no-conditional-write': 45,
  'offset-gap': 3,
  'reject-pays-receiver': 44,
  'renewal-shortens': 10,
  'shell-revived': 45,
  'status-back': 2,
  'tracking-reused': 4,
  'traffic-lost': 9,
  'unchecked-controller': 52,
  'unchecked-signatory': 21,
  'wrong-change': 6,
}

after(releaseStores)

interface Played {
  readonly found: Found<Draft> | undefined
  readonly counts: ReadonlyMap<string, number>
}

async function played(
  store: string,
  size: { readonly seed: number; readonly steps: number },
  faults: readonly string[] = [],
): Promise<Played> {
  const counts = new Map<string, number>()
  const options = { store: storeNamed(store), faults, auditEvery: faults.length > 0 ? 10 : 50 }
  const found = await search({
    ...size,
    draw: draftsOf,
    play: (drafts, seed) => playEpisode(drafts, { ...options, seed }),
    length: 500,
    shrinks: 0,
    onEpisode: (outcome) => {
      for (const [name, count] of outcome.counts) counts.set(name, (counts.get(name) ?? 0) + count)
    },
  })
  return { found, counts }
}

for (const [store, steps] of Object.entries(SIZES)) {
  test(`nothing is found in ${steps} steps on ${store}, seed ${SEED}`, async () => {
    const { found, counts } = await played(store, { seed: SEED, steps })
    assert.equal(found, undefined, JSON.stringify(found?.failure))
    if (steps < SIZES.memory) return
    assert.deepEqual(
      KINDS.filter((kind) => !counts.has(`${kind} done`)),
      [],
      'every command succeeds now and then',
    )
    assert.ok(
      [...counts.keys()].some((name) => name.endsWith(' busy')),
      'some find others faster',
    )
  })
}

test('a seed gives the same run again', async () => {
  const size = { seed: 5, steps: 200 }
  assert.deepEqual(await played('memory', size), await played('memory', size))
})

for (const { id, what, caughtBy } of FAULTS) {
  test(`found: ${what} (${id})`, async () => {
    const seed = GIVEN === undefined ? (SEEDS[id] ?? SEED) : SEED
    const answer = await played('memory', { seed, steps: FAULT_STEPS }, [id]).catch(refusedByEngine)
    // An invariant of production found it before it was written.
    if (answer === 'refused') return
    const rules = answer.found?.failure.rules ?? []
    assert.ok(
      caughtBy.some((number) => rules.includes(String(number))),
      JSON.stringify(answer.found?.failure ?? 'the fault was not found'),
    )
  })
}

function refusedByEngine(error: unknown): 'refused' {
  if (error instanceof Error && 'code' in error && error.code === 'COMMIT_REFUSED') return 'refused'
  throw error
}
