// `npm run properties -- --steps N --seed S [--store memory|sqlite|postgres] [--length L]
// [--episode K] [--audit N] [--fault ID]`: random commands against the model; on a failure the
// shortest commands that show it, and the line that plays it again.
import { parseArgs } from 'node:util'
import { runSearch, SEARCH_OPTIONS, whole } from '../drive/command.ts'
import { releaseStores, storeNamed } from '../support/open-store.ts'
import { draftsOf } from './commands.ts'
import { playEpisode } from './episode.ts'

const { values } = parseArgs({
  options: {
    ...SEARCH_OPTIONS,
    steps: { type: 'string', default: '10000' },
    length: { type: 'string', default: '500' },
    shrinks: { type: 'string', default: '300' },
    audit: { type: 'string', default: '50' },
    fault: { type: 'string', multiple: true, default: [] },
  },
})
const { fault: faults } = values
const store = storeNamed(values.store)
const auditEvery = whole('audit', values.audit)
process.exitCode = await runSearch({
  values,
  command: `npm run properties --${faults.map((id) => ` --fault ${id}`).join('')}`,
  draw: draftsOf,
  play: (drafts, seed) => playEpisode(drafts, { store, seed, faults, auditEvery }),
}).finally(releaseStores)
