// The invariants against the model's twin: a sound twin violates nothing over some thousand steps
// in which every command succeeds now and then, and each planted fault is found by an invariant
// that was meant to find it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coverageOf } from './coverage.ts'
import { FAULTS, faultOf } from './faults.ts'
import { CHECKED } from './invariants.ts'
import { PLAIN_KINDS } from './model/actions.ts'
import { PROFILE, START } from './profile.ts'
import { search } from './search.ts'
import { openTwin } from './twin.ts'
import { TWISTS } from './twin-faults.ts'

const SEED = 1
const STEPS = Number(process.env['PROPERTY_STEPS'] ?? 6000)

test('nothing is found in a sound twin, and every command succeeds and is refused', async () => {
  const { succeeded, refused } = await coverageOf((options) => openTwin(options), SEED, STEPS, 500)
  const kinds = [
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
    'rounds',
    ...PLAIN_KINDS,
  ]
  assert.deepEqual(
    kinds.filter((kind) => !succeeded.has(kind)),
    [],
  )
  const reasons = new Set([...refused.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))
  for (const reason of [
    'invalid',
    'requirement',
    'insufficient-funds',
    'too-many-inputs',
    'not-found',
    'too-late',
    'too-early',
    'duplicate',
    'unknown-synchronizer',
    'insufficient-topup',
  ])
    assert.ok(reasons.has(reason), reason)
})

test('a seed gives the same run again', async () => {
  const play = () => coverageOf((options) => openTwin(options), 5, 500, 250)
  const [one, two] = [await play(), await play()]
  assert.deepEqual(one, two)
})

test('at least 25 of the invariants are checked, and at least 20 faults are described', () => {
  assert.ok(CHECKED.filter((number) => number > 0).length >= 25, CHECKED.join(' '))
  assert.ok(FAULTS.length >= 20)
  assert.equal(new Set(FAULTS.map(({ id }) => id)).size, FAULTS.length)
})

for (const [id, twist] of TWISTS) {
  test(`found: ${faultOf(id).what}`, async () => {
    const found = await search({
      open: (options) => openTwin(options, twist),
      config: PROFILE,
      start: START,
      faults: new Set([id]),
      seed: SEED,
      steps: STEPS,
      length: 500,
      shrinks: 0,
      auditEvery: 10,
    })
    assert.ok(found !== undefined, 'the fault was not found')
    const numbers = found.failure.violations.map(({ invariant }) => invariant)
    assert.ok(
      faultOf(id).caughtBy.some((number) => numbers.includes(number)),
      JSON.stringify(found.failure.violations),
    )
  })
}
