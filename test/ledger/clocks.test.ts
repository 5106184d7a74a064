// Whatever clocks do, no kept id is used twice, no deadline passes before its time by more than the
// doubt that the decision allows, and once the clocks are right nobody has to do anything.
// `npm run full:clocks` runs 1,000 schedules. docs/decisions/0050-the-ledgers-own-time.md
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import { runSchedule, SCHEDULE } from './clock-schedules.ts'
import type { Plant, Schedule, Seen } from './clock-schedules.ts'

const RUNS = Number(process.env['SCHEDULES'] ?? 200)
const SEED = Number(process.env['SEED'] ?? 34)

const nothingSeen = (): Seen => ({ taken: 0, repeated: 0, doubted: 0, unready: 0 })

test(`${RUNS} schedules of clocks from the seed ${SEED}`, async (context) => {
  const seen = nothingSeen()
  const property = fc.asyncProperty(SCHEDULE, (schedule) =>
    runSchedule(schedule, createMemoryStore().contracts, seen),
  )
  await fc.assert(property, { numRuns: RUNS, seed: SEED })
  context.diagnostic(JSON.stringify(seen))
  assert.ok(
    Object.values(seen).every((count) => count > RUNS / 10),
    JSON.stringify(seen),
  )
})

describe('on databases', async () => {
  const places = await sqlPlaces()
  after(() => places.release())
  for (const dialect of ['sqlite', 'postgres'] as const)
    test(`a few schedules on ${dialect}`, async () => {
      const property = fc.asyncProperty(SCHEDULE, async (schedule) => {
        const store = await (await places[dialect]()).open()
        await runSchedule(schedule, store.contracts, nothingSeen())
        await store.close()
      })
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 50), seed: SEED })
    })
})

const FAULTS: Readonly<Record<string, readonly [Plant, RegExp]>> = {
  'the clock is believed': [
    { witness: (machine) => async () => machine.nowMicros() },
    /a deadline passed before its time|recorded too far ahead/,
  ],
  'ids are forgotten by the clock': [
    { forgetting: async (_store, machine) => machine.nowMicros() },
    /a kept id paid twice/,
  ],
  'no beat is kept': [
    {
      store: (store) => ({
        ...store,
        facts: async (...asked) =>
          (await store.facts(...asked)).filter(({ key }) => key !== 'beat'),
      }),
    },
    /a deadline passed before its time|recorded too far ahead/,
  ],
}

for (const [fault, [plant, says]] of Object.entries(FAULTS))
  test(`is found: ${fault}`, async () => {
    const property = fc.asyncProperty(SCHEDULE, (schedule: Schedule) =>
      runSchedule(schedule, createMemoryStore().contracts, nothingSeen(), plant),
    )
    const { failed, errorInstance } = await fc.check(property, {
      numRuns: 500,
      seed: SEED,
      endOnFailure: true,
    })
    assert.ok(failed)
    assert.match(String(errorInstance), says)
  })
