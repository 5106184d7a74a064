// Decodes and checks parameters and body of a request. Everything wrong comes back as complaints,
// so that a fault can let one pass.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Call, Complaint } from './call.ts'
import type { Operation, Parameter } from './document.ts'
import { beyondInt64, parseExact, rounded } from './exact-json.ts'

/** A request as it came: target split, header names in lower case, body as bytes' text. */
export interface RawRequest {
  readonly segments: readonly string[]
  readonly query: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface Decoded extends Pick<Call, 'parameters' | 'body'> {
  readonly complaints: readonly Complaint[]
}

/** Values of a request by the document, and what is wrong with them in the order of the checks. */
export function decode(operation: Operation, raw: RawRequest): Decoded {
  const complaints: Complaint[] = []
  const parameters = operation.parameters.flatMap((parameter) => {
    const value = readParameter(parameter, textsOf(parameter, operation, raw), complaints)
    return value === undefined ? [] : [[parameter.name, value]]
  })
  return {
    parameters: Object.fromEntries(parameters),
    body: readBody(operation, raw, complaints),
    complaints,
  }
}

function textsOf(
  { name, in: place }: Parameter,
  operation: Operation,
  raw: RawRequest,
): readonly string[] {
  if (place === 'query') return new URLSearchParams(raw.query).getAll(name)
  if (place === 'path')
    return [percentDecoded(raw.segments[operation.segments.indexOf(`{${name}}`)] ?? '')]
  const header = raw.headers[place === 'cookie' ? 'cookie' : name.toLowerCase()]
  if (place === 'header') return header === undefined ? [] : [String(header)]
  return String(header ?? '')
    .split(/; */u)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readParameter(
  parameter: Parameter,
  texts: readonly string[],
  complaints: Complaint[],
): unknown {
  const { name, in: place, isRequired, type, isList, check } = parameter
  const complain = (rule: string, below = ''): void => {
    complaints.push({ status: 400, place, pointer: `/${name}${below}`, rule })
  }
  if (texts.length === 0 && isRequired) complain('required')
  if (texts.length === 0) return undefined
  if (texts.length > 1 && !isList) complain('repeated')
  const values = texts.map((text) => typed(type, text))
  const value = isList ? values : values[0]
  for (const { keyword, instancePath } of check(rounded(value))) complain(keyword, instancePath)
  for (const pointer of beyondInt64(value)) complain('format', pointer)
  return value
}

function typed(type: unknown, text: string): unknown {
  if (type === 'integer' && /^-?(?:0|[1-9]\d*)$/u.test(text)) return parseExact(text)
  if (type === 'boolean' && /^(?:true|false)$/u.test(text)) return text === 'true'
  return text
}

function readBody({ body: check }: Operation, raw: RawRequest, complaints: Complaint[]): unknown {
  if (check === undefined) return undefined
  const complain = (rule: string, pointer: string): void => {
    complaints.push({ status: rule === 'mediaType' ? 415 : 400, place: 'body', pointer, rule })
  }
  const type = raw.headers['content-type']
  if (raw.text === '' && type === undefined) return complain('required', '')
  if (!/^application\/json *(?:; *charset="?utf-8"?)?$/iu.test(String(type)))
    complain('mediaType', '')
  const value = parseExact(raw.text)
  if (value === undefined) return complain('syntax', '')
  for (const error of check(rounded(value))) complain(error.keyword, pointerOf(error))
  for (const pointer of beyondInt64(value)) complain('format', pointer)
  return value
}

function pointerOf({ instancePath, params }: ErrorObject): string {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  return name === undefined ? instancePath : `${instancePath}/${String(name)}`
}
