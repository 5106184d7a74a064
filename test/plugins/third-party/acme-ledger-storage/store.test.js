// The other house's own test run: its store keeps the rules that the suite checks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { storageSuite } from 'ledgerwright/testing'
import plugin from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'acme-store-'))
after(() => rmSync(folder, { recursive: true }))

/** @type {import('ledgerwright').PluginContext} */
const host = {
  name: 'acme-json',
  profile: 'dev',
  dataDir: folder,
  listen: { host: '127.0.0.1', port: 0 },
  documents: [],
  clock: { nowMicros: () => 0n, monotonicMs: () => 0 },
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => host.log },
}

/** @type {WeakMap<import('ledgerwright').Store, string>} */
const files = new WeakMap()
const open = async (/** @type {string} */ file) => {
  const { store } = await plugin.setup(host, { file })
  files.set(store, file)
  return store
}

let count = 0
storageSuite({
  test,
  create: () => open(`${(count += 1)}.json`),
  reopen: (store) => open(files.get(store) ?? ''),
  features: { durable: true, multiProcess: false },
  seedRuns: 10,
})
