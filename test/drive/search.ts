// A search: episodes from a seed until one fails, and what fails made short by fast-check.
import fc from 'fast-check'

export interface Failure {
  /** Number of the step, from 0. */
  readonly step: number
  /** Names of what was violated. */
  readonly rules: readonly string[]
  /** Lines for people: the last answer and what is wrong. */
  readonly lines: readonly string[]
}

/** Outcome of an episode. */
export interface Outcome {
  /** Those that were played, the failing one included. */
  readonly steps: number
  /** `register done`, `register refused`: how often. */
  readonly counts: ReadonlyMap<string, number>
  /** Deeds so far, a line each, for people. */
  readonly trail: readonly string[]
  readonly failure: Failure | undefined
}

export interface SearchOptions<Draft> {
  /** Drafts of an episode of that seed. */
  readonly draw: (seed: number, count: number) => readonly Draft[]
  /** Plays an episode on fresh data. */
  readonly play: (drafts: readonly Draft[], seed: number) => Promise<Outcome>
  readonly seed: number
  readonly steps: number
  /** Steps of an episode. */
  readonly length: number
  /** Only this episode, to play it again. */
  readonly episode?: number
  /** Episodes to play in place of drawn ones. */
  readonly given?: readonly (readonly Draft[])[]
  /** Shorter episodes that may be tried. */
  readonly shrinks: number
  /** Called after each episode; true ends the search. */
  readonly onEpisode?: (outcome: Outcome) => boolean | void
}

export interface Found<Draft> {
  readonly episode: number
  /** Steps from the beginning of the search. */
  readonly steps: number
  readonly failure: Failure
  /** The shortest episode found that fails like this, and its drafts. */
  readonly shortest: Outcome
  readonly drafts: readonly Draft[]
}

/** Plays episodes until the steps are done or one fails. */
export async function search<Draft>(
  options: SearchOptions<Draft>,
): Promise<Found<Draft> | undefined> {
  const { steps, length, episode, given, draw, play, onEpisode } = options
  const first = episode ?? 0
  const last = episode ?? (given?.length ?? Math.ceil(steps / length)) - 1
  let played = 0
  for (let index = first; index <= last; index += 1) {
    const seed = episodeSeed(options.seed, index)
    const size = episode === undefined ? Math.min(length, steps - index * length) : length
    const drafts = given?.[index] ?? draw(seed, size)
    const outcome = await play(drafts, seed)
    played += outcome.steps
    const isOver = onEpisode?.(outcome) === true
    const { failure } = outcome
    if (failure !== undefined) {
      const failing = drafts.slice(0, outcome.steps)
      const shortest = await shortened(options, { seed, drafts: failing, outcome })
      return {
        episode: index,
        steps: played,
        failure,
        shortest: shortest.outcome,
        drafts: shortest.drafts,
      }
    }
    if (isOver) return undefined
  }
  return undefined
}

/** The seed of an episode, which is the first one of the search whose seed is as much greater. */
function episodeSeed(seed: number, episode: number): number {
  return Math.imul(seed + episode, 0x9e3779b1) ^ 0x85ebca6b
}

interface Failed<Draft> {
  readonly seed: number
  readonly drafts: readonly Draft[]
  readonly outcome: Outcome
}

/** The shortest episode found that breaks a rule which the given one breaks. */
async function shortened<Draft>(
  { play, shrinks }: SearchOptions<Draft>,
  failed: Failed<Draft>,
): Promise<Failed<Draft>> {
  const { seed, drafts: all } = failed
  const rules = new Set(failed.outcome.failure?.rules)
  let [shortest, tries] = [failed, 0]
  const holds = async (drafts: readonly Draft[]): Promise<boolean> => {
    tries += 1
    // The first one is known to fail.
    if (tries === 1 || tries > shrinks + 1) return tries > 1
    const outcome = await play(drafts, seed)
    const isAlike = outcome.failure?.rules.some((rule) => rules.has(rule)) === true
    if (isAlike) shortest = { seed, drafts: drafts.slice(0, outcome.steps), outcome }
    return !isAlike
  }
  // Drafts are left out and stay as they are.
  const draft = fc.noShrink(fc.constantFrom(...all))
  const episodes = fc.array(draft, { maxLength: all.length })
  await fc.check(fc.asyncProperty(episodes, holds), { examples: [[[...all]]], numRuns: 1 })
  return shortest
}
