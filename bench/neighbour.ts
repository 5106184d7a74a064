// What bob pays for his neighbour: how long his payments, his history and `/livez` take, and how
// much memory the service has, on a quiet ledger and while alice does her worst, one thing after
// the other and then all at once.
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { member } from '../runtime/host/member.ts'
import { call } from '../test/support/http.ts'
import { eventuallyHolds } from '../test/support/eventually.ts'
import { heldMemory, memoryProbe } from '../test/support/memory-probe.ts'
import { authOf } from './http-product.ts'
import { aimLine, machineLine, residentMb } from './measure.ts'
import { ATTACKS, readScene, sceneFile } from './neighbour-client.ts'
import type { Attack, Person, Scene } from './neighbour-client.ts'
import { plant } from './neighbour-plant.ts'
import { isPinned, startNode } from './pinned.ts'
import { withService } from './service.ts'
import { turnProbe } from './turn-probe.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    attacks: { type: 'string', default: ATTACKS.join(';') },
    plant: { type: 'string', default: '0' },
    profile: { type: 'string' },
    turns: { type: 'boolean', default: false },
    rest: { type: 'string', default: '0' },
  },
})
const measuredMs = Number(values.seconds) * 1_000
const planted = Number(values.plant)
const restMs = Number(values.rest) * 60_000
const attacks = ATTACKS.filter((name) => values.attacks.split(';').includes(name))
/** Aims against the p99 without her: with what she left alone, and while she is at it. */
const [PLANTED_AIM, AIM] = [1.2, 1.5]
const WARM_MS = 15_000
/** Alice only has to keep her lanes full: what her processes do must not delay bob's. */
const LAST = 19
/** Traffic as large as can be would leave nothing of quotas to see. */
const CONFIG = { network: { traffic: { baseBurstBytes: 50_000_000, baseWindowSeconds: 60 } } }
/** A folder in memory, if there is one: the waits of a disk would hide the turns. */
const MEMORY = '/dev/shm'
const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'bench-neighbour-'))
const PROBE = join(folder, 'memory.json')
const TURNS = join(folder, 'turns.json')
Object.assign(process.env, memoryProbe(PROBE), values.turns ? turnProbe(TURNS) : {})
const preloads = ['../test/support/memory-probe.ts', './turn-probe.ts'].map(
  (path) => new URL(path, import.meta.url).href,
)
const SERVICE = { core: 0, dir: folder, config: CONFIG, seeded: true, preloads } as const

interface Heard {
  readonly p50: number
  readonly p99: number
}

interface Figures {
  readonly payments: Heard
  readonly livez: Heard
  readonly history: Heard
  /** Resident. */
  readonly megabytes: number
  /** Heap and buffers after a collection. */
  readonly heldMegabytes: number
  /** CPU time of turns of more than 4 ms, in order of length; with `--turns` only. */
  readonly longTurns: readonly number[]
}

interface Bench {
  readonly pid: number
  readonly bob: ChildProcess
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function heard(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message')
  return message
}

function heardOf(told: unknown): Heard {
  const sorted: readonly number[] = Array.isArray(told) ? told.map(Number) : []
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** Long turns since it was last asked. */
async function longTurns(pid: number): Promise<readonly number[]> {
  if (!values.turns) return []
  rmSync(TURNS, { force: true })
  process.kill(pid, 'SIGURG')
  await eventuallyHolds('the service tells its turns', async () => existsSync(TURNS))
  const told: unknown = JSON.parse(readFileSync(TURNS, 'utf8'))
  return Array.isArray(told) ? told.map(Number).toSorted((a, b) => b - a) : []
}

async function measure({ pid, bob }: Bench, ms = measuredMs): Promise<Figures> {
  await longTurns(pid)
  bob.send('start')
  await pause(ms)
  const told = heard(bob)
  bob.send('stop')
  const times = await told
  const turns = await longTurns(pid)
  const { heapUsed, external } = await heldMemory(pid, PROBE)
  return {
    payments: heardOf(member(times, 'payments')),
    livez: heardOf(member(times, 'livez')),
    history: heardOf(member(times, 'history')),
    megabytes: residentMb(pid),
    heldMegabytes: (heapUsed + external) / 1_048_576,
    longTurns: turns,
  }
}

/** The figures beside some of what alice does, and what she was answered. */
async function beside(bench: Bench, given: readonly Attack[]): Promise<readonly [Figures, string]> {
  const alices = given.map((attack) =>
    startNode(1, ['neighbour-alice.ts', folder, attack], 'inherit', LAST, ['ipc']),
  )
  await Promise.all(alices.map(heard))
  const figures = await measure(bench)
  const said = await Promise.all(
    alices.map(async (alice) => {
      const told = heard(alice)
      alice.send('stop')
      return JSON.stringify(await told)
    }),
  )
  await Promise.all(alices.map((alice) => alice.exitCode ?? once(alice, 'close')))
  return [figures, said.join(' ')]
}

/** The number of turns, the tenth longest and the longest. */
function turnsText(turns: readonly number[]): string {
  if (!values.turns) return ''
  const lengths = [turns[9], turns[0]].map((ms) => (ms ?? 0).toFixed(0))
  return `  turns ${turns.length}: ${lengths.join(', ')} ms`
}

function line(
  name: string,
  { payments, livez, history, megabytes, heldMegabytes, longTurns: turns }: Figures,
  quiet: Figures,
  said = '',
): string {
  const numbers = [
    payments.p50,
    payments.p50 / quiet.payments.p50,
    payments.p99,
    payments.p99 / quiet.payments.p99,
    livez.p99,
    history.p99,
    history.p99 / quiet.history.p99,
  ]
  return `${name.padEnd(18)}${numbers.map((number) => number.toFixed(1).padStart(9)).join('')}${megabytes.toFixed(0).padStart(8)}${heldMegabytes.toFixed(0).padStart(8)}${turnsText(turns)}  ${said}`
}

/** @param before the figures without what was planted */
async function run(bench: Bench, before: Figures | undefined): Promise<void> {
  const quiet = await measure(bench)
  console.log('payments, ms:            p50    ratio      p99    ratio  /livez  history    ratio      MB    held')
  if (before !== undefined) console.log(line('before planting', before, before))
  console.log(line(before === undefined ? 'nobody else' : 'planted', quiet, before ?? quiet))
  let worst = quiet
  for (const attack of attacks) {
    const [figures, said] = await beside(bench, [attack])
    console.log(line(attack, figures, quiet, said))
    if (figures.payments.p99 > worst.payments.p99) worst = figures
  }
  if (attacks.length > 1) console.log(line('all of it', (await beside(bench, attacks))[0], quiet))
  console.log(line('afterwards', await measure(bench), quiet))
  await remains(bench.pid, quiet)
  if (before !== undefined) {
    console.log(
      aimLine(
        'p99 of payments, planted / before',
        quiet.payments.p99 / before.payments.p99,
        'at most',
        PLANTED_AIM,
        'x',
      ),
    )
  }
  console.log(
    aimLine(
      'p99 of payments, worst of one thing / quiet',
      worst.payments.p99 / quiet.payments.p99,
      'at most',
      AIM,
      'x',
    ),
  )
}

/** The memory that is still resident when nobody has asked for anything for `--rest` minutes. */
async function remains(pid: number, quiet: Figures): Promise<void> {
  if (restMs === 0) return
  await pause(restMs)
  const share = residentMb(pid) / quiet.megabytes
  console.log(aimLine(`resident after ${values.rest} min / before`, share, 'at most', 1.3, 'x'))
}

async function onboarded(url: string, name: string, operator: string): Promise<Person> {
  const token = (await (await authOf(folder)).issue?.(name)) ?? ''
  const { json } = await call(url, 'POST /api/validator/v0/admin/users', {
    token: operator,
    body: { name },
  })
  return { token, party: String(member(json, 'party_id')) }
}

async function setUp(url: string): Promise<void> {
  const token = (await (await authOf(folder)).issue?.('operator')) ?? ''
  const [alice, bob, receiver] = [
    await onboarded(url, 'alice', token),
    await onboarded(url, 'bob', token),
    await onboarded(url, 'carol', token),
  ]
  await call(url, 'POST /api/validator/v0/wallet/transfer-preapproval', { token: receiver.token })
  const operator = {
    token,
    party: String(
      member((await call(url, 'GET /api/validator/v0/validator-user')).json, 'party_id'),
    ),
  }
  const dso = String(
    member((await call(url, 'GET /api/scan/v0/dso-party-id')).json, 'dso_party_id'),
  )
  const rules = (await call(url, 'POST /api/scan/v0/external-party-coin-rules', { body: {} })).json
  const contract = member(member(rules, 'external_party_coin_rules_update'), 'contract')
  const factory = {
    contractId: String(member(contract, 'contract_id')),
    blob: String(member(contract, 'created_event_blob')),
  }
  const scene: Scene = { url, alice, bob, operator, receiver: receiver.party, dso, factory }
  writeFileSync(sceneFile(folder), JSON.stringify(scene))
}

async function measured<T>(
  url: string,
  pid: number,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  writeFileSync(sceneFile(folder), JSON.stringify({ ...readScene(folder), url }))
  // On a machine of his own he would not wait for alice to give him the core.
  const bob = startNode(1, ['neighbour-bob.ts', folder], 'inherit', 'first', ['ipc'])
  try {
    await heard(bob)
    await measure({ pid, bob }, WARM_MS)
    return await work({ pid, bob })
  } finally {
    bob.kill()
  }
}

/** Leaves the ledger with what alice planted; answers the figures from before. */
async function planting(): Promise<Figures> {
  const before = await withService(SERVICE, (url, pid) =>
    measured(url, pid, (bench) => measure(bench)),
  )
  const begun = performance.now()
  await plant(join(folder, 'ledgerwright.sqlite'), readScene(folder).alice.party, planted)
  console.log(
    `${planted} of each kind planted in ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
  )
  return before
}

console.log(`${machineLine()}, ${isPinned ? 'pinned' : 'not pinned'}, ${values.seconds} s each`)
try {
  await withService(SERVICE, (url) => setUp(url))
  const before = planted === 0 ? undefined : await planting()
  await withService({ ...SERVICE, profile: values.profile }, (url, pid) =>
    measured(url, pid, (bench) => run(bench, before)),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(machineLine())
