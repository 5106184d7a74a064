// The real engine, contracts and wallets against the model, on every store, with commits that
// conflict: nothing is found in some thousand steps, and each planted fault is. `npm run
// properties` plays as many steps as it is asked for. domain/behaviour.md §17; rulings.md 32
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { coverageOf } from './coverage.ts'
import { releaseStores } from './driver/network.ts'
import { openSystem } from './driver/open.ts'
import { PLANTED } from './driver/plants.ts'
import { faultOf } from './faults.ts'
import { PLAIN_KINDS } from './model/actions.ts'
import { PROFILE, START } from './profile.ts'
import { search } from './search.ts'

const GIVEN = process.env['PROPERTY_SEED']
const SEED = Number(GIVEN ?? 1)
/** For faults that the first seed takes thousands of steps to find. */
const SEEDS: Readonly<Record<string, number>> = {
  'too-many-inputs': 12,
  'unchecked-controller': 201,
  'tracking-reused': 9,
  'mint-rounds-up': 9,
  'coupon-kept': 3,
  'dedup-ignored': 3,
  'folded-rounding': 2,
}
const STEPS = Number(process.env['PROPERTY_STEPS'] ?? 4000)
const SQLITE_STEPS = Number(process.env['PROPERTY_SQLITE_STEPS'] ?? 400)
const POSTGRES_STEPS = Number(process.env['PROPERTY_POSTGRES_STEPS'] ?? 300)
const FAULT_STEPS = 6000
const LENGTH = 500

const KINDS = [
  'tap',
  'offer',
  'instruct',
  'send',
  'self-transfer',
  'buy-traffic',
  'preapprove',
  'preapproval-renew',
  'collect',
  'liveness',
  'onboard',
  'rounds',
  'price',
  ...PLAIN_KINDS,
]

test(`nothing is found on memory (seed ${SEED}), every command succeeds now and then, and some find others faster`, async () => {
  const { succeeded, refused } = await coverageOf(openSystem('memory'), SEED, STEPS, LENGTH)
  assert.deepEqual(
    KINDS.filter((kind) => !succeeded.has(kind)),
    [],
  )
  assert.ok([...refused.keys()].some((key) => key.endsWith(' busy')))
})

test(`nothing is found on SQLite (seed ${SEED})`, async () => {
  await coverageOf(openSystem('sqlite'), SEED, SQLITE_STEPS, LENGTH)
})

test(`nothing is found on PostgreSQL (seed ${SEED})`, async () => {
  await coverageOf(openSystem('postgres'), SEED, POSTGRES_STEPS, LENGTH)
})

after(releaseStores)

test('at least 20 faults are planted', () => {
  assert.ok(PLANTED.length >= 20, `${PLANTED.length}`)
})

for (const id of PLANTED) {
  test(`found: ${faultOf(id).what} (${id})`, async () => {
    const found = await search({
      open: openSystem('memory'),
      config: PROFILE,
      start: START,
      faults: new Set([id]),
      seed: GIVEN === undefined ? (SEEDS[id] ?? SEED) : SEED,
      steps: FAULT_STEPS,
      length: LENGTH,
      shrinks: 0,
      auditEvery: 10,
    }).catch(refusedByEngine)
    // An invariant of production found it before it was written.
    if (found === 'refused') return
    assert.ok(found !== undefined, 'the fault was not found')
    const { violations } = found.failure
    const numbers = new Set(violations.map(({ invariant }) => invariant))
    assert.ok(
      faultOf(id).caughtBy.some((number) => numbers.has(number)),
      JSON.stringify(violations.slice(0, 5)),
    )
  })
}

function refusedByEngine(error: unknown): 'refused' {
  if (error instanceof Error && 'code' in error && error.code === 'COMMIT_REFUSED') return 'refused'
  throw error
}
