// A page of parties with keys of their own is told as they are hosted now, and costs a few reads,
// whoever else's parties stand between them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'
import { changedHosting } from '../../runtime/participant/hosting-record.ts'
import { hostedStore } from '../../runtime/participant/hosted-store.ts'
import type { Store } from '../../runtime/store/store.ts'

const PARTIES = 60
const EVERYBODY = { identityProviderId: '', prefix: '', after: '', limit: 1_000 }
test('a page of parties is read with a few reads, and each as it is hosted now', async () => {
  const store = createMemoryStore()
  const own = Array.from({ length: PARTIES }, (_, number) => `p${1_000 + number}::1220`)
  const moved = own.filter((_, number) => number % 3 === 0)
  await allocate(store, own)
  const elsewhere = own.filter((_, number) => number % 2 === 0).map((party) => `${party}-other`)
  await writeHostings(store, [...moved, ...elsewhere])
  const counted = counting(store)
  const here = hostedStore(counted.store, 'here')
  for (const asked of [EVERYBODY, { ...EVERYBODY, limit: 2 }, { ...EVERYBODY, after: 'p1049' }]) {
    counted.reads = 0
    const page = await here.parties.list(asked)
    assert.ok(page.length > 0 && counted.reads <= 3, `${counted.reads} reads of ${page.length}`)
    for (const { party, isLocal, topology } of page)
      assert.deepEqual(
        [isLocal, topology],
        moved.includes(party) ? [false, 'new'] : [true, 'old'],
        party,
      )
  }
  await store.close()
})

test('a page is right where very many parties of others stand between', async () => {
  const store = createMemoryStore()
  const own = ['a', 'b', 'c', 'd', 'z'].map((name) => `${name}::1220`)
  await allocate(store, own)
  const elsewhere = Array.from({ length: 40 }, (_, number) => `b${number}::1220`)
  await writeHostings(store, [...elsewhere, 'c::1220', 'z::1220'])
  const page = await hostedStore(store, 'here').parties.list(EVERYBODY)
  assert.deepEqual(
    page.map(({ isLocal }) => isLocal),
    [true, true, false, true, false],
  )
  await store.close()
})

async function allocate(store: Store, parties: readonly string[]): Promise<void> {
  const record = { isLocal: true, annotations: {}, topology: 'old', identityProviderId: '' }
  for (const party of parties) await store.parties.allocate({ ...record, party }, undefined)
}

/** Records that another node hosts the parties now. */
async function writeHostings({ contracts }: Store, parties: readonly string[]): Promise<void> {
  const hosts = new Map([['there', [{ from: 0n }]]])
  const hosting = { serial: 2, topology: 'new', keys: { apart: false }, hosts }
  for (const party of parties)
    await contracts.commit({
      reads: { contractIds: [], commandKeys: [], facts: [] },
      decide: () => ({
        writes: { ...NO_WRITES, facts: changedHosting(party, hosting, 0n) },
        result: undefined,
      }),
    })
}

/** The same store, which counts reads. */
function counting(store: Store): { readonly store: Store; reads: number } {
  const counted = { store, reads: 0 }
  const read = <T>(answer: T): T => {
    counted.reads += 1
    return answer
  }
  const { contracts, parties } = store
  counted.store = {
    ...store,
    parties: { ...parties, list: (page) => read(parties.list(page)) },
    contracts: {
      ...contracts,
      fact: (kind, key) => read(contracts.fact(kind, key)),
      facts: (kind, after, limit) => read(contracts.facts(kind, after, limit)),
    },
  }
  return counted
}
