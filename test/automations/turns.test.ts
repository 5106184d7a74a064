// Turns are fair and complete whatever is there: every party and every contract has its turn, a
// look reads a bounded part, and pages shrink where contracts are large. What fails is tried ever
// more rarely.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { silentLog } from '../../runtime/host/silent-log.ts'
import type { Contract, Reader, Template } from '../../runtime/engine/index.ts'
import { SubmissionRejected } from '../../runtime/economy/network/commands.ts'
import { Tries } from '../../runtime/economy/tries.ts'
import { Turns } from '../../runtime/economy/turns.ts'
import type { Looking } from '../../runtime/economy/turns.ts'
import { transferPreapprovalProposal } from '../../runtime/contracts/index.ts'

type Proposal = Contract<unknown>

/** A reader with the stated number of contracts of each party, mingled. */
function reading(counts: Readonly<Record<string, number>>, payload = '{}') {
  const parties = Object.keys(counts).toSorted()
  const most = Math.max(0, ...Object.values(counts))
  const order = Array.from({ length: most }, (_, index) =>
    parties.filter((party) => index < (counts[party] ?? 0)),
  ).flat()
  const all = order.map((party, index): Proposal => ({
    id: String(index),
    payload: {},
    createdAt: 0n,
    synchronizerId: 's',
    sequence: BigInt(index + 1),
    record: {
      contractId: String(index),
      templateId: '',
      packageName: '',
      payload,
      signatories: [],
      observers: [],
      createdAt: 0n,
      key1: party,
      key2: '',
      key3: '',
      rank: 0n,
    },
  }))
  const seen = { answered: 0, bytes: 0 }
  const active = async (
    party: string | undefined,
    { after, limit = 0 }: { after?: { sequence: bigint }; limit?: number } = {},
  ) => {
    const page = all
      .filter(
        ({ record, sequence }) =>
          (party === undefined || record.key1 === party) && sequence > (after?.sequence ?? 0n),
      )
      .slice(0, limit)
    seen.answered += page.length
    seen.bytes += page.length * payload.length
    return page
  }
  const keys = async (_key: unknown, after: string, limit: number) =>
    parties.filter((party) => party > after).slice(0, limit)
  return { all, seen, active, keys }
}

/** Whether another look was asked for goes nowhere. */
const again = { soon: () => {}, at: () => {} }

/** A look at only what turns use of a reader; contracts are of no template in particular. */
function looking(world: Pick<ReturnType<typeof reading>, 'active' | 'keys'>): Looking {
  return { economy: { reader: asReader(world) }, again }
}

function asReader({ active, keys }: Pick<ReturnType<typeof reading>, 'active' | 'keys'>): Reader {
  const never = () => assert.fail('not asked for')
  const typed = <T>(
    template: Template<T>,
    contracts: readonly Proposal[],
  ): readonly Contract<T>[] =>
    contracts.map((contract) => ({
      ...contract,
      payload: template.type.payload.decode({ receiver: 'r', provider: 'p', expectedDso: null }),
    }))
  return {
    active: async (template, _key, page) => typed(template, await active(undefined, page)),
    under: async ({ template }, party, page) => typed(template, await active(party, page)),
    keys,
    all: never,
    get: never,
    state: never,
    total: never,
    accrued: never,
    blobOf: never,
  }
}

const parties = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.integer({ min: 1, max: 40 }),
  { maxKeys: 12 },
)
const limits = fc.record({
  parties: fc.integer({ min: 1, max: 5 }),
  each: fc.integer({ min: 1, max: 8 }),
  contracts: fc.integer({ min: 1, max: 20 }),
})

test('every contract has its turn, and no look reads more than it may', async () => {
  await fc.assert(
    fc.asyncProperty(parties, limits, async (counts, limit) => {
      const world = reading(counts)
      const turns = new Turns(transferPreapprovalProposal.by('receiver'), limit)
      const seen = new Set<string>()
      const perLook = limit.contracts + 2 * limit.each
      // A party has its turn within so many looks, and a page of its contracts each time.
      const looks = (Object.keys(counts).length + 1) * 41
      for (let look = 0; look < looks && seen.size < world.all.length; look += 1) {
        const before = world.seen.answered
        for (const { id } of await turns.contracts(looking(world))) seen.add(id)
        assert.ok(
          world.seen.answered - before <= perLook,
          `${world.seen.answered - before} of ${perLook}`,
        )
      }
      assert.equal(seen.size, world.all.length)
    }),
    { numRuns: 60 },
  )
})

test('a look that is ended early goes on with the next party', async () => {
  const world = reading({ a: 30, b: 1, c: 1 })
  const turns = new Turns(transferPreapprovalProposal.by('receiver'), { each: 10 })
  const served: string[] = []
  for (let look = 0; look < 3; look += 1) {
    for await (const { party } of turns.look(looking(world))) {
      served.push(party)
      break
    }
  }
  assert.deepEqual(served, ['a', 'b', 'c'])
})

test('a party with more than a page whose tries all fail is passed over, and is not once something of it is new', async () => {
  const world = reading({ a: 300, b: 1 })
  const turns = new Turns(transferPreapprovalProposal.by('receiver'), { each: 10 })
  const served: string[] = []
  const look = async () => {
    for await (const { party, fruitless } of turns.look(looking(world))) {
      served.push(party)
      if (party === 'a') fruitless()
    }
  }
  for (let looks = 0; looks < 40; looks += 1) await look()
  assert.deepEqual(
    [
      served.filter((party) => party === 'a').length,
      served.filter((party) => party === 'b').length,
    ],
    [6, 40],
  )
  turns.wake('a')
  served.length = 0
  await look()
  assert.deepEqual(served, ['a', 'b'])
})

test('pages are of a megabyte where contracts are large', async () => {
  const world = reading({ a: 200 }, 'x'.repeat(500_000))
  const turns = new Turns(transferPreapprovalProposal.by('receiver'), { each: 20 })
  const bytes: number[] = []
  for (let looks = 0; looks < 6; looks += 1) {
    const before = world.seen.bytes
    await turns.contracts(looking(world))
    bytes.push(world.seen.bytes - before)
  }
  assert.ok(
    bytes.slice(2).every((each) => each <= 2_500_000),
    String(bytes),
  )
})

test('another look is asked for while a party has more, and not for ever once few or none are left', async () => {
  for (const left of [{ a: 5 }, { b: 12 }, {}]) {
    const turns = new Turns(transferPreapprovalProposal.by('receiver'), { each: 10 })
    let asked = 0
    const look = async (counts: Readonly<Record<string, number>>) => {
      const before = asked
      const { economy } = looking(reading(counts))
      await turns.contracts({ economy, again: { soon: () => (asked += 1) } })
      return asked > before
    }
    assert.equal(await look({ a: 25, b: 1 }), true)
    const asks = [await look(left), await look(left), await look(left)]
    assert.ok(asks.includes(false), JSON.stringify({ left, asks }))
  }
})

test('large contracts alone ask for no other look', async () => {
  const world = reading({ a: 1, b: 1, c: 1 }, 'x'.repeat(500_000))
  const turns = new Turns(transferPreapprovalProposal.by('receiver'))
  let asked = 0
  const look = () => turns.contracts({ ...looking(world), again: { soon: () => (asked += 1) } })
  for (let looks = 0; looks < 4; looks += 1) await look()
  assert.equal(asked, 0)
})

test('what fails is tried after one look, two, four, and at last no more; more means make it due at once', () => {
  const tries = new Tries(4)
  const tried: number[] = []
  for (let look = 0; look < 40; look += 1) {
    if (!tries.isDue('order', 5n)) continue
    tried.push(look)
    tries.failed('order', 5n)
  }
  assert.deepEqual(tried, [0, 2, 5, 10])
  assert.deepEqual(
    [tries.isDue('order', 4n), tries.isDue('order', 6n), tries.isDue('another')],
    [false, true, true],
  )
  const patient = new Tries(Infinity)
  for (let failures = 0; failures < 20; failures += 1) patient.failed('renewal')
  const waits = Array.from({ length: 65 }, () => patient.isDue('renewal'))
  assert.deepEqual([waits.indexOf(true), waits.filter(Boolean).length], [64, 1])
})

test('of each party one refusal fails a run, and what is no refusal always does', async () => {
  const tries = new Tries(Infinity)
  const refused = (party: string, id: string) =>
    tries.attempt({ id, party, what: 'x' }, { log: silentLog, again }, async () => {
      throw new SubmissionRejected(`${party} ${id}`)
    })
  await assert.rejects(refused('alice', '1'), /alice 1/)
  await refused('alice', '2')
  await assert.rejects(refused('bob', '3'), /bob 3/)
  const broken = () =>
    tries.attempt({ id: '4', party: 'alice', what: 'x' }, { log: silentLog, again }, async () => {
      throw new Error('no store')
    })
  await assert.rejects(broken(), /no store/)
  await assert.rejects(broken(), /no store/)
})
