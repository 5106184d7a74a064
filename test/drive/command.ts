// The command line of a search: its options, how it gets on, what it found, and the line that plays
// it again.
import { search } from './search.ts'
import type { Failure, Found, Outcome, SearchOptions } from './search.ts'

/** Options for parseArgs; drivers add their own. */
export const SEARCH_OPTIONS = {
  store: { type: 'string', default: 'memory' },
  steps: { type: 'string', default: '2000' },
  seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
  length: { type: 'string', default: '80' },
  shrinks: { type: 'string', default: '60' },
  episode: { type: 'string' },
} as const

interface Values extends Readonly<
  Record<'store' | 'steps' | 'seed' | 'length' | 'shrinks', string>
> {
  readonly episode?: string | undefined
}

interface Searching<Draft> extends Pick<SearchOptions<Draft>, 'draw' | 'given' | 'play'> {
  readonly values: Values
  /** The command that is run, with the driver's own options. */
  readonly command: string
  /** Asked after each episode with what has been done so far: enough was played. */
  readonly isDone?: (counts: ReadonlyMap<string, number>) => boolean
}

const PROGRESS_MS = 10_000

/** A whole number of a command line or of the environment; throws RangeError for another text. */
export function whole(name: string, text: string | number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is a whole number`)
  return value
}

/** Searches as the command line says and prints what came of it. Answers the exit code. */
export async function runSearch<Draft>(searching: Searching<Draft>): Promise<number> {
  const { values, command, isDone, draw, play, given } = searching
  const { store } = values
  const [seed, steps] = [whole('seed', values.seed), whole('steps', values.steps)]
  const length = whole('length', values.length)
  const again = `${command} --store ${store} --seed ${seed} --length ${length}`
  const say = (line: string): void => console.log(line)
  say(`${again} --steps ${steps}`)
  const tally = newTally(say)
  const found = await search({
    draw,
    play,
    seed,
    steps,
    length,
    shrinks: whole('shrinks', values.shrinks),
    ...(given === undefined ? {} : { given }),
    ...(values.episode === undefined ? {} : { episode: whole('episode', values.episode) }),
    onEpisode: (outcome) => {
      tally.add(outcome)
      return isDone?.(tally.counts) === true
    },
  })
  for (const [name, count] of [...tally.counts].sort()) say(`${String(count).padStart(8)} ${name}`)
  say(`${tally.line()} on ${store}, seed ${seed}`)
  if (found === undefined) return 0
  say(`\nepisode ${found.episode} fails after ${found.steps} steps:\n${textOf(found.failure)}`)
  say(`\nthe shortest sequence found:\n${shortestOf(found)}`)
  say(`\nagain: ${again} --episode ${found.episode}`)
  return 1
}

interface Tally {
  readonly counts: Map<string, number>
  steps(): number
  ms(): number
  line(): string
  add(outcome: Outcome): void
}

/** Counts, and says now and then how far it is. */
function newTally(say: (line: string) => void): Tally {
  const counts = new Map<string, number>()
  const began = performance.now()
  let [steps, said] = [0, began]
  const ms = (): number => Math.round(performance.now() - began)
  const line = (): string =>
    `${steps} steps in ${(ms() / 1_000).toFixed(1)} s, ${Math.round((steps / ms()) * 1_000)} a second`
  return {
    counts,
    ms,
    line,
    steps: () => steps,
    add: (outcome) => {
      steps += outcome.steps
      for (const [name, count] of outcome.counts) counts.set(name, (counts.get(name) ?? 0) + count)
      if (performance.now() - said < PROGRESS_MS) return
      said = performance.now()
      say(line())
    },
  }
}

function textOf({ lines }: Failure): string {
  return lines.map((line) => `     ${line}`).join('\n')
}

/** The shortest sequence that was found, with its failure, for people. */
export function shortestOf({ shortest: { trail, failure } }: Found<unknown>): string {
  const steps = trail.map((deed, index) => `  ${index + 1}. ${deed}`)
  return [...steps, ...(failure === undefined ? [] : [textOf(failure)])].join('\n')
}
