// What /livez costs beside the worst bodies that a search finds: p50, p99 and most of its answers
// while a hundred of each come at once.
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import type { WireInterface, WireOperation } from '../runtime/http/index.ts'
import { wire as ledger } from '../generated/ledger/routes.gen.ts'
import { wire as registry } from '../generated/registry/routes.gen.ts'
import { wire as scan } from '../generated/scan/routes.gen.ts'
import { wire as validator } from '../generated/validator/routes.gen.ts'
import { bodyExample, parametersOf } from '../test/support/examples.ts'
import type { Round, Statuses } from './bodies-load.ts'
import { bodyOf, nameOf, shapes, type Shape } from './bodies-shapes.ts'
import { authOf } from './http-product.ts'
import { aimLine, cpuMilliseconds, machineLine, residentMb } from './measure.ts'
import { isPinned, startNode } from './pinned.ts'
import { withService } from './service.ts'

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '4194304' },
    tries: { type: 'string', default: '400' },
    worst: { type: 'string', default: '8' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    user: { type: 'string', default: 'alice' },
    only: { type: 'string' },
    config: { type: 'string' },
  },
})
const bytes = Number(values.bytes)
const count = Number(values.count)
const seed = Number(values.seed)
const AIM_MS = 50
const QUIET_MS = 2_000
/**
 * The load stays as it is: others on the machine would slow the figures down otherwise, and not
 * what is measured.
 */
const HURRY = -10
/** Bodies of a byte a chunk are six times as long on the wire. */
const TINY = 6
const dir = mkdtempSync(join(tmpdir(), 'bench-bodies-'))
const file = join(dir, 'body')
const turnsFile = join(dir, 'turns')
process.env['BENCH_TURNS'] = turnsFile
/** Bodies of the size asked for must get in at all, and a hundred of them from one address. */
const config: object =
  values.config === undefined
    ? {
        server: {
          maxBodyBytes: bytes,
          maxHeldBodyBytes: 2 ** 30,
          maxHeldBodyBytesPerAddress: 2 ** 30,
        },
      }
    : JSON.parse(values.config)

interface Target {
  readonly operation: WireOperation
  readonly line: string
  readonly example: unknown
}

interface Candidate {
  readonly target: Target
  readonly shape: Shape
}

interface Heard {
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** The longest turn of the server's event loop, milliseconds of CPU. */
  readonly turn: number
}

/** Every operation that takes JSON, asked as its document's example does. */
function targetsOf(wire: WireInterface): readonly Target[] {
  const document: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, `../generated/${wire.name}/openapi.json`), 'utf8'),
  )
  return wire.operations
    .filter(({ body }) => body?.media[0]?.kind === 'json')
    .map((operation) => {
      const given = new Map(
        parametersOf(operation, document).map(({ name, example }) => [name, example]),
      )
      const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
        encodeURIComponent(given.get(name) ?? 'x'),
      )
      return {
        operation,
        line: `${operation.method} ${wire.mount}${path}`,
        example: bodyExample(operation, document),
      }
    })
}

async function heard(process: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(process, 'message')
  return message
}

interface Bench {
  readonly port: number
  readonly pid: number
  readonly token: string
  readonly probe: ChildProcess
  readonly load: ChildProcess
}

async function listened({ probe, pid }: Bench, work: () => Promise<unknown>): Promise<Heard> {
  await longestTurn(pid)
  probe.send('start')
  await work()
  probe.send('stop')
  const taken = await heard(probe)
  const sorted: number[] = Array.isArray(taken) ? taken.map(Number) : []
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), most: at(1), turn: await longestTurn(pid) }
}

/** The server's longest turn since it was last asked. */
async function longestTurn(pid: number): Promise<number> {
  rmSync(turnsFile, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const text = existsSync(turnsFile) ? readFileSync(turnsFile, 'utf8') : ''
    if (text !== '') return Number(text)
  }
}

interface Outcome extends Candidate, Heard {
  readonly statuses: string
  readonly cpuMs: number
}

async function attack(bench: Bench, candidate: Candidate, times: number): Promise<Outcome> {
  const { target, shape } = candidate
  writeFileSync(
    file,
    bodyOf(
      shape,
      target.example,
      shape.framing === 'tiny chunks' ? Math.floor(bytes / TINY) : bytes,
    ),
  )
  const round: Round = {
    port: bench.port,
    line: target.line,
    file,
    framing: shape.framing,
    count: times,
    token: isOpen(target.operation) ? undefined : bench.token,
  }
  const before = cpuMilliseconds(bench.pid)
  let statuses: unknown
  const times_ = await listened(bench, async () => {
    bench.load.send(round)
    statuses = await heard(bench.load)
  })
  return {
    ...candidate,
    ...times_,
    statuses: statusText(statuses),
    cpuMs: cpuMilliseconds(bench.pid) - before,
  }
}

function statusText(statuses: unknown): string {
  const counts: [string, Statuses[string]][] = Object.entries(Object(statuses))
  return counts.map(([status, times]) => `${times} x ${status}`).join(', ')
}

function isOpen({ access }: WireOperation): boolean {
  return (
    typeof access === 'object' && access !== null && 'token' in access && access.token === 'none'
  )
}

/** The costliest candidates, those with the longest turns, one of each shape. */
async function search(bench: Bench, targets: readonly Target[]): Promise<readonly Candidate[]> {
  const candidates = fc.record({ target: fc.constantFrom(...targets), shape: shapes() })
  const tried: Outcome[] = []
  for (const candidate of fc.sample(candidates, { numRuns: Number(values.tries), seed }))
    tried.push(await attack(bench, candidate, 1))
  const worst = new Map<string, Outcome>()
  for (const outcome of tried.toSorted((a, b) => b.turn + b.cpuMs - a.turn - a.cpuMs)) {
    const { open, unit } = outcome.shape
    if (!worst.has(open + unit)) worst.set(open + unit, outcome)
  }
  return [...worst.values()].slice(0, Number(values.worst))
}

const figures = ({ p50, p99, most, turn }: Heard): string =>
  [p50, p99, most, turn].map((ms) => ms.toFixed(1).padStart(8)).join('')

async function run(bench: Bench): Promise<void> {
  const targets = [ledger, validator, scan, registry]
    .flatMap(targetsOf)
    .filter(({ operation }) => values.only?.split(',').includes(operation.operationId) ?? true)
  console.log(
    `${targets.length} operations, bodies of ${bytes} bytes, ${values.tries} tried from seed ${seed}, ${isPinned ? 'pinned' : 'not pinned'}`,
  )
  console.log(`/livez, ms:          p50     p99    most  longest turn, ms of CPU`)
  console.log(
    `nothing else    ${figures(await listened(bench, () => new Promise((resolve) => setTimeout(resolve, QUIET_MS))))}`,
  )
  const worst = { p99: 0, turn: 0 }
  for (const candidate of await search(bench, targets)) {
    const outcome = await attack(bench, candidate, count)
    worst.p99 = Math.max(worst.p99, outcome.p99)
    worst.turn = Math.max(worst.turn, outcome.turn)
    const { target, shape, statuses, cpuMs } = outcome
    console.log(
      `beside ${String(count).padEnd(9)}${figures(outcome)}  ${target.operation.operationId}: ${nameOf(shape)}`,
    )
    console.log(
      `                  ${statuses}; ${cpuMs} ms of CPU, ${residentMb(bench.pid).toFixed(0)} MB resident`,
    )
  }
  console.log(aimLine('p99 of /livez beside the worst', worst.p99, 'at most', AIM_MS, 'ms'))
  console.log(aimLine('longest turn, CPU', worst.turn, 'at most', AIM_MS, 'ms'))
}

console.log(machineLine())
try {
  await withService(
    {
      core: 'any',
      dir,
      config,
      seeded: true,
      niceness: HURRY,
      preloads: [join(import.meta.dirname, 'bodies-turns.ts')],
    },
    async (url, pid) => {
      const port = Number(new URL(url).port)
      const probe = startNode(1, ['bodies-probe.ts', String(port)], 'inherit', HURRY, ['ipc'])
      const load = startNode(1, ['bodies-load.ts'], 'inherit', 0, ['ipc'])
      try {
        await Promise.all([heard(probe), heard(load)])
        await run({
          port,
          pid,
          token: (await (await authOf(dir)).issue?.(values.user)) ?? '',
          probe,
          load,
        })
      } finally {
        probe.kill()
        load.kill()
      }
    },
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
console.log(machineLine())
