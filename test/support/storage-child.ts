// A process of its own for the storage tests: `open FILE` or `open URL SCHEMA` opens and closes a
// store, `libraries FILE` does so and names the libraries that this loaded. Without end: `write
// FILE` creates users, `upload FILE` stores pairs of packages and allocates parties to the user
// `ann`. `race` (as `open`) competes for `ann` and says how often it won. Writes one line for each
// event with a synchronous call, so that nothing is lost when it is killed.
import { createHash, randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import type { PackageUpload, Store } from '../../runtime/index.ts'
import { PATIENCE_MS } from './eventually.ts'

const ROUNDS = 200
const CHANGE = {
  primaryParty: '',
  isDeactivated: false,
  primaryPartyAuthentication: false,
  annotations: {},
}

const [mode, place = '', schema] = process.argv.slice(2)

try {
  const store = await open()
  if (mode === 'write') await writeForever(store)
  if (mode === 'upload') await uploadForever(store)
  if (mode === 'race') await race(store)
  await store.close()
  say(mode === 'libraries' ? loadedLibraries() : 'opened')
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : String(error)}`)
}

async function open(): Promise<Store> {
  // Whoever waits for the lock of a file is not in a queue, and a busy machine is slow.
  if (schema === undefined)
    return openSqlStore({ dialect: 'sqlite', file: place, busyTimeoutMs: PATIENCE_MS })
  return openSqlStore({ dialect: 'postgres', connection: place, poolSize: 2, schema })
}

async function writeForever(store: Store): Promise<never> {
  for (let number = 0; ; number += 1) {
    const id = `u${process.pid}-${number}`
    say(`begin ${id}`)
    const fields = {
      primaryParty: '',
      isDeactivated: false,
      primaryPartyAuthentication: false,
      identityProviderId: '',
    }
    const rights = [
      { kind: 'CanActAs', party: id },
      { kind: 'CanReadAs', party: id },
    ]
    await store.users.create({ id, ...fields, annotations: { k: 'v'.repeat(500) } }, rights)
    say(`ack ${id}`)
  }
}

/**
 * The second package of a pair is named after the first one's id; both are vetted, and the party
 * has that id too.
 */
async function uploadForever({ packages, parties }: Store): Promise<never> {
  for (;;) {
    const [one, two] = [randomPackage('main'), randomPackage('')]
    const pair = [one, { ...two, name: one.packageId }]
    say(`begin ${one.packageId}`)
    const vetting = await packages.vettingVersion()
    const stored = await packages.upload(
      pair,
      pair.map(({ packageId }) => packageId),
      vetting,
    )
    const party = {
      party: one.packageId,
      isLocal: true,
      identityProviderId: '',
      annotations: {},
      topology: '',
    }
    const allocated = await parties.allocate(party, { userId: 'ann', maxRights: 100_000 })
    if (stored !== 'stored' || allocated !== 'created') throw new Error(`${stored} ${allocated}`)
    say(`ack ${one.packageId}`)
  }
}

function randomPackage(name: string): PackageUpload {
  const payload = randomBytes(1_500_000)
  const packageId = createHash('sha256').update(payload).digest('hex')
  return {
    packageId,
    name,
    version: '1.0.0',
    size: payload.length,
    summary: '{}',
    readPayload: async () => payload,
  }
}

async function race(store: Store): Promise<void> {
  let updates = 0
  let grants = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const version = (await store.users.get('ann'))?.resourceVersion ?? 0n
    if (typeof (await store.users.update('ann', version, CHANGE)) === 'object') updates += 1
    const granted = await store.users.grant(
      'ann',
      [{ kind: 'CanReadAs', party: `p${process.pid}-${round}` }],
      ROUNDS,
    )
    if (typeof granted === 'object') grants += granted.length
  }
  say(`won ${updates} ${grants}`)
}

function loadedLibraries(): string {
  const files = Object.keys(createRequire(import.meta.url).cache)
  return ['better-sqlite3', 'knex', 'pg']
    .filter((name) => files.some((file) => file.includes(`/node_modules/${name}/`)))
    .join(' ')
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
