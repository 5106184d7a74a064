// The table of rules as docs/diff.md shows it. `node codegen/diff/print-rules.ts` prints it.
import { RULE_GROUPS } from './rules.ts'
import { isContractRule } from './rules-contracts.ts'
import type { Rule, Levels } from './rule.ts'

/** Markdown: a table for each group of rules. */
export function printRules(): string {
  return RULE_GROUPS.map(({ title, rules }) => {
    const rows = Object.entries<Rule>(rules).map(
      ([name, rule]) => `| \`${name}\` | ${rule.says} | ${levelsText(rule)} |\n`,
    )
    return `### ${title}\n\n${head(Object.values<Rule>(rules))}${rows.join('')}`
  }).join('\n')
}

function head(rules: readonly Rule[]): string {
  const columns = rules.some(({ kind }) => kind === 'ways')
    ? ['in requests: callers, implementers', 'in responses: callers, implementers']
    : ['callers', 'implementers', ...(rules.some(isContractRule) ? ['stored contracts'] : [])]
  return `| rule | says | ${columns.join(' | ')} |\n|---|---|${'---|'.repeat(columns.length)}\n`
}

function levelsText(rule: Rule): string {
  if (isContractRule(rule)) return [...rule.levels, rule.stored].join(' | ')
  if (rule.kind === 'fixed') return rule.levels.join(' | ')
  const both = (of: Levels): string => of.join(', ')
  return `${both(rule.request)} | ${both(rule.response)}`
}

if (import.meta.main) process.stdout.write(printRules())
