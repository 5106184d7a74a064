// Compares `x-access`: fewer may call is breaking, more may call is additive.
// docs/spec-conventions.md says what its keys mean.
import { canonicalJson } from '../json.ts'
import { fields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { note, noteOneSided } from './comparison.ts'
import type { Spot } from './comparison.ts'
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
export function compareAccess(spot: Spot, before: unknown, after: unknown): void {
  if (same(before, after)) return
  if (noteOneSided(spot, before, after, ['access-added', 'access-removed'])) return
  const count = spot.in.to.notes.length
  const [old, now] = [fields(before), fields(after)]
  compareTokens(spot, old['token'], now['token'])
  compareClosable(spot, old['closable'], now['closable'])
  compareAlternatives(spot, items(old['anyOf']), items(now['anyOf']))
  compareRules(spot, items(old['allOf']), items(now['allOf']), 'access-condition', ['allOf'])
  const [was, is] = [old['provider'] ?? 'none', now['provider'] ?? 'none']
  if (!same(was, is))
    note(spot, 'access-provider-changed', { before: was, after: is, keys: ['provider'] })
  compareElevated(spot, old['elevated'], now['elevated'])
  for (const [name, was, is] of differing(old, now)) {
    if (!JUDGED.has(name))
      note(spot, 'access-changed', { name, before: was, after: is, keys: [name] })
  }
  if (spot.in.to.notes.length === count) note(spot, 'access-rewritten')
}

function compareTokens(spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return
  const rank = (token: unknown): number => TOKENS.indexOf(text(token) ?? 'none')
  const isNarrower = rank(after) > rank(before)
  note(spot, isNarrower ? 'access-token-narrowed' : 'access-token-widened', {
    before,
    after,
    keys: ['token'],
  })
}

function compareClosable(spot: Spot, before: unknown, after: unknown): void {
  if (before === after) return
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  note(spot, `access-closable-${change}`, { before, after, keys: ['closable'] })
}

/** An empty list lets any authenticated user in. */
function compareAlternatives(
  spot: Spot,
  before: readonly unknown[],
  after: readonly unknown[],
): void {
  const keys = ['anyOf']
  if (before.length === 0 && after.length === 0) return
  if (before.length === 0)
    return note(spot, 'access-restricted', { after: after.map(ruleText).join(' or '), keys })
  if (after.length === 0)
    return note(spot, 'access-opened', { before: before.map(ruleText).join(' or '), keys })
  compareRules(spot, before, after, 'access-alternative', keys)
}

function compareRules(
  spot: Spot,
  before: readonly unknown[],
  after: readonly unknown[],
  stem: 'access-alternative' | 'access-condition' | 'access-elevated-kind',
  keys: readonly string[],
): void {
  const { gone, fresh } = match(byContent(before), byContent(after))
  for (const [, rule] of gone) note(spot, `${stem}-removed`, { name: ruleText(rule), keys })
  for (const [, rule] of fresh) note(spot, `${stem}-added`, { name: ruleText(rule), keys })
}

function ruleText(rule: unknown): string {
  return text(rule) ?? canonicalJson(rule)
}

function compareElevated(spot: Spot, before: unknown, after: unknown): void {
  const keys = ['elevated']
  if (same(before, after)) return
  if (before === undefined) return note(spot, 'access-elevated-added', { after, keys })
  if (after === undefined) return note(spot, 'access-elevated-removed', { before, keys })
  const { of: oldKinds, ...old }: Fields = fields(before)
  const { of: nowKinds, ...now }: Fields = fields(after)
  compareRules(spot, texts(oldKinds), texts(nowKinds), 'access-elevated-kind', keys)
  for (const [name, was, is] of differing(old, now))
    note(spot, 'access-elevated-changed', { name, before: was, after: is, keys })
}
