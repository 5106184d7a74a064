// Prints translate.gen.ts of an interface under a vocabulary: what becomes of requests on their way
// to handlers that speak the document's own words, and of their replies on the way back.
import type { MediaIr, OperationIr, ParameterIr } from '../ir.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { refName } from '../load/refs.ts'
import { Planner } from '../vocabulary/plan.ts'
import type { Plan } from '../vocabulary/plan.ts'
import { renamePath } from '../vocabulary/rename.ts'
import { inwardDictionary, outwardDictionary, renamer } from '../vocabulary/words.ts'
import type { Vocabulary } from '../vocabulary/words.ts'
import { bodyKind, emitContext, itemSchema, parameterGroups } from './context.ts'
import type { EmitContext } from './context.ts'
import { comment } from './handlers.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { printImports } from './support.ts'
import { Sheet } from './translate-plans.ts'

interface Printing {
  readonly context: EmitContext
  readonly planner: Planner
  readonly parameter: (name: string) => string
  readonly inward: Sheet
  readonly outward: Sheet
}

/** Text of translate.gen.ts, without marker; undefined for an interface without a vocabulary. */
export function printTranslation({ ir, translation }: LoadedInterface): string | undefined {
  if (translation === undefined) return undefined
  const { neutral, vocabulary } = translation
  const context = emitContext(neutral)
  const planner = new Planner(neutral, renamer(vocabulary, 'property'))
  const nameOf = (key: string): string | undefined => context.typeNames.get(refName(key))
  const printing: Printing = {
    context,
    planner,
    parameter: renamer(vocabulary, 'parameter'),
    inward: new Sheet(planner, 'inward', nameOf),
    outward: new Sheet(planner, 'outward', nameOf),
  }
  const wireIds = idsByRoute(ir.operations)
  const operations = neutral.operations
    .map((operation) => {
      return printOperation(
        printing,
        operation,
        wireIds.get(routeOf(operation, vocabulary)) ?? operation.operationId,
      )
    })
    .join('')
  return assemble(printing, vocabulary, operations, neutral.operations, ir.operations)
}

/** Plugins may give operations other ids: method and path say which is which. */
function idsByRoute(operations: readonly OperationIr[]): ReadonlyMap<string, string> {
  return new Map(
    operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  )
}

function routeOf({ method, path }: OperationIr, vocabulary: Vocabulary): string {
  return `${method} ${renamePath(path, { path: renamer(vocabulary, 'path'), parameter: renamer(vocabulary, 'parameter') })}`
}

function assemble(
  printing: Printing,
  vocabulary: Vocabulary,
  operations: string,
  own: readonly OperationIr[],
  wire: readonly OperationIr[],
): string {
  const changes = `${printing.inward.print()}${printing.outward.print()}`
  const isUsed = (word: string): boolean => (changes + operations).includes(word)
  const dictionaries = [
    ...(isUsed('inwardWords') ? [printWords('inwardWords', inwardDictionary(vocabulary))] : []),
    ...(isUsed('outwardWords') ? [printWords('outwardWords', outwardDictionary(vocabulary))] : []),
  ]
  const body = [
    ...dictionaries,
    changes,
    `const operations: Readonly<Record<OperationId, OperationTranslation>> = {\n${operations}}\n\n`,
    ...(['inward', 'outward'] as const)
      .filter((way) => isUsed(`${way}Words`))
      .map((way) => `export const ${way}Names: Names = namesOf(${way}Words)\n\n`),
    comment('Ids of the operations in the words of the document.'),
    `export type OperationId =${union(own)}\n\n`,
    comment('Ids of the operations in the words of the wire.'),
    `export type WireOperationId =${union(wire)}\n\n`,
    comment(
      "Handlers of the document's interface as handlers of this one. A handler that is absent stays absent.",
    ),
    'export function translated<Context>(\n',
    '  handlers: { readonly [Id in OperationId]?: AnyHandler<Context> | undefined },\n',
    '): { readonly [Id in WireOperationId]?: AnyHandler<Context> | undefined } {\n',
    '  return translateHandlers(operations, handlers)\n}\n\n',
    comment('The same for lists of the interface that are also answered element by element.'),
    'export function translatedStreams<Context>(\n',
    '  streams: { readonly [Id in OperationId]?: AnyStream<Context> | undefined },\n',
    '): { readonly [Id in WireOperationId]?: AnyStream<Context> | undefined } {\n',
    '  return translateStreams(operations, streams)\n}\n',
  ].join('')
  return `${printImports(body, ['translation.gen.ts'])}\n${body}`
}

function printWords(name: string, dictionary: object): string {
  const members = Object.entries(dictionary)
    .map(([key, value]) => `  ${key}: ${literal(value)},\n`)
    .join('')
  return `const ${name}: Dictionary = {\n${members}}\n\n`
}

function union(operations: readonly OperationIr[]): string {
  return operations.length === 0
    ? ' never'
    : operations.map(({ operationId }) => `\n  | ${quote(operationId)}`).join('')
}

function printOperation(printing: Printing, operation: OperationIr, wireId: string): string {
  const body = bodyPlan(printing, operation)
  const replies = printReplies(printing, operation)
  const members = [
    `name: ${quote(wireId)}`,
    ...parameterGroups(operation).flatMap(([name, found]) => printGroup(printing, name, found)),
    ...(body.kind === 'same' ? [] : [`body: ${printing.inward.use(body)}`]),
    ...(replies === '' ? [] : [`replies: {\n${replies}    }`]),
  ]
  const [only] = members
  if (members.length === 1) return `  ${propertyKey(operation.operationId)}: { ${only} },\n`
  return `  ${propertyKey(operation.operationId)}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`
}

/** A status without changes is listed where a wider one has some, which do not hold for it. */
function printReplies(printing: Printing, { responses }: OperationIr): string {
  const printed = responses.map(({ status, media }) => {
    const codes = media.map((one) => replyMedia(printing, one))
    return { status, codes: codes.every((code) => code.endsWith('{ change: same }')) ? [] : codes }
  })
  const wider = new Set(
    printed
      .filter(({ status, codes }) => codes.length > 0 && !/^\d+$/u.test(status))
      .map(({ status }) => status),
  )
  const isHidden = (status: string): boolean =>
    wider.has('default') || wider.has(`${status.charAt(0)}XX`)
  return printed
    .filter(({ status, codes }) => codes.length > 0 || isHidden(status))
    .map(({ status, codes }) => {
      return `      ${propertyKey(status)}: {${codes.length === 0 ? '' : ` ${codes.join(', ')} `}},\n`
    })
    .join('')
}

/** Parameters of one place as the record that they are when they are decoded. */
function printGroup(
  { planner, parameter, inward }: Printing,
  name: string,
  found: readonly ParameterIr[],
): readonly string[] {
  const plan: Plan = {
    kind: 'record',
    rest: { kind: 'same' },
    members: new Map(
      found.map((one) => [
        one.name,
        { wire: parameter(one.name), plan: planner.planOf(one.schema) },
      ]),
    ),
  }
  return planner.isLive(plan) ? [`${name}: ${inward.use(plan)}`] : []
}

/**
 * A body may come in several media types, but a handler is not told in which: their schemas are
 * variants of one.
 */
function bodyPlan({ planner }: Printing, { body }: OperationIr): Plan {
  const schemas = (body?.media ?? [])
    .filter(({ mediaType }) => isPlain(mediaType))
    .flatMap(({ schema }) => schema ?? [])
  const [first] = schemas
  return planner.planOf(schemas.length > 1 ? { anyOf: schemas } : first)
}

function isPlain(mediaType: string): boolean {
  return ['json', 'form', 'multipart', 'text'].includes(bodyKind(mediaType))
}

function replyMedia(
  { context, planner, outward }: Printing,
  { mediaType, schema }: MediaIr,
): string {
  const kind = bodyKind(mediaType)
  const isStream = kind === 'events' || kind === 'json-lines'
  const plan =
    kind === 'binary' || schema === undefined
      ? undefined
      : planner.planOf(isStream ? itemSchema(context, schema) : schema)
  if (plan === undefined || plan.kind === 'same') return `${quote(mediaType)}: { change: same }`
  return `${quote(mediaType)}: { change: ${outward.use(plan)}${isStream ? ', isStream: true' : ''} }`
}
