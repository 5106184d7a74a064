// The table of rules as docs/diff.md shows it. `node codegen/diff/print-rules.ts` prints it.
import { RULE_GROUPS } from './rules.ts'
import type { Rule, Verdict } from './rule.ts'

/** Markdown: a table for each group of rules. */
export function printRules(): string {
  return RULE_GROUPS.map(({ title, rules }) => {
    const rows = Object.entries<Rule>(rules).map(([name, rule]) => `| \`${name}\` | ${rule.says} | ${verdicts(rule)} |\n`)
    const isByWay = Object.values<Rule>(rules).some(({ kind }) => kind === 'ways')
    const head = isByWay
      ? '| rule | says | in requests: callers, implementers | in responses: callers, implementers |\n|---|---|---|---|\n'
      : '| rule | says | callers | implementers |\n|---|---|---|---|\n'
    return `### ${title}\n\n${head}${rows.join('')}`
  }).join('\n')
}

function verdicts(rule: Rule): string {
  if (rule.kind === 'fixed') return rule.verdict.join(' | ')
  const both = (verdict: Verdict): string => verdict.join(', ')
  return `${both(rule.request)} | ${both(rule.response)}`
}

if (import.meta.main) process.stdout.write(printRules())
