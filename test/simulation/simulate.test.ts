// The simulated network at the size of continuous integration; `npm run simulate` is the whole
// month. docs/simulation.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './simulation.ts'
import type { Report } from './simulation.ts'

const ROUNDS_A_DAY = 144
const SMALL = {
  days: 2,
  users: 20,
  seed: 1,
  servers: 1,
  nodes: 1,
  transfersPerDay: 3,
  without: [],
}

function countOf({ days }: Report, key: string): number {
  return days.reduce((sum, { ends }) => sum + (ends.get(key) ?? 0), 0)
}

test('two days of twenty users leave nothing to be found, and every automation had work', async () => {
  const report = await simulate(SMALL)
  assert.deepEqual(report.findings, [])
  assert.equal(report.days.flatMap(({ samples }) => samples).length, SMALL.days * ROUNDS_A_DAY)
  const ends = [
    'offer accepted',
    'offer completed',
    'two-step accepted',
    'two-step expired',
    'one-step completed',
    'order sent',
    'traffic bought',
    'preapproval renewed',
    'coupon collected',
    'merge',
    'minted for outsider',
    'sweep',
    'tap',
    'purchase of traffic',
  ]
  for (const end of ends) assert.ok(countOf(report, end) > 0, `no ${end}`)
  const asked = report.answers.get('offer-accept 200') ?? 0
  assert.ok(countOf(report, 'offer accepted') > asked, 'some offers were accepted by automation')
  const topUps = countOf(report, 'purchase of traffic') - countOf(report, 'traffic bought')
  assert.ok(topUps > 0, 'the operator bought traffic by automation')
})

test('a seed says all that happens, and three nodes are in order, too', async () => {
  const setting = { ...SMALL, days: 0.15, users: 6 }
  const [one, again, other] = [
    await simulate(setting),
    await simulate(setting),
    await simulate({ ...setting, users: 9, nodes: 3 }),
  ]
  assert.deepEqual([one.findings, again.findings, other.findings], [[], [], []])
  assert.equal(one.fingerprint, again.fingerprint)
  assert.notEqual(one.fingerprint, other.fingerprint)
  assert.ok(countOf(other, 'tap') >= 9, 'all settled')
})

for (const [without, found] of [
  ['rounds', /^round 0 is open/],
  ['rewards', /coupons expired$/],
  ['expiry', /is over/],
  ['completion', /^accepted offer \w+ waits/],
  ['liveness', /^liveness is recorded up to -1/],
] as const) {
  test(`a simulation without ${without} is found out`, async () => {
    const { findings } = await simulate({ ...SMALL, days: 1, users: 8, without: [without] })
    assert.ok(
      findings.some((finding) => found.test(finding)),
      findings.join('\n'),
    )
  })
}

test('two servers over one store, whose clocks are apart, do each job once in effect', async () => {
  const report = await simulate({ ...SMALL, days: 0.25, users: 8, servers: 2 })
  assert.deepEqual(report.findings, [])
  assert.equal(countOf(report, 'coupon expired'), 0)
})
