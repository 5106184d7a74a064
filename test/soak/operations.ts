// `npm run full:soak -- [--operations 1000000] [--store sqlite|postgres] [--users 16]`: so many
// operations of people who pay each other and look at their wallets, on a server in a process of
// its own. Prints its heap after a collection twelve times; fails where the heap of the last third
// is larger than that of the middle one by more than what the contract cache holds, rows grow
// beyond what was done, or an answer is none of the documents'.
import { parseArgs } from 'node:util'
import { heldMemory, memoryProbe } from '../support/memory-probe.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { STORAGES } from '../support/storages.ts'
import { placeOf } from '../support/store-file.ts'
import { kindsOf } from '../support/economy-load.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ask, pay } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'
import { newcomer } from './people.ts'
import { growthProblems, inMb, memoryText, rowsOf } from './sizes.ts'
import type { Sample } from './sizes.ts'

const SAMPLES = 12
const LANES = 8
/**
 * The contract cache holds 10,000 to 20,000 records of one to two kilobytes and drops half of them
 * at once: the heap is a saw whose teeth are as high as this.
 */
const SLACK_BYTES = 24 * 1_048_576
const SHOWN = 10

/** Reads: of four operations one pays. */
const READS = ['GET /balance', 'POST /transactions', 'GET /user-status'] as const

interface Town {
  readonly service: Service
  readonly people: readonly WalletUser[]
  readonly problems: string[]
  done: number
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      operations: { type: 'string', default: '1000000' },
      store: { type: 'string', default: 'sqlite' },
      users: { type: 'string', default: '16' },
    },
  })
  const [operations, users] = [Number(values.operations), Number(values.users)]
  const storage = STORAGES.find(({ name, durable }) => durable && name === values.store)
  if (storage === undefined || !(operations >= SAMPLES) || !(users >= 2))
    throw new RangeError(`operations >= ${SAMPLES}, users >= 2, store sqlite or postgres`)
  const { path: dataDir, remove } = await tempDir()
  const [probe, section] = [`${dataDir}/memory.json`, await storage.section()]
  const service = await startService({
    dataDir,
    seeded: true,
    env: memoryProbe(probe),
    config: {
      storage: section,
      log: { level: 'fatal' },
      network: { traffic: { baseBurstBytes: 1_000_000_000_000 } },
    },
  })
  try {
    const names = Array.from({ length: users }, (_, index) => `person-${index}`)
    const people = await Promise.all(names.map((name) => newcomer(service, name)))
    await preapprove(service, people)
    const town: Town = { service, people, problems: [], done: 0 }
    const samples: Sample[] = []
    for (let part = 1; part <= SAMPLES; part += 1) {
      const start = performance.now()
      const before = town.done
      await live(town, Math.round((operations * part) / SAMPLES))
      const rate = ((town.done - before) / (performance.now() - start)) * 1_000
      const memory = await heldMemory(service.process.pid, probe)
      samples.push({ ...memory, rows: await rowsOf(placeOf(section, dataDir)) })
      print(town.done, rate, samples.at(-1))
    }
    return judge([...town.problems, ...heapProblems(samples)])
  } finally {
    await service.stop()
    await storage.release()
    await remove()
  }
}

/** Everybody takes what others send. */
async function preapprove(service: Service, people: readonly WalletUser[]): Promise<void> {
  const [first] = people
  for (const one of people) if (first !== undefined) await kindsOf(service, first, one)
}

/** Goes on until so many operations are done, `LANES` at a time. */
async function live(town: Town, until: number): Promise<void> {
  const lane = async (): Promise<void> => {
    while (town.done < until) {
      town.done += 1
      const problem = await operate(town, town.done)
      if (problem !== undefined) town.problems.push(problem)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** The surprise that no document explains; undefined if there is none. */
async function operate({ service, people }: Town, number: number): Promise<string | undefined> {
  const read = READS[(number % 4) - 1]
  const turn = Math.floor(number / 4)
  const [from, to] = [people[turn % people.length], people[(turn * 7 + 1) % people.length]]
  if (from === undefined || to === undefined || from === to) return undefined
  if (read === undefined) {
    const paid = { kind: 'send', from, to, amount: '0.01', id: `o${number}` } as const
    const ended = await pay(service.url, paid)
    return ended.end === 'unclear' ? ended.why : undefined
  }
  const body = read.startsWith('POST') ? { page_size: 10 } : undefined
  const { status, text } = await ask(service.url, from, read, body)
  return status === 200 ? undefined : `${read}: ${status} ${text.slice(0, 200)}`
}

/** The first third fills caches. */
function heapProblems(samples: readonly Sample[]): readonly string[] {
  const third = samples.length / 3
  const least = (part: readonly Sample[]): number =>
    Math.min(...part.map(({ heapUsed }) => heapUsed))
  const [middle, end] = [least(samples.slice(third, 2 * third)), least(samples.slice(2 * third))]
  const [first, last] = [samples[third], samples.at(-1)]
  return [
    ...(end > middle + SLACK_BYTES
      ? [`the heap grew from ${inMb(middle)} to ${inMb(end)} MB and goes on`]
      : []),
    ...(first === undefined || last === undefined ? [] : growthProblems(first, last)),
  ]
}

function print(done: number, rate: number, sample: Sample | undefined): void {
  if (sample === undefined) return
  console.log(
    `${done} operations: ${memoryText(sample)}, ` +
      `${sample.rows.get('updates')} updates; ${rate.toFixed(0)} a second`,
  )
}

function judge(problems: readonly string[]): number {
  for (const problem of problems.slice(0, SHOWN)) console.error(problem)
  console.log(problems.length === 0 ? 'ok' : `${problems.length} problems`)
  return problems.length === 0 ? 0 : 1
}

process.exitCode = await main()
