// `node test/authority/run.ts [--store memory|late|sqlite|postgres] [--nodes 1|2|3] [--steps N]
// [--seed S] [--length L] [--episode K] [--shrinks N]`: random operations over HTTP against the
// model of docs/authority.md; of several nodes each is asked what another's people would ask, too.
// On a failure the shortest sequence that shows it, and the line that plays it again. `--json` says
// it in one line for other processes; PLANT (plant.ts) puts a fault in. With `--replay` the
// adversary of replay/ instead, on three ledgers, until `--tries N` where that is given. `--drafts
// 1,2,3` plays these steps in place of drawn ones; it can be repeated.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runSearch, SEARCH_OPTIONS, whole } from '../drive/command.ts'
import { seedsOf } from '../drive/dice.ts'
import type { Outcome } from '../drive/search.ts'
import { STORAGES } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { openKeys } from './driver/keys.ts'
import { playEpisode } from './episode.ts'
import { playReplay } from './replay/episode.ts'

/** Issuers' keys that another process has made. */
const KEYS = process.env['AUTHORITY_KEYS']
const LATE: Omit<StorageUnderTest, 'name'> & { readonly name: string } = {
  name: 'late',
  durable: false,
  section: async () => ({
    use: fileURLToPath(new URL('./driver/late-memory.ts', import.meta.url)),
  }),
  release: async () => {},
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...SEARCH_OPTIONS,
      nodes: { type: 'string', default: '1' },
      matrix: { type: 'string', default: '40' },
      replay: { type: 'boolean', default: false },
      tries: { type: 'string' },
      drafts: { type: 'string', multiple: true },
    },
  })
  const { store, replay, tries } = values
  const given = values.drafts?.map((text) => text.split(',').map(Number))
  const nodes = whole('nodes', values.nodes)
  const matrixEvery = whole('matrix', values.matrix)
  const storage = [...STORAGES, LATE].find(({ name }) => name === store)
  if (storage === undefined) throw new RangeError(`there is no store ${store}`)
  const { section, durable: isDurable } = storage
  const keys = await openKeys(KEYS, nodes)
  const play = async (drafts: readonly number[]): Promise<Outcome> =>
    replay
      ? playReplay({ drafts, nodes, storage: section })
      : playEpisode({ drafts, keys, nodes, matrixEvery, isDurable, storage: await section() })
  try {
    return await runSearch({
      values,
      command: `node test/authority/run.ts --nodes ${nodes}${replay ? ' --replay' : ''}`,
      draw: seedsOf,
      ...(given === undefined ? {} : { given }),
      play,
      isDone: (counts) => tries !== undefined && (counts.get('tries') ?? 0) >= Number(tries),
    })
  } finally {
    await keys.close()
    await storage.release()
  }
}

process.exitCode = await main()
// Connections that fetches of key sets keep would hold the process.
process.exit()
