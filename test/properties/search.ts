// A run: episodes from a seed, the first failure made short, and the line that plays it again.
import type { Draft } from './commands.ts'
import { draftsOf } from './commands.ts'
import type { EpisodeOptions, Failure, Outcome } from './episode.ts'
import { playEpisode } from './episode.ts'

export interface SearchOptions extends Omit<EpisodeOptions, 'seed'> {
  readonly seed: number
  readonly steps: number
  /** Steps of an episode. */
  readonly length: number
  /** Only this episode, to play it again. */
  readonly episode?: number
  /** How many shorter episodes may be tried. */
  readonly shrinks: number
  readonly onEpisode?: (episode: number, outcome: Outcome) => void
}

export interface Found {
  readonly episode: number
  readonly failure: Failure
  /** The shortest drafts that still fail, and how they fail. */
  readonly drafts: readonly Draft[]
  readonly shortest: Failure
}

/** Plays episodes until the steps are done or one fails. */
export async function search(options: SearchOptions): Promise<Found | undefined> {
  const { steps, length, episode } = options
  const episodes = episode === undefined ? Math.ceil(steps / length) : episode + 1
  for (let index = episode ?? 0; index < episodes; index += 1) {
    const seed = episodeSeed(options.seed, index)
    const size = episode === undefined ? Math.min(length, steps - index * length) : length
    const drafts = draftsOf(seed, size)
    const outcome = await playEpisode(drafts, { ...options, seed })
    options.onEpisode?.(index, outcome)
    if (outcome.failure !== undefined)
      return shorten(index, drafts, outcome.failure, { ...options, seed })
  }
  return undefined
}

/** The seed of an episode: unlike those of its neighbours and of neighbouring runs. */
export function episodeSeed(seed: number, episode: number): number {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(episode + 1, 0xc2b2ae35)) | 0
}

async function shorten(
  episode: number,
  all: readonly Draft[],
  failure: Failure,
  options: SearchOptions,
): Promise<Found> {
  let drafts = all.slice(0, failure.step + 1)
  let shortest = failure
  let left = options.shrinks
  for (
    let size = Math.ceil(drafts.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = drafts.length - size; from > -size && left > 0; from -= size, left -= 1) {
      const fewer = [...drafts.slice(0, Math.max(0, from)), ...drafts.slice(from + size)]
      const { failure: again } = await playEpisode(fewer, options)
      if (again === undefined || !isAlike(again, failure)) continue
      drafts = fewer.slice(0, again.step + 1)
      shortest = again
    }
  }
  return { episode, failure, drafts, shortest }
}

function isAlike(a: Failure, b: Failure): boolean {
  const numbers = new Set(b.violations.map(({ invariant }) => invariant))
  return a.violations.some(({ invariant }) => numbers.has(invariant))
}
