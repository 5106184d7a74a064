// `npm run full:first-handler`: what a team does on its first day with the largest public document,
// by the packed package in an empty folder: a project, its tests, a red operation, one handler
// written, green. Prints each command with its seconds.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { retried } from '../../support/eventually.ts'
import { environment, installPublished } from '../../support/published.ts'
import { DOCUMENTS, pathOf } from './documents.ts'

const OPERATION = 'emojis/get'
const NAME = 'large'
const BODY = "{ wave: 'https://images.example/wave.png' }"
const HANDLER = `'${OPERATION}': () => ({ status: 200, body: ${BODY} })`
const START_MS = 120_000
const EMPTY = 'Partial<Handlers<Context>> = {}'

interface Step {
  readonly command: string
  readonly seconds: number
}

const [document] = DOCUMENTS
if (document === undefined) throw new Error('no document is listed')
const samples = mkdtempSync(join(tmpdir(), 'first-handler-'))
writeFileSync(join(samples, `${NAME}.json`), readFileSync(pathOf(document)))
const published = await installPublished(samples)
const project = join(published.folder, 'project')
try {
  for (const { command, seconds } of await steps())
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${command}\n`)
  process.stdout.write(`load ${loadavg().map(Math.round).join(', ')}\n`)
} finally {
  await published.remove()
  rmSync(samples, { recursive: true, force: true })
}

async function steps(): Promise<readonly Step[]> {
  const init = ['ledgerwright', 'init', 'project', '--spec', `${NAME}.json`, '--no-install']
  const made = await timed(published.folder, 0, 'npx', ...init)
  const tested = await timed(project, 0, 'npm', 'test')
  const red = await held(4)
  const file = join(project, 'src/handlers', `${NAME}.ts`)
  const text = readFileSync(file, 'utf8')
  if (!text.includes(EMPTY)) throw new Error(`${file} is not as expected`)
  writeFileSync(file, text.replace(EMPTY, `${EMPTY.slice(0, -1)} ${HANDLER} }`))
  const checked = await timed(project, 0, 'npm', 'run', 'check')
  return [made, tested, ...red, checked, ...(await held(0))]
}

/** Starts the server as in production, holds the operation to the document, and stops it. */
async function held(code: number): Promise<readonly Step[]> {
  const start = performance.now()
  const server = spawn(process.execPath, ['src/server.ts'], {
    cwd: project,
    env: { ...environment(), PORT: '0', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  let log = ''
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  try {
    const url = await retried(async () => {
      const found = /"url":"(http:[^"]+)"/u.exec(log)?.[1]
      assert.ok(found !== undefined, `the server has not started: ${log}`)
      return found
    }, START_MS)
    const started = { command: 'NODE_ENV=production npm start', seconds: since(start) }
    const spec = ['--spec', `spec/${NAME}.json`, '--only', OPERATION]
    return [
      started,
      await timed(project, code, 'npx', 'ledgerwright', 'conform', '--url', url, ...spec),
    ]
  } finally {
    server.kill('SIGTERM')
    await closed
  }
}

/** Runs a command, which must end with this exit code. */
async function timed(cwd: string, code: number, ...command: readonly string[]): Promise<Step> {
  const start = performance.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-10_000)
    })
  const [ended] = await once(child, 'close')
  if (ended !== code) throw new Error(`${command.join(' ')} ended with ${ended}:\n${output}`)
  return { command: `${command.join(' ')}  (exit code ${code})`, seconds: since(start) }
}

function since(start: number): number {
  return (performance.now() - start) / 1_000
}
