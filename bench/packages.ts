// What packages that run cost: the upload of the largest archive, new and known; the first command
// on an uploaded package; a start beside stored packages; and a transfer by the released coin.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProgramLinker } from '../runtime/packages/evaluate/linker.ts'
import { member } from '../runtime/host/member.ts'
import { call } from '../test/support/http.ts'
import { BOB, testLedger } from '../test/support/ledger.ts'
import { archiveSettings, create, tokenTemplate } from '../test/packages/kit.ts'
import {
  coinProgram,
  interpretationByOurs,
  newestCoin,
  startPackage,
  startTransferInPackage,
} from '../test/packages/coin-transfers.ts'
import { dars, FOLDER, released, skip } from '../test/packages/released.ts'
import { authOf } from './http-product.ts'
import { aimLine, cpuMilliseconds, machineLine, residentMb, spread } from './measure.ts'
import { withService } from './service.ts'

const REPS = 5
const [TURNS, IN_TURN] = [40, 100]
const TEN = 10n ** 10n
const CASE = {
  coins: [100n * TEN, 50n * TEN],
  outputs: [{ receiver: BOB, amount: 120n * TEN, isLocked: false }],
}

const empty = mkdtempSync(join(tmpdir(), 'bench-packages-'))
const full = mkdtempSync(join(tmpdir(), 'bench-packages-'))

interface Node {
  readonly url: string
  readonly pid: number
  readonly token: string
}

interface Cost {
  readonly cpuMs: number
  readonly ms: number
}

async function costOf({ pid }: Node, work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, begun] = [cpuMilliseconds(pid), performance.now()]
  await work()
  return { cpuMs: cpuMilliseconds(pid) - cpu, ms: performance.now() - begun }
}

async function upload({ url, token }: Node, dar: string): Promise<void> {
  const raw = new Uint8Array(readFileSync(join(FOLDER, dar)))
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await call(url, 'POST /v2/packages', { token, raw, headers })
  assert.equal(answer.status, 200, `${dar}: ${answer.text}`)
}

/** Runs a service on a folder; answers how long it took until it was ready, milliseconds, too. */
async function on<T>(dir: string, use: (node: Node) => Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now()
  const service = { core: 0, dir, config: archiveSettings(), seeded: true } as const
  return withService(service, async (url, pid) => {
    const ready = performance.now() - begun
    const token = (await (await authOf(dir)).issue?.('operator')) ?? ''
    return [await use({ url, pid, token }), ready]
  })
}

async function firstCommand(node: Node): Promise<void> {
  const { url, token } = node
  const user = await call(url, 'GET /api/validator/v0/validator-user')
  const party = String(member(user.json, 'party_id'))
  const body = {
    commandId: 'first',
    actAs: [party],
    commands: [create(tokenTemplate('TokenRules'), { admin: party })],
  }
  const answer = await call(url, 'POST /v2/commands/submit-and-wait', { token, body })
  assert.equal(answer.status, 200, answer.text)
}

async function uploads(): Promise<void> {
  const largest = newestCoin()
  await on(empty, async (node) => {
    const added = await costOf(node, () => upload(node, largest))
    console.log(aimLine('largest archive, CPU', added.cpuMs, 'at most', 1_500, 'ms'))
    const again = await costOf(node, () => upload(node, largest))
    console.log(aimLine('the same again, CPU', again.cpuMs, 'at most', 100, 'ms'))
    await upload(node, `${released('test-token-v1-1.0.0')}.dar`)
    const first = await costOf(node, () => firstCommand(node))
    console.log(aimLine('first command on an uploaded package', first.ms, 'at most', 300, 'ms'))
  })
}

async function starts(): Promise<void> {
  await on(full, async (node) => {
    for (const dar of dars) await upload(node, dar).catch(() => undefined)
  })
  const figures = { ms: new Array<number>(), mb: new Array<number>() }
  for (let rep = 0; rep < REPS; rep += 1) {
    const idle = async ({ pid }: Node) => residentMb(pid)
    const [without, withoutMs] = await on(empty, idle)
    const [beside, besideMs] = await on(full, idle)
    figures.ms.push(besideMs - withoutMs)
    figures.mb.push(beside - without)
  }
  console.log(`  start beside ${dars.length} archives: ${spread(figures.ms)} ms (aim 100) and`)
  console.log(`  ${spread(figures.mb)} MB (aim 30) more than beside one`)
}

/**
 * Transfers in turns of a hundred, the best turn counts. Ours is the engine's interpretation, with
 * authority, events and contract ids; the package's runs on a ledger in memory that has none of
 * these. Neither reads arguments, looks up contracts or commits.
 */
async function transfers(): Promise<void> {
  const [program, ours] = [await coinProgram(), await testLedger()]
  const linker = new ProgramLinker(program)
  const best = { package: Infinity, ours: Infinity }
  for (let turn = 0; turn < TURNS; turn += 1) {
    const started = startPackage(program, linker, ours)
    const evaluations = Array.from({ length: IN_TURN }, () => startTransferInPackage(started, CASE))
    const interpretations: (() => unknown)[] = []
    while (interpretations.length < IN_TURN)
      interpretations.push(await interpretationByOurs(ours, CASE))
    best.package = Math.min(best.package, cpuMicrosOf(evaluations))
    best.ours = Math.min(best.ours, cpuMicrosOf(interpretations))
  }
  console.log(`  a transfer interpreted, CPU: ${best.package.toFixed(0)} µs by the package,`)
  console.log(`  ${best.ours.toFixed(0)} µs by our template`)
  console.log(aimLine('of ours', best.package / best.ours, 'at most', 5, 'x'))
}

/** CPU of this process for each of these, microseconds. */
function cpuMicrosOf(works: readonly (() => unknown)[]): number {
  const before = process.cpuUsage()
  for (const work of works) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / works.length
}

if (skip !== false) throw new Error(skip)
console.log(machineLine())
try {
  await uploads()
  await starts()
  await transfers()
} finally {
  for (const dir of [empty, full]) rmSync(dir, { recursive: true, force: true })
}
console.log(machineLine())
