// A process of its own for the storage tests: `open FILE` or `open URL SCHEMA` opens and closes a
// store, `libraries FILE` does so and names the libraries that this loaded, `race` (as `open`)
// competes for `ann` and says how often it won.

import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import type { Store } from '../../runtime/index.ts'
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
