// The commit: all or nothing, on what is there now, one at a time.
import assert from 'node:assert/strict'
import { INT64_MAX, count, NUMBERS, RACERS } from './check.ts'
import {
  addContracts,
  append,
  archive,
  aContract,
  CONFLICT,
  createdAt,
  factsFor,
  TEMPLATE,
  updateAt,
  walk,
} from './ledger-kit.ts'
import type { Check, CheckContext } from './check.ts'
import type { CommitWrites, Store } from '../../store/store.ts'
import { SNAPSHOT, everything, everythingOf, leavesNoTrace } from './commit-kit.ts'
import { keepsHostileTexts, refusesUnstorable } from './commit-text-checks.ts'

const HOUR_MS = 3_600_000

export const commitChecks: readonly Check[] = [
  {
    name: 'a new ledger has no contracts, totals, lines, facts, commands and updates',
    run: async ({ store: { contracts } }) => {
      assert.deepEqual(await contracts.ledgerEnd(), { offset: 0n, recordTime: 0n })
      assert.deepEqual(await contracts.byIds(['x', '']), [])
      assert.deepEqual(
        await contracts.active({ template: TEMPLATE, order: 'created', limit: 9 }),
        [],
      )
      for (const templates of [[], [TEMPLATE]]) {
        const query = { offset: INT64_MAX, templates, parties: [], after: 0n, limit: 9 }
        assert.deepEqual(await contracts.snapshot(query), [])
      }
      assert.deepEqual(await contracts.total({ name: 'n', account: 'a' }), {
        amount: 0n,
        count: 0n,
      })
      assert.deepEqual(await contracts.log({ log: 'l', owner: 'o', after: '', limit: 9 }), [])
      assert.equal(await contracts.fact('k', 'x'), undefined)
      assert.deepEqual(await contracts.facts('k', '', 9), [])
      assert.equal(await contracts.command('x'), undefined)
      assert.deepEqual(await contracts.updatesAfter(0n, 9), [])
      assert.equal(await contracts.updateAt(INT64_MAX), undefined)
    },
  },
  { name: 'what a commit writes is read as it was written', run: readsWhatIsWritten },
  {
    name: 'an update that was seen is told by its id, in a read and to decide',
    run: async ({ store }) => {
      const { contracts } = store
      const history = async (offset: bigint) => {
        const { now: _, ...all } = await contracts.history(offset)
        return all
      }
      const none = { end: { offset: 0n, recordTime: 0n }, last: undefined, seen: undefined }
      assert.deepEqual(await history(0n), none)
      for (let number = 0; number < 3; number += 1) await append(store)
      const end = { offset: 3n, recordTime: 30n }
      for (const [offset, seen] of [
        [2n, 'update-2'],
        [3n, 'update-3'],
        [4n, undefined],
        [INT64_MAX, undefined],
      ] as const) {
        assert.deepEqual(await history(offset), { end, last: 'update-3', seen })
        assert.equal((await factsFor(store, { seen: offset })).seen, seen)
      }
    },
  },
  {
    name: 'decide is told the end, and the states, commands and facts that it asks for',
    run: async ({ store }) => {
      await addContracts(store, aContract('a'), aContract('b'))
      const command = { key: 'c', updateId: 'update-2', offset: 2n, keptUntil: 99n }
      const facts = [
        { kind: 'k', key: 'one', body: '1' },
        { kind: 'l', key: 'one', body: '2' },
      ]
      await append(store, () => ({
        archives: [{ contractId: 'a', offset: 2n }],
        commands: [command],
        facts,
      }))
      const told = await factsFor(store, {
        contractIds: ['a', 'b', 'nobody'],
        commandKeys: ['c', 'd'],
        facts: [
          { kind: 'k', key: 'one' },
          { kind: 'l', key: 'two' },
          { kind: 'm', key: 'one' },
        ],
      })
      const state = { createdOffset: 1n, synchronizerId: 'synchronizer' }
      assert.deepEqual(told.end, { offset: 2n, recordTime: 20n })
      assert.deepEqual(
        told.states,
        new Map([
          ['a', { ...state, archivedOffset: 2n }],
          ['b', { ...state, archivedOffset: 0n }],
        ]),
      )
      assert.deepEqual(told.commands, new Map([['c', command]]))
      assert.equal(told.facts.get('k')?.get('one'), '1')
      assert.equal(told.facts.get('l')?.get('two') ?? told.facts.get('m')?.get('one'), undefined)
      assert.equal(told.facts.get('l')?.get('one'), undefined, 'was not asked for')
    },
  },
  {
    name: 'decide is told the time of the store, in microseconds, as is who asks',
    run: async ({ store }) => {
      const { now: before } = await store.contracts.history(0n)
      const { now } = await factsFor(store, {})
      const { now: after } = await store.contracts.history(0n)
      assert.ok(before <= now && now <= after, `${before} ${now} ${after}`)
      const apart = Number(now / 1_000n) - Date.now()
      assert.ok(
        Math.abs(apart) < HOUR_MS,
        `the clocks of the store and of this machine are ${apart} ms apart`,
      )
    },
  },
  {
    name: 'a commit that writes nothing leaves the end where it is',
    run: async ({ store }) => {
      await append(store)
      await factsFor(store, { contractIds: ['x'] })
      assert.deepEqual(await store.contracts.ledgerEnd(), { offset: 1n, recordTime: 10n })
    },
  },
  {
    name: 'a commit without updates writes its facts and assignments, and leaves the end where it is',
    run: async ({ store }) => {
      await addContracts(store, aContract('a'))
      await append(store, () => ({
        updates: [],
        facts: [{ kind: 'k', key: 'x', body: '1' }],
        assignments: [{ contractId: 'a', offset: 1n, synchronizerId: '' }],
      }))
      assert.equal((await store.contracts.fact('k', 'x'))?.body, '1')
      assert.equal((await store.contracts.byIds(['a']))[0]?.synchronizerId, '')
      assert.deepEqual(await store.contracts.ledgerEnd(), { offset: 1n, recordTime: 10n })
    },
  },
  {
    name: 'what decide throws is what the commit rejects with, and nothing is written',
    run: async ({ store }) => {
      const rejection = new RangeError('no')
      await assert.rejects(
        append(store, () => {
          throw rejection
        }),
        (error) => error === rejection,
      )
      await leavesNoTrace(store)
      assert.equal(await append(store), 1n)
    },
  },
  {
    name: 'archiving what is archived, unknown or named twice is a conflict, and nothing is written',
    run: async ({ store }) => {
      await addContracts(store, aContract('gone'), aContract('there'))
      await archive(store, 'gone')
      for (const ids of [['gone'], ['nobody'], ['there', 'gone'], ['there', 'there']]) {
        await assert.rejects(
          append(store, (offset) => ({
            ...everything(offset),
            archives: ids.map((contractId) => ({ contractId, offset })),
          })),
          CONFLICT,
        )
        await leavesNoTrace(store, 2n)
      }
      assert.deepEqual(
        (await store.contracts.byIds(['there'])).map(({ archivedOffset }) => archivedOffset),
        [0n],
      )
    },
  },
  {
    name: 'an id of a contract, update or line that is taken is a conflict, and nothing is written',
    run: async ({ store }) => {
      const line = { log: 'l', owner: 'o', id: '1', body: '{}', offset: 1n }
      await append(store, (offset) => ({
        creates: createdAt(offset, aContract('a')),
        logs: [line],
      }))
      const doubles: readonly ((offset: bigint) => Partial<CommitWrites>)[] = [
        (offset) => ({ creates: createdAt(offset, aContract('fresh'), aContract('a')) }),
        (offset) => ({ creates: createdAt(offset, aContract('fresh'), aContract('fresh')) }),
        (offset) => ({ updates: [{ ...updateAt(offset), updateId: 'update-1' }] }),
        () => ({ logs: [line] }),
        (offset) => ({ assignments: [{ contractId: 'nobody', offset, synchronizerId: 's' }] }),
      ]
      for (const double of doubles) {
        await assert.rejects(
          append(store, (offset) => ({ ...everything(offset), ...double(offset) })),
          CONFLICT,
        )
        await leavesNoTrace(store, 1n)
      }
      assert.equal(
        await append(store, () => ({
          logs: [
            { ...line, owner: 'p' },
            { ...line, log: 'm' },
          ],
        })),
        2n,
      )
    },
  },
  {
    name: 'a contract that its own commit archives was never active, and is kept',
    run: async ({ store }) => {
      const state = {
        contract: aContract('a'),
        createdOffset: 1n,
        archivedOffset: 1n,
        synchronizerId: 's',
      }
      await append(store, () => ({ creates: [state] }))
      assert.deepEqual(await store.contracts.byIds(['a']), [state])
      assert.deepEqual(await walk(store, { template: TEMPLATE, order: 'created', limit: 9 }), [])
      await assert.rejects(archive(store, 'a'), CONFLICT)
    },
  },
  { name: 'a commit of many updates keeps their order', run: writesBatches },
  { name: 'hostile texts are kept as they are', run: keepsHostileTexts },
  { name: 'what no store can hold is a TypeError, and nothing is written', run: refusesUnstorable },
  {
    name: `${RACERS} commits at once have offsets without gaps and lose nothing`,
    run: ({ store }) => raceOn([store]),
  },
  {
    name: 'commits of two stores on the same data have offsets without gaps and lose nothing',
    needs: 'multiProcess',
    run: async ({ store, reopen }) => raceOn([store, await reopen()]),
  },
  {
    name: `of ${RACERS} commits that archive one contract exactly one does`,
    run: async ({ store }) => {
      await addContracts(store, aContract('a'))
      const answers = await Promise.allSettled(NUMBERS.map(() => archive(store, 'a')))
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
      const reasons = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason.code] : [],
      )
      assert.equal(count(reasons, CONFLICT.code), RACERS - 1)
      assert.equal((await store.contracts.ledgerEnd()).offset, 2n)
    },
  },
  {
    name: 'contracts and what goes with them are there after close and reopen',
    needs: 'durable',
    run: async ({ store, reopen }) => {
      await append(store, everything)
      await archive(store, 'fresh')
      const before = await everythingOf(store)
      await store.close()
      const again = await reopen()
      assert.deepEqual(await everythingOf(again), before)
      await addContracts(again, aContract('next'))
      assert.equal((await again.contracts.snapshot(SNAPSHOT)).at(-1)?.sequence, 2n)
    },
  },
]

async function readsWhatIsWritten({ store }: CheckContext): Promise<void> {
  const contract = aContract('a', {
    signatories: ['bob', 'alice'],
    observers: ['carol'],
    createdAt: INT64_MAX,
    key1: 'one',
    key2: 'two',
    key3: 'three',
    rank: 7n,
    payload: `{"text":"${'x'.repeat(100_000)}"}`,
  })
  await addContracts(store, contract)
  await append(store, (offset) => ({
    assignments: [{ contractId: 'a', offset, synchronizerId: '' }],
  }))
  const state = { contract, createdOffset: 1n, archivedOffset: 0n, synchronizerId: '' }
  assert.deepEqual(await store.contracts.byIds(['nobody', 'a', 'a']), [state])
  const [found] = await store.contracts.active({ template: TEMPLATE, order: 'created', limit: 9 })
  assert.deepEqual(found, { contract, synchronizerId: '', sequence: found?.sequence })
  assert.deepEqual(await store.contracts.snapshot({ ...SNAPSHOT, offset: 2n }), [
    { ...found, createdOffset: 1n },
  ])
  await archive(store, 'a')
  assert.deepEqual(await store.contracts.byIds(['a']), [{ ...state, archivedOffset: 3n }])
  assert.equal(await store.updates.ledgerEnd(), 3n)
  assert.deepEqual(await store.updates.byOffset(2n), updateAt(2n))
  assert.deepEqual(await store.updates.byId('update-2'), updateAt(2n))
}

async function writesBatches({ store }: CheckContext): Promise<void> {
  const numbers = Array.from({ length: 128 }, (_, index) => BigInt(index + 1))
  await append(store, () => ({
    updates: numbers.map(updateAt),
    creates: numbers.flatMap((offset) =>
      createdAt(offset, aContract(`a${offset}`), aContract(`b${offset}`)),
    ),
  }))
  assert.deepEqual(await store.contracts.updatesAfter(0n, 999), numbers.map(updateAt))
  assert.deepEqual(
    await walk(store, { template: TEMPLATE, order: 'created', limit: 100 }),
    numbers.flatMap((offset) => [`a${offset}`, `b${offset}`]),
  )
  const states = await store.contracts.byIds(numbers.map((offset) => `b${offset}`))
  assert.deepEqual(new Set(states.map(({ createdOffset }) => createdOffset)), new Set(numbers))
}

/** Each commit counts on from what it is told, and adds to one total. */
async function raceOn(stores: readonly Store[]): Promise<void> {
  const calls = NUMBERS.flatMap((index) =>
    stores.map((store, place) =>
      append(store, (offset) => ({
        creates: createdAt(offset, aContract(`${place}-${index}`)),
        totals: [{ name: 'n', account: 'a', amount: 1n, count: 1n }],
        logs: [{ log: 'l', owner: 'o', id: `${place}-${index}`, body: '{}', offset }],
      })),
    ),
  )
  const offsets = await Promise.all(calls)
  const number = BigInt(offsets.length)
  assert.equal(new Set(offsets).size, offsets.length)
  for (const store of stores) {
    assert.deepEqual(await store.contracts.ledgerEnd(), {
      offset: number,
      recordTime: number * 10n,
    })
    assert.equal((await store.contracts.updatesAfter(0n, 999)).length, offsets.length)
    assert.deepEqual(await store.contracts.total({ name: 'n', account: 'a' }), {
      amount: number,
      count: number,
    })
    assert.equal(
      (await store.contracts.log({ log: 'l', owner: 'o', after: '', limit: 999 })).length,
      offsets.length,
    )
    assert.equal(
      (await walk(store, { template: TEMPLATE, order: 'created', limit: 7 })).length,
      offsets.length,
    )
  }
}
