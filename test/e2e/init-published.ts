// New projects, made and used by nothing but the published package. Tests of the suite that has
// installed it, which takes long enough to be done once: test/plugins/third-party.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { environment } from '../support/published.ts'
import type { Published } from '../support/published.ts'

const SECURED = `openapi: 3.0.3
info: { title: Vault, version: '1' }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    session: { type: apiKey, in: cookie, name: session }
    user: { type: http, scheme: basic }
  responses:
    Wrong: { description: no, content: { application/problem+json: { schema: { $ref: '../shared/problem.yaml' } } } }
security: [{ key: [] }]
paths:
  /secrets:
    get:
      operationId: then
      parameters: [{ name: limit, in: query, required: true, schema: { type: integer, maximum: 9 } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string, nullable: true } } } } }
        4XX: { $ref: '#/components/responses/Wrong' }
  /session:
    get: { operationId: session, security: [{ session: [], user: [] }], responses: { '204': { description: ok }, default: { $ref: '#/components/responses/Wrong' } } }
`
const PROBLEM = `type: object
required: [title, status, kind]
additionalProperties: false
properties:
  title: { type: string, maxLength: 40 }
  status: { type: integer, minimum: 400 }
  kind: { type: string, enum: [about:blank] }
`

const HANDLERS = 'src/handlers/notes.ts'
const WRITTEN = `
  createNote: ({ body }) => {
    const note = { id: \`n-\${notes.size + 1}\`, writtenAt: new Date().toISOString(), tags: [], ...body }
    notes.set(note.id, note)
    return { status: 201, body: note }
  },
  getNote: ({ path: { noteId } }) => {
    const note = notes.get(noteId)
    return note === undefined ? { status: 404, body: { error: \`there is no note \${noteId}\` } } : { status: 200, body: note }
  },
`
const STORE = `
const notes = new Map<string, import('../../generated/notes/types.gen.ts').Note>()
`
const AUTHOR = '        author: { type: string, minLength: 1 }'
const ARCHIVE = `  /notes/{noteId}/archive:
    post:
      operationId: archiveNote
      parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
      responses:
        '204': { description: It is put away }
        '404': { $ref: '#/components/responses/Unknown' }
`

/** Registers the tests. */
export function newProjects(published: () => Published): void {
  test('npm create makes a project that runs, is checked and keeps to its document', async () => {
    const project = projectIn(published(), 'notes')
    const made = await published().run('npm', [
      'create',
      'ledgerwright',
      'notes',
      '--',
      '--no-install',
    ])
    assert.deepEqual([made.code, made.stderr], [0, made.stderr], made.stdout)
    assert.match(
      made.stdout,
      /notes: 5 operations[^]*Next:\n {2}cd notes\n {2}npm install\n {2}npm test/,
    )
    assert.match(await project.passes('test'), /✓ createNote/)
    await project.served({}, async (url) => {
      const example = await call(url, 'GET /notes')
      assert.deepEqual([example.status, example.headers.get('x-example-answer')], [200, 'true'])
    })
    await project.served({ NODE_ENV: 'production' }, async (url) =>
      assert.equal((await call(url, 'GET /notes')).status, 501),
    )
    await followChange(project)
  })

  test('a document with security, in parts, and an operation called then, gets a guard that lets in who shows the token, and nobody in production', async () => {
    const project = projectIn(published(), 'made/vault')
    await project.put('../documents/api/openapi.yaml', SECURED)
    await project.put('../documents/shared/problem.yaml', PROBLEM)
    const made = await published().ledgerwright(
      'init',
      'made/vault',
      '--spec',
      'made/documents/api/openapi.yaml',
      '--no-install',
    )
    assert.equal(made.code, 0, made.stderr)
    await project.passes('run', '-s', 'check')
    await project.passes('test')
    const asked = (url: string, headers = {}) => call(url, 'GET /secrets?limit=3', { headers })
    await project.served({}, async (url) => {
      const refused = await asked(url)
      assert.deepEqual([refused.status, refused.type], [401, 'application/problem+json'])
      assert.match(refused.text, /^\{"title":"[^"]+","status":401,"kind":"about:blank"\}$/)
      assert.equal((await asked(url, { 'x-api-key': 'development-token' })).status, 200)
      const both = {
        cookie: 'a=b; session=development-token',
        authorization: `Basic ${btoa('development-token:')}`,
      }
      assert.equal((await call(url, 'GET /session', { headers: both })).status, 204)
      assert.equal(
        (await call(url, 'GET /session', { headers: { cookie: both.cookie } })).status,
        401,
      )
    })
    await project.served({ NODE_ENV: 'production' }, async (url) => {
      assert.equal((await asked(url, { 'x-api-key': 'development-token' })).status, 401)
    })
  })
}

/**
 * What the first kind of user does every few weeks: the document changes, and everything says what
 * is to be done until all is green.
 */
async function followChange(project: Project): Promise<void> {
  project.edit(
    HANDLERS,
    'Partial<Handlers<Context>> = {}',
    `Partial<Handlers<Context>> = {${WRITTEN}}\n${STORE}`,
  )
  project.edit(
    'spec/notes.yaml',
    'required: [id, text, tags, writtenAt]',
    'required: [id, text, tags, writtenAt, author]',
  )
  project.edit('spec/notes.yaml', 'writtenAt: { type: string, format: date-time }', `$&\n${AUTHOR}`)
  project.edit('spec/notes.yaml', '  /health:', `${ARCHIVE}$&`)
  const said = await project.passes('run', '-s', 'generate')
  assert.match(said, /changed operation notes\.createNote[^]*added operation notes\.archiveNote/)
  assert.match(
    await project.passes('run', '-s', 'scaffold'),
    /src\/handlers\/notes\.ts:\d+:\d+: notes\.archiveNote added/,
  )
  assert.match(
    await project.fails('run', '-s', 'check'),
    /src\/handlers\/notes\.ts\(\d+,\d+\): error[^]*'author' is missing/,
  )
  project.edit(HANDLERS, 'tags: [], ...body', `tags: [], author: 'nobody', ...body`)
  project.edit(HANDLERS, `throw new NotWritten('archiveNote')`, `return { status: 204 }`)
  await project.passes('run', '-s', 'check')
  await project.served({}, async (url) => {
    const conformed = await project.passes('run', '-s', 'conform', { CONFORM_URL: url, SEED: '7' })
    assert.match(conformed, /✓ archiveNote[^]*\n3 operations were answered by examples/)
  })
}

interface Project {
  put(file: string, text: string): Promise<void>
  edit(file: string, from: string, to: string): void
  /** Runs npm to its end; its output. Fails the test where npm fails. */
  passes(...args: readonly (string | NodeJS.ProcessEnv)[]): Promise<string>
  /** Runs npm, which must fail; its output. */
  fails(...args: readonly string[]): Promise<string>
  /**
   * Starts the server, does something with its address, and stops it by SIGTERM, on which it ends
   * with 0.
   */
  served(env: NodeJS.ProcessEnv, use: (url: string) => Promise<void>): Promise<void>
}

function projectIn({ folder: root }: Published, name: string): Project {
  const folder = join(root, name)
  return {
    put: async (file, text) => {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    edit: (file, from, to) => {
      const text = readFileSync(join(folder, file), 'utf8')
      assert.ok(text.includes(from), `${file} has no ${from}`)
      writeFileSync(join(folder, file), text.replace(from, to))
    },
    passes: async (...args) => {
      const { code, output } = await npm(folder, args)
      assert.equal(code, 0, output)
      return output
    },
    fails: async (...args) => {
      const { code, output } = await npm(folder, args)
      assert.notEqual(code, 0, output)
      return output
    },
    served: (env, use) => served(folder, env, use),
  }
}

interface NpmEnded {
  readonly code: unknown
  readonly output: string
}

async function npm(
  folder: string,
  given: readonly (string | NodeJS.ProcessEnv)[],
): Promise<NpmEnded> {
  const args = given.filter((one) => typeof one === 'string')
  const env = given
    .filter((one) => typeof one !== 'string')
    .reduce((a, b) => ({ ...a, ...b }), environment())
  const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

async function served(
  folder: string,
  env: NodeJS.ProcessEnv,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const surroundings = { cwd: folder, env: { ...environment(), PORT: '0', ...env } }
  const child = spawn(process.execPath, ['src/server.ts'], {
    ...surroundings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  try {
    await use(
      await retried(async () => {
        const url = /"url":"(http:[^"]+)"/.exec(log)?.[1]
        assert.ok(url !== undefined, log)
        return url
      }),
    )
  } finally {
    child.kill('SIGTERM')
  }
  await closed
  assert.equal(child.exitCode, 0, log)
}
