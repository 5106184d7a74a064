// The webhooks and callbacks of a document as an interface of its own: each is a path, so that
// receivers mount it and senders call it as they would any other (docs/decisions/0036).
import { METHODS } from './keywords.ts'
import { compareText, fields, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { stepInto } from './resolver.ts'
import { pathOf } from './source.ts'

/** Bears, on an operation of such an interface, where it is sent: a runtime expression or ''. */
export const SENT_TO = 'x-sent-to'

/**
 * The document with its webhooks and callbacks in place of its paths: `/NAME`, and
 * `/OPERATION/NAME` for a callback of an operation.
 */
export function webhooksOf(data: Fields): Fields {
  const { paths, webhooks, ...rest } = data
  const found = [
    ...Object.entries(fields(webhooks)).map(
      ([name, item]) => [`/${segment(name)}`, item, ''] as const,
    ),
    ...callbacksOf(data, fields(paths)),
  ]
  const all = new Map<string, unknown>()
  for (const [path, item, expression] of found) {
    let free = path
    for (let suffix = 2; all.has(free); suffix += 1) free = `${path}-${suffix}`
    all.set(free, sentTo(data, item, expression))
  }
  return { ...rest, paths: Object.fromEntries(all) }
}

type Found = readonly [path: string, item: unknown, expression: string]

function callbacksOf(data: Fields, paths: Fields): readonly Found[] {
  const templates = Object.keys(paths).sort(compareText)
  return templates.flatMap((template) => {
    const item = followed(data, paths[template])
    return METHODS.flatMap((method) => {
      const operation = fields(item[method])
      const owner = text(operation['operationId']) ?? `${method} ${template}`
      return Object.entries(fields(operation['callbacks'])).flatMap(([name, callback]) =>
        Object.entries(followed(data, callback))
          .filter(([expression]) => !expression.startsWith('x-'))
          .map(([expression, one]): Found => [
            `/${segment(owner)}/${segment(name)}`,
            one,
            expression,
          ]),
      )
    })
  })
}

/** A name of anything as one segment of a path. */
function segment(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/gu, '-').replaceAll(/^-|-$/gu, '') || 'hook'
}

function sentTo(data: Fields, item: unknown, expression: string): Fields {
  const target = followed(data, item)
  const operations = METHODS.flatMap((method) => {
    const operation = target[method]
    if (!isFields(operation)) return []
    const { callbacks: _, ...rest } = operation
    return [[method, { ...rest, [SENT_TO]: expression }] as const]
  })
  return { ...target, ...Object.fromEntries(operations) }
}

const MAX_HOPS = 16

/** The target of a reference within the document; references elsewhere stay as they are. */
function followed(data: Fields, value: unknown): Fields {
  let current = fields(value)
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const ref = text(current['$ref'])
    if (ref?.startsWith('#/') !== true) return current
    const target = pathOf(ref).reduce<unknown>(stepInto, data)
    if (!isFields(target)) return current
    const { $ref: _, ...beside } = current
    current = { ...target, ...beside }
  }
  return current
}
