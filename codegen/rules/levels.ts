// The levels that a team gives rules, for `lint` and `diff` alike: `RULE=LEVEL`, or for one place
// `RULE:PLACE=LEVEL`.

/** Levels by `RULE` or `RULE:PLACE`. */
export type Levels<L extends string> = Readonly<Record<string, L>>

/** The levels that flags give; a text says what is wrong with one. */
export function parseLevels<L extends string>(
  flags: readonly string[],
  levels: readonly L[],
  isRule: (name: string) => boolean,
): Levels<L> | string {
  const parsed: Record<string, L> = {}
  for (const flag of flags) {
    const end = flag.lastIndexOf('=')
    const [rule = '', place] = flag.slice(0, Math.max(0, end)).split(/:(.*)/su)
    const level = levels.find((known) => known === flag.slice(end + 1))
    if (level === undefined || place === '')
      return `--rule ${flag}: must be RULE=LEVEL or RULE:PLACE=LEVEL, with ${levels.join(', ')}`
    if (!isRule(rule)) return `--rule ${flag}: there is no rule '${rule}'`
    parsed[flag.slice(0, end)] = level
  }
  return parsed
}

/**
 * The level that is given to a rule at any of some places, the place's own first.
 *
 * @param places names, or JSON pointers: what is above them counts, too
 */
export function levelAt<L extends string>(
  levels: Levels<L>,
  rule: string,
  places: readonly string[],
): L | undefined {
  const names = namesOf(rule, places)
  const name = names.find((one) => Object.hasOwn(levels, one))
  return name === undefined ? undefined : levels[name]
}

/** The names by which levels may be given to a rule at some places. */
export function namesOf(rule: string, places: readonly string[]): readonly string[] {
  return [...places.flatMap(upwards).map((place) => `${rule}:${place}`), rule]
}

/** A place and, of a JSON pointer, those above it. */
function upwards(place: string): readonly string[] {
  const end = place.startsWith('/') ? place.lastIndexOf('/') : 0
  return end > 0 ? [place, ...upwards(place.slice(0, end))] : [place]
}
