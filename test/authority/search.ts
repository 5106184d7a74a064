// A run: episodes from a seed, and the first failure made short.
import { seedsOf } from './draw/dice.ts'
import type { EpisodeOptions, Failure, Outcome } from './episode.ts'
import { playEpisode } from './episode.ts'

export interface SearchOptions extends Omit<EpisodeOptions, 'drafts' | 'storage'> {
  readonly seed: number
  readonly steps: number
  /** Steps of an episode. */
  readonly length: number
  /** Only this episode, to play it again. */
  readonly episode?: number
  /** How many shorter episodes may be tried. */
  readonly shrinks: number
  /** A section `storage` on fresh data. */
  readonly storage: () => Promise<object>
  readonly onEpisode?: (episode: number, outcome: Outcome) => void
}

export interface Found {
  readonly episode: number
  /** Steps from the beginning of the run. */
  readonly steps: number
  readonly failure: Failure
  /** The shortest sequence that fails like this. */
  readonly shortest: Outcome
}

/** Plays episodes until the steps are done or one fails. */
export async function search(options: SearchOptions): Promise<Found | undefined> {
  const { steps, length, episode } = options
  const last = episode ?? Math.ceil(steps / length) - 1
  for (let index = episode ?? 0; index <= last; index += 1) {
    const size = episode === undefined ? Math.min(length, steps - index * length) : length
    const drafts = seedsOf(options.seed + index, size)
    const outcome = await playOne(options, drafts)
    options.onEpisode?.(index, outcome)
    if (outcome.failure === undefined) continue
    const shortest = await shorten(options, drafts.slice(0, outcome.steps), outcome)
    return {
      episode: index,
      steps: (index - (episode ?? 0)) * length + outcome.steps,
      failure: outcome.failure,
      shortest,
    }
  }
  return undefined
}

async function playOne(
  { keys, matrixEvery, isDurable, storage, nodes }: SearchOptions,
  drafts: readonly number[],
): Promise<Outcome> {
  return playEpisode({ keys, matrixEvery, isDurable, nodes, drafts, storage: await storage() })
}

/**
 * Leaves drafts out, many at a time and then one by one, while what is left fails by the same rule.
 */
async function shorten(
  options: SearchOptions,
  all: readonly number[],
  outcome: Outcome,
): Promise<Outcome> {
  let [drafts, shortest] = [all, outcome]
  let left = options.shrinks
  for (
    let size = Math.ceil(drafts.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    // The last one fails: it stays.
    for (let from = drafts.length - 1 - size; from > -size && left > 0; from -= size, left -= 1) {
      const fewer = [...drafts.slice(0, Math.max(0, from)), ...drafts.slice(from + size)]
      const again = await playOne(options, fewer)
      if (!isAlike(again, outcome)) continue
      drafts = fewer.slice(0, again.steps)
      shortest = again
    }
  }
  return shortest
}

function isAlike({ failure: one }: Outcome, { failure: other }: Outcome): boolean {
  const rules = new Set(other?.violations.map(({ rule }) => rule))
  return one?.violations.some(({ rule }) => rules.has(rule)) === true
}
