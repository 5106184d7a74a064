// Compares request bodies, and the contents that requests and responses have alike.
import type { MediaIr, OperationIr } from '../ir.ts'
import { compareFlag, compareMembers, into, note, noteUnmatched } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { REQUEST } from './rules.ts'
import type { RuleName } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { keyed, match, same } from './sets.ts'
import type { Matched } from './sets.ts'

/** Notes changes of an operation's request body. */
export function compareBodies(
  operation: Spot,
  before: OperationIr['body'],
  after: OperationIr['body'],
): void {
  const spot = { ...into(operation, ': body', 'requestBody'), ways: REQUEST }
  if (before === undefined && after === undefined) return
  if (before === undefined) {
    const rule = after?.required === true ? 'body-added-required' : 'body-added-optional'
    return note(spot, rule, { only: 'new' })
  }
  if (after === undefined) return note(spot, 'body-removed', { only: 'old' })
  compareFlag(spot, before.required, after.required, REQUIRED, ['required'])
  const matched = compareContents(spot, before.media, after.media, CONTENT)
  noteUnmatched(spot, matched, MEDIA_TYPES, ({ mediaType: name }) => ({
    name,
    keys: ['content', name],
  }))
}

const REQUIRED = ['body-became-required', 'body-became-optional'] as const
const MEDIA_TYPES = ['body-media-type-added', 'body-media-type-removed'] as const
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
    compareSchemas(into(at, '', 'schema'), old.schema, now.schema)
    compareMembers(at, old, now, [['encoding', rules.encoding]])
    if (!same(old.examples, now.examples)) note(at, rules.examples, { keys: ['examples'] })
  }
  return matched
}
