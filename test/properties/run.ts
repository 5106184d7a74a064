// `npm run properties -- --steps N --seed S [--store memory|sqlite|postgres|twin] [--length L]
// [--episode K] [--fault ID]`: random commands against the model; on a failure the shortest
// commands that show it, and the line that plays it again.
import { parseArgs } from 'node:util'
import { releaseStores } from './driver/network.ts'
import { PROFILE, START } from './profile.ts'
import type { Found } from './search.ts'
import { search } from './search.ts'
import { SYSTEMS } from './systems.ts'

const LIMIT = 5

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '10000' },
      seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
      store: { type: 'string', default: 'memory' },
      length: { type: 'string', default: '500' },
      audit: { type: 'string', default: '50' },
      shrinks: { type: 'string', default: '300' },
      episode: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
    },
  })
  const open = SYSTEMS.get(values.store)
  if (open === undefined)
    return usage(`there is no store ${values.store}, only ${[...SYSTEMS.keys()].join(', ')}`)
  const [seed, length, steps] = [Number(values.seed), Number(values.length), Number(values.steps)]
  const shrinks = Number(values.shrinks)
  const auditEvery = Number(values.audit)
  if (![seed, length, steps, shrinks, auditEvery].every(Number.isSafeInteger))
    return usage('steps, seed, length, audit and shrinks are integers')
  const again = `--seed ${seed} --store ${values.store} --length ${length}${values.fault.map((id) => ` --fault ${id}`).join('')}`
  console.log(`${steps} steps on ${values.store}: npm run properties -- --steps ${steps} ${again}`)
  const played = { steps: 0, succeeded: 0, began: performance.now() }
  const found = await search({
    open,
    config: PROFILE,
    start: START,
    faults: new Set(values.fault),
    seed,
    steps,
    length,
    shrinks,
    auditEvery,
    ...(values.episode === undefined ? {} : { episode: Number(values.episode) }),
    onEpisode: (episode, outcome) => {
      played.steps += outcome.steps
      played.succeeded += [...outcome.succeeded.values()].reduce((sum, count) => sum + count, 0)
      if (episode % 20 === 19) console.log(progress(played))
    },
  })
  console.log(progress(played))
  if (found === undefined) return 0
  report(found, again)
  return 1
}

function report({ episode, failure, drafts, shortest }: Found, again: string): void {
  console.log(
    `\nepisode ${episode} fails at step ${failure.step}; play it again: npm run properties -- ${again} --episode ${episode}`,
  )
  console.log(`shortest: ${drafts.length} commands, of which the last does`)
  console.log(
    JSON.stringify(shortest.action, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    ),
  )
  for (const { invariant, what } of shortest.violations.slice(0, LIMIT))
    console.log(`  invariant ${invariant}: ${what}`)
  for (const draft of drafts) console.log(`  ${JSON.stringify(draft)}`)
}

function progress({
  steps,
  succeeded,
  began,
}: {
  steps: number
  succeeded: number
  began: number
}): string {
  const seconds = (performance.now() - began) / 1000
  return `${steps} steps, ${succeeded} succeeded, ${Math.round(steps / seconds)} a second`
}

function usage(text: string): number {
  console.error(text)
  return 2
}

process.exitCode = await main().finally(releaseStores)
