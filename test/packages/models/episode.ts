// One episode: fresh parties on the service, and commands until one is judged wrong.
import { diceOf } from '../../drive/dice.ts'
import type { Failure, Outcome } from '../../drive/search.ts'
import { beginning, commandOf } from './commands.ts'
import type { Violation } from './judge.ts'
import type { ModelService } from './service.ts'
import { World } from './world.ts'
import type { Command } from './world.ts'

/** Commands after which all parties look. */
const LOOK_EVERY = 8
let episodes = 0

/** Plays the drafts, which are seeds of commands. */
export async function playEpisode(
  service: ModelService,
  drafts: readonly number[],
): Promise<Outcome> {
  episodes += 1
  const world = await World.open(service, `episode-${episodes}`)
  const counts = new Map<string, number>()
  const trail: string[] = []
  const outcome = (failure?: Failure): Outcome => ({ steps: trail.length, counts, trail, failure })
  const step = async (command: Command): Promise<readonly Violation[]> => {
    const { isDone, found } = await world.do(command)
    const name = `${command.what} ${isDone ? 'done' : 'refused'}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return found.map(({ rule, what }) => ({ rule, what: `${command.what}: ${what}` }))
  }
  for (const command of beginning(world)) {
    const found = await step(command)
    if (found.length > 0) return outcome(failureOf(0, found))
  }
  for (const [index, seed] of drafts.entries()) {
    const dice = diceOf(seed)
    const command = commandOf(world, dice)
    trail.push(`${command.what} by ${command.actAs.map((party) => party.split('::')[0]).join()}`)
    const isDue = (index + 1) % LOOK_EVERY === 0 || index === drafts.length - 1
    const found = [...(await step(command)), ...(isDue ? await world.look(dice.some) : [])]
    if (found.length > 0) return outcome(failureOf(index, found))
  }
  return outcome()
}

function failureOf(step: number, found: readonly Violation[]): Failure {
  return {
    step,
    rules: [...new Set(found.map(({ rule }) => rule))],
    lines: found.map(({ rule, what }) => `${rule}: ${what}`),
  }
}
