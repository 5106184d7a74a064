// Compares `x-access`: fewer may call is breaking, more may call is additive.
// docs/spec-conventions.md says what its keys mean.
import { canonicalJson } from '../json.ts'
import { fields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { byContent, differing, match, same } from './sets.ts'

/** Widest first. */
const TOKENS = ['none', 'subject', 'required']
const JUDGED: ReadonlySet<string> = new Set([
  'token',
  'closable',
  'anyOf',
  'allOf',
  'provider',
  'elevated',
])

/** Notes changes of an operation's `x-access`. */
export function compareAccess(
  comparison: Comparison,
  spot: Spot,
  before: unknown,
  after: unknown,
): void {
  if (same(before, after)) return
  if (before === undefined) return note(comparison, spot, 'access-added', { after, only: 'new' })
  if (after === undefined) return note(comparison, spot, 'access-removed', { before, only: 'old' })
  const count = comparison.to.notes.length
  const [old, now] = [fields(before), fields(after)]
  compareTokens(comparison, spot, old['token'], now['token'])
  compareClosable(comparison, spot, old['closable'], now['closable'])
  compareAlternatives(comparison, spot, items(old['anyOf']), items(now['anyOf']))
  compareConditions(comparison, spot, items(old['allOf']), items(now['allOf']))
  const [wasProvider, isProvider] = [old['provider'] ?? 'none', now['provider'] ?? 'none']
  if (!same(wasProvider, isProvider)) {
    note(comparison, spot, 'access-provider-changed', {
      before: wasProvider,
      after: isProvider,
      keys: ['provider'],
    })
  }
  compareElevated(comparison, spot, old['elevated'], now['elevated'])
  for (const [name, was, is] of differing(old, now)) {
    if (!JUDGED.has(name))
      note(comparison, spot, 'access-changed', { name, before: was, after: is, keys: [name] })
  }
  if (comparison.to.notes.length === count) note(comparison, spot, 'access-rewritten')
}

function compareTokens(comparison: Comparison, spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return
  const rank = (token: unknown): number => TOKENS.indexOf(text(token) ?? 'none')
  const isNarrower = rank(after) > rank(before)
  note(comparison, spot, isNarrower ? 'access-token-narrowed' : 'access-token-widened', {
    before,
    after,
    keys: ['token'],
  })
}

function compareClosable(
  comparison: Comparison,
  spot: Spot,
  before: unknown,
  after: unknown,
): void {
  if (before === after) return
  const rule =
    before === undefined
      ? 'access-closable-added'
      : after === undefined
        ? 'access-closable-removed'
        : 'access-closable-changed'
  note(comparison, spot, rule, { before, after, keys: ['closable'] })
}

/** An empty list lets any authenticated user in. */
function compareAlternatives(
  comparison: Comparison,
  spot: Spot,
  before: readonly unknown[],
  after: readonly unknown[],
): void {
  const keys = ['anyOf']
  if (before.length === 0 && after.length === 0) return
  if (before.length === 0)
    return note(comparison, spot, 'access-restricted', { after: ruleTexts(after), keys })
  if (after.length === 0)
    return note(comparison, spot, 'access-opened', { before: ruleTexts(before), keys })
  const { gone, fresh } = match(byContent(before), byContent(after))
  for (const [, rule] of gone)
    note(comparison, spot, 'access-alternative-removed', { name: ruleText(rule), keys })
  for (const [, rule] of fresh)
    note(comparison, spot, 'access-alternative-added', { name: ruleText(rule), keys })
}

function compareConditions(
  comparison: Comparison,
  spot: Spot,
  before: readonly unknown[],
  after: readonly unknown[],
): void {
  const { gone, fresh } = match(byContent(before), byContent(after))
  for (const [, rule] of gone)
    note(comparison, spot, 'access-condition-removed', { name: ruleText(rule), keys: ['allOf'] })
  for (const [, rule] of fresh)
    note(comparison, spot, 'access-condition-added', { name: ruleText(rule), keys: ['allOf'] })
}

function ruleText(rule: unknown): string {
  return text(rule) ?? canonicalJson(rule)
}

function ruleTexts(rules: readonly unknown[]): string {
  return rules.map(ruleText).join(' or ')
}

function compareElevated(
  comparison: Comparison,
  spot: Spot,
  before: unknown,
  after: unknown,
): void {
  const keys = ['elevated']
  if (same(before, after)) return
  if (before === undefined) return note(comparison, spot, 'access-elevated-added', { after, keys })
  if (after === undefined)
    return note(comparison, spot, 'access-elevated-removed', { before, keys })
  const { of: oldKinds, ...old }: Fields = fields(before)
  const { of: nowKinds, ...now }: Fields = fields(after)
  const { gone, fresh } = match(byContent(texts(oldKinds)), byContent(texts(nowKinds)))
  for (const [, name] of gone)
    note(comparison, spot, 'access-elevated-kind-removed', { name, keys })
  for (const [, name] of fresh) note(comparison, spot, 'access-elevated-kind-added', { name, keys })
  for (const [name, was, is] of differing(old, now))
    note(comparison, spot, 'access-elevated-changed', { name, before: was, after: is, keys })
}
