// Compares the responses of an operation: statuses, headers, contents.
import type { HeaderIr, ResponseIr } from '../ir.ts'
import { compareContents } from './bodies.ts'
import { into, note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { RESPONSE } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { keyed, match } from './sets.ts'

type Responses = ReadonlyMap<string, ResponseIr>

/**
 * Notes changes of responses. A status that a range or `default` covered on the other side is
 * compared with that.
 */
export function compareResponses(
  comparison: Comparison,
  operation: Spot,
  before: readonly ResponseIr[],
  after: readonly ResponseIr[],
): void {
  const [old, now]: readonly [Responses, Responses] = [
    keyed(before, ({ status }) => status),
    keyed(after, ({ status }) => status),
  ]
  const spot: Spot = { ...operation, ways: RESPONSE }
  const { pairs, gone, fresh } = match(old, now)
  for (const [, one, other] of pairs) compareOne(comparison, spot, one, other)
  for (const [status, one] of gone) {
    const cover = coverOf(now, status)
    const keys = ['responses', status]
    if (cover === undefined)
      note(comparison, spot, `response-${kindOf(status)}-removed`, {
        name: status,
        keys,
        only: 'old',
      })
    else
      note(comparison, spot, 'response-status-generalised', {
        name: status,
        after: cover.status,
        keys,
        only: 'old',
      })
    if (cover !== undefined) compareOne(comparison, spot, one, cover)
  }
  for (const [status, other] of fresh) {
    const cover = coverOf(old, status)
    const keys = ['responses', status]
    if (cover === undefined)
      note(comparison, spot, `response-${kindOf(status)}-added`, {
        name: status,
        keys,
        only: 'new',
      })
    else
      note(comparison, spot, 'response-status-specified', {
        name: status,
        before: cover.status,
        keys,
        only: 'new',
      })
    if (cover !== undefined) compareOne(comparison, spot, cover, other)
  }
}

function kindOf(status: string): 'status' | 'error-status' {
  return /^[45]|default/u.test(status) ? 'error-status' : 'status'
}

/** `default` stands for errors: what succeeds in a new way was not what callers met there. */
function coverOf(responses: Responses, status: string): ResponseIr | undefined {
  const range = responses.get(`${status.charAt(0)}XX`)
  if (range !== undefined && range.status !== status && status !== 'default') return range
  return kindOf(status) === 'error-status' && status !== 'default'
    ? responses.get('default')
    : undefined
}

function compareOne(
  comparison: Comparison,
  operation: Spot,
  before: ResponseIr,
  after: ResponseIr,
): void {
  const spot = {
    ...operation,
    subject: `${operation.subject}: response ${after.status}`,
    old: [...operation.old, 'responses', before.status],
    new: [...operation.new, 'responses', after.status],
  }
  if (before.description !== after.description) {
    note(comparison, spot, 'response-description-changed', {
      before: before.description,
      after: after.description,
      keys: ['description'],
    })
  }
  compareMedia(comparison, spot, before, after)
  compareHeaders(comparison, spot, before.headers, after.headers)
}

const CONTENT = {
  encoding: 'response-encoding-changed',
  examples: 'response-examples-changed',
} as const

function compareMedia(
  comparison: Comparison,
  spot: Spot,
  before: ResponseIr,
  after: ResponseIr,
): void {
  const { gone, fresh } = compareContents(
    comparison,
    into(spot, ' body'),
    before.media,
    after.media,
    CONTENT,
  )
  for (const [, { mediaType: name }] of gone) {
    const rule = after.media.length === 0 ? 'response-body-removed' : 'response-media-type-removed'
    note(comparison, spot, rule, { name, keys: ['content', name], only: 'old' })
  }
  for (const [, { mediaType: name }] of fresh) {
    const rule =
      before.media.length === 0
        ? 'response-body-added'
        : before.media.length === 1 && gone.length === 0
          ? 'response-second-media-type-added'
          : 'response-media-type-added'
    note(comparison, spot, rule, { name, keys: ['content', name], only: 'new' })
  }
}

function compareHeaders(
  comparison: Comparison,
  spot: Spot,
  before: readonly HeaderIr[],
  after: readonly HeaderIr[],
): void {
  const key = ({ name }: HeaderIr): string => name.toLowerCase()
  const { pairs, gone, fresh } = match(keyed(before, key), keyed(after, key))
  for (const [, old, now] of pairs) compareHeader(comparison, spot, old, now)
  for (const [, { name }] of gone)
    note(comparison, spot, 'response-header-removed', {
      name,
      keys: ['headers', name],
      only: 'old',
    })
  for (const [, { name, required }] of fresh) {
    const rule = required ? 'response-header-added-required' : 'response-header-added-optional'
    note(comparison, spot, rule, { name, keys: ['headers', name], only: 'new' })
  }
}

function compareHeader(
  comparison: Comparison,
  response: Spot,
  before: HeaderIr,
  after: HeaderIr,
): void {
  const spot = {
    ...response,
    subject: `${response.subject} header '${after.name}'`,
    old: [...response.old, 'headers', before.name],
    new: [...response.new, 'headers', after.name],
  }
  if (before.name !== after.name)
    note(comparison, spot, 'header-case-changed', { before: before.name, after: after.name })
  if (before.required !== after.required) {
    note(
      comparison,
      spot,
      after.required ? 'response-header-became-required' : 'response-header-became-optional',
      { keys: ['required'] },
    )
  }
  compareSchemas(comparison, into(spot, '', 'schema'), before.schema, after.schema)
}
