// `ledgerwright conform` as it is used: exit codes, what people read, reports, and a curl command
// that shows the fault when pasted.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempDir } from '../support/temp-dir.ts'
import { startLibrary } from './faulty/server.ts'

const MAIN = fileURLToPath(new URL('../../runtime/cli/main.ts', import.meta.url))
const SPEC = fileURLToPath(new URL('./faulty/library.yaml', import.meta.url))
const SMALL = ['--runs', '3', '--extremes', '10', '--seed', '1']

let folder: Awaited<ReturnType<typeof tempDir>>
before(async () => {
  folder = await tempDir()
})
after(() => folder.remove())

async function conform(...args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, 'conform', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

test('a server that keeps to its document: exit code 0, a line for each operation', async () => {
  const library = await startLibrary()
  try {
    const { code, stdout, stderr } = await conform(
      '--url',
      library.url,
      '--spec',
      SPEC,
      '--token',
      library.token,
      ...SMALL,
    )
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^✓ addBook +\d+ sent, \d+ accepted, \d+ refused {2}\(POST \/books\)$/mu)
    assert.match(stdout, /^no violation: 16 operations, \d+ requests, [\d.]+ s, seed 1$/mu)
  } finally {
    await library.close()
  }
})

test('a fault: exit code 4, reports without the token, and a curl command that shows it', async () => {
  const library = await startLibrary({ fault: 'missing-as-410' })
  const [tokenFile, junit, json] = ['token', 'junit.xml', 'report.json'].map((name) =>
    join(folder.path, name),
  )
  assert.ok(tokenFile !== undefined && junit !== undefined && json !== undefined)
  writeFileSync(tokenFile, `${library.token}\n`)
  try {
    const reports = ['--report', `junit=${junit}`, `json=${json}`]
    const { code, stdout } = await conform(
      '--url',
      library.url,
      '--spec',
      SPEC,
      '--token-file',
      tokenFile,
      ...reports,
      '--only',
      'getBook',
      ...SMALL,
    )
    assert.equal(code, 4, stdout)
    assert.match(stdout, /^1\. getBook: status\n {3}status 410 is not declared$/mu)
    assert.match(
      readFileSync(junit, 'utf8'),
      /<testcase classname="library" name="getBook"><failure type="status"/u,
    )
    for (const shown of [stdout, readFileSync(junit, 'utf8'), readFileSync(json, 'utf8')])
      assert.ok(!shown.includes(library.token))
    const command = /^ {3}(curl .*)$/mu.exec(stdout)?.[1]
    assert.ok(command !== undefined, stdout)
    if (!existsSync('/usr/bin/curl')) return
    const pasted = await promisify(execFile)('sh', ['-c', `${command} -s`])
    assert.match(pasted.stdout, /^HTTP\/1\.1 410 /u)
  } finally {
    await library.close()
  }
})

test('reading only: nothing but GET and HEAD is sent', async () => {
  const methods = new Set<string | undefined>()
  const server = createServer((request, response) => {
    methods.add(request.method)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  await conform(
    '--url',
    `http://127.0.0.1:${address.port}`,
    '--spec',
    SPEC,
    '--token',
    'x',
    '--read-only',
    ...SMALL,
  )
  server.close()
  assert.deepEqual(
    [...methods].filter((method) => method !== 'HEAD'),
    ['GET'],
  )
})

test('a server that takes any multipart body: a flawed part is found, and shown as a command', async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(request.method === 'POST' ? 204 : 405, { allow: 'POST' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const spec = join(folder.path, 'upload.yaml')
  writeFileSync(
    spec,
    `openapi: 3.1.0
info: { title: Upload, version: '1' }
paths:
  /files:
    post:
      operationId: upload
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { file: { type: string, format: binary }, copies: { type: integer, maximum: 9 } } }
      responses: { '204': { description: taken } }
`,
  )
  const url = `http://127.0.0.1:${address.port}`
  const { code, stdout } = await conform('--url', url, '--spec', spec, ...SMALL)
  server.close()
  assert.equal(code, 4, stdout)
  assert.match(
    stdout,
    /^1\. upload: flawed-refused\n {3}body\/copies breaks '(?:maximum|type)', yet the answer is 204$/mu,
  )
  assert.match(stdout, /^ {3}printf .* \| curl .*multipart\/form-data; boundary=/mu)
})

test('what a server answers does not steer the terminal that shows it', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'text/\u009b1m' }).end('mine \u001b[2J \u202e')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}`
  const only = ['--only', 'listBooks', '--runs', '1', '--extremes', '1', '--seed', '1']
  const { stdout } = await conform('--url', url, '--spec', SPEC, '--token', 'x', ...only)
  server.close()
  assert.match(stdout, /answer: mine/u)
  assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}/u)
})

test('a server that is not there: exit code 1; what cannot be understood: exit code 2; each in one line', async () => {
  const gone = await conform('--url', 'http://127.0.0.1:9', '--spec', SPEC)
  assert.deepEqual([gone.code, gone.stderr.trim().split('\n').length], [1, 1], gone.stderr)
  const wrong = [
    ['--url', 'library'],
    ['--url', 'http://127.0.0.1:9', '--spec', 'nowhere.yaml'],
    ['--url', 'http://127.0.0.1:9', '--spec', SPEC, '--only', 'getNothing'],
    ['--url', 'http://127.0.0.1:9', '--report', 'pdf=x'],
  ]
  for (const { code, stderr } of await Promise.all(wrong.map((args) => conform(...args)))) {
    assert.deepEqual([code, stderr.trim().split('\n').length], [2, 1], stderr)
  }
})
