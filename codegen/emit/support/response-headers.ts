// Headers of answers: a handler's values become text, and the text that a client gets becomes
// values again.
import { joined, plainText } from './parameter-texts.ts'
import { headerValue, readJson } from './parameters.ts'
import type { Parameter } from './parameters.ts'
import type { Problem } from './validation.ts'
import type { RouteHeader } from './wire.ts'

/** A declared header that is more than text. */
export function typedHeader(parameter: Parameter): RouteHeader {
  const { name, required, list, object } = parameter
  const isWhole = list === undefined && object === undefined
  return {
    name,
    required,
    text: (value) => {
      const isJson = isWhole && (parameter.read === readJson || typeof value === 'object')
      const explode = object?.pairs === true
      return joined(
        { in: 'header', name, style: 'simple', explode, ...(isJson ? { json: true } : {}) },
        value,
        plainText,
      )
    },
    check: (text, problems) => {
      headerValue(parameter, { path: [], query: '', header: () => text }, problems)
    },
  }
}

/** The values of declared headers; one that is missing or cannot be decoded is left out. */
export function readHeaders(plans: readonly Parameter[], headers: Headers): object {
  const raw = { path: [], query: '', header: (name: string) => headers.get(name) ?? undefined }
  const problems: Problem[] = []
  const values = plans.map((plan): [string, unknown] => [
    plan.name,
    headerValue(plan, raw, problems),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
