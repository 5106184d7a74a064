// Prints translate.gen.ts of an interface under a vocabulary: what becomes of requests on their way
// to handlers that speak the document's own words, and of their replies on the way back.
import type { MediaIr, OperationIr, ParameterIr } from '../ir.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { given } from '../values.ts'
import { Planner } from '../vocabulary/plan.ts'
import { renamePath } from '../vocabulary/rename.ts'
import { inwardDictionary, outwardDictionary, renamer } from '../vocabulary/words.ts'
import { bodyKind, emitContext, itemSchema, parameterGroups } from './context.ts'
import type { EmitContext } from './context.ts'
import { comment } from './handlers.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { printImports } from './support.ts'
import type { Plan } from './support/translation.ts'
import type { OperationPlans } from './support/translation-operations.ts'

interface Planning {
  readonly context: EmitContext
  readonly planner: Planner
  readonly parameter: (name: string) => string
}

const SAME: Plan = { kind: 'same' }

/** Text of translate.gen.ts, without marker; undefined for an interface without a vocabulary. */
export function printTranslation({ ir, translation }: LoadedInterface): string | undefined {
  if (translation === undefined) return undefined
  const { neutral, vocabulary } = translation
  const parameter = renamer(vocabulary, 'parameter')
  const planner = new Planner(neutral, renamer(vocabulary, 'property'))
  const planning = { context: emitContext(neutral), planner, parameter }
  // Plugins may give operations other ids: method and path say which is which.
  const wireIds = new Map(
    ir.operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  )
  const names = { path: renamer(vocabulary, 'path'), parameter }
  const operations = neutral.operations.map((operation): [string, OperationPlans] => {
    const { method, path, operationId } = operation
    const name = wireIds.get(`${method} ${renamePath(path, names)}`) ?? operationId
    return [
      operationId,
      { name, ...requestPlans(planning, operation), ...repliesOf(planning, operation) },
    ]
  })
  const body = [
    `const inwardWords: Dictionary = ${block(Object.entries(inwardDictionary(vocabulary)))}\n\n`,
    `const outwardWords: Dictionary = ${block(Object.entries(outwardDictionary(vocabulary)))}\n\n`,
    `const nodes: Readonly<Record<string, Plan>> = ${block(Object.entries(planner.nodes()))}\n\n`,
    `const operations = translationsBy(${block(operations)}, nodes, inwardWords, outwardWords)\n\n`,
    'export const inwardNames: Names = namesOf(inwardWords)\n\n',
    'export const outwardNames: Names = namesOf(outwardWords)\n\n',
    comment('Ids of the operations in the words of the document.'),
    `export type OperationId =${union(neutral.operations)}\n\n`,
    comment('Ids of the operations in the words of the wire.'),
    `export type WireOperationId =${union(ir.operations)}\n\n`,
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

/** An object literal of a line each member. */
function block(members: readonly (readonly [string, unknown])[]): string {
  return `{\n${members.map(([key, value]) => `  ${propertyKey(key)}: ${literal(value)},\n`).join('')}}`
}

function union(operations: readonly OperationIr[]): string {
  return operations.length === 0
    ? ' never'
    : operations.map(({ operationId }) => `\n  | ${quote(operationId)}`).join('')
}

function requestPlans(planning: Planning, operation: OperationIr): Readonly<Record<string, Plan>> {
  const groups = parameterGroups(operation).map(([name, found]): [string, Plan] => [
    name,
    groupPlan(planning, found),
  ])
  const all: readonly [string, Plan][] = [...groups, ['body', bodyPlan(planning, operation)]]
  return Object.fromEntries(all.filter(([, { kind }]) => kind !== 'same'))
}

/** Parameters of one place as the record that they are when they are decoded. */
function groupPlan({ planner, parameter }: Planning, found: readonly ParameterIr[]): Plan {
  const members = found.map(({ name, schema }) => [
    name,
    { wire: parameter(name), plan: planner.planOf(schema) },
  ])
  return planner.pruned({ kind: 'record', members: Object.fromEntries(members), rest: SAME })
}

/**
 * A body may come in several media types, but a handler is not told in which: their schemas are
 * variants of one.
 */
function bodyPlan({ planner }: Planning, { body }: OperationIr): Plan {
  const schemas = (body?.media ?? [])
    .filter(({ mediaType }) => isPlain(mediaType))
    .flatMap(({ schema }) => schema ?? [])
  const [first] = schemas
  return planner.planOf(schemas.length > 1 ? { anyOf: schemas } : first)
}

function isPlain(mediaType: string): boolean {
  return ['json', 'form', 'multipart', 'text'].includes(bodyKind(mediaType))
}

/** A status without changes is listed where a wider one has some, which do not hold for it. */
function repliesOf(
  planning: Planning,
  { responses }: OperationIr,
): Pick<OperationPlans, 'replies'> {
  const all = responses.map(({ status, media }) => {
    const plans = media.map((one) => [one.mediaType, replyPlan(planning, one)] as const)
    const isLive = plans.some(([, { plan }]) => plan.kind !== 'same')
    return [status, Object.fromEntries(isLive ? plans : []), isLive] as const
  })
  const wider = new Set(
    all.filter(([status, , isLive]) => isLive && !/^\d+$/u.test(status)).map(([status]) => status),
  )
  const isHidden = (status: string): boolean =>
    wider.has('default') || wider.has(`${status.charAt(0)}XX`)
  const told = all.filter(([status, , isLive]) => isLive || isHidden(status))
  const replies = Object.fromEntries(told.map(([status, plans]) => [status, plans]))
  return given({ replies: told.length === 0 ? undefined : replies })
}

function replyPlan(
  { context, planner }: Planning,
  { mediaType, schema }: MediaIr,
): { readonly plan: Plan; readonly isStream?: true } {
  const kind = bodyKind(mediaType)
  const isStream = kind === 'events' || kind === 'json-lines'
  if (kind === 'binary' || schema === undefined) return { plan: SAME }
  const plan = planner.planOf(isStream ? itemSchema(context, schema) : schema)
  return { plan, ...(isStream && plan.kind !== 'same' ? { isStream } : {}) }
}
