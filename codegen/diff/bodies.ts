// Compares request bodies, and the contents that requests and responses have alike.
import type { MediaIr, OperationIr } from '../ir.ts'
import { into, note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { REQUEST } from './rules.ts'
import type { RuleName } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { keyed, match, same } from './sets.ts'
import type { Matched } from './sets.ts'

/** Notes changes of an operation's request body. */
export function compareBodies(
  comparison: Comparison,
  operation: Spot,
  before: OperationIr['body'],
  after: OperationIr['body'],
): void {
  const spot = { ...into(operation, ': body', 'requestBody'), ways: REQUEST }
  if (before === undefined && after === undefined) return
  if (before === undefined) {
    return note(
      comparison,
      spot,
      after?.required === true ? 'body-added-required' : 'body-added-optional',
      { only: 'new' },
    )
  }
  if (after === undefined) return note(comparison, spot, 'body-removed', { only: 'old' })
  if (before.required !== after.required) {
    note(comparison, spot, after.required ? 'body-became-required' : 'body-became-optional', {
      keys: ['required'],
    })
  }
  const { gone, fresh } = compareContents(comparison, spot, before.media, after.media, CONTENT)
  for (const [, { mediaType: name }] of gone)
    note(comparison, spot, 'body-media-type-removed', {
      name,
      keys: ['content', name],
      only: 'old',
    })
  for (const [, { mediaType: name }] of fresh)
    note(comparison, spot, 'body-media-type-added', { name, keys: ['content', name], only: 'new' })
}

const CONTENT = { encoding: 'body-encoding-changed', examples: 'body-examples-changed' } as const

/** Case and a charset that is the default make no other media type. */
function keyIn(media: readonly MediaIr[]): (one: MediaIr) => string {
  return ({ mediaType }) => {
    const plain = mediaType.toLowerCase().replace(/\s*;\s*charset="?utf-8"?$/u, '')
    return media.some((other) => other.mediaType === plain) ? mediaType : plain
  }
}

/** Compares the media types that both have; the others come back. */
export function compareContents(
  comparison: Comparison,
  spot: Spot,
  before: readonly MediaIr[],
  after: readonly MediaIr[],
  rules: { readonly encoding: RuleName; readonly examples: RuleName },
): Matched<MediaIr> {
  const matched = match(keyed(before, keyIn(before)), keyed(after, keyIn(after)))
  for (const [, old, now] of matched.pairs) {
    const words = before.length > 1 || after.length > 1 ? ` (${now.mediaType})` : ''
    const at = {
      ...into(spot, words, 'content', now.mediaType),
      old: [...spot.old, 'content', old.mediaType],
    }
    compareSchemas(comparison, into(at, '', 'schema'), old.schema, now.schema)
    if (!same(old.encoding, now.encoding)) {
      note(comparison, at, rules.encoding, {
        before: old.encoding,
        after: now.encoding,
        keys: ['encoding'],
      })
    }
    if (!same(old.examples, now.examples))
      note(comparison, at, rules.examples, { keys: ['examples'] })
  }
  return matched
}
