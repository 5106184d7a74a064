// Secrets in addresses are not shown: by the commands that print the configuration or say what is
// wrong with it, in errors, in log lines.
import assert from 'node:assert/strict'
import { describe, it, after } from 'node:test'
import fc from 'fast-check'
import { maskUrls } from '../../runtime/host/mask.ts'
import type { Ended } from '../e2e/cli-kit.ts'
import { MAIN, run, RUNTIME, SERVE_STUB, tempFolder } from '../e2e/cli-kit.ts'

const SECRET = 'Swordfish-7'
const NAMES = [
  'api_key',
  'apikey',
  'API-KEY',
  'key',
  'token',
  'access_token',
  'client_secret',
  'password',
  'sslpassword',
  'pwd',
  'sig',
  'code',
  'X-Amz-Signature',
  'X-Amz-Credential',
  'auth',
  'jwt',
  'api%5Fkey',
  'subscription-key',
]
const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function at(
  config: object,
  files: Readonly<Record<string, string>> = {},
): { readonly cwd: string } {
  const folder = tempFolder({ ...files, 'ledgerwright.config.json': JSON.stringify(config) })
  folders.push(folder)
  return { cwd: folder.path }
}

function assertHidden({ stdout, stderr }: Ended): void {
  assert.ok(!`${stdout}${stderr}`.includes(SECRET), `${stdout}${stderr}`)
}

const JWT = {
  use: 'jwt',
  issuers: [
    {
      issuer: 'https://i.example',
      jwksUrl: `https://keys.example/set?tenant=7&api_key=${SECRET}#x`,
    },
  ],
}

describe('secrets in addresses', () => {
  it('are masked whatever stands around them, and nothing else is', () => {
    const secret = fc
      .string({ unit: fc.constantFrom(...'abcXYZ019-._~!$*+,=%'), minLength: 6, maxLength: 30 })
      .map((text) => `Q7${text}`)
    const place = fc.constantFrom('host.example', '10.0.0.1:5432', '[::1]:80')
    const address = fc.oneof(
      fc
        .record({ place, secret })
        .map((made) => ({ ...made, text: `postgres://ann:${made.secret}@${made.place}/db` })),
      fc
        .record({ place, secret })
        .map((made) => ({ ...made, text: `https://${made.secret}@${made.place}/path` })),
      fc
        .record({ place, secret })
        .map((made) => ({ ...made, text: `https://ann:${made.secret}@${made.place}` })),
      fc
        .record({
          place,
          secret,
          name: fc.constantFrom(...NAMES),
          mark: fc.constantFrom('?', '?a=1&', '#', '?a=1;', '?b=x#'),
        })
        .map((made) => ({
          ...made,
          text: `wss://${made.place}/p${made.mark}${made.name}=${made.secret}&end=1`,
        })),
    )
    const around = fc.constantFrom(
      ['', ''],
      ['could not reach ', ' in time'],
      ['{"url":"', '"}'],
      ["'", "'"],
      ['see https://a.example and ', '!'],
    )
    fc.assert(
      fc.property(
        address,
        around,
        ({ text, place: host, secret: hidden }, [before = '', behind = '']) => {
          const shown = maskUrls(before + text + behind)
          assert.ok(!shown.includes(hidden), shown)
          assert.ok(
            shown.startsWith(before) && shown.endsWith(behind) && shown.includes(host),
            shown,
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('leave addresses without any as they are', () => {
    for (const text of [
      'http://127.0.0.1:8080/docs',
      'postgres://ann@db:5432/x?sslmode=require',
      'https://a.example/p?page=2&author=ann#top',
      'no address: a@b',
      'file:///srv/data',
    ])
      assert.equal(maskUrls(text), text)
  })

  it('do not show in the printed configuration', async () => {
    const place = at({
      auth: [JWT],
      storage: { use: 'memory' },
      extensions: { other: { use: './x.ts', hook: `https://u:${SECRET}@h/x` } },
    })
    for (const args of [[], ['--effective', '--json']]) {
      const ended = await run(MAIN, ['config', 'print', ...args], place)
      assertHidden(ended)
      assert.match(ended.stdout, /https:\/\/keys\.example\/set\?tenant=7&api_key=\*{8}#x/)
    }
  })

  it('do not show in what is wrong with the configuration, however long they are', async () => {
    const url = `mysql://user:${'x'.repeat(60)}${SECRET}@host/db`
    for (const command of [
      ['config', 'check'],
      ['serve', '--port', '0'],
    ]) {
      const ended = await run(MAIN, command, at({ storage: { use: 'postgres', url } }))
      assertHidden(ended)
      assert.match(ended.stderr, /storage\.url: .*received "mysql:\/\/user:\*{8}@host\/db"/)
      assert.ok(!ended.stderr.includes('xxxx'), ended.stderr)
    }
  })

  it('do not show where a plugin does not start, nor in the log', async () => {
    const plugin = `import { definePlugin } from ${JSON.stringify(RUNTIME)}
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
export default definePlugin({ kind: 'extension', name: 'loud', options, setup: (host) => {
  host.log.error({ err: new Error('no answer from https://h/x?api_key=${SECRET}'), url: 'amqp://u:${SECRET}@h' }, 'failed at https://${SECRET}@h')
  throw new Error('could not reach https://u:${SECRET}@h/x')
} })
`
    const place = at(
      { extensions: { loud: { use: './loud.js' } }, log: { pretty: false } },
      { 'loud.js': plugin },
    )
    const ended = await run(SERVE_STUB, ['--port', '0'], place)
    assertHidden(ended)
    assert.match(ended.stderr, /did not start: could not reach https:\/\/\*{8}@h\/x\n/)
    const line: unknown = JSON.parse(
      ended.stderr.split('\n').find((text) => text.startsWith('{')) ?? '',
    )
    assert.match(JSON.stringify(line), /"url":"amqp:\/\/u:\*{8}@h".*"failed at https:\/\/\*{8}@h"/)
  })
})
