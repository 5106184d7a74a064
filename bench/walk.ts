// How far a request goes: files, functions and calls of ours, and SQL statements, of a payment with
// all that it wakes, of an offer, of a balance, of five seconds in which nobody does anything, and
// of a `generate` that changes nothing. By V8's precise coverage, so a busy machine changes little.
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseArgs } from 'node:util'
import { authOf } from './http-product.ts'
import type { Walk } from './walk-probe.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PROBE = join(import.meta.dirname, 'walk-probe.ts')
const MAIN = join(ROOT, 'runtime/cli/main.ts')
/** Milliseconds after a request, for what it wakes. */
const SETTLE_MS = 300
const IDLE_MS = 5_000
/** Measurements, of which the middle one counts: what comes once a minute is not in each. */
const IDLE_TIMES = 7
/** Milliseconds until what the start and the users have begun is over. */
const QUIET_MS = 15_000
/** Milliseconds until the leases of those who have just paid are over. */
const LEASES_MS = 45_000
/** Requests before the one that is counted, so that what is remembered is there. */
const WARMUP = 5
const AT_ONCE = 8
const HOUR_MS = 3_600_000

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    most: { type: 'boolean', default: false },
  },
})

interface Service {
  readonly url: string
  readonly child: ChildProcess
  as(user: string, path: string, body?: object): Promise<Record<string, unknown>>
}

const folder = await mkdtemp(join(tmpdir(), 'walk-'))
try {
  const service = await start()
  await addUsers(service, Number(values.users))
  await sleep(QUIET_MS)
  await walk(service)
  service.child.kill('SIGTERM')
  await once(service.child, 'close')
  print('an unchanged generate', await generated())
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function walk(service: Service): Promise<void> {
  const { party_id: bob } = await service.as('bob', 'wallet/user-status')
  await service.as('bob', 'wallet/transfer-preapproval', {})
  const payment = (n: number) =>
    service.as('alice', 'wallet/transfer-preapproval/send', {
      receiver_party_id: bob,
      amount: '1.0',
      deduplication_id: `walk-${n}`,
      description: '',
    })
  const offer = (n: number) =>
    service.as('alice', 'wallet/transfer-offers', {
      receiver_party_id: bob,
      amount: '1.0',
      description: '',
      expires_at: (Date.now() + HOUR_MS) * 1_000,
      tracking_id: `walk-${n}`,
    })
  const balance = () => service.as('alice', 'wallet/balance')
  const requests = { 'a payment': payment, 'an offer': offer, 'a balance': balance }
  for (const [what, request] of Object.entries(requests))
    print(what, await walked(service, request))
  await sleep(LEASES_MS)
  await asked(service)
  const walks: Walk[] = []
  for (let times = 0; times < IDLE_TIMES; times += 1) {
    await sleep(IDLE_MS)
    walks.push(await asked(service))
  }
  walks.sort((one, other) => one.calls - other.calls)
  const idle = walks[Math.floor(IDLE_TIMES / 2)]
  if (idle === undefined) return
  print('five idle seconds', idle)
  const [calls, statements] = [idle.calls, idle.statements].map((n) => (n * 1_000) / IDLE_MS)
  process.stdout.write(`idle, a second: ${calls} calls, ${statements} statements\n`)
}

async function walked(service: Service, request: (n: number) => Promise<unknown>): Promise<Walk> {
  for (let n = 0; n < WARMUP; n += 1) await request(n)
  await sleep(QUIET_MS / 5)
  await asked(service)
  await request(WARMUP)
  await sleep(SETTLE_MS)
  return asked(service)
}

async function asked({ child }: Service): Promise<Walk> {
  const answer = once(child, 'message')
  child.send('walk')
  const [walk] = await answer
  return walk
}

function print(what: string, { files, functions, calls, statements, most, all }: Walk): void {
  process.stdout.write(
    `${what}: ${files} files, ${functions} functions, ${calls} calls, ${statements} SQL statements\n`,
  )
  if (!values.most) return
  for (const [name, count] of most) process.stdout.write(`  ${count} ${name}\n`)
  for (const file of all) process.stdout.write(`  ${file}\n`)
}

/** Starts the service from its sources, with the people of the development profile. */
async function start(): Promise<Service> {
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({ log: { level: 'warn' } }))
  const child = spawn(
    process.execPath,
    ['--import', PROBE, MAIN, 'serve', '--port', '0', '--data', folder, '--config', config],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const auth = await authOf(folder)
  const url = await addressOf(child)
  return {
    url,
    child,
    as: async (user, path, body) => {
      const response = await fetch(`${url}/api/validator/v0/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${await auth.issue?.(user)}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok && response.status !== 409) throw new Error(`${path}: ${text}`)
      return text === '' ? {} : JSON.parse(text)
    },
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no output')
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error('the service did not start')
}

async function addUsers({ as }: Service, count: number): Promise<void> {
  let left = count
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await as('operator', 'admin/users', { name: `user-${left}` })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function generated(): Promise<Walk> {
  const file = join(folder, 'walk.json')
  await promisify(execFile)(process.execPath, ['--import', PROBE, MAIN, 'generate'], {
    cwd: ROOT,
    env: { ...process.env, WALK_FILE: file },
  })
  return JSON.parse(await readFile(file, 'utf8'))
}
