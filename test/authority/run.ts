// `node test/authority/run.ts [--store memory|late|sqlite|postgres] [--nodes 1|2|3] [--steps N]
// [--seed S] [--length L] [--episode K] [--shrinks N]`: random operations over HTTP against the
// model of docs/authority.md; of several nodes each is asked what another's people would ask, too.
// On a failure the shortest sequence that shows it, and the line that plays it again. With
// `--replay` the adversary of replay/ instead, on three ledgers, until `--tries N` where that is
// given.
import { parseArgs } from 'node:util'
import { runSearch, SEARCH_OPTIONS, whole } from '../drive/command.ts'
import { seedsOf } from '../drive/dice.ts'
import { openKeys } from './driver/keys.ts'
import { playWith, storageNamed } from './play.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...SEARCH_OPTIONS,
      nodes: { type: 'string', default: '1' },
      matrix: { type: 'string', default: '40' },
      replay: { type: 'boolean', default: false },
      tries: { type: 'string' },
    },
  })
  const { replay, tries } = values
  const nodes = whole('nodes', values.nodes)
  const matrixEvery = whole('matrix', values.matrix)
  const storage = storageNamed(values.store)
  const keys = await openKeys(nodes)
  try {
    return await runSearch({
      values,
      command: `node test/authority/run.ts --nodes ${nodes}${replay ? ' --replay' : ''}`,
      draw: seedsOf,
      play: playWith({ storage, keys, nodes, replay, matrixEvery }),
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
