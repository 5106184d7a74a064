// Prints routes.gen.ts: the route table with parameter decoders, checks and everything the document
// says about access and limits.
import type { MediaIr, OperationIr, ParameterIr, ParameterPlace, ResponseIr } from '../ir.ts'
import { fields, isFields, text, texts } from '../values.ts'
import {
  bodyKind,
  formSchema,
  itemSchema,
  mediaHasInt64,
  operationName,
  validatorsOf,
} from './context.ts'
import type { BodyKind, EmitContext } from './context.ts'
import { fieldEncodings, printFormDecoder, printPartTypes, printTextParts } from './form-fields.ts'
import { filled, listOf, members } from '../layout.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { formPlan, isExplodedObject, parameterPlan } from './reader.ts'
import { printHeader } from './response-headers.ts'
import { printAnswers } from './shared-errors.ts'
import { printImports } from './support.ts'
import { factsOf } from './validators-facts.ts'

/** Order of checks where a document states none. */
const DEFAULT_CHECKS = [
  'token',
  'authenticated',
  'parameters',
  'mediaType',
  'body',
  'rights',
  'constraints',
]
const PHASES: ReadonlySet<string> = new Set(DEFAULT_CHECKS)
/**
 * Text of routes.gen.ts, without marker. Adds the inline schemas it checks to the context's roots.
 */
export function printRoutes(context: EmitContext): string {
  const { ir } = context
  const settings = fields(ir.extensions['x-interface'])
  const checks = texts(settings['checks']).filter((phase) => PHASES.has(phase))
  const decoders = printDecoders(context)
  // Before the answers: a schema of both is named after the body.
  const bodies = new Map(
    ir.operations.map((operation) => [operation.operationId, printBody(context, operation)]),
  )
  const { entries, shared } = printAnswers(ir.operations, {
    prefix: 'errors',
    refer: (name) => `...${name}`,
    entries: (operation, response) => [printResponse(context, operation, response)],
  })
  const operations = ir.operations
    .map((operation) => {
      const { operationId } = operation
      return printOperation(operation, decoders.names.get(operationId) ?? 'noParameters', [
        ...(bodies.get(operationId) ?? []),
        `responses: ${listOf(entries.get(operationId) ?? [], '      ', 18)},`,
      ])
    })
    .join('')
  const errors = [...shared]
    .map(([name, responses]) => {
      return `const ${name}: Routes['operations'][number]['responses'] = [\n${responses.map((one) => `  ${one},\n`).join('')}]\n\n`
    })
    .join('')
  const table = [
    'export const wire: Routes = {',
    `  name: ${quote(ir.name)},`,
    `  title: ${quote(ir.title)},`,
    `  version: ${quote(ir.version)},`,
    `  mount: ${quote(text(settings['mount']) ?? '')},`,
    `  checks: ${literal(checks.length > 0 ? checks : DEFAULT_CHECKS)},`,
    `  problems: ${quote(text(settings['problems']) ?? 'plain')},`,
    `  operations: [\n${operations}  ],`,
    '}\n',
  ].join('\n')
  const body = decoders.code + errors + table
  return `${printImports(body, ['support.gen.ts', 'validation.gen.ts'])}\n${body}`
}

interface PrintedDecoders {
  readonly code: string
  /** Names by operation id; none for an operation without parameters. */
  readonly names: ReadonlyMap<string, string>
}

/** Operations with the same parameters share a decoder, which is called after the first of them. */
function printDecoders(context: EmitContext): PrintedDecoders {
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  const code: string[] = []
  for (const operation of context.ir.operations.filter(({ parameters }) => parameters.length > 0)) {
    const base = operationName(context, operation.operationId)
    const plans = operation.parameters.map((parameter) =>
      parameterPlan(context, parameter, `${base}_${parameter.in}_${parameter.name}`),
    )
    const key = printDecoder(context, operation, '', plans)
    const name = known.get(key) ?? `read_${base}`
    names.set(operation.operationId, name)
    if (known.has(key)) continue
    known.set(key, name)
    code.push(printDecoder(context, operation, base, plans))
  }
  return { code: code.join(''), names }
}

function printDecoder(
  context: EmitContext,
  operation: OperationIr,
  base: string,
  all: readonly string[],
): string {
  const names = operation.parameters.map((_, index) => `parameter${base}_${index}`)
  const plans = all.map((plan, index) => `const ${names[index]}: Parameter = ${plan}\n`)
  const has = (place: ParameterPlace): boolean =>
    operation.parameters.some((parameter) => parameter.in === place)
  return [
    ...plans,
    `const read_${base} = (raw: RawParameters, problems: Problem[]): unknown => {\n`,
    has('query') ? '  const query = splitQuery(raw.query, problems)\n' : '',
    has('cookie') ? '  const cookies = splitCookies(raw)\n' : '',
    '  return {\n',
    ...filled(
      [
        `path: ${readGroup(context, operation, names, 'path')}`,
        `query: ${readGroup(context, operation, names, 'query')}`,
        `headers: ${readGroup(context, operation, names, 'header')}`,
        `cookies: ${readGroup(context, operation, names, 'cookie')}`,
      ],
      '    ',
    ).map((line) => `${line}\n`),
    '  }\n}\n\n',
  ].join('')
}

function readGroup(
  context: EmitContext,
  operation: OperationIr,
  names: readonly string[],
  place: ParameterPlace,
): string {
  const members = operation.parameters.flatMap((parameter, index) => {
    return parameter.in === place
      ? [
          `${propertyKey(parameter.name)}: ${readCall(context, parameter, names[index] ?? '', index)}`,
        ]
      : []
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/**
 * Path parameters come first in the list, in the template's order, so their index is their place.
 */
function readCall(
  context: EmitContext,
  parameter: ParameterIr,
  name: string,
  index: number,
): string {
  switch (parameter.in) {
    case 'path':
      return `pathValue(${name}, raw.path[${index}], problems${pathPrefix(context, parameter)})`
    case 'header':
      return `headerValue(${name}, raw, problems)`
    case 'query':
      return `encodedValue(${name}, query, problems)`
    case 'cookie':
      return `encodedValue(${name}, cookies, problems)`
  }
}

/** An exploded object has a sign before each member instead of its name before all. */
function pathPrefix(context: EmitContext, parameter: ParameterIr): string {
  if (parameter.style === 'label') return `, '.'`
  if (parameter.style !== 'matrix') return ''
  return `, ${quote(isExplodedObject(context, parameter) ? ';' : `;${parameter.name}=`)}`
}

function printResponse(context: EmitContext, operation: OperationIr, response: ResponseIr): string {
  const hint = `${operationName(context, operation.operationId)}_${response.status}`
  const media = response.media.map((one) => printMedia(context, one, hint, 'answer')).join(', ')
  const headers = response.headers
    .map((header) => printHeader(context, operation, response, header))
    .join(', ')
  return `{ status: '${response.status}', media: [${media}], headers: [${headers}] }`
}

function printBody(context: EmitContext, { operationId, body }: OperationIr): readonly string[] {
  if (body === undefined) return []
  const hint = `${operationName(context, operationId)}_body`
  const media = body.media.map((one) => printMedia(context, one, hint, 'request')).join(', ')
  return [`body: { required: ${body.required}, media: [${media}] },`]
}

function printOperation(
  operation: OperationIr,
  decoder: string,
  answers: readonly string[],
): string {
  const { extensions } = operation
  const stability = text(extensions['x-stability'])
  const deprecation = printDeprecation(operation)
  const limit = extensions['x-max-body-bytes']
  const pad = '      '
  const head = filled(
    [
      `operationId: ${quote(operation.operationId)}`,
      `method: '${operation.method}'`,
      `path: ${quote(operation.path)}`,
      `parameters: ${decoder}`,
    ],
    pad,
  )
  const rules = filled(
    [
      `security: ${literal(operation.security)}`,
      ...(extensions['x-access'] === undefined
        ? []
        : [`access: ${literal(extensions['x-access'])}`]),
      ...(stability === undefined ? [] : [`stability: ${quote(stability)}`]),
      ...members({ deprecation }),
      ...(typeof limit === 'number' ? [`maxBodyBytes: ${limit}`] : []),
    ],
    pad,
  )
  return `    {\n${[...head, ...answers.map((line) => pad + line), ...rules].join('\n')}\n    },\n`
}

/**
 * When and by what an operation is replaced: from `x-versions`, or only that it is, from
 * `deprecated`.
 */
function printDeprecation(operation: OperationIr): string | undefined {
  const versions = fields(operation.extensions['x-versions'])
  const since = versions['deprecated']
  if (since === undefined && !operation.deprecated) return undefined
  const known = { since, sunset: versions['sunset'], successor: versions['successor'] }
  return literal(
    Object.fromEntries(
      Object.entries(known).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    ),
  )
}

type Use = 'request' | 'answer'

function printMedia(context: EmitContext, media: MediaIr, hint: string, use: Use): string {
  const kind = bodyKind(media.mediaType)
  const decimals =
    (kind === 'json' || isStream(kind)) && media.schema !== undefined
      ? factsOf(context.ir).decimalNumbers(media.schema)
      : []
  const members = [
    `mediaType: ${quote(media.mediaType)}`,
    `kind: '${kind}'`,
    `int64: ${mediaHasInt64(context, media)}`,
    ...(decimals.length === 0 ? [] : [`decimals: [${decimals.map(quote).join(', ')}]`]),
  ]
  return `{ ${[...members, ...printChecks(context, media, hint, use)].join(', ')} }`
}

function printChecks(
  context: EmitContext,
  media: MediaIr,
  hint: string,
  use: Use,
): readonly string[] {
  const kind = bodyKind(media.mediaType)
  if (kind === 'form' || kind === 'multipart')
    return use === 'request'
      ? printFormChecks(context, media, hint)
      : printFormAnswer(context, media, hint)
  if (isStream(kind) && media.schema !== undefined)
    return checksOf(validatorsOf(context, itemSchema(context, media.schema), `${hint}_item`))
  if (
    kind !== 'json' &&
    !(kind === 'text' && isFields(media.schema) && media.schema['type'] === 'string')
  )
    return []
  return checksOf(validatorsOf(context, media.schema, hint))
}

const isStream = (kind: BodyKind): boolean => kind === 'events' || kind === 'json-lines'

function checksOf({ check, lift }: ReturnType<typeof validatorsOf>): readonly string[] {
  return [...members({ check, lift })]
}

/** Fields that come in styles of their own are values before they are checked. */
function printFormChecks(context: EmitContext, media: MediaIr, hint: string): readonly string[] {
  const plan = media.schema === undefined ? undefined : formPlan(context, media.schema)
  if (plan === undefined || media.schema === undefined) return []
  const validators = validatorsOf(context, formSchema(context, media.schema), hint)
  const decoder = printFormDecoder(context, media)
  if (decoder.length > 0) return [...decoder, ...checksOf(validators)]
  const { check, lift } = validators
  const values = `formValues(value, ${plan})`
  const types = printPartTypes(context, media)
  const steps = [
    ...(check === undefined ? [] : [`${check}(${values}, problems)`]),
    ...(types === undefined ? [] : [`checkParts(value, ${types}, problems)`]),
  ]
  return [
    ...printTextParts(context, media),
    ...(steps.length === 0
      ? []
      : [`check: (value: unknown, problems: Problem[]): void => { ${steps.join('; ')} }`]),
    `lift: (value: unknown): unknown => ${lift === undefined ? values : `${lift}(${values})`}`,
  ]
}

/** Code of a form's answer: checked as the handler gives it, and then written. */
function printFormAnswer(context: EmitContext, media: MediaIr, hint: string): readonly string[] {
  const schema = media.schema === undefined ? undefined : formSchema(context, media.schema)
  const { check } = validatorsOf(context, schema, hint)
  const write = bodyKind(media.mediaType) === 'form' ? 'formText' : 'multipartForm'
  const encodings = fieldEncodings(media)
  const rest = Object.keys(encodings).length === 0 ? '' : `, ${literal(encodings)}`
  return [
    ...checksOf(check === undefined ? {} : { check }),
    `encode: (value: unknown) => ${write}(value${rest})`,
  ]
}
