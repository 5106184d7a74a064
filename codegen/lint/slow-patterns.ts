// The only file that knows the analyser of regular expressions: it is large, and loaded by `lint`
// alone.
import scslre from 'scslre'
import type { PatternCost } from './model.ts'

/** Repetitions without a limit up to which the worst is sought, not only the first. */
const MOST_COMPARED = 30
const MOST_REPORTS = 20
/** Repetitions above which the analyser takes minutes. */
const MOST_REPETITIONS = 500

const cost = new Map<string, string | undefined>()

/** The cost of matching a pattern; undefined if its time grows with the text. */
export const patternCost: PatternCost = (pattern) => {
  if (!cost.has(pattern)) cost.set(pattern, costOf(pattern))
  return cost.get(pattern)
}

function costOf(pattern: string): string | undefined {
  // Those that are escaped or in a class are counted as well: few patterns have hundreds.
  const repetitions = pattern.match(/[*+]|,\}/gu)?.length ?? 0
  if (repetitions > MOST_REPETITIONS)
    return `not analysed: more than ${MOST_REPETITIONS} repetitions without a limit`
  try {
    // What `Move` reports is any pattern without an anchor: matching begins at every character.
    const { reports } = scslre.analyse(
      { source: pattern, flags: 'u' },
      {
        maxReports: repetitions > MOST_COMPARED ? 1 : MOST_REPORTS,
        reportTypes: { Move: false, Self: true, Trade: true },
      },
    )
    const report = reports.find(({ exponential }) => exponential) ?? reports[0]
    if (report === undefined) return undefined
    const growth = report.exponential ? 'exponentially' : 'with a power'
    return `time grows ${growth} with the number of ${JSON.stringify(report.character.pick)} in a text`
  } catch (error) {
    if (error instanceof RangeError) return 'not analysed: groups are nested too deeply'
    // What is not a regular expression is a finding of its own.
    return undefined
  }
}
