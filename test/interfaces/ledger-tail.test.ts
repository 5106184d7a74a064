// Readers of a store that several servers write to hear of what the others commit, and cost nothing
// once they have left.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { allTemplates } from '../../runtime/contracts/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { createEngine, HistoryWatch, Invariants } from '../../runtime/engine/index.ts'
import type { Engine } from '../../runtime/engine/index.ts'
import { seersOnce } from '../../runtime/interfaces/ledger/projection/decoded-once.ts'
import type { StreamReads } from '../../runtime/interfaces/ledger/streams/reads.ts'
import { SharedPages } from '../../runtime/interfaces/ledger/streams/shared-pages.ts'
import { Submissions } from '../../runtime/interfaces/ledger/commands/submissions.ts'
import { LedgerTail } from '../../runtime/interfaces/ledger/streams/tail.ts'
import { downwards, upwards } from '../../runtime/interfaces/ledger/streams/update-feed.ts'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import { ownPackages } from '../../runtime/participant/packages/own-packages.ts'
import { VettedPackages } from '../../runtime/participant/packages/vetted-packages.ts'
import type { Store, UpdateRecord } from '../../runtime/store/store.ts'
import { retried } from '../support/eventually.ts'
import { payersInTurn } from '../../runtime/work/order.ts'

/** All there is and all that comes. */
const EVERYTHING = { begin: 0n, end: undefined, ledgerEnd: 0n, parties: undefined }

const RULES = '#network-test-token:Network.Test.Token:TestTokenRules'

function readsOf(store: Store, engine: Engine): StreamReads {
  return {
    store,
    tail: new LedgerTail(engine),
    pages: new SharedPages(store),
    templateOf: () => undefined,
    synchronizerId: 'n::1',
    hosted: undefined,
    ready: () => undefined,
    uploaded: new VettedPackages(store.packages, ownPackages(OWN_WORDS)),
    submissions: new Submissions(),
  }
}

function engineOn(store: Store): Engine {
  return createEngine({
    order: payersInTurn,
    store: store.contracts,
    clock: systemClock,
    newSeed: () => new Uint8Array(randomBytes(32)),
    templates: allTemplates,
    synchronizerId: 'net::12',
  })
}

/** An update that the party alone sees. */
const act = (engine: Engine, party: string) =>
  engine.submit({
    actAs: [party],
    userId: '',
    run: (tx) => engine.template(RULES)?.createJson(tx, { admin: party }),
  })

test('a commit of another server wakes readers at the next look; a wait may be over before', async () => {
  const store = createMemoryStore()
  const [here, elsewhere] = [engineOn(store), engineOn(store)]
  const watch = new HistoryWatch(new Invariants())
  const tail = new LedgerTail(here, watch)
  const { signal } = new AbortController()
  const woken = Promise.all([0, 1, 2].map(() => tail.beyond(0n, signal, Number.POSITIVE_INFINITY)))
  await act(elsewhere, 'alice::12')
  await watch.check((offset) => store.contracts.history(offset))
  await woken
  await tail.beyond(9n, signal, 20)
  await tail.beyond(9n, AbortSignal.abort(), Number.POSITIVE_INFINITY)
})

test('readers of long updates leave time for others, and miss none', async () => {
  const store = createMemoryStore()
  const body = JSON.stringify('x'.repeat(100_000))
  const records = Array.from({ length: 60 }, (_, at) => ({
    offset: BigInt(at + 1),
    updateId: `${at}`,
    recordTime: BigInt(at),
    body,
  }))
  const sizes: number[] = []
  const contracts = {
    ...store.contracts,
    updatesAfter: async (after: bigint, limit: number) => {
      const page = records.filter(({ offset }) => offset > after).slice(0, limit)
      sizes.push(page.length)
      return page
    },
  }
  const engine = engineOn(store)
  const reads = readsOf({ ...store, contracts }, engine)
  const reading = { signal: new AbortController().signal, patience: () => 0 }
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 0)
  const show = ({ offset }: { readonly offset: bigint }) => {
    for (const endMs = performance.now() + 3; performance.now() < endMs;);
    return [offset]
  }
  const up = await Array.fromAsync(upwards(reads, EVERYTHING, reading, show))
  const down = await Array.fromAsync(
    downwards(reads, { begin: 0n, end: 60n, parties: undefined }, reading, show),
  )
  clearInterval(others)
  assert.deepEqual(
    up,
    records.map(({ offset }) => offset),
  )
  assert.deepEqual(down, up.toReversed())
  assert.ok(Math.max(...sizes) <= 16, `pages of ${sizes.join(', ')}`)
  assert.ok(turns > 60, `${turns} turns`)
})

test('what a commit brings is read once for all who wait for it, and each gets all of it', async () => {
  const memory = createMemoryStore()
  let asked = 0
  const contracts = {
    ...memory.contracts,
    updatesAfter: (after: bigint, limit: number, maxBytes?: number) => {
      asked += 1
      return memory.contracts.updatesAfter(after, limit, maxBytes)
    },
  }
  const engine = engineOn(memory)
  const reads = readsOf({ ...memory, contracts }, engine)
  const leaving = new AbortController()
  const reading = { signal: leaving.signal, patience: () => Number.POSITIVE_INFINITY }
  const seen: bigint[][] = Array.from({ length: 30 }, () => [])
  const readers = seen.map(async (offsets) => {
    for await (const offset of upwards(reads, EVERYTHING, reading, ({ offset: at }) => [at]))
      offsets.push(offset)
  })
  const commits = 5
  for (let count = 1; count <= commits; count += 1) {
    await act(engine, 'alice::12')
    await retried(() => assert.ok(seen.every((offsets) => offsets.length === count)))
  }
  leaving.abort()
  await Promise.all(readers)
  assert.ok(seen.every((offsets) => offsets.every((offset, at) => offset === BigInt(at + 1))))
  // At the start each finds the end for itself.
  assert.ok(asked < seen.length + 4 * commits, `${asked} reads`)
})

test('who reads what few updates show her has only those read, far from the end of the ledger', async () => {
  const memory = createMemoryStore()
  const engine = engineOn(memory)
  for (let count = 1; count <= 400; count += 1)
    await act(engine, count % 100 === 7 ? 'ann::12' : 'bob::12')
  let read = 0
  const counted = <T extends { readonly length: number }>(rows: T): T => {
    read += rows.length
    return rows
  }
  const contracts: Store['contracts'] = {
    ...memory.contracts,
    updatesAfter: async (...asked) => counted(await memory.contracts.updatesAfter(...asked)),
    updatesSeenBy: async (query) => {
      const page = await memory.contracts.updatesSeenBy(query)
      counted(page.updates)
      return page
    },
  }
  const reads = readsOf({ ...memory, contracts }, engine)
  const reading = { signal: new AbortController().signal, patience: () => 0 }
  const shownTo =
    (parties: readonly string[]) =>
    (record: UpdateRecord): readonly bigint[] =>
      parties.some((party) => seersOnce(record)?.has(party)) ? [record.offset] : []
  const offsetsFor = async (parties: readonly string[], end?: bigint) =>
    Array.fromAsync(
      upwards(reads, { ...EVERYTHING, end, ledgerEnd: 400n, parties }, reading, shownTo(parties)),
    )
  const downFor = async (parties: readonly string[], begin = 0n, end = 400n) =>
    Array.fromAsync(downwards(reads, { begin, end, parties }, reading, shownTo(parties)))
  assert.deepEqual(await offsetsFor(['ann::12']), [7n, 107n, 207n, 307n])
  assert.ok(read <= 4, `${read} updates were read`)
  read = 0
  assert.deepEqual(await downFor(['ann::12']), [307n, 207n, 107n, 7n])
  assert.ok(read <= 4, `${read} updates were read downwards`)
  assert.deepEqual(await downFor(['ann::12'], 7n, 207n), [207n, 107n])
  const everything = await downFor(['ann::12', 'bob::12'])
  assert.deepEqual(
    everything,
    Array.from({ length: 400 }, (_, at) => BigInt(400 - at)),
  )
  assert.deepEqual(await downFor(['cid::12']), [])
  assert.deepEqual(await offsetsFor(['ann::12'], 150n), [7n, 107n])
  assert.equal((await offsetsFor(['ann::12', 'bob::12'])).length, 400)
  assert.deepEqual(await offsetsFor(['cid::12']), [])
  await memory.updates.prune(107n)
  await assert.rejects(offsetsFor(['ann::12']), { name: 'StreamFailure' })
  await assert.rejects(downFor(['ann::12']), { name: 'StreamFailure' })
})
