// Compares what credentials operations need, and the schemes themselves.
import { canonicalJson } from '../json.ts'
import { fields } from '../values.ts'
import type { Fields } from '../values.ts'
import { note } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { byContent, differing, match, same } from './sets.ts'

type Group = Readonly<Record<string, readonly string[]>>

/**
 * Notes changes of an operation's security requirements. Groups are alternatives; an empty list or
 * group needs nothing.
 */
export function compareSecurity(
  spot: Spot,
  before: readonly Group[],
  after: readonly Group[],
): void {
  if (same(before, after)) return
  const count = spot.in.to.notes.length
  const [old, now] = [before.filter(isDemand), after.filter(isDemand)]
  const [wasFree, isFree] = [isOpen(before), isOpen(after)]
  const keys = ['security']
  if (wasFree && !isFree)
    note(spot, 'security-required', { after: now.map(groupText).join(' or '), keys })
  if (!wasFree && isFree)
    note(spot, 'security-optional', { before: old.map(groupText).join(' or '), keys })
  if (old.length > 0 && now.length > 0) compareGroups(spot, old, now)
  if (spot.in.to.notes.length === count) note(spot, 'security-rewritten', { keys })
}

function isDemand(group: Group): boolean {
  return Object.keys(group).length > 0
}

function isOpen(groups: readonly Group[]): boolean {
  return groups.length === 0 || !groups.every(isDemand)
}

function groupText(group: Group): string {
  return Object.entries(group)
    .map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} (${scopes.join(', ')})`))
    .join(' and ')
}

function schemesOf(group: Group): string {
  return Object.keys(group).join(' ')
}

function compareGroups(spot: Spot, before: readonly Group[], after: readonly Group[]): void {
  const { gone, fresh } = match(byContent(before), byContent(after))
  const rest = new Set(fresh.map(([, group]) => group))
  for (const [, old] of gone) {
    const now = [...rest].find((group) => schemesOf(group) === schemesOf(old))
    if (now === undefined)
      note(spot, 'security-alternative-removed', {
        name: groupText(old),
        keys: ['security'],
      })
    else compareScopes(spot, old, now)
    if (now !== undefined) rest.delete(now)
  }
  for (const group of rest)
    note(spot, 'security-alternative-added', {
      name: groupText(group),
      keys: ['security'],
    })
}

function compareScopes(spot: Spot, before: Group, after: Group): void {
  for (const [name, scopes = []] of Object.entries(after)) {
    const former = before[name] ?? []
    for (const scope of scopes) {
      if (!former.includes(scope))
        note(spot, 'security-scope-added', { name, after: scope, keys: ['security'] })
    }
    for (const scope of former) {
      if (!scopes.includes(scope))
        note(spot, 'security-scope-removed', {
          name,
          before: scope,
          keys: ['security'],
        })
    }
  }
}

/** Notes changes of the security schemes of two documents. */
export function compareSchemes(spot: Spot): void {
  for (const [name, old, now] of differing(
    spot.in.before.securitySchemes,
    spot.in.after.securitySchemes,
  )) {
    const at = { name: `'${name}'`, keys: ['components', 'securitySchemes', name] }
    if (old === undefined) note(spot, 'security-scheme-added', { ...at, only: 'new' })
    else if (now === undefined) note(spot, 'security-scheme-removed', { ...at, only: 'old' })
    else compareScheme(spot, at, fields(old), fields(now))
  }
}

function compareScheme(
  spot: Spot,
  at: { readonly name: string; readonly keys: readonly string[] },
  before: Fields,
  after: Fields,
): void {
  const { description: oldText, ...old } = before
  const { description: nowText, ...now } = after
  if (!same(old, now))
    note(spot, 'security-scheme-changed', {
      ...at,
      before: canonicalJson(old),
      after: canonicalJson(now),
    })
  if (!same(oldText, nowText))
    note(spot, 'security-scheme-description-changed', {
      ...at,
      before: oldText,
      after: nowText,
    })
}
