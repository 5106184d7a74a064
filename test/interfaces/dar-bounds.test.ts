// DARs that want too much: bombs in every form, a large one in bounded memory, and damage at
// random.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { readDar, removeLeftUploads, spool } from '../../runtime/participant/packages/index.ts'
import { archiveOfText } from '../support/dar-text.ts'
import * as write from '../support/dar-writer.ts'
import { fileOf, listing, read, rejection, withManifest } from './dar-kit.ts'

const MEBIBYTE = 1024 * 1024
const plain = archiveOfText('plain', '1.0.0', 'record T f: Text')

async function refused(...asked: Parameters<typeof rejection>): Promise<string> {
  return Object.values(await rejection(...asked)).join(' ')
}

describe('bombs', () => {
  const zeros = Buffer.alloc(10 * MEBIBYTE)
  const listed = { name: plain.name, data: plain.archive }
  /** Entries that have the bytes of the first in common. */
  const sharing = (length: number, data: Buffer): Buffer =>
    write.zip(Array.from({ length }, (_, index) => ({ name: `${index}`, data, shared: index > 0 })))

  test('10 kB that state 10 GB', async () => {
    const bytes = listing(plain, {
      ...listed,
      data: zeros,
      statedSize: 10 * 1024 * MEBIBYTE,
    })
    assert.ok(bytes.length < 12_000, String(bytes.length))
    assert.match(await refused(bytes, 'ZIP_BOMB'), /an entry has/)
  })

  test('10 GB of a thousand entries that share 10 kB', async () => {
    const bytes = sharing(1000, zeros)
    const started = process.cpuUsage()
    assert.ok(bytes.length < 70_000, String(bytes.length))
    assert.match(await refused(bytes, 'ZIP_BOMB'), /entries have more than/)
    const { user, system } = process.cpuUsage(started)
    assert.ok(user + system < 2_000_000, 'microseconds of this process')
  })

  test('less than that, but far more than the file', async () =>
    assert.match(await refused(sharing(20, zeros), 'ZIP_BOMB'), /200 times the file/))

  test('little, but entries share bytes', async () =>
    assert.match(await refused(sharing(3, Buffer.from('x')), 'ZIP_BOMB'), /share bytes/))

  test('10 kB that state 100 bytes and inflate to 10 MB: given up after 100 bytes', async () => {
    const before = process.memoryUsage().rss
    for (const statedSize of [0, 100]) {
      assert.match(
        await refused(listing(plain, { ...listed, data: zeros, statedSize }), 'ZIP_BOMB'),
        /more than it states/,
      )
    }
    assert.ok(process.memoryUsage().rss - before < 10 * MEBIBYTE)
  })

  test('a manifest of 2 MiB', async () => {
    await refused(withManifest(Buffer.alloc(2 * MEBIBYTE, 0x20), listed), 'ZIP_BOMB')
  })

  test('too many entries', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}`,
      data: Buffer.alloc(0),
    }))
    assert.match(
      await refused(write.zip(many), 'ZIP_BOMB', { limits: { maxEntries: 19 } }),
      /more than 19 entries/,
    )
  })

  test('limits are the caller’s', async () => {
    const bytes = write.dar({ main: plain })
    await refused(bytes, 'ZIP_BOMB', { limits: { maxEntryBytes: plain.archive.length } })
    await refused(bytes, 'ZIP_BOMB', { limits: { maxTotalBytes: plain.archive.length } })
    await refused(bytes, 'ZIP_BOMB', { limits: { maxRatio: 0.1, ratioFreeBytes: 0 } })
  })

  test('a package of more definitions than anyone has', async () => {
    const emptyTexts = Buffer.alloc(3_000_000, write.bytes(2))
    const main = write.archiveOf(
      'x',
      Buffer.concat([write.text(3, '1'), write.bytes(4, emptyTexts)]),
    )
    assert.match(await refused(write.dar({ main }), 'DAR_PARSE_ERROR'), /too many definitions/)
  })
})

describe('large DARs', () => {
  interface Growth {
    readonly packages: number
    readonly grownBytes: number
    readonly ms: number
  }
  const child = join(import.meta.dirname, '..', 'support', 'dar-child.ts')
  const grow = async (path: string): Promise<Growth> =>
    JSON.parse((await promisify(execFile)(process.execPath, [child, path])).stdout)
  /**
   * Growth of memory: a busy machine collects late, which only adds, so one of three runs has to
   * fit.
   */
  const growth = async (path: string, most: number): Promise<Growth> => {
    const first = await grow(path)
    if (first.grownBytes < most) return first
    const second = await grow(path)
    return second.grownBytes < most ? second : grow(path)
  }
  const ballast = (megabytes: number): Buffer[] =>
    Array.from({ length: megabytes }, () => randomBytes(1_000_000))

  test('120 MB of 55 packages take the memory of a few', async () => {
    const others = Array.from({ length: 54 }, (_, index) =>
      archiveOfText(`p${index}`, '1', '', { ballast: ballast(2) }),
    )
    const main = write.archive({
      name: 'main',
      version: '1',
      ballast: ballast(12),
      calls: others.map(({ packageId }) => packageId),
    })
    const path = fileOf('many.dar')
    await writeFile(path, write.dar({ main, others, stored: true }))
    assert.ok((await stat(path)).size > 120_000_000)
    const { packages, grownBytes, ms } = await growth(path, 90_000_000)
    assert.equal(packages, 55)
    assert.ok(grownBytes < 90_000_000, `grew by ${grownBytes} bytes`)
    assert.ok(ms < 20_000)
  })

  test('50 MB of one package take the memory of that one', async () => {
    const path = fileOf('one.dar')
    await writeFile(
      path,
      write.dar({ main: archiveOfText('main', '1', '', { ballast: ballast(50) }) }),
    )
    const { packages, grownBytes } = await growth(path, 110_000_000)
    assert.equal(packages, 1)
    assert.ok(grownBytes < 110_000_000, `grew by ${grownBytes} bytes`)
  })
})

describe('spooling', () => {
  test('keeps the bytes until they are removed', async () => {
    const body = randomBytes(300_000)
    const file = await spool(
      Readable.from([body.subarray(0, 1), body.subarray(1, 100_000), body.subarray(100_000)]),
      {
        folder: fileOf('spool', 'deep'),
        name: 'one',
        maxBytes: body.length,
      },
    )
    assert.ok(file)
    assert.equal(file.size, body.length)
    assert.deepEqual(await readFile(file.path), body)
    assert.equal((await stat(file.path)).mode & 0o777, 0o600)
    await file.remove()
    await file.remove()
    assert.deepEqual(await readdir(fileOf('spool', 'deep')), [])
  })

  test('gives up past the limit and reads no more', async () => {
    let given = 0
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++
        yield Buffer.alloc(65_536)
      }
    }
    assert.equal(
      await spool(endless(), {
        folder: fileOf('limit'),
        name: 'one',
        maxBytes: 200_000,
      }),
      undefined,
    )
    assert.ok(given < 50, String(given))
    assert.deepEqual(await readdir(fileOf('limit')), [])
  })

  test('a body that breaks off leaves nothing and is reported', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('connection lost')
    }
    await assert.rejects(
      spool(broken(), { folder: fileOf('broken'), name: 'one', maxBytes: 1000 }),
      /connection lost/,
    )
    assert.deepEqual(await readdir(fileOf('broken')), [])
  })

  test('what a killed process left is removed, and nothing else', async () => {
    const left = fileOf('left')
    const later = (): number => Date.now() + 60_000
    await spool(Readable.from([Buffer.from('x')]), { folder: left, name: 'one', maxBytes: 10 })
    await writeFile(join(left, 'other.txt'), 'mine')
    await removeLeftUploads(left, Date.now() - 60_000)
    assert.deepEqual(await readdir(left), ['other.txt', 'upload-one.dar'])
    await removeLeftUploads(left, later())
    assert.deepEqual(await readdir(left), ['other.txt'])
    await removeLeftUploads(fileOf('absent'), later())
  })

  test('a file that is gone is a fault of ours, not of the DAR', async () => {
    await assert.rejects(readDar(fileOf('absent.dar'), { manifestFormat: write.FORMAT }), {
      code: 'ENOENT',
    })
  })
})

describe('damage at random', () => {
  const lib = write.archive({
    name: 'lib',
    version: '1',
    modules: [{ name: 'L', dataTypes: [{ name: 'U', enum: ['A'] }] }],
  })
  const main = write.archive({
    name: 'main',
    version: '1',
    calls: [lib.packageId],
    modules: [
      {
        name: 'M',
        dataTypes: [{ name: 'T', record: [['f', { constructed: 'L:U', package: lib.packageId }]] }],
        templates: [{ name: 'T', key: write.PARTY }],
      },
    ],
  })
  const payloads = new Map([main, lib].map((each) => [each.packageId, each.payload]))
  const stored = write.dar({ main, others: [lib], stored: true })
  const deflated = write.dar({ main, others: [lib] })

  /** Either an error, or exactly the packages that were written. */
  const holds = async (bytes: Buffer): Promise<void> => {
    const dar = await read(bytes)
    if (dar instanceof LedgerError) return
    try {
      for (const each of dar.packages) {
        assert.deepEqual(
          Buffer.from(await each.readPayload()),
          payloads.get(each.summary.packageId),
        )
      }
    } finally {
      dar.close()
    }
  }

  for (const [what, bytes] of [
    ['stored', stored],
    ['deflated', deflated],
  ] as const) {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    })
    test(`bytes of a ${what} DAR are flipped`, () =>
      fc.assert(
        fc.asyncProperty(flips, async (changes) => {
          const damaged = Buffer.from(bytes)
          for (const [at, mask] of changes) damaged[at] = (damaged[at] ?? 0) ^ mask
          await holds(damaged)
        }),
        { numRuns: 400 },
      ))

    test(`a ${what} DAR is cut, and its parts repeated`, () => {
      const cut = fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length), fc.nat(bytes.length))
      return fc.assert(
        fc.asyncProperty(cut, async ([first, second, third]) => {
          await holds(
            Buffer.concat([
              bytes.subarray(0, first),
              bytes.subarray(second, third),
              bytes.subarray(first),
            ]),
          )
          await holds(bytes.subarray(0, first))
        }),
        { numRuns: 200 },
      )
    })
  }

  test('archives with any payload are read or refused, and have its hash as their id', () => {
    const damaged = fc.array(fc.tuple(fc.nat(main.payload.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 6,
    })
    return fc.assert(
      fc.asyncProperty(damaged, async (changes) => {
        const payload = Buffer.from(main.payload)
        for (const [at, value] of changes) payload[at] = value
        const changed = write.archiveOf('main', payload)
        const dar = await read(write.dar({ main: changed, others: [lib] }))
        if (dar instanceof LedgerError) return
        assert.equal(dar.mainPackageId, changed.packageId)
        dar.close()
      }),
      { numRuns: 600 },
    )
  })
})
