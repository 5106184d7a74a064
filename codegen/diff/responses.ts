// Compares the responses of an operation: statuses, headers, contents.
import type { HeaderIr, ResponseIr } from '../ir.ts'
import { compareContents } from './bodies.ts'
import { compareFlag, compareMembers, into, note } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { RESPONSE } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { keyed, match } from './sets.ts'

type Responses = ReadonlyMap<string, ResponseIr>

/**
 * Notes changes of responses. A status that a range or `default` covered on the other side is
 * compared with that.
 */
export function compareResponses(
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
  for (const [, one, other] of pairs) compareOne(spot, one, other)
  for (const [status, one] of gone) {
    const cover = coverOf(now, status)
    const detail = { name: status, keys: ['responses', status], only: 'old' } as const
    if (cover === undefined) note(spot, `response-${kindOf(status)}-removed`, detail)
    else {
      note(spot, 'response-status-generalised', { ...detail, after: cover.status })
      compareOne(spot, one, cover)
    }
  }
  for (const [status, other] of fresh) {
    const cover = coverOf(old, status)
    const detail = { name: status, keys: ['responses', status], only: 'new' } as const
    if (cover === undefined) note(spot, `response-${kindOf(status)}-added`, detail)
    else {
      note(spot, 'response-status-specified', { ...detail, before: cover.status })
      compareOne(spot, cover, other)
    }
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

function compareOne(operation: Spot, before: ResponseIr, after: ResponseIr): void {
  const spot = {
    ...operation,
    subject: `${operation.subject}: response ${after.status}`,
    old: [...operation.old, 'responses', before.status],
    new: [...operation.new, 'responses', after.status],
  }
  compareMembers(spot, before, after, [['description', 'response-description-changed']])
  compareMedia(spot, before, after)
  compareHeaders(spot, before.headers, after.headers)
}

const CONTENT = {
  encoding: 'response-encoding-changed',
  examples: 'response-examples-changed',
} as const

function compareMedia(spot: Spot, before: ResponseIr, after: ResponseIr): void {
  const { gone, fresh } = compareContents(into(spot, ' body'), before.media, after.media, CONTENT)
  for (const [, { mediaType: name }] of gone) {
    const rule = after.media.length === 0 ? 'response-body-removed' : 'response-media-type-removed'
    note(spot, rule, { name, keys: ['content', name], only: 'old' })
  }
  for (const [, { mediaType: name }] of fresh) {
    const rule =
      before.media.length === 0
        ? 'response-body-added'
        : before.media.length === 1 && gone.length === 0
          ? 'response-second-media-type-added'
          : 'response-media-type-added'
    note(spot, rule, { name, keys: ['content', name], only: 'new' })
  }
}

function compareHeaders(spot: Spot, before: readonly HeaderIr[], after: readonly HeaderIr[]): void {
  const key = ({ name }: HeaderIr): string => name.toLowerCase()
  const { pairs, gone, fresh } = match(keyed(before, key), keyed(after, key))
  for (const [, old, now] of pairs) compareHeader(spot, old, now)
  for (const [, { name }] of gone)
    note(spot, 'response-header-removed', {
      name,
      keys: ['headers', name],
      only: 'old',
    })
  for (const [, { name, required }] of fresh) {
    const rule = required ? 'response-header-added-required' : 'response-header-added-optional'
    note(spot, rule, { name, keys: ['headers', name], only: 'new' })
  }
}

function compareHeader(response: Spot, before: HeaderIr, after: HeaderIr): void {
  const spot = {
    ...response,
    subject: `${response.subject} header '${after.name}'`,
    old: [...response.old, 'headers', before.name],
    new: [...response.new, 'headers', after.name],
  }
  compareMembers(spot, before, after, [['name', 'header-case-changed', []]])
  compareFlag(spot, before.required, after.required, REQUIRED, ['required'])
  compareSchemas(into(spot, '', 'schema'), before.schema, after.schema)
}

const REQUIRED = ['response-header-became-required', 'response-header-became-optional'] as const
