// The README's first minute as a list of commands with times: from a clone to the first payment,
// in a folder of its own. Its commands are read from the README, so that they are what a newcomer
// types; only the port differs. The packages come from npm's cache where they are in it.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { machineLine } from './measure.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const PORT = process.env['PORT'] ?? '18080'
const URL_ = `http://127.0.0.1:${PORT}`
const POLL_MS = 20
const PATIENCE_MS = 300_000

const folder = await mkdtemp(join(tmpdir(), 'first-payment-'))
const clone = join(folder, 'ledgerwright')
const env = { ...process.env, PORT, URL: URL_ }
let total = 0

try {
  await timed(`git clone ${PROJECT}`, () => shell(`git clone -q '${PROJECT}' '${clone}'`, folder))
  await timed('npm ci', () => shell('npm ci --no-audit --no-fund --loglevel=error', clone))
  const service = spawn('npm', ['start'], { cwd: clone, env, stdio: 'ignore', detached: true })
  await timed('npm start, until it answers', ready)
  for (const commands of await tourOf(clone)) await timed(commands, () => payment(commands))
  process.stdout.write(`${seconds(total)}  in all; ${machineLine()}\n`)
  await stop(service)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Runs a step and prints its commands with the time that it took. */
async function timed(commands: string, run: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await run()
  const ms = performance.now() - began
  total += ms
  process.stdout.write(
    `${seconds(ms)}  ${commands.trim().replaceAll('\n', `\n${' '.repeat(10)}`)}\n`,
  )
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(6)} s`
}

async function shell(commands: string, cwd: string): Promise<void> {
  const child = spawn('bash', ['-euc', commands], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`exit code ${String(code)}: ${commands}`)
}

async function ready(): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const answer = await fetch(`${URL_}/readyz`).catch(() => undefined)
    if (answer?.ok === true) return
    await delay(POLL_MS)
  }
  throw new Error(`no answer at ${URL_}`)
}

/** The commands of the README's first payment: helpers and payment are one step for a reader. */
async function tourOf(root: string): Promise<readonly string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const tour = /<!-- tour:start -->([\s\S]*?)<!-- tour:end -->/.exec(readme)?.[1] ?? ''
  return [[...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body).join('')]
}

async function payment(commands: string): Promise<void> {
  await shell(`${commands}\nas bob $WALLET/balance | grep -q 20012.5`, clone)
}

async function stop({ pid }: ChildProcess): Promise<void> {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  while (
    await fetch(`${URL_}/livez`).then(
      () => true,
      () => false,
    )
  )
    await delay(POLL_MS)
}
