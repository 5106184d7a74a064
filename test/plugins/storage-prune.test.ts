// Pruning in batches: 2,500 updates, which the tests write into the tables. And whether the suite's
// questions find a pruning that takes too much.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sqlPlaces } from '../support/sql-places.ts'
import type { SqlPlace } from '../support/sql-places.ts'
import { answersOf, RandomLedger } from '../../runtime/testing/storage/random-ledger.ts'
import type { UpdateRecord, UpdateStore } from '../../runtime/index.ts'

const NUMBER = 2_500
/** Its ledger has a row of each kind that may be taken. */
const SEED = 3
const END = BigInt(NUMBER)
const UPDATES: readonly UpdateRecord[] = Array.from({ length: NUMBER }, (_, index) => ({
  offset: BigInt(index + 1),
  updateId: `update-${index + 1}`,
  recordTime: BigInt(index + 1),
  body: `{"n":${index + 1}}`,
}))

const places = await sqlPlaces()
after(() => places.release())

async function written(place: SqlPlace): Promise<void> {
  await (await place.open()).close()
  const rows = UPDATES.map(
    ({ offset, updateId, body }) => `(${offset}, '${updateId}', ${offset}, '${body}', '')`,
  )
  await place.run(`insert into updates values ${rows.join(', ')};
    update ledger_end set last_offset = ${NUMBER}, record_time = ${NUMBER}`)
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: pruned updates are not found, the others are`, async () => {
    const place = await places[dialect]()
    await written(place)
    const store = await place.open()
    await prunesInSteps(store.updates)
    await store.close()
    assert.deepEqual(await place.run('select * from updates'), [])
  })

  test(`${dialect}: what a killed pruning left is not found, and goes with the next pruning`, async () => {
    const place = await places[dialect]()
    await written(place)
    await place.run('update pruning set up_to = 2400')
    const { updates, close } = await place.open()
    assert.equal(await updates.byOffset(2_400n), undefined)
    assert.equal(await updates.byId('update-2400'), undefined)
    assert.deepEqual(await updates.byOffset(2_401n), UPDATES[2_400])
    assert.equal(await updates.prune(1n), 'nothing')
    assert.equal((await place.run('select * from updates')).length, 100)
    await close()
  })

  test(`${dialect}: of prunings of two stores up to one offset exactly one prunes`, async () => {
    const place = await places[dialect]()
    await written(place)
    const stores = [await place.open(), await place.open()]
    const answers = await Promise.all(
      stores.flatMap(({ updates }) => [1, 2, 3].map(() => updates.prune(2_000n))),
    )
    assert.deepEqual(answers.toSorted(), [
      'nothing',
      'nothing',
      'nothing',
      'nothing',
      'nothing',
      'pruned',
    ])
    for (const { updates, close } of stores) {
      assert.deepEqual(await updates.prunedUpTo(), { participant: 2_000n, divulged: 2_000n })
      await close()
    }
  })
}

async function prunesInSteps(updates: UpdateStore): Promise<void> {
  assert.equal(await updates.ledgerEnd(), END)
  assert.deepEqual(await updates.byOffset(1n), UPDATES[0])
  assert.equal(await updates.prune(END + 1n), 'after-end')
  assert.deepEqual(await updates.prunedUpTo(), { participant: 0n, divulged: 0n })
  for (const upTo of [1n, 1_500n, END]) {
    assert.equal(await updates.prune(upTo), 'pruned')
    assert.equal(await updates.prune(upTo), 'nothing')
    assert.equal(await updates.prune(upTo - 1n), 'nothing')
    assert.deepEqual(await updates.prunedUpTo(), { participant: upTo, divulged: upTo })
    assert.equal(await updates.byOffset(upTo), undefined)
    assert.equal(await updates.byId(`update-${upTo}`), undefined)
    assert.deepEqual(await updates.byId(`update-${upTo + 1n}`), UPDATES[Number(upTo)])
    assert.equal(await updates.ledgerEnd(), END)
  }
}

test('sqlite: others have their turns while facts of days are forgotten', async () => {
  const place = await places.sqlite()
  await (await place.open()).close()
  const rows = UPDATES.map(({ updateId }) => `('old', '${updateId}', '1', 0)`)
  await place.run(`insert into facts values ${rows.join(', ')}`)
  const { contracts, close } = await place.open()
  let [turns, isOver] = [0, false]
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  await contracts.forgetFacts('old', 'ole')
  isOver = true
  await others
  assert.ok(turns >= 3, `${turns} turns`)
  assert.deepEqual(await contracts.facts('old', '', 9), [])
  await close()
})

/** Statements that take what a pruning must not. */
const TOO_MUCH: Readonly<Record<string, string>> = {
  'a stake of an active contract':
    'delete from stakes where node = 0 and sequence = (select max(sequence) from stakes where node = 0)',
  'an active contract':
    'delete from contracts where sequence = (select max(sequence) from contracts where archived_offset = 0)',
  'a contract that was archived later':
    'delete from contracts where archived_offset > (select up_to from pruning)',
  'where a contract was': 'delete from assignments',
  'the id of a command': 'delete from commands',
  'a fact that is kept': `delete from facts where kind = 'kept'`,
  'a fact of a later update': 'delete from facts where pruned_with > (select up_to from pruning)',
  'a line of a later update': 'delete from logs where ledger_offset > (select up_to from pruning)',
  'a later update': 'delete from updates where ledger_offset = (select up_to + 1 from pruning)',
  'who saw a later update':
    'delete from sightings where ledger_offset > (select up_to from pruning)',
  'a total': 'delete from totals',
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: what a pruning takes too much is found`, async () => {
    const place = await places[dialect]()
    const store = await place.open()
    const ledger = new RandomLedger(store, SEED)
    await ledger.write(24)
    const from = await ledger.prune()
    const answers = async () => [
      await answersOf(store.contracts, from),
      await store.contracts.updatesSeenBy({ parties: ['ann'], after: from, limit: 99 }),
    ]
    const before = await answers()
    for (const [what, sql] of Object.entries(TOO_MUCH)) {
      // Reads that follow on each other at once see one moment.
      await nextTurn()
      const [table = ''] = /(?<=from )\w+/.exec(sql) ?? []
      await place.run(`create table aside as select * from ${table};\n${sql}`)
      await nextTurn()
      assert.notDeepEqual(await answers(), before, what)
      await place.run(
        `delete from ${table};\ninsert into ${table} select * from aside;\ndrop table aside`,
      )
      await nextTurn()
      assert.deepEqual(await answers(), before, what)
    }
    await store.close()
  })
}
