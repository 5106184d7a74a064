// Leases: one holder at a time, one wish, an end that needs nobody. Terms that a check waits for
// are short, all others have no end within the check.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, NUMBERS, RACERS } from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { LeaseAnswer, LeaseStore } from '../../store/store.ts'

const LONG_MS = 600_000
const SHORT_MS = 40
const PAUSE_MS = 5
const LIMIT_MS = 20_000

export const leaseChecks: readonly Check[] = [
  {
    name: 'a free lease is taken, prolonged by its holder and refused to others',
    run: async ({ store: { leases } }) => {
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'held')
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'held')
      assert.equal(await leases.take('l', 'bob', LONG_MS), 'taken')
      assert.equal(await leases.take('other', 'bob', LONG_MS), 'held')
    },
  },
  {
    name: 'a holder learns who waits at each prolonging and in between, others learn nothing',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l', 'm'])
      assert.deepEqual(await leases.wanted('ann'), [])
      await leases.take('l', 'bob', LONG_MS)
      assert.deepEqual([await leases.wanted('ann'), await leases.wanted('bob')], [['l'], []])
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'wanted')
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'wanted')
      assert.equal(await leases.take('m', 'ann', LONG_MS), 'held')
    },
  },
  {
    name: 'a lease is passed to the first who wished for it, and the wish is over',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l'])
      for (const holder of ['bob', 'carol', 'bob', 'carol'])
        assert.equal(await leases.take('l', holder, LONG_MS), 'taken')
      await leases.pass('l', 'ann', LONG_MS)
      assert.deepEqual(await leases.wanted('bob'), [])
      assert.equal(await leases.take('l', 'carol', LONG_MS), 'taken')
      assert.equal(await leases.take('l', 'bob', LONG_MS), 'wanted')
      await leases.pass('l', 'bob', LONG_MS)
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'taken')
      assert.equal(await leases.take('l', 'carol', LONG_MS), 'wanted')
    },
  },
  {
    name: 'a lease that nobody waits for is free when it is passed on',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l'])
      await leases.pass('l', 'ann', LONG_MS)
      assert.equal(await leases.take('l', 'bob', LONG_MS), 'held')
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'taken')
    },
  },
  {
    name: 'who does not hold a lease passes nothing on and prolongs nothing',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l'])
      await leases.take('l', 'bob', LONG_MS)
      await leases.pass('l', 'bob', LONG_MS)
      await leases.pass('nobody has it', 'bob', LONG_MS)
      assert.deepEqual(await leases.prolong(['l', 'nobody has it'], 'bob', LONG_MS), [])
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'wanted')
    },
  },
  {
    name: 'a lease that has ended is free, and its old holder has lost it',
    run: async ({ store: { leases } }) => {
      assert.equal(await leases.take('l', 'ann', SHORT_MS), 'held')
      await until(leases, 'l', 'bob')
      assert.deepEqual(await leases.prolong(['l'], 'ann', LONG_MS), [])
      await leases.pass('l', 'ann', LONG_MS)
      assert.equal(await leases.take('l', 'ann', LONG_MS), 'taken')
    },
  },
  {
    name: 'prolonging moves the end of the leases that are named, each answered once',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l', 'm', 'n'])
      const prolonged = await leases.prolong(['n', 'l', 'l', 'unknown'], 'ann', SHORT_MS)
      assert.deepEqual(prolonged.toSorted(), ['l', 'n'])
      assert.deepEqual(await leases.prolong([], 'ann', SHORT_MS), [])
      for (const name of ['l', 'n']) await until(leases, name, 'bob')
      assert.equal(await leases.take('m', 'bob', LONG_MS), 'taken')
    },
  },
  {
    name: 'the lease of a dead one who was waited for ends, and his wish with him',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l'])
      await leases.take('l', 'dead', SHORT_MS)
      await untilAnswer(() => leases.take('l', 'ann', LONG_MS), 'held')
      await leases.take('l', 'dead', LONG_MS)
      await leases.pass('l', 'ann', SHORT_MS)
      await until(leases, 'l', 'bob')
    },
  },
  {
    name: 'a wish lasts as long as its owner repeats it',
    run: async ({ store: { leases } }) => {
      await takeAll(leases, 'ann', ['l'])
      await leases.take('l', 'bob', SHORT_MS)
      await leases.take('l', 'bob', LONG_MS)
      await sleep(2 * SHORT_MS)
      const mayEnd = await leases.take('l', 'bob', LONG_MS)
      assert.deepEqual([mayEnd, await leases.wanted('ann')], ['taken', ['l']])
    },
  },
  {
    name: `of ${RACERS} takers at once exactly one holds the lease, and one waits`,
    run: ({ store }) => oneHolds([store.leases]),
  },
  {
    name: 'takers at two stores on the same data: exactly one holds the lease',
    needs: 'multiProcess',
    run: racesOfTwo,
  },
  { name: 'names and holders are any storable texts of up to 1,000 bytes', run: anyTexts },
]

async function takeAll(
  leases: LeaseStore,
  holder: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) assert.equal(await leases.take(name, holder, LONG_MS), 'held')
}

/** Asks until the lease is the asker's. */
function until(leases: LeaseStore, name: string, holder: string): Promise<void> {
  return untilAnswer(() => leases.take(name, holder, LONG_MS), 'held')
}

async function untilAnswer(ask: () => Promise<LeaseAnswer>, wanted: LeaseAnswer): Promise<void> {
  const limit = performance.now() + LIMIT_MS
  while ((await ask()) !== wanted) {
    assert.ok(performance.now() < limit, `never ${wanted}`)
    await sleep(PAUSE_MS)
  }
}

async function oneHolds(stores: readonly LeaseStore[]): Promise<void> {
  const takers = stores.flatMap((leases, place) =>
    NUMBERS.map((index) => ({ leases, holder: `h${place}-${index}` })),
  )
  const answers = await Promise.all(
    takers.map(({ leases, holder }) => leases.take('l', holder, LONG_MS)),
  )
  assert.deepEqual([count(answers, 'held'), count(answers, 'taken')], [1, takers.length - 1])
  const winner = takers[answers.indexOf('held')]
  assert.ok(winner)
  assert.deepEqual(await winner.leases.wanted(winner.holder), ['l'])
  await winner.leases.pass('l', winner.holder, LONG_MS)
  const after = await Promise.all(
    takers.map(({ leases, holder }) => leases.prolong(['l'], holder, LONG_MS)),
  )
  assert.equal(after.flat().length, 1)
}

/** Races two holders: at every moment one has the lease, and never two. */
async function racesOfTwo({ store, reopen }: CheckContext): Promise<void> {
  const other = await reopen()
  await oneHolds([store.leases, other.leases])
  const held = new Set<string>()
  const compete = async (leases: LeaseStore, holder: string): Promise<void> => {
    for (let turns = 0; turns < 10; turns += 1) {
      await untilAnswer(
        async () => ((await leases.take('turns', holder, LONG_MS)) === 'taken' ? 'taken' : 'held'),
        'held',
      )
      held.add(holder)
      assert.equal(held.size, 1)
      held.delete(holder)
      await leases.pass('turns', holder, LONG_MS)
    }
    // A wish that is left would be granted to somebody who has gone.
    await untilAnswer(
      async () => ((await leases.take('turns', holder, SHORT_MS)) === 'taken' ? 'taken' : 'held'),
      'held',
    )
  }
  await Promise.all([compete(store.leases, 'ann'), compete(other.leases, 'bob')])
  await other.close()
}

async function anyTexts({ store: { leases } }: CheckContext): Promise<void> {
  for (const text of [
    '',
    ' ',
    "'; drop table leases; --",
    '😀'.repeat(250),
    'n'.repeat(1_000),
    'é',
    'e\u0301',
  ]) {
    assert.equal(await leases.take(text, 'ann', LONG_MS), 'held', text)
    assert.equal(await leases.take(text, text, LONG_MS), 'taken', text)
    assert.deepEqual(await leases.wanted('ann'), [text])
    await leases.pass(text, 'ann', LONG_MS)
    assert.deepEqual(await leases.prolong([text], text, LONG_MS), [text])
  }
}
