// Parameters of the IR: every way to declare one becomes a schema with a style, those in the path
// in the template's order.
import type { ParameterIr, ParameterPlace } from '../ir.ts'
import type { Finding } from '../findings.ts'
import type { SourcePlace } from '../ir.ts'
import { finding } from '../rules/document-rules.ts'
import { compareText, extensions, fields, given, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { isIgnoredHeader, PARAMETER_STYLES, querystringSchema } from './lint-parameter.ts'
import { normaliseSchema } from './normalise.ts'
import { heldAgainstPath, templateNames } from './path-parameters.ts'

const STYLES = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
] as const
const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']

/**
 * The parameters of an operation. Those that the path does not have, or has and nobody declares,
 * are errors at `at`.
 */
export function buildParameters(
  path: string,
  value: Fields,
  at: SourcePlace,
  findings: Finding[],
): readonly ParameterIr[] {
  const parameters = items(value['parameters']).flatMap((item) => buildParameter(fields(item)))
  for (const { rule, message } of heldAgainstPath(path, parameters).faults)
    findings.push(finding(rule, message, at))
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  const inPath = templateNames(path).flatMap(
    (name) => declared.find((parameter) => parameter.name === name) ?? [],
  )
  const others = parameters.filter((parameter) => parameter.in !== 'path')
  others.sort((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in) || compareText(a.name, b.name))
  return [...inPath, ...others]
}

/** None for what resolving has reported already. */
function buildParameter(value: Fields): readonly ParameterIr[] {
  const name = text(value['name']) ?? ''
  const place =
    value['in'] === 'querystring' ? 'query' : PLACES.find((known) => known === value['in'])
  if (place === undefined || name === '') return []
  if (place === 'header' && isIgnoredHeader(name)) return []
  const description = text(value['description'])
  const form = formOf(value, place)
  if (form === undefined) return []
  return [
    {
      name,
      in: place,
      required: place === 'path' || value['required'] === true,
      ...form,
      ...given({ description }),
      ...(value['deprecated'] === true ? { deprecated: true } : {}),
      extensions: extensions(value),
    },
  ]
}

type ParameterForm = Pick<ParameterIr, 'style' | 'explode' | 'schema' | 'mediaType'>

function formOf(value: Fields, place: ParameterPlace): ParameterForm | undefined {
  if (value['in'] === 'querystring') {
    const whole = querystringSchema(value)
    return whole === undefined
      ? undefined
      : { style: 'form', explode: true, schema: normaliseSchema(whole) }
  }
  const allowed = PARAMETER_STYLES[place] ?? []
  const named = STYLES.find((known) => known === value['style'] && allowed.includes(known))
  const style = named ?? STYLES.find((known) => known === allowed[0]) ?? 'form'
  return {
    style,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
    ...valueForm(value),
  }
}

/** The schema of a parameter or header, and the media type where its text is JSON. */
export function valueForm(value: Fields): Pick<ParameterIr, 'schema' | 'mediaType'> {
  const [mediaType, media] = Object.entries(fields(value['content']))[0] ?? []
  if (mediaType === undefined) return { schema: normaliseSchema(value['schema']) }
  const inside = fields(media)['schema']
  return /^[^/]+\/(?:[^/;]+\+)?json\s*(?:;|$)/iu.test(mediaType)
    ? { schema: normaliseSchema(inside), mediaType }
    : { schema: normaliseSchema(textSchema(inside)) }
}

/** Content that is not decoded is text, whatever its schema says. */
function textSchema(schema: unknown): unknown {
  return fields(schema)['type'] === 'string' || fields(schema)['$ref'] !== undefined
    ? schema
    : { type: 'string' }
}
