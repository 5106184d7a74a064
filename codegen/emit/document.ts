// Prints openapi.json: the document with everything that it refers to, in the words of its author.
import { canonicalJson, readableJson } from '../json.ts'
import { fields, isFields, mapValues } from '../values.ts'
import type { Fields } from '../values.ts'

/**
 * Text of openapi.json, without marker. Named responses are there once, and operations refer to
 * them.
 */
export function printDocument(document: Fields): string {
  const components = fields(document['components'])
  const names = new Map(
    Object.entries(fields(components['responses'])).map(([name, response]) => [
      canonicalJson(response),
      name,
    ]),
  )
  const used = new Map<string, unknown>()
  const refer = (response: unknown): unknown => {
    const name = names.get(canonicalJson(response))
    if (name === undefined) return response
    used.set(name, response)
    return { $ref: `#/components/responses/${name}` }
  }
  const paths = mapped(document['paths'], (item) =>
    mapped(item, (operation, method) => {
      return method === 'additionalOperations'
        ? mapped(operation, (one) => withResponses(one, refer))
        : withResponses(operation, refer)
    }),
  )
  const { responses: _responses, ...others } = components
  const shared = used.size > 0 ? { responses: Object.fromEntries(used) } : {}
  return `${readableJson({ ...document, paths, components: { ...others, ...shared } })}\n`
}

function withResponses(operation: unknown, refer: (response: unknown) => unknown): unknown {
  if (!isFields(operation) || !isFields(operation['responses'])) return operation
  return { ...operation, responses: mapped(operation['responses'], refer) }
}

function mapped(value: unknown, change: (item: unknown, key: string) => unknown): unknown {
  return isFields(value) ? mapValues(value, change) : value
}
