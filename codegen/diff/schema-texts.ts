// Compares what schemas say besides which values are valid: defaults, flags, words, extensions.
import type { SchemaObject } from '../ir.ts'
import { extensions, fields } from '../values.ts'
import { compareMembers, note, noteOneSided, onlyIn } from './comparison.ts'
import type { Spot } from './comparison.ts'
import type { RuleName } from './rules.ts'
import { differing, same } from './sets.ts'

const FLAGS = [
  ['readOnly', 'read-only-added', 'read-only-removed'],
  ['writeOnly', 'write-only-added', 'write-only-removed'],
  ['deprecated', 'schema-deprecated', 'schema-undeprecated'],
] as const

/** Notes changes of defaults, flags, words and extensions. */
export function compareTexts(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  compareOptional(spot, before, after, 'default')
  for (const [key, added, removed] of FLAGS) {
    const [was, is] = [before[key], after[key]]
    if (was !== is) note(spot, is === true ? added : removed, { keys: [key], ...onlyIn(was, is) })
  }
  compareMembers(spot, before, after, [['description', 'description-changed']])
  if (!same(before.examples, after.examples)) note(spot, 'examples-changed', { keys: ['examples'] })
  compareExtensions(
    spot,
    extensions({ ...before }),
    extensions({ ...after }),
    'schema-extension-changed',
  )
}

/** Notes a value that is given or not, and what it is. */
export function compareOptional(
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  key: 'default' | 'const',
): void {
  const presence = [`${key}-added`, `${key}-removed`] as const
  if (!noteOneSided(spot, before[key], after[key], presence, { keys: [key] }))
    compareMembers(spot, before, after, [[key, `${key}-changed`]])
}

/**
 * Notes changes of extensions under `rule`; what is answered to a violation (`x-error`) has rules
 * of its own.
 */
export function compareExtensions(
  spot: Spot,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  rule: RuleName,
): void {
  for (const [name, was, is] of differing(before, after)) {
    if (name === 'x-error') compareErrors(spot, was, is)
    else
      note(spot, rule, {
        name,
        before: was,
        after: is,
        keys: [name],
        ...onlyIn(was, is),
      })
  }
}

function compareErrors(spot: Spot, before: unknown, after: unknown): void {
  const [old, now] = [fields(before)['code'], fields(after)['code']]
  const place = { keys: ['x-error'], ...onlyIn(before, after) }
  if (old !== now) note(spot, 'error-code-changed', { before: old, after: now, ...place })
  else note(spot, 'error-text-changed', { before, after, ...place })
}
