// Requests of operations, valid and flawed, and the tables that printed arbitraries export.
import { isObject } from './validation.ts'
import { deepEnough, sift, start, valuesOf } from './arbitrary.ts'
import type {
  At, FastCheck, FlawedCase, FlawPlace, Kind, Kinds, OperationArbitraries, ParameterValues, RequestBody, RequestCase,
  TextPlace,
} from './arbitrary.ts'
import { record } from './arbitrary-containers.ts'
import { admits, asText } from './arbitrary-unions.ts'
import type { Check } from './arbitrary-unions.ts'
import type { Arbitrary } from 'fast-check'

/** Parameters of one place: those that must be there, those that may. */
export type Parameters = readonly [required: Kinds, optional?: Kinds]

export interface MediaKind {
  readonly mediaType: string
  readonly kind: Kind<unknown>
  readonly isJson: boolean
  readonly isForm: boolean
  readonly check: Check | undefined
  readonly examples: readonly unknown[]
}

/** What a printed operation takes. */
export interface OperationKinds {
  readonly path?: Parameters
  readonly query?: Parameters
  readonly headers?: Parameters
  readonly cookies?: Parameters
  readonly body?: { readonly required: boolean; readonly media: readonly MediaKind[] }
}

/** A JSON body; `examples` are the document's. */
export function json(mediaType: string, kind: Kind<unknown>, check?: Check, ...examples: readonly unknown[]): MediaKind {
  return { mediaType, kind, isJson: true, isForm: false, check, examples }
}

/** A form or multipart body: an object by field name. */
export function form(mediaType: string, kind: Kind<unknown>): MediaKind {
  return { mediaType, kind, isJson: false, isForm: true, check: undefined, examples: [] }
}

/** A body of text or bytes. */
export function raw(mediaType: string, kind: Kind<unknown>): MediaKind {
  return { mediaType, kind, isJson: false, isForm: false, check: undefined, examples: [] }
}

/** A parameter or part whose text is JSON. */
export function jsonText<T>(kind: Kind<T>): Kind<T> {
  return { valid: (at) => kind.valid({ ...at, text: undefined }), flaws: (at) => kind.flaws({ ...at, text: undefined }) }
}

/** A parameter that is a list or object in one text, whose parts can hold no separator. */
export function separated<T>(kind: Kind<T>): Kind<T> {
  return asText(kind, 'words')
}

/** By operation id; each is made when it is first read. */
export function operationsOf<K extends string>(
  fc: FastCheck, operations: Readonly<Record<K, () => OperationKinds>>,
): Readonly<Record<K, OperationArbitraries>>
export function operationsOf(fc: FastCheck, operations: Readonly<Record<string, () => OperationKinds>>): unknown {
  return lazily(operations, (kinds) => operationArbitraries(fc, kinds()))
}

/** By schema name; each is made when it is first read. */
export function schemasOf<K extends Kinds>(
  fc: FastCheck, kinds: K,
): { readonly [N in keyof K]: K[N] extends Kind<infer T> ? Arbitrary<T> : never }
export function schemasOf(fc: FastCheck, kinds: Kinds): unknown {
  return lazily(kinds, (kind) => valuesOf(kind, start(fc, false)))
}

function lazily<S, V>(sources: Readonly<Record<string, S>>, make: (source: S) => V): object {
  const table: object = {}
  for (const [name, source] of Object.entries(sources)) {
    let made: { readonly value: V } | undefined
    Object.defineProperty(table, name, { enumerable: true, get: () => (made ??= { value: make(source) }).value })
  }
  return table
}

function operationArbitraries(fc: FastCheck, kinds: OperationKinds): OperationArbitraries {
  const at = start(fc, true)
  const valid = validRequests(at, kinds)
  const choices = [
    ...parameterFlaws(at, 'path', 'path', kinds.path, valid), ...parameterFlaws(at, 'query', 'query', kinds.query, valid),
    ...parameterFlaws(at, 'header', 'headers', kinds.headers, valid),
    ...parameterFlaws(at, 'cookie', 'cookies', kinds.cookies, valid), ...bodyFlaws(at, kinds.body, valid),
  ]
  return { valid, flawed: choices.length === 0 ? undefined : fc.oneof(...choices) }
}

function validRequests(at: At, kinds: OperationKinds): Arbitrary<RequestCase> {
  const groups = at.fc.tuple(
    values(at, kinds.path, 'path'), values(at, kinds.query, 'query'), values(at, kinds.headers, 'header'),
    values(at, kinds.cookies, 'cookie'), bodies(at, kinds.body),
  )
  return groups.map(([path, query, headers, cookies, body]) => {
    return { path, query, headers, cookies, ...body === undefined ? {} : { body } }
  })
}

function values(at: At, parameters: Parameters | undefined, text: TextPlace): Arbitrary<ParameterValues> {
  if (parameters === undefined) return at.fc.constant({})
  return valuesOf(groupOf(parameters, text), at).map(members)
}

function members(value: unknown): ParameterValues {
  return isObject(value) ? value : {}
}

function groupOf([required, optional = {}]: Parameters, text: TextPlace): Kind<unknown> {
  const placed = (kinds: Kinds): Kinds => {
    return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, asText(kind, text)]))
  }
  return record(placed(required), placed(optional))
}

interface Weighted {
  readonly weight: number
  readonly arbitrary: Arbitrary<FlawedCase>
}

function parameterFlaws(
  at: At, place: FlawPlace, group: 'path' | 'query' | 'headers' | 'cookies', parameters: Parameters | undefined,
  requests: Arbitrary<RequestCase>,
): readonly Weighted[] {
  if (parameters === undefined || place === 'body') return []
  const kind = groupOf(place === 'path' ? [{}, { ...parameters[0], ...parameters[1] }] : parameters, place)
  return kind.flaws({ ...deepEnough(kind, at), keepsType: true }).map(({ weight, arbitrary }) => {
    return flawedCases(at, weight, requests, arbitrary, (request, { value, pointer, rule }) => {
      // A flawed path still needs the parameters that are as they should be.
      return { ...request, [group]: { ...place === 'path' ? request.path : {}, ...members(value) }, flaw: { place, pointer, rule } }
    })
  })
}

function flawedCases<F>(
  at: At, weight: number, requests: Arbitrary<RequestCase>, flaws: Arbitrary<F>, join: (request: RequestCase, flaw: F) => FlawedCase,
): Weighted {
  return { weight, arbitrary: at.fc.tuple(requests, flaws).map(([request, flaw]) => join(request, flaw)) }
}

function bodies(at: At, body: OperationKinds['body']): Arbitrary<RequestBody | undefined> {
  if (body === undefined) return at.fc.constant(undefined)
  const sent = at.fc.oneof(...body.media.map((media) => mediaBodies(at, media)))
  return body.required ? sent : at.fc.option(sent, { nil: undefined, freq: 2 })
}

/** Fields of a form travel as text. */
function sentKind({ kind, isForm }: MediaKind): Kind<unknown> {
  return isForm ? asText(kind, 'query') : kind
}

function mediaBodies(at: At, media: MediaKind): Arbitrary<RequestBody> {
  const { mediaType, check, examples } = media
  const made = valuesOf(sentKind(media), at)
  const fitting = examples.filter((example) => check === undefined || admits(check, example))
  const all = check === undefined ? made : sift(made, (value) => admits(check, value), check.name)
  const values = fitting.length === 0 ? all
    : at.fc.oneof({ weight: 4, arbitrary: all }, { weight: 1, arbitrary: at.fc.constantFrom(...fitting) })
  return values.map((value) => ({ mediaType, value }))
}

const NO_JSON = ['{', '', '[1,', '{"a":}', 'nul', '{} x', '{\'a\': 1}', '"open']

function bodyFlaws(at: At, body: OperationKinds['body'], requests: Arbitrary<RequestCase>): readonly Weighted[] {
  if (body === undefined) return []
  const absent = requests.map(({ path, query, headers, cookies }): FlawedCase => {
    return { path, query, headers, cookies, flaw: { place: 'body', pointer: '', rule: 'required' } }
  })
  return [
    ...body.required ? [{ weight: 1, arbitrary: absent }] : [],
    ...body.media.flatMap((media) => mediaFlaws(at, media, requests)),
  ]
}

function mediaFlaws(at: At, media: MediaKind, requests: Arbitrary<RequestCase>): readonly Weighted[] {
  const { mediaType, isJson, check } = media
  const kind = sentKind(media)
  const flawed = kind.flaws(deepEnough(kind, at)).map(({ weight, arbitrary }): Weighted => {
    const refused = check === undefined ? arbitrary : sift(arbitrary, ({ value }) => !admits(check, value), `${check.name} refuses`)
    return flawedCases(at, weight, requests, refused, (request, { value, pointer, rule }) => {
      return { ...request, body: { mediaType, value }, flaw: { place: 'body', pointer, rule } }
    })
  })
  if (!isJson) return flawed
  return [...flawed, flawedCases(at, 1, requests, at.fc.constantFrom(...NO_JSON), (request, text) => {
    return { ...request, body: { mediaType, value: undefined, raw: text }, flaw: { place: 'body', pointer: '', rule: 'syntax' } }
  })]
}
