// The development auth: tokens of this data folder name a user, everything else is not its own or
// refused.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import authOpen from '../../plugins/auth-open/index.ts'
import { readOrMakeKey } from '../../plugins/auth-open/key-file.ts'
import type { AuthService, Credentials, PluginContext } from '../../runtime/index.ts'
import { Recent } from '../../runtime/host/recent.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { TurnedClock } from './fixtures/host-kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'lw-auth-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const credentials: Credentials = {
  authorization: undefined,
  webSocketProtocol: undefined,
  remoteAddress: '127.0.0.1',
}

async function open(
  change: Partial<PluginContext> = {},
  allowNonLoopback = false,
): Promise<AuthService> {
  const context: PluginContext = {
    name: 'open',
    log: silentLog,
    clock: new TurnedClock(),
    profile: 'dev',
    dataDir: folder,
    documents: [],
    listen: { host: '127.0.0.1', port: 8080 },
    ...change,
  }
  return await authOpen.setup(context, { allowNonLoopback, cacheSize: 4 })
}

describe('auth-open', () => {
  it('knows the user of a token that it issued, also after a restart and from the cache', async () => {
    const first = await open()
    const token = (await first.issue?.('alice')) ?? ''
    const second = await open()
    for (let n = 0; n < 3; n += 1) {
      assert.deepEqual(await second.authenticate(token, credentials), {
        kind: 'user',
        user: { userId: 'alice', identityProviderId: '' },
      })
    }
    const [header = '', payload = ''] = token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString())
    assert.deepEqual(
      [JSON.parse(header), JSON.parse(payload)],
      [{ alg: 'HS256', typ: 'JWT', kid: 'auth-open' }, { sub: 'alice' }],
    )
  })

  it('issues for every valid user id and for nothing else', async () => {
    const service = await open()
    const characters = [...`abcXYZ019@^$.!\`-#+'~_|:()`]
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 128 }),
        async (userId) => {
          const answer = await service.authenticate(
            (await service.issue?.(userId)) ?? '',
            credentials,
          )
          assert.deepEqual(answer, { kind: 'user', user: { userId, identityProviderId: '' } })
        },
      ),
      { numRuns: 50 },
    )
    for (const bad of ['', 'a b', 'a/b', 'é', 'a'.repeat(129), 'a\n'])
      assert.throws(() => service.issue?.(bad), /is not a user id/)
  })

  it('passes on what is not its own, and refuses what is but was not signed here', async () => {
    const service = await open()
    const token = (await service.issue?.('alice')) ?? ''
    const [header, payload, signature] = token.split('.')
    const bob = Buffer.from('{"sub":"bob"}').toString('base64url')
    const refused = [
      `${header}.${bob}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${token}x`,
      `${header}.`,
      `${token}.`,
    ]
    for (const other of refused)
      assert.equal((await service.authenticate(other, credentials)).kind, 'refused', other)
    for (const foreign of ['', 'x', 'a.b.c', `${bob}.${bob}.${bob}`, 'é'.repeat(9000)]) {
      assert.equal((await service.authenticate(foreign, credentials)).kind, 'not-mine')
    }
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom('A', 'b', '9', '-'),
        async (at, letter) => {
          const changed = token.slice(0, at) + letter + token.slice(at + 1)
          // The last letter of a signature carries bits that do not count; they are compared as
          // text all the same.
          if (changed !== token)
            assert.notEqual((await service.authenticate(changed, credentials)).kind, 'user')
        },
      ),
      { numRuns: 200 },
    )
  })

  it('refuses production and addresses that others reach, unless told otherwise', async () => {
    await assert.rejects(open({ profile: 'production' }), /refuses the production profile/)
    for (const host of ['0.0.0.0', '::', '192.168.1.2', '127.evil.example', '1127.0.0.1']) {
      await assert.rejects(open({ listen: { host, port: 1 } }), /loopback addresses only/)
    }
    await open({ listen: { host: '0.0.0.0', port: 1 } }, true)
    for (const host of ['localhost', '::1', '127.8.8.8']) await open({ listen: { host, port: 1 } })
  })

  it('writes its key for the owner only, and says when the file is no key', async () => {
    const path = join(folder, 'auth-open.key')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    writeFileSync(join(folder, 'short.key'), 'abc\n')
    await assert.rejects(readOrMakeKey(join(folder, 'short.key')), /is not a key of 32 bytes/)
  })

  it('makes one key when many processes come at once', async () => {
    const path = join(folder, 'raced.key')
    const module = new URL('../../plugins/auth-open/key-file.ts', import.meta.url).href
    const code = `import { readOrMakeKey } from ${JSON.stringify(module)}; process.stdout.write((await readOrMakeKey(${JSON.stringify(path)})).toString('hex'))`
    const keys = await Promise.all(
      Array.from({ length: 6 }, () => output(['--input-type=module', '-e', code])),
    )
    assert.deepEqual(
      [...new Set(keys)],
      [Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url').toString('hex')],
    )
  })

  it('remembers a bounded number of tokens', () => {
    const recent = new Recent<number>(10)
    for (let n = 0; n < 1000; n += 1) recent.set(`k${n}`, n)
    assert.ok(recent.size <= 10)
    assert.equal(recent.get('k999'), 999)
    assert.equal(recent.get('k1'), undefined)
  })
})

function output(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(parts).toString()))
  })
}
