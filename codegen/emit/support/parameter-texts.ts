// Values as the text of parameters, headers and fields of forms, in the styles of OpenAPI.
import { stringifyExact } from './exact-json.ts'

/** How a value is written. */
export interface ClientParameter {
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly name: string
  readonly style:
    'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  /** The value goes as JSON text. */
  readonly json?: true
}

/** `name=text` members of a query or cookie parameter. */
export function namedTexts(parameter: ClientParameter, value: unknown): readonly string[] {
  if (value === undefined) return []
  const name = encodeURIComponent(parameter.name)
  if (parameter.json === true || typeof value !== 'object' || value === null)
    return [`${name}=${joined(parameter, value, encodeURIComponent)}`]
  if (Array.isArray(value)) {
    if (parameter.explode)
      return value.map((item) => `${name}=${encodeURIComponent(plainText(item))}`)
    const sign =
      parameter.style === 'spaceDelimited' ? '%20' : parameter.style === 'pipeDelimited' ? '|' : ','
    return [`${name}=${value.map((item) => encodeURIComponent(plainText(item))).join(sign)}`]
  }
  if (parameter.style === 'deepObject')
    return members(value).map(([key, text]) => `${name}%5B${key}%5D=${text}`)
  return parameter.explode
    ? members(value).map(([key, text]) => `${key}=${text}`)
    : [`${name}=${joined(parameter, value, encodeURIComponent)}`]
}

function members(value: object): readonly (readonly [string, string])[] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [encodeURIComponent(key), encodeURIComponent(plainText(item))])
}

/** A value as the text of a parameter. */
export function joined(
  parameter: ClientParameter,
  value: unknown,
  encode: (text: string) => string,
  sign = ',',
): string {
  if (parameter.json === true) return encode(stringifyExact(value))
  if (Array.isArray(value)) return value.map((item) => encode(plainText(item))).join(sign)
  if (typeof value !== 'object' || value === null) return encode(plainText(value))
  const pair = parameter.explode ? '=' : ','
  return Object.entries(value)
    .map(([key, item]) => `${encode(key)}${pair}${encode(plainText(item))}`)
    .join(sign)
}

/** One value as text: an object as JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? stringifyExact(value) : String(value)
}
