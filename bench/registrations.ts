// What the last of many newcomers costs beside the first: CPU time of the service for a block of
// registrations at the start and at the end, and its memory. `node bench/registrations.ts
// [--count 100000] [--postgres]`
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { member } from '../runtime/host/member.ts'
import { call } from '../test/support/http.ts'
import { aimLine, cpuMilliseconds, machineLine, median, residentMb } from './measure.ts'
import { startBenchPostgres } from './postgres-server.ts'
import { withService } from './service.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '4000' },
    postgres: { type: 'boolean', default: false },
  },
})
const count = Number(values.count)
const BLOCK = 500
const AT_ONCE = 8
/** Blocks at the start that compile the code and fill the caches. */
const WARM = 2
/** Blocks at either end of which the median counts. */
const ENDS = 3

async function register(url: string, name: string): Promise<void> {
  const { json } = await call(url, `GET /wallet/development/token?user=${name}`)
  const token = String(member(json, 'token'))
  const answer = await call(url, 'POST /api/validator/v0/register', { token, body: {} })
  assert.equal(answer.status, 200, answer.text)
}

async function registerBlock(url: string, first: number): Promise<void> {
  let next = first
  const lane = async (): Promise<void> => {
    while (next < first + BLOCK) await register(url, `newcomer-${next++}`)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

interface Block {
  /** CPU of the service a registration, milliseconds. */
  readonly cpuMs: number
  readonly mb: number
}

async function measured(url: string, pid: number): Promise<readonly Block[]> {
  const blocks: Block[] = []
  for (let done = 0; done < count; done += BLOCK) {
    const before = cpuMilliseconds(pid)
    await registerBlock(url, done)
    blocks.push({ cpuMs: (cpuMilliseconds(pid) - before) / BLOCK, mb: residentMb(pid) })
  }
  return blocks.slice(WARM)
}

function middleOf(blocks: readonly Block[], of: keyof Block): number {
  return median(blocks.map((block) => block[of]))
}

const dir = mkdtempSync(join(tmpdir(), 'bench-registrations-'))
const database = values.postgres ? await startBenchPostgres() : undefined
try {
  const config = {
    quotas: { registrationsPerMinute: 1_000_000, registrationBurst: 1_000_000 },
    ...(database === undefined
      ? {}
      : { storage: { use: 'postgres', url: await database.createDatabase('registrations') } }),
  }
  const blocks = await withService({ core: 0, dir, config }, measured)
  const [first, last] = [blocks.slice(0, ENDS), blocks.slice(-ENDS)]
  console.log(
    `${machineLine()}, ${count} registrations, ${values.postgres ? 'postgres' : 'sqlite'}`,
  )
  for (const [name, end] of [
    ['first', first],
    ['last', last],
  ] as const)
    console.log(
      `  ${name.padEnd(6)} ${middleOf(end, 'cpuMs').toFixed(2)} ms of CPU a registration, ${middleOf(end, 'mb').toFixed(0)} MB`,
    )
  const growth = (of: keyof Block): number => middleOf(last, of) / middleOf(first, of)
  console.log(aimLine('last against first, CPU', growth('cpuMs'), 'at most', 1.2, 'x'))
  console.log(aimLine('last against first, memory', growth('mb'), 'at most', 1.3, 'x'))
} finally {
  await database?.stop()
  rmSync(dir, { recursive: true, force: true })
}
