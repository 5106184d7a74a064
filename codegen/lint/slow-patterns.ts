// The only file that knows the analyser of regular expressions: it is large, and loaded by `lint`
// alone.
import scslre from 'scslre'
import type { PatternCost } from './model.ts'

const cost = new Map<string, string | undefined>()

/** What a pattern may cost whoever matches it; undefined where its time grows with the text. */
export const patternCost: PatternCost = (pattern) => {
  if (!cost.has(pattern)) cost.set(pattern, costOf(pattern))
  return cost.get(pattern)
}

function costOf(pattern: string): string | undefined {
  try {
    // What `Move` reports is any pattern without an anchor: matching begins at every character.
    const { reports } = scslre.analyse(
      { source: pattern, flags: 'u' },
      { reportTypes: { Move: false, Self: true, Trade: true } },
    )
    const report = reports.find(({ exponential }) => exponential) ?? reports[0]
    if (report === undefined) return undefined
    const growth = report.exponential ? 'exponentially' : 'with a power'
    return `time grows ${growth} with the number of ${JSON.stringify(report.character.pick)} in a text`
  } catch {
    // What is no regular expression is a finding of its own.
    return undefined
  }
}
