// Leases of parties among servers that share a store: one pays at a time, the others soon; nothing
// is asked of the store for each payment; who has died or does not give way keeps nobody from
// paying. docs/economy-rules.md, "Treasury"; docs/decisions/0004-several-servers.md
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { openSqlStore } from '../../plugins/storage-sql/sqlite.ts'
import { PartyLeases } from '../../runtime/economy/treasury/party-leases.ts'
import type { LeaseStore } from '../../runtime/store/store.ts'
import { startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'

const LEASE_MS = 400
const SLICE_MS = 40
const LONG_MS = 600_000

let servers = 0

function serverOn(store: LeaseStore, leaseMs = LEASE_MS): PartyLeases {
  servers += 1
  return new PartyLeases({ store, holder: `server ${servers}`, leaseMs, sliceMs: SLICE_MS })
}

/** Counts the calls of a store, by method. */
function counted(store: LeaseStore) {
  const calls = { take: 0, prolong: 0, wanted: 0, pass: 0 }
  const leases: LeaseStore = {
    take: (...args) => ((calls.take += 1), store.take(...args)),
    prolong: (...args) => ((calls.prolong += 1), store.prolong(...args)),
    wanted: (...args) => ((calls.wanted += 1), store.wanted(...args)),
    pass: (...args) => ((calls.pass += 1), store.pass(...args)),
  }
  return { leases, calls }
}

test('a server alone asks once, then pays without asking, also after a rest; all its leases are kept by one statement', async () => {
  const { leases, calls } = counted(createMemoryStore().leases)
  // Far longer than any pause of a busy machine.
  const server = serverOn(leases, 4_500)
  const parties = ['a', 'b', 'c']
  await Promise.all(parties.map((party) => server.hold(party)))
  while (calls.prolong < 1) {
    for (const party of parties) assert.equal(server.hold(party), undefined)
    for (const party of parties) server.rest(party)
    await sleep(1)
  }
  assert.deepEqual([calls.take, calls.pass], [3, 0])
  await server.release()
  assert.equal(calls.pass, 3)
})

test('a server that rests gives way as soon as another one waits', async () => {
  const { leases } = createMemoryStore()
  const [first, second] = [serverOn(leases, LONG_MS), serverOn(leases, LONG_MS)]
  await first.hold('a')
  first.rest('a')
  await second.hold('a')
  second.rest('a')
  await first.hold('a')
  await Promise.all([first.release(), second.release()])
})

test('a server that stops leaves nobody waiting', async () => {
  const { leases } = createMemoryStore()
  const [first, second] = [serverOn(leases, LONG_MS), serverOn(leases, LONG_MS)]
  await Promise.all(['a', 'b'].map((party) => first.hold(party)))
  await first.release()
  await Promise.all(['a', 'b'].map((party) => second.hold(party)))
  await second.release()
})

test('the leases of a server that has died end', async () => {
  const { leases } = createMemoryStore()
  let isDead = false
  const mortal: LeaseStore = {
    ...leases,
    prolong: async (...args) => (isDead ? [] : leases.prolong(...args)),
  }
  const [first, second] = [serverOn(mortal), serverOn(leases, LONG_MS)]
  await first.hold('a')
  const waiting = second.hold('a')
  isDead = true
  await waiting
  assert.equal(await leases.take('a', 'somebody else', LONG_MS), 'taken')
  await second.release()
})

test('who does not give way, or a store that does not answer, keeps nobody from paying', async () => {
  const { leases } = createMemoryStore()
  await leases.take('a', 'hog', LONG_MS)
  const down: LeaseStore = { ...leases, take: () => Promise.reject(new Error('down')) }
  const [patient, hasty] = [serverOn(leases), serverOn(down)]
  await hasty.hold('a')
  await patient.hold('a')
  assert.equal(await leases.take('a', 'hog', LONG_MS), 'wanted')
  await Promise.all([patient.release(), hasty.release()])
})

const folders: { remove(): Promise<void> }[] = []
const postgres = startPostgres()
after(async () => {
  await (await postgres).stop()
  for (const folder of folders) await folder.remove()
})

const SHARED = {
  memory: async () => {
    const { leases } = createMemoryStore()
    return [
      { leases, close: async () => {} },
      { leases, close: async () => {} },
      { leases, close: async () => {} },
    ]
  },
  sqlite: async () => {
    const folder = await tempDir()
    folders.push(folder)
    return Promise.all(
      [1, 2, 3].map(() =>
        openSqlStore({ dialect: 'sqlite', file: `${folder.path}/leases.sqlite` }),
      ),
    )
  },
  postgres: async () => {
    const connection = await (await postgres).createDatabase()
    return Promise.all(
      [1, 2, 3].map(() => openSqlStore({ dialect: 'postgres', connection, poolSize: 2 })),
    )
  },
}

for (const [name, open] of Object.entries(SHARED)) {
  test(`three busy servers on ${name}: one pays at a time, each gets its turns`, async () => {
    const stores = await open()
    // A term without end here: on a busy machine nobody may lose a lease for being slow.
    const sharing = stores.map(({ leases }) => serverOn(leases, LONG_MS))
    const turns = stores.map(() => 0)
    let paying = 0
    let overlaps = 0
    let payer = -1
    const enough = (): boolean => turns.every((count) => count >= 3)
    await Promise.all(
      sharing.map(async (server, place) => {
        while (!enough()) {
          await server.hold('a')
          paying += 1
          overlaps += paying - 1
          if (payer !== place) turns[place] = (turns[place] ?? 0) + 1
          payer = place
          await sleep(3)
          paying -= 1
        }
        await server.release()
      }),
    )
    for (const store of stores) await store.close()
    assert.equal(overlaps, 0)
  })
}
