// `node test/authority/run.ts [--store memory|late|sqlite|postgres] [--nodes 1|2|3] [--steps N]
// [--seed S] [--length L] [--episode K] [--shrinks N]`: random operations over HTTP against the
// model of docs/authority.md; of several nodes each is asked what another's people would ask, too.
// On a failure the shortest sequence that shows it, and the line that plays it again. `--json` says
// it in one line for other processes; PLANT (plant.ts) puts a fault in. With `--replay` the
// adversary of replay/ instead, on three ledgers, until `--tries N` where that is given.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { openKeys } from './driver/keys.ts'
import { playEpisode } from './episode.ts'
import type { Outcome } from './outcome.ts'
import { playReplay } from './replay/episode.ts'
import { describeOutcome } from './report.ts'
import { search } from './search.ts'
import type { Found } from './search.ts'

/** Issuers' keys that another process has made. */
const KEYS = process.env['AUTHORITY_KEYS']
const LATE = fileURLToPath(new URL('./driver/late-memory.ts', import.meta.url))
const PROGRESS_MS = 10_000

interface Storages {
  readonly section: () => Promise<object>
  readonly isDurable: boolean
  readonly release: () => Promise<void>
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'memory' },
      steps: { type: 'string', default: '2000' },
      nodes: { type: 'string', default: '1' },
      seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
      length: { type: 'string', default: '80' },
      matrix: { type: 'string', default: '40' },
      shrinks: { type: 'string', default: '60' },
      episode: { type: 'string' },
      json: { type: 'boolean', default: false },
      replay: { type: 'boolean', default: false },
      tries: { type: 'string' },
    },
  })
  const storages = await storagesOf(values.store)
  const keys = await openKeys(KEYS, Number(values.nodes))
  const tally = newTally(values.json ? 0 : Number(values.steps))
  const begin = performance.now()
  const nodes = Number(values.nodes)
  const { section: storage, isDurable } = storages
  const matrixEvery = Number(values.matrix)
  const found = await search({
    play: async (drafts) =>
      values.replay
        ? playReplay({ drafts, nodes, storage })
        : playEpisode({ drafts, keys, nodes, matrixEvery, isDurable, storage: await storage() }),
    seed: Number(values.seed),
    steps: Number(values.steps),
    length: Number(values.length),
    shrinks: Number(values.shrinks),
    ...(values.episode === undefined ? {} : { episode: Number(values.episode) }),
    onEpisode: tally.add,
    isDone: () => values.tries !== undefined && tally.tries() >= Number(values.tries),
  })
  await keys.close()
  await storages.release()
  const ms = Math.round(performance.now() - begin)
  if (values.json) process.stdout.write(`${jsonOf(found, { steps: tally.steps(), ms })}\n`)
  else print(found, tally, { ...values, ms })
  return found === undefined ? 0 : 1
}

async function storagesOf(store: string): Promise<Storages> {
  const plain = (section: object, isDurable: boolean): Storages => ({
    section: async () => section,
    isDurable,
    release: async () => {},
  })
  if (store === 'memory') return plain({ use: 'memory' }, false)
  if (store === 'late') return plain({ use: LATE }, false)
  if (store === 'sqlite') return plain({ use: 'sqlite' }, true)
  if (store !== 'postgres')
    throw new RangeError(`there is no store ${store}, only memory, late, sqlite and postgres`)
  const server = await startPostgres()
  const section = async (): Promise<object> => ({
    use: 'postgres',
    url: await server.createStoreDatabase(),
  })
  return { section, isDurable: true, release: () => server.stop() }
}

interface Tally {
  steps(): number
  /** Of a replay: how often something was sent again. */
  tries(): number
  counts(): ReadonlyMap<string, number>
  add(this: void, episode: number, outcome: Outcome): void
}

/** Counts, and says now and then how far it is. */
function newTally(of: number): Tally {
  const counts = new Map<string, number>()
  const begin = performance.now()
  let [steps, said] = [0, begin]
  return {
    steps: () => steps,
    tries: () => counts.get('tries') ?? 0,
    counts: () => counts,
    add: (_, outcome) => {
      steps += outcome.steps
      for (const [name, count] of outcome.counts) counts.set(name, (counts.get(name) ?? 0) + count)
      const now = performance.now()
      if (of === 0 || now - said < PROGRESS_MS) return
      said = now
      console.log(
        `${steps} of ${of} steps, ${((steps / (now - begin)) * 1_000).toFixed(0)} a second`,
      )
    },
  }
}

function jsonOf(
  found: Found | undefined,
  run: { readonly steps: number; readonly ms: number },
): string {
  if (found === undefined) return JSON.stringify({ ...run, found: null })
  const {
    steps,
    failure: { violations },
    shortest,
  } = found
  const rules = [...new Set(violations.map(({ rule }) => rule))]
  return JSON.stringify({
    ...run,
    found: {
      steps,
      episode: found.episode,
      rules,
      detail: violations[0]?.detail ?? '',
      shortest: shortest.steps,
      text: describeOutcome(shortest),
    },
  })
}

function print(
  found: Found | undefined,
  tally: Tally,
  {
    store,
    nodes,
    seed,
    length,
    replay,
    ms,
  }: Record<'store' | 'nodes' | 'seed' | 'length', string> & {
    readonly replay: boolean
    readonly ms: number
  },
): void {
  for (const [name, count] of [...tally.counts()].sort())
    console.log(`${String(count).padStart(8)} ${name}`)
  console.log(
    `${tally.steps()} steps on ${store}, nodes ${nodes}, in ${(ms / 1_000).toFixed(1)} s, seed ${seed}`,
  )
  if (found === undefined) return
  console.log(
    `\nepisode ${found.episode} fails at step ${found.failure.step}: ${found.failure.deeds}`,
  )
  console.log(
    `\nthe shortest sequence found, ${found.shortest.steps} steps:\n${describeOutcome(found.shortest)}`,
  )
  console.log(
    `\nagain: node test/authority/run.ts ${replay ? '--replay ' : ''}--store ${store} --nodes ${nodes} --seed ${seed} --length ${length} --episode ${found.episode}`,
  )
}

process.exitCode = await main()
// Connections that fetches of key sets keep would hold the process.
process.exit()
