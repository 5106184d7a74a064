// Requests of operations, valid and flawed, and the tables that printed arbitraries export.
import { deepEnough, NoValueError, siftIfAny, start, valuesOf } from './arbitrary.ts'
import type {
  At,
  FastCheck,
  FlawedCase,
  FlawPlace,
  Kind,
  Kinds,
  OperationArbitraries,
  RequestBody,
  RequestCase,
} from './arbitrary.ts'
import { groupOf, mediaBodies, members, sentKind, values } from './arbitrary-media.ts'
import type { MediaKind, Parameters } from './arbitrary-media.ts'
import { replyArbitraries } from './arbitrary-replies.ts'
import type { ReplyKinds } from './arbitrary-replies.ts'
import { admits } from './arbitrary-unions.ts'
import type { Arbitrary } from 'fast-check'

/** Kinds of a printed operation's input. */
export interface OperationKinds {
  readonly path?: Parameters
  readonly query?: Parameters
  readonly headers?: Parameters
  readonly cookies?: Parameters
  readonly body?: { readonly required: boolean; readonly media: readonly MediaKind[] }
  readonly replies?: readonly ReplyKinds[]
  /** Called when they are asked for; operations share them. */
  readonly errors?: () => readonly ReplyKinds[]
}

/** Operations by id; each is made when it is first read. */
export function operationsOf<K extends string>(
  fc: FastCheck,
  operations: Readonly<Record<K, () => OperationKinds>>,
): Readonly<Record<K, OperationArbitraries>>
export function operationsOf(
  fc: FastCheck,
  operations: Readonly<Record<string, () => OperationKinds>>,
): unknown {
  return lazily(operations, (kinds) => operationArbitraries(fc, kinds()))
}

/** Schemas by name; each is made when it is first read. */
export function schemasOf<K extends Kinds>(
  fc: FastCheck,
  kinds: K,
): { readonly [N in keyof K]: K[N] extends Kind<infer T> ? Arbitrary<T> : never }
export function schemasOf(fc: FastCheck, kinds: Kinds): unknown {
  return lazily(kinds, (kind) => valuesOf(kind, start(fc, 'any')))
}

function lazily<S, V>(sources: Readonly<Record<string, S>>, make: (source: S) => V): object {
  const table: object = {}
  for (const [name, source] of Object.entries(sources)) {
    Object.defineProperty(table, name, { enumerable: true, get: once(() => make(source)) })
  }
  return table
}

function operationArbitraries(fc: FastCheck, kinds: OperationKinds): OperationArbitraries {
  const at = start(fc, 'request')
  const answers = once(() => replyArbitraries(fc, kinds.replies ?? [], kinds.errors?.() ?? []))
  const valid = once(() => validRequests(at, kinds))
  const flawed = once(() => flawedRequests(at, kinds, valid()))
  return {
    get valid() {
      return valid()
    },
    get flawed() {
      return flawed()
    },
    get replies() {
      return answers().replies
    },
    get errors() {
      return answers().errors
    },
    get impossible() {
      return answers().impossible
    },
    get example() {
      return answers().example
    },
    sampleReplies: (count, seed) => answers().sampleReplies(count, seed),
  }
}

function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined
  return () => (made ??= { value: make() }).value
}

function flawedRequests(
  at: At,
  kinds: OperationKinds,
  valid: Arbitrary<RequestCase>,
): Arbitrary<FlawedCase> | undefined {
  const choices = [
    ...parameterFlaws(at, 'path', 'path', kinds.path, valid),
    ...parameterFlaws(at, 'query', 'query', kinds.query, valid),
    ...parameterFlaws(at, 'header', 'headers', kinds.headers, valid),
    ...parameterFlaws(at, 'cookie', 'cookies', kinds.cookies, valid),
    ...bodyFlaws(at, kinds.body, valid),
  ]
  return choices.length === 0 ? undefined : at.fc.oneof(...choices)
}

function validRequests(at: At, kinds: OperationKinds): Arbitrary<RequestCase> {
  const groups = at.fc.tuple(
    values(at, kinds.path, 'path'),
    values(at, kinds.query, 'query'),
    values(at, kinds.headers, 'header'),
    values(at, kinds.cookies, 'cookie'),
    bodies(at, kinds.body),
  )
  return groups.map(([path, query, headers, cookies, body]) => {
    return { path, query, headers, cookies, ...(body === undefined ? {} : { body }) }
  })
}

interface Weighted {
  readonly weight: number
  readonly arbitrary: Arbitrary<FlawedCase>
}

function parameterFlaws(
  at: At,
  place: FlawPlace,
  group: 'path' | 'query' | 'headers' | 'cookies',
  parameters: Parameters | undefined,
  requests: Arbitrary<RequestCase>,
): readonly Weighted[] {
  if (parameters === undefined || place === 'body') return []
  const kind = groupOf(
    place === 'path' ? [{}, { ...parameters[0], ...parameters[1] }] : parameters,
    place,
  )
  const deep = deepEnough(kind, at) ?? at
  return kind.flaws({ ...deep, keepsType: true }).map(({ weight, arbitrary }) => {
    return flawedCases(at, weight, requests, arbitrary, (request, { value, pointer, rule }) => {
      // A flawed path still needs the parameters that are as they should be.
      return {
        ...request,
        [group]: { ...(place === 'path' ? request.path : {}), ...members(value) },
        flaw: { place, pointer, rule },
      }
    })
  })
}

function flawedCases<F>(
  at: At,
  weight: number,
  requests: Arbitrary<RequestCase>,
  flaws: Arbitrary<F>,
  join: (request: RequestCase, flaw: F) => FlawedCase,
): Weighted {
  return {
    weight,
    arbitrary: at.fc.tuple(requests, flaws).map(([request, flaw]) => join(request, flaw)),
  }
}

function bodies(at: At, body: OperationKinds['body']): Arbitrary<RequestBody | undefined> {
  if (body === undefined) return at.fc.constant(undefined)
  const made = body.media.map((media) => mediaBodies(at, media)).filter((one) => one !== undefined)
  if (made.length === 0 && body.required) throw new NoValueError()
  if (made.length === 0) return at.fc.constant(undefined)
  const sent = at.fc.oneof(...made)
  return body.required ? sent : at.fc.option(sent, { nil: undefined, freq: 2 })
}

const NO_JSON = ['{', '', '[1,', '{"a":}', 'nul', '{} x', "{'a': 1}", '"open']

function bodyFlaws(
  at: At,
  body: OperationKinds['body'],
  requests: Arbitrary<RequestCase>,
): readonly Weighted[] {
  if (body === undefined) return []
  const absent = requests.map(({ path, query, headers, cookies }): FlawedCase => {
    return { path, query, headers, cookies, flaw: { place: 'body', pointer: '', rule: 'required' } }
  })
  return [
    ...(body.required ? [{ weight: 1, arbitrary: absent }] : []),
    ...body.media.flatMap((media) => mediaFlaws(at, media, requests)),
  ]
}

function mediaFlaws(
  at: At,
  media: MediaKind,
  requests: Arbitrary<RequestCase>,
): readonly Weighted[] {
  const { mediaType, isJson, check } = media
  const kind = sentKind(media)
  const deep = deepEnough(kind, at) ?? at
  const flawed = kind.flaws(deep).flatMap(({ weight, arbitrary }): readonly Weighted[] => {
    const refused =
      check === undefined
        ? arbitrary
        : siftIfAny(at, arbitrary, ({ value }) => !admits(check, value), `${check.name} refuses`)
    if (refused === undefined) return []
    return [
      flawedCases(at, weight, requests, refused, (request, { value, pointer, rule }) => {
        return { ...request, body: { mediaType, value }, flaw: { place: 'body', pointer, rule } }
      }),
    ]
  })
  if (!isJson) return flawed
  return [
    ...flawed,
    flawedCases(at, 1, requests, at.fc.constantFrom(...NO_JSON), (request, text) => {
      return {
        ...request,
        body: { mediaType, value: undefined, raw: text },
        flaw: { place: 'body', pointer: '', rule: 'syntax' },
      }
    }),
  ]
}
