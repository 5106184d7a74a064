// Annotations of users and parties: key grammar, size limit and the merge rule.
// docs/ledger-rules.md, "Metadata and annotations"
import { reasonText } from '../../errors/catalogue.ts'
import { shortKey } from '../../errors/text.ts'

export type Annotations = Readonly<Record<string, string>>

/** 256 kB over all keys and values, in UTF-8 bytes. */
export const MAX_ANNOTATIONS_BYTES = 262_144
const MAX_NAME_LENGTH = 63
const MAX_PREFIX_LENGTH = 253

// The documented expressions, written so that a text that does not match is known in linear time.
const NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9.\-_]*[a-zA-Z0-9])?$/
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/

/**
 * UTF-8 bytes of the entries that would be stored; an empty value stands for a removal and does not
 * count.
 */
export function annotationsBytes(annotations: Annotations): number {
  return Object.entries(annotations)
    .filter(([, value]) => value !== '')
    .reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
}

/** The reason why a key is refused, or undefined. */
export function annotationKeyProblem(key: string): string | undefined {
  const parts = key.split('/')
  if (parts.length > 2) return reasonText('annotationKeySlashes', { key: shortKey(key) })
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  return (prefix === undefined ? undefined : prefixProblem(prefix)) ?? nameProblem(name)
}

function nameProblem(name: string): string | undefined {
  return segmentProblem({
    segment: 'name',
    text: name,
    limit: MAX_NAME_LENGTH,
    valid: (text) => NAME.test(text),
  })
}

function prefixProblem(prefix: string): string | undefined {
  const valid = (text: string): boolean => text.split('.').every((label) => LABEL.test(label))
  return segmentProblem({ segment: 'prefix', text: prefix, limit: MAX_PREFIX_LENGTH, valid })
}

interface Segment {
  readonly segment: 'name' | 'prefix'
  readonly text: string
  readonly limit: number
  readonly valid: (text: string) => boolean
}

function segmentProblem({ segment, text, limit, valid }: Segment): string | undefined {
  const facts = { segment, key: shortKey(text), limit: String(limit) }
  if (text.length > limit) return reasonText('annotationKeyLength', facts)
  return valid(text) ? undefined : reasonText('annotationKeySyntax', facts)
}

/**
 * Existing overlaid by the change; entries whose value is then empty are gone. There is no replace.
 */
export function mergeAnnotations(existing: Annotations, change: Annotations): Annotations {
  const merged = new Map([...Object.entries(existing), ...Object.entries(change)])
  return Object.fromEntries([...merged].filter(([, value]) => value !== ''))
}
