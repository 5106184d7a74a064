// Packages over HTTP, on each storage: uploads, upgrades, reads, and refusals.
// docs/ledger-rules.md, "Packages" and "Errors"
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { argument, assertRefused, refusal } from '../support/documented.ts'
import { deal } from '../support/deal-package.ts'
import { archiveOfText } from '../support/dar-text.ts'
import {
  archive,
  archiveOf,
  dar,
  number,
  TEXT,
  zip,
  type ArchiveFile,
} from '../support/dar-writer.ts'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const AMOUNT = 'amount: Int64'
const first = deal('1.0.0', AMOUNT)
const upload = (main: ArchiveFile, others: readonly ArchiveFile[] = []): Uint8Array<ArrayBuffer> =>
  new Uint8Array(dar({ main, others }))

for (const storage of storesFor('packages')) {
  describe(`packages on ${storage.name}`, () => {
    let service: Service
    let admin: string
    const ask = (request: string, options: CallOptions = {}): Promise<Answer> =>
      call(service.url, request, {
        token: admin,
        ...(options.raw ? { headers: { 'content-type': 'application/octet-stream' } } : {}),
        ...options,
      })
    const ids = async (): Promise<string> => (await ask('GET /v2/packages')).text

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      admin = await service.token('participant_admin')
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('a package is kept and served byte for byte; again is no change', async () => {
      for (const path of ['/v2/dars', '/v2/packages']) {
        const answer = await ask(`POST ${path}`, { raw: upload(first) })
        assert.deepEqual([answer.status, answer.json], [200, {}], answer.text)
      }
      assert.deepEqual((await ask('GET /v2/packages')).json, { packageIds: [first.packageId] })
      const response = await fetch(`${service.url}/v2/packages/${first.packageId}`, {
        headers: { authorization: `Bearer ${admin}` },
      })
      assert.equal(response.headers.get('content-type'), 'application/octet-stream')
      assert.equal(response.headers.get('network-package-hash'), first.packageId)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), first.payload)
      assert.deepEqual((await ask(`GET /v2/packages/${first.packageId}/status`)).json, {
        packageStatus: 'PACKAGE_STATUS_REGISTERED',
      })
    })

    test('an upgrade that adds an optional field passes; one that changes a field is refused and nothing is kept', async () => {
      const good = deal('1.1.0', `${AMOUNT}, note: Optional Text`)
      const bad = deal('1.2.0', 'amount: Text, note: Optional Text')
      const again = deal('1.1.0', `${AMOUNT}, other: Optional Text`)
      assert.equal((await ask('POST /v2/dars/validate', { raw: upload(good) })).text, '')
      assert.equal((await ids()).includes(good.packageId), false, 'validation stores nothing')
      assert.equal((await ask('POST /v2/dars', { raw: upload(good) })).status, 200)
      const kept = await ids()
      for (const path of ['/v2/dars', '/v2/dars/validate']) {
        assertRefused(await ask(`POST ${path}`, { raw: upload(bad) }), {
          ...refusal(8, 'NOT_VALID_UPGRADE_PACKAGE'),
          cause: /^Upgrade checks indicate that /,
        })
        assertRefused(
          await ask(`POST ${path}`, { raw: upload(again) }),
          refusal(8, 'KNOWN_PACKAGE_VERSION'),
        )
      }
      assert.equal(await ids(), kept)
      assert.equal(
        (await ask('POST /v2/dars?vetAllPackages=false', { raw: upload(bad) })).status,
        200,
        'stored without vetting',
      )
      assert.equal((await ids()).includes(bad.packageId), true)
    })

    test('a package that removes a template is no upgrade', async () => {
      const full = deal('1.0.0', AMOUNT, 'emptied')
      const other = archiveOfText('emptied', '2.0.0', 'record Other owner: Party')
      const empty = archiveOfText('emptied', '2.0.0')
      assert.equal((await ask('POST /v2/dars', { raw: upload(full) })).status, 200)
      assertRefused(
        await ask('POST /v2/dars', { raw: upload(other) }),
        refusal(8, 'NOT_VALID_UPGRADE_PACKAGE'),
      )
      assert.equal((await ids()).includes(other.packageId), false)
      assert.equal((await ask('POST /v2/dars', { raw: upload(empty) })).status, 200)
    })

    test('two incompatible uploads at once: one of them is vetted', async () => {
      const rivals = [deal('1.0.0', AMOUNT, 'rivals'), deal('1.1.0', 'amount: Text', 'rivals')]
      const answers = await Promise.all(
        rivals.map((rival) => ask('POST /v2/dars', { raw: upload(rival) })),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    })

    test('code that breaks a rule of the language is refused where it stands', async () => {
      const broken = archive({
        name: 'ill-typed',
        version: '1.0.0',
        modules: [
          { name: 'Sums', values: [{ name: 'total', type: TEXT, body: () => number(5, 0) }] },
        ],
      })
      for (const path of ['/v2/dars', '/v2/dars/validate']) {
        const answer = await ask(`POST ${path}`, { raw: upload(broken) })
        assertRefused(answer, refusal(8, 'DAR_VALIDATION_ERROR'))
        assert.match(answer.text, /"Sums:total: [^"]* Unit [^"]* Text \(rule DefValue\)"/)
      }
      assert.equal((await ids()).includes(broken.packageId), false)
    })

    const broken: readonly (readonly [
      name: string,
      body: Uint8Array<ArrayBuffer>,
      code: string,
    ])[] = [
      ['26 a body that is no zip', new TextEncoder().encode('hello'), 'INVALID_DAR'],
      ['an empty body', new Uint8Array(1).slice(0, 0), 'INVALID_DAR'],
      [
        'a zip without a manifest',
        new Uint8Array(zip([{ name: 'x', data: Buffer.from('x') }])),
        'INVALID_DAR',
      ],
      [
        'an archive that is not there',
        new Uint8Array(dar({ main: first, attributes: { Dalfs: `${first.name}, gone.dalf` } })),
        'INVALID_ZIP_ENTRY',
      ],
      [
        'a wrong hash',
        upload(archiveOf('wrong', first.payload, 'ab'.repeat(32))),
        'DAR_PARSE_ERROR',
      ],
      [
        'a path out of the archive',
        new Uint8Array(
          dar({ main: first, more: [{ name: '../../evil', data: Buffer.from('x') }] }),
        ),
        'INVALID_ZIP_ENTRY',
      ],
      [
        'a bomb',
        new Uint8Array(
          dar({
            main: first,
            more: [{ name: 'bomb', data: Buffer.alloc(1), statedSize: 10_000_000_000 }],
          }),
        ),
        'ZIP_BOMB',
      ],
    ]
    for (const [name, raw, code] of broken) {
      test(name, async () => {
        const before = await ids()
        assertRefused(await ask('POST /v2/dars', { raw }), refusal(8, code))
        assert.equal(await ids(), before)
        assert.deepEqual(
          await readdir(`${service.dataDir}/uploads`),
          [],
          'no upload is left on disk',
        )
      })
    }

    test('27 a flag that is no boolean, a synchronizer that is not there', async () => {
      assertRefused(
        await ask('POST /v2/packages?vetAllPackages=yes', { raw: upload(first) }),
        'Invalid value for: query parameter vetAllPackages',
      )
      assertRefused(
        await ask('POST /v2/dars?synchronizerId=other%3A%3A1220ab', { raw: upload(first) }),
        refusal(9, 'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER'),
      )
      assertRefused(
        await ask('POST /v2/dars?synchronizerId=x', { raw: upload(first) }),
        refusal(8, 'PROTO_DESERIALIZATION_FAILURE'),
      )
    })

    test('reads of what is not there', async () => {
      const id = 'ab'.repeat(32)
      assertRefused(
        await ask(`GET /v2/packages/${id}`),
        refusal(11, 'PACKAGE_NOT_FOUND', { resources: [['PACKAGE', id]] }),
      )
      assert.deepEqual((await ask(`GET /v2/packages/${id}/status`)).json, {
        packageStatus: 'PACKAGE_STATUS_UNSPECIFIED',
      })
      assertRefused(await ask('GET /v2/packages/a%2Fb'), argument(/Invalid package id: /))
    })

    test('50 MB go in and come out in bounded memory', async () => {
      const big = archive({
        name: 'big',
        version: '1.0.0',
        ballast: Array.from({ length: 50 }, () => randomBytes(1_048_576)),
      })
      const raw = new Uint8Array(dar({ main: big, stored: true }))
      const before = await residentBytes(service)
      assert.equal((await ask('POST /v2/dars', { raw })).status, 200)
      const response = await fetch(`${service.url}/v2/packages/${big.packageId}`, {
        headers: { authorization: `Bearer ${admin}` },
      })
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(big.payload))
      const more = (await residentBytes(service)) - before
      assert.ok(
        storage.name === 'memory' || more < 256 * 1_048_576,
        `${Math.round(more / 1_048_576)} MB more`,
      )
    })
  })
}

async function residentBytes({ process }: Service): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? '0') * 1024
}
