// Packages: payloads byte for byte, nothing half stored, vetting only against the version that was
// read.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { aPackage, readPayload } from './check.ts'
import type { Check, CheckContext } from './check.ts'
import type { PackageRecord, PackageUpload, Store } from '../../store/store.ts'

const MEBIBYTE = 1024 * 1024
const NO_SUCH_ID = 'f'.repeat(64)

const PAYLOADS: readonly Uint8Array[] = [
  Buffer.alloc(0),
  Buffer.from([0]),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.alloc(MEBIBYTE, 'x'),
  Buffer.alloc(MEBIBYTE + 1, 0xff),
  randomBytes(3_000_000),
]

export const packageChecks: readonly Check[] = [
  {
    name: 'an empty store has no packages and vetting version 0',
    run: async ({ store: { packages } }) => {
      assert.deepEqual(await packages.list(), [])
      assert.deepEqual(await packages.get([]), [])
      assert.deepEqual(await packages.get(['', NO_SUCH_ID]), [])
      assert.deepEqual(await packages.named(['p']), [])
      assert.equal(await packages.payloadStream(NO_SUCH_ID), undefined)
      assert.equal(await packages.vettingVersion(), 0n)
    },
  },
  {
    name: 'payloads of any length are kept byte for byte, in pieces of at most 1 MiB',
    run: keepsPayloads,
  },
  { name: 'several packages are stored at once, large and small', run: storesSeveral },
  {
    name: 'the record reads back',
    run: async ({ store }) => {
      const upload = aPackage('x', {
        name: `n'"\\`,
        version: '1.0.0-β',
        summary: `{"k":"${'v'.repeat(300_000)}"}`,
      })
      assert.equal(await store.packages.upload([upload], [], 0n), 'stored')
      assert.deepEqual(await store.packages.get([upload.packageId]), [recordOf(upload, false)])
      assert.deepEqual(await store.packages.named([upload.name]), [recordOf(upload, false)])
    },
  },
  {
    name: 'packages are listed, got and named each once, in the byte order of their ids',
    run: ordersPackages,
  },
  { name: 'the same package again is no change, and its payload is not read', run: storesAgain },
  {
    name: 'a package that is given twice in one upload is stored once',
    run: async ({ store }) => {
      const upload = aPackage('x')
      assert.equal(
        await store.packages.upload([upload, upload], [upload.packageId, upload.packageId], 0n),
        'stored',
      )
      assert.deepEqual(await store.packages.get([upload.packageId]), [recordOf(upload, true)])
      assert.equal(await store.packages.vettingVersion(), 1n)
    },
  },
  {
    name: 'vetting marks what is named, and its version rises only when something changes',
    run: vets,
  },
  {
    name: 'a vetting version that no longer is current is stale and nothing is written',
    run: refusesStale,
  },
  {
    name: 'without vetting the version does not matter',
    run: async ({ store: { packages } }) => {
      assert.equal(await packages.upload([aPackage('x')], [], 99n), 'stored')
      assert.equal(await packages.upload([], [], -1n), 'stored')
      assert.equal(await packages.vettingVersion(), 0n)
    },
  },
  {
    name: 'vetting what is neither stored nor uploaded is missing and nothing is written',
    run: async ({ store: { packages } }) => {
      const upload = aPackage('x')
      assert.equal(await packages.upload([upload], [upload.packageId, NO_SUCH_ID], 0n), 'missing')
      assert.equal(await packages.upload([], [NO_SUCH_ID], 99n), 'missing', 'before the version')
      assert.deepEqual(await packages.list(), [])
      assert.equal(await packages.vettingVersion(), 0n)
    },
  },
  {
    name: 'a payload of another size or hash is refused with a TypeError and nothing is visible',
    run: refusesPayload,
  },
  {
    name: 'an upload whose payload cannot be read rejects, and nothing is visible',
    run: rejectsUnreadable,
  },
  {
    name: 'a payload that was given or handed out does not change the store',
    run: async ({ store }) => {
      const bytes = Buffer.from('payload')
      const upload = aPackage('payload', { readPayload: async () => bytes })
      await store.packages.upload([upload], [], 0n)
      bytes.fill(0)
      ;(await readPayload(store, upload.packageId))?.fill(0)
      for await (const piece of (await store.packages.payloadStream(upload.packageId)) ?? [])
        piece.fill(0)
      assert.deepEqual(await readPayload(store, upload.packageId), Buffer.from('payload'))
    },
  },
  {
    name: 'packages and their vetting are there after close and reopen',
    needs: 'durable',
    run: async ({ store, reopen }) => {
      const upload = aPackage(randomBytes(1_500_000))
      await store.packages.upload([upload], [upload.packageId], 0n)
      await store.close()
      const again = await reopen()
      assert.deepEqual(await again.packages.get([upload.packageId]), [recordOf(upload, true)])
      assert.deepEqual(await readPayload(again, upload.packageId), await upload.readPayload())
      assert.equal(await again.packages.vettingVersion(), 1n)
    },
  },
]

async function keepsPayloads({ store }: CheckContext): Promise<void> {
  for (const payload of PAYLOADS) {
    const upload = aPackage(payload)
    assert.equal(await store.packages.upload([upload], [], 0n), 'stored')
    assert.deepEqual(await readPayload(store, upload.packageId), await upload.readPayload())
    for await (const piece of (await store.packages.payloadStream(upload.packageId)) ?? [])
      assert.ok(piece.length > 0 && piece.length <= MEBIBYTE, `a piece of ${piece.length} bytes`)
  }
}

async function storesSeveral({ store }: CheckContext): Promise<void> {
  const uploads = [10, 1_500_000, 300_000, 0, 2_097_152, 900_000].map((size) =>
    aPackage(randomBytes(size)),
  )
  assert.equal(await store.packages.upload(uploads, [], 0n), 'stored')
  for (const upload of uploads) {
    assert.deepEqual(
      await readPayload(store, upload.packageId),
      await upload.readPayload(),
      `${upload.size} bytes`,
    )
  }
}

async function ordersPackages({ store: { packages } }: CheckContext): Promise<void> {
  const uploads = ['a', 'b', 'c', 'd', 'e'].map((text, index) =>
    aPackage(text, { name: index % 2 === 0 ? 'even' : 'odd', version: `${index}.0.0` }),
  )
  await packages.upload(uploads.slice(2), [], 0n)
  await packages.upload(uploads.slice(0, 2), [], 0n)
  const ids = uploads.map(({ packageId }) => packageId).toSorted()
  const idsOf = (records: readonly PackageRecord[]): readonly string[] =>
    records.map(({ packageId }) => packageId)
  assert.deepEqual(await packages.list(), ids)
  assert.deepEqual(idsOf(await packages.get([...ids, ...ids, NO_SUCH_ID].toReversed())), ids)
  assert.deepEqual(idsOf(await packages.named(['odd', 'even', 'odd', 'none'])), ids)
  assert.deepEqual((await packages.named(['odd'])).map(({ version }) => version).toSorted(), [
    '1.0.0',
    '3.0.0',
  ])
  assert.deepEqual(await packages.named(['Odd', 'od', '']), [])
}

async function storesAgain({ store }: CheckContext): Promise<void> {
  const upload = aPackage('x', { name: 'first' })
  await store.packages.upload([upload], [upload.packageId], 0n)
  const again = {
    ...upload,
    name: 'second',
    readPayload: () => Promise.reject(new Error('is not read')),
  }
  assert.equal(await store.packages.upload([again], [], 0n), 'stored')
  assert.equal(await store.packages.upload([again], [upload.packageId], 1n), 'stored')
  assert.deepEqual(await store.packages.get([upload.packageId]), [recordOf(upload, true)])
  assert.equal(await store.packages.vettingVersion(), 1n)
}

async function vets({ store: { packages } }: CheckContext): Promise<void> {
  const [one, two, three] = [aPackage('1'), aPackage('2'), aPackage('3')]
  const vetted = async (): Promise<readonly boolean[]> => {
    const records = await packages.get([one, two, three].map(({ packageId }) => packageId))
    const byId = new Map(records.map((record) => [record.packageId, record.vetted]))
    return [one, two, three].map(({ packageId }) => byId.get(packageId) ?? false)
  }
  await packages.upload([one, two], [one.packageId], 0n)
  assert.deepEqual([await vetted(), await packages.vettingVersion()], [[true, false, false], 1n])
  await packages.upload([two, three], [three.packageId, two.packageId], 1n)
  assert.deepEqual([await vetted(), await packages.vettingVersion()], [[true, true, true], 2n])
  assert.equal(await packages.upload([], [one.packageId, two.packageId], 2n), 'stored')
  assert.equal(await packages.vettingVersion(), 2n)
}

async function refusesStale({ store }: CheckContext): Promise<void> {
  const [first, second] = [aPackage('1'), aPackage(Buffer.alloc(1_500_000))]
  await store.packages.upload([first], [first.packageId], 0n)
  for (const expected of [0n, 2n, -1n, 2n ** 64n]) {
    assert.equal(
      await store.packages.upload([second], [second.packageId], expected),
      'stale',
      String(expected),
    )
  }
  assert.equal(
    await store.packages.upload([], [first.packageId], 0n),
    'stale',
    'although it is vetted already',
  )
  await absent(store, second)
  assert.equal(await store.packages.vettingVersion(), 1n)
  assert.equal(await store.packages.upload([second], [second.packageId], 1n), 'stored')
}

async function refusesPayload({ store }: CheckContext): Promise<void> {
  const good = aPackage(Buffer.alloc(1_500_000, 'x'))
  const other = Buffer.alloc(1_500_000, 'y')
  const bad = [
    { ...good, readPayload: async () => other },
    { ...good, size: 1_499_999 },
    { ...good, size: 1_500_001 },
  ]
  for (const upload of bad) {
    const small = aPackage('small')
    const both = [small, upload]
    await assert.rejects(store.packages.upload(both, [upload.packageId], 0n), TypeError)
    await absent(store, ...both)
  }
  assert.equal(await store.packages.upload([good], [], 0n), 'stored')
  assert.deepEqual(await readPayload(store, good.packageId), await good.readPayload())
}

async function rejectsUnreadable({ store }: CheckContext): Promise<void> {
  const good = aPackage(Buffer.alloc(1_200_000))
  const bad = aPackage('bad', { readPayload: () => Promise.reject(new Error('the disk is gone')) })
  await assert.rejects(store.packages.upload([good, bad], [good.packageId], 0n), /the disk is gone/)
  await absent(store, good, bad)
  assert.equal(await store.packages.vettingVersion(), 0n)
}

async function absent({ packages }: Store, ...uploads: readonly PackageUpload[]): Promise<void> {
  const ids = uploads.map(({ packageId }) => packageId)
  assert.deepEqual(await packages.get(ids), [])
  for (const id of ids) assert.equal(await packages.payloadStream(id), undefined)
}

function recordOf({ readPayload: _, ...rest }: PackageUpload, vetted: boolean): PackageRecord {
  return { ...rest, vetted }
}
