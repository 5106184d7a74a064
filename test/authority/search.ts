// A run: episodes from a seed, and the first failure made short.
import { seedsOf } from './draw/dice.ts'
import type { Failure, Outcome } from './outcome.ts'

export interface SearchOptions {
  /** Plays one episode on fresh data. */
  readonly play: (drafts: readonly number[]) => Promise<Outcome>
  readonly seed: number
  readonly steps: number
  /** Steps of an episode. */
  readonly length: number
  /** Only this episode, to play it again. */
  readonly episode?: number
  /** How many shorter episodes may be tried. */
  readonly shrinks: number
  /** Asked after each episode: enough was played. */
  readonly isDone?: () => boolean
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
    const outcome = await options.play(drafts)
    options.onEpisode?.(index, outcome)
    if (outcome.failure === undefined && options.isDone?.() === true) return undefined
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
      const again = await options.play(fewer)
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
