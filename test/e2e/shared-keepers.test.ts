// Two real servers on one PostgreSQL share the network's keepers: what one does the other leaves
// alone, and when one is killed the other does it all.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { startPostgres } from '../support/postgres.ts'
import type { Service } from '../support/service.ts'
import { startService } from '../support/service.ts'

const HEALTH_PAGE = fileURLToPath(new URL('../plugins/fixtures/health-page.ts', import.meta.url))
const LIMIT_MS = 60_000
const EVERY_MS = 200
/** Milliseconds of age that the health a server shows may have. */
const KEPT_MS = 1_000

const server = await startPostgres()
const database = await server.createDatabase()
after(() => server.stop())

const config = {
  storage: { use: 'postgres', url: database, poolSize: 5 },
  scheduler: { use: 'postgres', url: database, pollMs: EVERY_MS, turnMs: 1_000, takeoverMs: 3_000 },
  network: { tickSeconds: 1 },
  validator: { pollMs: EVERY_MS },
  automations: {
    'command-ids': { everyMs: EVERY_MS },
    prune: { everyMs: EVERY_MS, keepUpdates: 1_000_000 },
  },
  extensions: { 'health-page': { use: HEALTH_PAGE } },
  log: { level: 'warn' },
}

const health = z.object({
  status: z.string(),
  plugins: z.array(
    z.object({
      plugin: z.string(),
      automation: z
        .object({
          name: z.string(),
          runs: z.number(),
          failures: z.number(),
          elsewhere: z.boolean().optional(),
          nextRun: z.string().optional(),
        })
        .optional(),
    }),
  ),
})
const openRound = z.object({
  contract: z.object({ payload: z.object({ round: z.object({ number: z.string() }) }) }),
})
const rounds = z.object({ open_mining_rounds: z.record(z.string(), openRound) })

test('two servers share the keepers; when one is killed the other has them all', async (t) => {
  const first = await startService({ config, seeded: true })
  t.after(() => first.kill())
  const second = await startService({ config, seeded: true })
  t.after(() => second.kill())
  await until('each has some of the keepers', async () => {
    const both = await Promise.all([first, second].map(keepersOf))
    return both.every((keepers) => keepers.some(isHere))
  })
  await staysOne(first, second)
  const [known] = await openRounds(second)
  await until(
    'rounds go on',
    async () => Number((await openRounds(second))[0]) >= Number(known) + 1,
  )
  await until(
    'both see the same',
    async () => String(await openRounds(first)) === String(await openRounds(second)),
  )
  const fromMs = performance.now()
  await first.kill()
  await until('the other has all', async () => (await keepersOf(second)).every(isHere))
  t.diagnostic(`taken over within ${Math.round(performance.now() - fromMs)} ms`)
  const [left] = await openRounds(second)
  await until(
    'rounds go on at the other',
    async () => Number((await openRounds(second))[0]) >= Number(left) + 1,
  )
  assert.deepEqual(
    (await keepersOf(second)).map(({ failures }) => failures).filter((failures) => failures > 0),
    [],
  )
  assert.equal(await second.stop(), 0)
})

/** Nothing wakes these but their interval. */
const PERIODIC = ['command-ids', 'prune']

/** Both together run each keeper once an interval: twice as often would be each of them. */
async function staysOne(first: Service, second: Service): Promise<void> {
  const runs = async (name: string): Promise<number> =>
    (await Promise.all([keepersOf(first), keepersOf(second)]))
      .flat()
      .filter((keeper) => keeper.name === name)
      .reduce((sum, keeper) => sum + keeper.runs, 0)
  for (const name of PERIODIC) {
    const [before, fromMs] = [await runs(name), performance.now()]
    await until(`${name} has run`, async () => (await runs(name)) > before + 10)
    const [later, tookMs] = [await runs(name), performance.now() - fromMs]
    const most = (1.3 * (tookMs + 2 * KEPT_MS)) / EVERY_MS + 2
    assert.ok(later - before <= most, `${name}: ${later - before} runs in ${Math.round(tookMs)} ms`)
  }
}

async function keepersOf(service: Service) {
  const answer = health.parse(await (await fetch(`${service.url}/health-page`)).json())
  const keepers = answer.plugins.flatMap(({ automation }) => automation ?? [])
  for (const { elsewhere, nextRun } of keepers)
    assert.ok(elsewhere !== true || nextRun === undefined, "a next run that is another's")
  return keepers
}

function isHere({ elsewhere }: { readonly elsewhere?: boolean | undefined }): boolean {
  return elsewhere !== true
}

/** Their numbers, which follow each other. */
async function openRounds({ url }: Service): Promise<readonly number[]> {
  const response = await fetch(`${url}/api/scan/v0/open-and-issuing-mining-rounds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    }),
  })
  const { open_mining_rounds: open } = rounds.parse(await response.json())
  const numbers = Object.values(open)
    .map(({ contract }) => Number(contract.payload.round.number))
    .toSorted((a, b) => a - b)
  const [lowest = 0] = numbers
  assert.deepEqual(numbers, [lowest, lowest + 1, lowest + 2])
  return numbers
}

async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await reached())) {
    assert.ok(performance.now() < end, `${what}: not within ${LIMIT_MS} ms`)
    await sleep(100)
  }
}
