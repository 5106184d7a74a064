// Compares what schemas say besides which values are valid: defaults, flags, words, extensions.
import type { SchemaObject } from '../ir.ts'
import { extensions, fields } from '../values.ts'
import { note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import type { RuleName } from './rules.ts'
import { onlyIn } from './schema-values.ts'
import { differing, same } from './sets.ts'

const FLAGS = [
  ['readOnly', 'read-only-added', 'read-only-removed'],
  ['writeOnly', 'write-only-added', 'write-only-removed'],
  ['deprecated', 'schema-deprecated', 'schema-undeprecated'],
] as const

/** Notes changes of defaults, flags, words and extensions. */
export function compareTexts(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  compareDefaults(comparison, spot, before, after)
  for (const [key, added, removed] of FLAGS) {
    const [was, is] = [before[key], after[key]]
    if (was !== is)
      note(comparison, spot, is === true ? added : removed, { keys: [key], ...onlyIn(was, is) })
  }
  if (before.description !== after.description) {
    note(comparison, spot, 'description-changed', {
      before: before.description,
      after: after.description,
      keys: ['description'],
    })
  }
  if (!same(before.examples, after.examples))
    note(comparison, spot, 'examples-changed', { keys: ['examples'] })
  compareExtensions(
    comparison,
    spot,
    extensions({ ...before }),
    extensions({ ...after }),
    'schema-extension-changed',
  )
}

function compareDefaults(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  const [wasThere, isThere] = ['default' in before, 'default' in after]
  const detail = { before: before.default, after: after.default, keys: ['default'] }
  if (wasThere && isThere && !same(before.default, after.default))
    note(comparison, spot, 'default-changed', detail)
  if (wasThere && !isThere) note(comparison, spot, 'default-removed', { ...detail, only: 'old' })
  if (!wasThere && isThere) note(comparison, spot, 'default-added', { ...detail, only: 'new' })
}

/**
 * Notes changes of extensions under `rule`; what is answered to a violation (`x-error`) has rules
 * of its own.
 */
export function compareExtensions(
  comparison: Comparison,
  spot: Spot,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  rule: RuleName,
): void {
  for (const [name, was, is] of differing(before, after)) {
    if (name === 'x-error') compareErrors(comparison, spot, was, is)
    else
      note(comparison, spot, rule, {
        name,
        before: was,
        after: is,
        keys: [name],
        ...onlyIn(was, is),
      })
  }
}

function compareErrors(comparison: Comparison, spot: Spot, before: unknown, after: unknown): void {
  const [old, now] = [fields(before)['code'], fields(after)['code']]
  const place = { keys: ['x-error'], ...onlyIn(before, after) }
  if (old !== now)
    note(comparison, spot, 'error-code-changed', { before: old, after: now, ...place })
  else note(comparison, spot, 'error-text-changed', { before, after, ...place })
}
