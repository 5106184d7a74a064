// kill -9 while packages are uploaded and parties allocated: what was acknowledged is there, what
// is there is whole. KILLS=200 is the full size.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { tempDir } from '../support/temp-dir.ts'
import type { Store } from '../../runtime/index.ts'
import { aUser } from '../../runtime/testing/storage/check.ts'

const KILLS = Number(process.env['KILLS'] ?? 10)
const CHILD = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))

const folder = await tempDir()
after(() => folder.remove())

test(`sqlite: ${KILLS} times kill -9 while packages and parties are stored leaves no half of either`, async (t) => {
  const file = join(folder.path, 'killed.sqlite')
  const acknowledged: string[] = []
  let landed = 0
  await withStore(file, async ({ users }) => {
    await users.create(aUser('ann'), [])
  })
  for (let kill = 0; kill < KILLS; kill += 1) {
    const lines = await uploadAndKill(file)
    acknowledged.push(
      ...lines.filter((line) => line.startsWith('ack ')).map((line) => line.slice('ack '.length)),
    )
    if (lines.at(-1)?.startsWith('begin ')) landed += 1
  }
  await withStore(file, (store) => isWhole(store, acknowledged))
  t.diagnostic(
    `${acknowledged.length} pairs acknowledged, ${landed} of ${KILLS} kills landed inside a write`,
  )
  assert.ok(acknowledged.length > 0 && landed > 0)
})

async function isWhole(
  { packages, parties, users }: Store,
  acknowledged: readonly string[],
): Promise<void> {
  const records = await packages.get(await packages.list())
  const main = records.filter(({ name }) => name === 'main').map(({ packageId }) => packageId)
  assert.deepEqual(
    records
      .filter(({ name }) => name !== 'main')
      .map(({ name }) => name)
      .toSorted(),
    main,
  )
  assert.ok(records.every(({ vetted }) => vetted))
  assert.equal(await packages.vettingVersion(), BigInt(main.length))
  for (const { packageId } of records) {
    const hash = createHash('sha256')
    for await (const piece of (await packages.payloadStream(packageId)) ?? []) hash.update(piece)
    assert.equal(hash.digest('hex'), packageId)
  }
  const allocated = await parties.list({
    identityProviderId: '',
    prefix: '',
    after: '',
    limit: 100_000,
  })
  const granted = await users.rights('ann')
  assert.deepEqual(
    granted?.map(({ party }) => party),
    allocated.map(({ party }) => party),
  )
  for (const id of acknowledged)
    assert.ok(main.includes(id) && allocated.some(({ party }) => party === id), id)
}

async function withStore(file: string, act: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqlStore({ dialect: 'sqlite', file })
  await act(store)
  await store.close()
}

/** The words of a writer until it was killed, 10 to 110 ms after its first acknowledgement. */
async function uploadAndKill(file: string): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [CHILD, 'upload', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: writer.stdout })
  lines.on('line', (line) => {
    if (line.startsWith('ack ')) setTimeout(() => writer.kill('SIGKILL'), 10 + Math.random() * 100)
  })
  return Array.fromAsync(lines)
}
