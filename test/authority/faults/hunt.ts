// Looks for planted faults, each in a process of its own: `node test/authority/faults/hunt.ts
// [--seeds N] [--fault ID]…` says after how many steps each was found.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openKeys } from '../driver/keys.ts'
import { planted } from './edit.ts'
import { FAULTS, faultOf, nodesOf } from './list.ts'
import type { Fault } from './list.ts'

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url))
const PLANT = new URL('../plant.ts', import.meta.url).href

/** Operations of an episode. */
const LENGTH = 200

export interface Hunted {
  readonly fault: Fault
  readonly seed: number
  /** Undefined where it was not found. */
  readonly found:
    | {
        readonly steps: number
        readonly episode: number
        readonly rules: readonly string[]
        readonly text: string
      }
    | undefined
  readonly steps: number
  readonly ms: number
}

/** One episode of a seed, as far as an operation of it. */
interface Replay {
  readonly episode: number
  readonly length: number
}

export interface HuntOptions {
  readonly steps: number
  readonly shrinks: number
  /** File with the issuers' keys. */
  readonly keys: string
}

/**
 * Plants the fault and runs the model against the product that has it, or plays one episode of that
 * again. Throws where the fault cannot be planted.
 */
export async function hunt(
  fault: Fault,
  seed: number,
  { steps, shrinks, keys }: HuntOptions,
  replay?: Replay,
): Promise<Hunted> {
  planted(fault.edits)
  const args = [
    '--import',
    PLANT,
    RUN,
    '--json',
    '--seed',
    String(seed),
    '--steps',
    String(steps),
    '--shrinks',
    String(shrinks),
    ...(fault.replay === true ? ['--replay'] : []),
    '--store',
    fault.replay === true ? 'sqlite' : (fault.store ?? 'memory'),
    '--nodes',
    String(fault.nodes ?? 1),
    '--length',
    String(replay?.length ?? LENGTH),
    '--matrix',
    String(LENGTH),
    ...(replay === undefined ? [] : ['--episode', String(replay.episode)]),
  ]
  const env = { ...process.env, PLANT: JSON.stringify(fault.edits), AUTHORITY_KEYS: keys }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (output.trim() === '') throw new Error(`${fault.id}: ${errors.slice(0, 2_000)}`)
  const { found, ...run } = JSON.parse(output)
  return { fault, seed, found: found ?? undefined, ...run }
}

/** As many at a time as there are cores to spare; in order. */
export async function huntAll(
  jobs: readonly (readonly [Fault, number])[],
  options: HuntOptions,
  onHunted: (hunted: Hunted) => void,
  atOnce = 2,
): Promise<void> {
  const left = [...jobs]
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift())
      onHunted(await hunt(job[0], job[1], options))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/**
 * What the same episodes find where nothing is planted, a line each: no fault explains that, so a
 * fault that was found in one of these has not been found.
 */
export async function unexplained(
  hunted: readonly Hunted[],
  options: HuntOptions,
): Promise<readonly string[]> {
  const replays = new Map<string, { fault: Fault; seed: number; replay: Replay }>()
  for (const { fault, seed, found } of hunted) {
    if (found === undefined) continue
    const { episode, steps } = found
    const key = [fault.store ?? 'memory', fault.nodes ?? 1, seed, episode].join(' ')
    const length = Math.max(steps - episode * LENGTH, replays.get(key)?.replay.length ?? 0)
    const clean = { ...fault, id: 'nothing planted', what: '', edits: [] }
    replays.set(key, { fault: clean, seed, replay: { episode, length } })
  }
  const lines: string[] = []
  for (const { fault, seed, replay } of replays.values()) {
    const { found } = await hunt(fault, seed, options, replay)
    if (found !== undefined)
      lines.push(`episode ${replay.episode} of seed ${seed} finds without a fault:\n${found.text}`)
  }
  return lines
}

/** Calls with a file of issuers' keys that is gone afterwards. */
export async function withKeys(nodes: number, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerwright-'))
  const file = join(folder, 'keys.json')
  try {
    await (await openKeys(file, nodes)).close()
    await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      from: { type: 'string', default: '1' },
      steps: { type: 'string', default: '2000' },
      fault: { type: 'string', multiple: true, default: [] },
      text: { type: 'boolean', default: false },
    },
  })
  const chosen = values.fault.length === 0 ? FAULTS : values.fault.map(faultOf)
  const found = new Map<string, (number | undefined)[]>(chosen.map(({ id }) => [id, []]))
  const seeds = Array.from(
    { length: Number(values.seeds) },
    (_, index) => Number(values.from) + index * 1_000,
  )
  await withKeys(nodesOf(chosen), async (keys) => {
    const options = { steps: Number(values.steps), shrinks: values.text ? 40 : 0, keys }
    for (const seed of seeds) {
      const all: Hunted[] = []
      await huntAll(
        chosen.map((fault) => [fault, seed] as const),
        options,
        (hunted) => {
          all.push(hunted)
          found.get(hunted.fault.id)?.push(hunted.found?.steps)
          console.log(
            `${hunted.fault.id}: ${hunted.found === undefined ? 'not found' : `step ${hunted.found.steps}`}, ${hunted.steps} steps in ${hunted.ms} ms`,
          )
          if (values.text) console.log(hunted.found?.text ?? '')
        },
      )
      for (const line of await unexplained(all, options)) console.log(line)
    }
  })
  for (const [id, steps] of found) {
    const all = steps.map((one) => one ?? Infinity).sort((a, b) => a - b)
    console.log(
      `${id.padEnd(24)} found ${all.filter(Number.isFinite).length} of ${all.length}, steps ${all[Math.floor(all.length / 2)]}, most ${all.at(-1)}`,
    )
  }
}

if (import.meta.main) await main()
