// The tables of rules as docs/diff.md shows them. `node codegen/diff/print-rules.ts` prints them.
import { sharedRows } from '../rules/rule.ts'
import { LEVELS } from './level.ts'
import { RULE_GROUPS } from './rules.ts'
import { isContractRule } from './rules-contracts.ts'
import type { Rule, Levels } from './rule.ts'

/** Markdown: a table for each group, in which rules that judge in the same way share a row. */
export function printRules(): string {
  return RULE_GROUPS.map(({ title, rules }) => {
    const all = Object.entries<Rule>(rules)
    const byWay = all.some(([, { kind }]) => kind === 'ways')
    const lines = sharedRows(all, (rule) => verdictOf(rule, byWay))
      .toSorted((one, other) => rankOf(one.cells).localeCompare(rankOf(other.cells)))
      .map(({ cells, names }) => `| ${cells} | ${names} |\n`)
    return `### ${title}\n\n${head(Object.values<Rule>(rules), byWay)}${lines.join('')}`
  }).join('\n')
}

function head(rules: readonly Rule[], byWay: boolean): string {
  const columns = byWay
    ? ['in requests: callers, implementers', 'in responses: callers, implementers']
    : ['callers', 'implementers', ...(rules.some(isContractRule) ? ['stored contracts'] : [])]
  return `| ${columns.join(' | ')} | rules |\n|${'---|'.repeat(columns.length + 1)}\n`
}

function verdictOf(rule: Rule, byWay: boolean): string {
  const both = (of: Levels): string => of.join(byWay ? ', ' : ' | ')
  if (rule.kind === 'ways') return `${both(rule.request)} | ${both(rule.response)}`
  if (isContractRule(rule)) return `${both(rule.levels)} | ${rule.stored}`
  return byWay ? `${both(rule.levels)} | ${both(rule.levels)}` : both(rule.levels)
}

/** Sorts the worst first. */
function rankOf(verdict: string): string {
  return verdict.replaceAll(/[a-z]+/g, (word) =>
    String(LEVELS.findIndex((level) => level === word)),
  )
}

if (import.meta.main) process.stdout.write(printRules())
