// Validator licences: at most one liveness record a round, in order, and reports an hour apart.
// docs/economy-rules.md, "Liveness"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dsoRules, dsoRulesOnboardValidator } from '../../runtime/contracts/dso-rules.ts'
import {
  validatorLicense,
  validatorLicenseRecordValidatorLivenessActivity,
  validatorLicenseReportActive,
  validatorLicenseUpdateMetadata,
  validatorLivenessActivityRecord,
} from '../../runtime/contracts/licence.ts'
import { openMiningRound } from '../../runtime/contracts/rounds.ts'
import {
  assertRequires,
  DSO,
  GENESIS,
  openRound,
  startNetworkWithRounds,
  succeeded,
  sv,
  assertKind,
} from './network-fixture.ts'
import type { NetworkUnderTest } from './network-fixture.ts'
import { DAY, HOUR } from './sample-config.ts'

const VALIDATOR = 'validator::1220cc'

async function onboard(network: NetworkUnderTest): Promise<string> {
  const argument = {
    sponsor: sv(1),
    validator: VALIDATOR,
    version: '1',
    contactPoint: 'ops@example.org',
    now: network.now(),
  }
  const rules = await network.dsoRulesId()
  return (await network.exercise(sv(1), dsoRulesOnboardValidator, rules, argument))
    .validatorLicenseCid
}

function recordAlive(
  network: NetworkUnderTest,
  licence: string,
  openRoundCid: string,
  actAs = VALIDATOR,
) {
  const argument = { openRoundCid, now: network.now() }
  return network.submit(actAs, validatorLicenseRecordValidatorLivenessActivity, licence, argument)
}

test('a super validator takes a validator in, who is its own sponsor; nobody else does', async () => {
  const network = await startNetworkWithRounds()
  const licence = await network.payload(validatorLicense, await onboard(network))
  assert.deepEqual(licence, {
    validator: VALIDATOR,
    sponsor: VALIDATOR,
    dso: DSO,
    faucetState: null,
    metadata: { lastUpdatedAt: GENESIS, version: '1', contactPoint: 'ops@example.org' },
    lastActiveAt: GENESIS,
  })
  const argument = {
    sponsor: VALIDATOR,
    validator: VALIDATOR,
    version: '1',
    contactPoint: '',
    now: network.now(),
  }
  const rules = await network.dsoRulesId()
  assertRequires(
    await network.submit(VALIDATOR, dsoRulesOnboardValidator, rules, argument),
    /super validator/,
  )
  const ofSv = { ...argument, sponsor: sv(1) }
  await network.denied('unauthorised', VALIDATOR, dsoRulesOnboardValidator, rules, ofSv)
  assert.equal(
    (await network.refusalOfCreate(VALIDATOR, validatorLicense, licence)).kind,
    'unauthorised',
  )
})

test('one record a round, and none for a round before the last one received', async () => {
  const network = await startNetworkWithRounds()
  const first = await onboard(network)
  const [zero, one] = [await openRound(network, 0n), await openRound(network, 1n)]
  const { result } = succeeded(await recordAlive(network, first, one.id))
  assert.deepEqual((await network.payload(validatorLicense, result.licenseCid)).faucetState, {
    firstReceivedFor: 1n,
    lastReceivedFor: 1n,
    numCouponsMissed: 0n,
  })
  const record = await network.payload(
    validatorLivenessActivityRecord,
    result.validatorLivenessActivityRecordCid,
  )
  assert.deepEqual(record, { dso: DSO, validator: VALIDATOR, round: 1n })
  assertRequires(await recordAlive(network, result.licenseCid, one.id), /last one received/)
  assertRequires(await recordAlive(network, result.licenseCid, zero.id), /last one received/)
  assert.deepEqual(await network.reader.total('coupons.liveness', '1'), {
    amount: 10_000_000_000n,
    count: 1n,
  })
})

test('a round counts from its opening on, to the microsecond', async () => {
  const network = await startNetworkWithRounds()
  const licence = await onboard(network)
  const two = await openRound(network, 2n)
  network.setTime(two.payload.opensAt - 1n)
  assertKind(await recordAlive(network, licence, two.id), 'too-early')
  network.setTime(two.payload.opensAt)
  succeeded(await recordAlive(network, licence, two.id))
})

test('reports of activity are an hour apart, exactly an hour being enough', async () => {
  const network = await startNetworkWithRounds()
  const licence = await onboard(network)
  network.setTime(GENESIS + HOUR - 1n)
  const early = await network.submit(VALIDATOR, validatorLicenseReportActive, licence, {
    now: network.now(),
  })
  assertRequires(early, /an hour ago/)
  network.setTime(GENESIS + HOUR)
  const { licenseCid } = await network.exercise(VALIDATOR, validatorLicenseReportActive, licence, {
    now: network.now(),
  })
  assert.equal((await network.payload(validatorLicense, licenseCid)).lastActiveAt, GENESIS + HOUR)
})

test('metadata changes at most once an hour, only if it changes, and fits 255 characters', async () => {
  const network = await startNetworkWithRounds()
  const licence = await onboard(network)
  const update = (version: string) =>
    network.submit(VALIDATOR, validatorLicenseUpdateMetadata, licence, {
      version,
      contactPoint: 'ops@example.org',
      now: network.now(),
    })
  assertRequires(await update('2'), /an hour ago/)
  network.setTime(GENESIS + HOUR)
  assertRequires(await update('1'), /changes/)
  assertRequires(await update('2'.repeat(256)), /255/)
  succeeded(await update('2'.repeat(255)))
})

test("the network's rules name every super validator as observer", async () => {
  const network = await startNetworkWithRounds({ svs: 3 })
  const rules = await network.reader.get(dsoRules, await network.dsoRulesId())
  assert.deepEqual(rules?.record.observers, [sv(1), sv(2), sv(3)])
})

test('missed rounds are those between the first and the last that were not received', async () => {
  const steps = fc.array(fc.bigInt({ min: 1n, max: 6n }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 5n }), steps, async (start, gaps) => {
      const network = await startNetworkWithRounds()
      const template = (await openRound(network, 0n)).payload
      let licence = await onboard(network)
      let round = start
      for (const gap of gaps) {
        const cid = await network.create(openMiningRound, {
          ...template,
          round,
          opensAt: GENESIS,
          targetClosesAt: GENESIS + DAY,
        })
        licence = succeeded(await recordAlive(network, licence, cid)).result.licenseCid
        round += gap
      }
      const state =
        (await network.payload(validatorLicense, licence)).faucetState ?? assert.fail('no state')
      const received = BigInt((await network.reader.active(validatorLivenessActivityRecord)).length)
      assert.equal(received, BigInt(gaps.length))
      assert.equal(state.firstReceivedFor, start)
      assert.equal(
        state.numCouponsMissed,
        state.lastReceivedFor - state.firstReceivedFor + 1n - received,
      )
    }),
    { numRuns: 15 },
  )
})
