// `npm run full:uploads -- [--steps N] [--seed S] [--length L] [--episode K] [--shrinks N]`: random
// commands on uploaded contracts as long as it is told; what fails is made short.
import { parseArgs } from 'node:util'
import { runSearch, SEARCH_OPTIONS } from '../../drive/command.ts'
import { seedsOf } from '../../drive/dice.ts'
import { playEpisode } from './episode.ts'
import { startModels } from './service.ts'

const { values } = parseArgs({ options: SEARCH_OPTIONS })
const service = await startModels({ use: values.store })
try {
  process.exitCode = await runSearch({
    values,
    command: 'npm run full:uploads --',
    draw: seedsOf,
    play: (drafts) => playEpisode(service, drafts),
  })
} finally {
  await service.stop()
}
