// What printed arbitraries are made of: combinators over fast-check, which is handed in, and the
// types that tests read. Copied beside the generated interfaces as arbitrary.gen.ts. A kind makes
// the values that its schema admits and, knowing its own constraints, values that break exactly one
// of them.
import type { Arbitrary, default as fastCheck } from 'fast-check'

export type FlawPlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** The one constraint that a flawed request breaks. */
export interface Flaw {
  readonly place: FlawPlace
  /**
   * JSON pointer to the broken value: within the body, or beginning with the parameter's name:
   * `/limit`, `/ids/0`.
   */
  readonly pointer: string
  /**
   * Keyword of the schema (`required`, `type`, `maximum`, …), or `syntax` for a body that is no
   * JSON.
   */
  readonly rule: string
}

/** Values by parameter name as in the document, before they are written as text. */
export type ParameterValues = Readonly<Record<string, unknown>>

export interface RequestBody {
  readonly mediaType: string
  /**
   * As the wire has it: int64 is bigint, a decimal text, binary content Uint8Array; form and
   * multipart an object by field.
   */
  readonly value: unknown
  /** Only in flawed cases: the text to send in place of the value. */
  readonly raw?: string
}

/**
 * A request's own part: no address, no authority. Parameters and body that are absent are not sent.
 */
export interface RequestCase {
  readonly path: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly cookies: ParameterValues
  readonly body?: RequestBody
}

/** A request that the document does not admit, for one reason. */
export interface FlawedCase extends RequestCase {
  readonly flaw: Flaw
}

/** The value of an answer's header, typed as the document types it. */
export type HeaderValue = string | number | bigint | boolean | object | null

/** An answer as a handler returns it. */
export interface ReplyCase {
  readonly status: number
  /** Absent where there is no body. */
  readonly mediaType?: string
  /** Required headers, and now and then others. */
  readonly headers: Readonly<Record<string, HeaderValue>>
  /**
   * JSON with int64 as bigint, text, Uint8Array, for a form an object by field, for a stream a
   * `StreamedItems`.
   */
  readonly body?: unknown
}

export interface OperationArbitraries {
  /** Reading it throws NoValueError where the document admits no request that ends. */
  readonly valid: Arbitrary<RequestCase>
  /** Undefined where the document admits every request. */
  readonly flawed: Arbitrary<FlawedCase> | undefined
  /** Replies of every declared success, redirects included; undefined where there is none. */
  readonly replies: Arbitrary<ReplyCase> | undefined
  /** The same for declared errors. */
  readonly errors: Arbitrary<ReplyCase> | undefined
  /** Declared statuses with which nothing can be answered: no value fits what is declared. */
  readonly impossible: readonly number[]
  /** The document's own example of its first success; undefined where it has none that fits. */
  readonly example: ReplyCase | undefined
  /**
   * So many replies, the same for the same seed: successes, errors where only such are declared,
   * none where nothing is.
   */
  sampleReplies(count: number, seed: number): readonly ReplyCase[]
}

/**
 * What `arbitraries(fc)` of every interface returns at least; each names its own operations and
 * schemas.
 */
export interface InterfaceArbitraries {
  readonly operations: Readonly<Record<string, OperationArbitraries>>
  readonly schemas: Readonly<Record<string, Arbitrary<unknown>>>
}

/** fast-check, as its default import or namespace. */
export type FastCheck = typeof fastCheck

/** How text is restricted where a value travels as text; `words` stands between separators. */
export type TextPlace = 'path' | 'query' | 'header' | 'cookie' | 'words'

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export type Way = 'request' | 'reply' | 'any'

/** Circumstances of making a value, beside its schema. */
export interface At {
  readonly fc: FastCheck
  /** How often a recursive schema has been entered again, and how often that may be. */
  readonly level: number
  readonly limit: number
  /** Requests go without members that are read only, replies without those that are write only. */
  readonly way: Way
  readonly text: TextPlace | undefined
  /** Flaws must leave the value's own JSON type, by which a union knows its variant. */
  readonly keepsType: boolean
}

/** A value that breaks the constraint `rule` at `pointer`. */
export interface Flawed {
  readonly value: unknown
  readonly pointer: string
  readonly rule: string
}

export interface FlawChoice {
  readonly weight: number
  readonly arbitrary: Arbitrary<Flawed>
}

/** A schema as source of values. */
export interface Kind<T> {
  /** Undefined where no value fits, or none that is flat enough. */
  valid(at: At): Arbitrary<T> | undefined
  flaws(at: At): readonly FlawChoice[]
  /** The same kind with further members; there where it is of objects with named members. */
  extend?(added: Added): Kind<unknown>
}

/** An object's members beside those of the one that it extends. */
export interface Added {
  readonly required: Kinds
  readonly optional: Kinds
  readonly readOnly?: readonly string[]
  readonly writeOnly?: readonly string[]
  /** Names of members that it must have and the other may lack. */
  readonly needs?: readonly string[]
}

export type Kinds = Readonly<Record<string, Kind<unknown>>>

/** The values of a kind. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never

const MAX_MISSES = 10_000
const MAX_NESTED_WEIGHT = 6
const LIMITS = [2, 4, 8, 16, 32]

/**
 * A kind that is made when it is first asked for; its arbitraries are made once for each
 * circumstance.
 */
export function named<T>(make: () => Kind<T>): Kind<T> {
  let made: Kind<T> | undefined
  const kind = (): Kind<T> => (made ??= make())
  return {
    valid: remembered((at) => kind().valid(at)),
    flaws: remembered((at) => joined(at, kind().flaws(at))),
    extend: (added) => extended(kind(), added),
  }
}

/**
 * The kind with further members: `T` is what the generator has printed of both. Throws where it is
 * not of objects with named members.
 */
export function extended<T>(base: Kind<unknown>, added: Added): Kind<T>
export function extended(base: Kind<unknown>, added: Added): Kind<unknown> {
  if (base.extend === undefined) throw new TypeError('a kind without named members is extended')
  return base.extend(added)
}

/** A kind within its own definition: no deeper than the limit. */
export function again<T>(target: () => Kind<T>): Kind<T> {
  const deeper = (at: At): At => ({ ...at, level: at.level + 1 })
  return {
    valid: (at) => (at.level >= at.limit ? undefined : target().valid(deeper(at))),
    flaws: (at) => (at.level >= Math.min(at.limit, 2) ? [] : target().flaws(deeper(at))),
  }
}

/** A function that makes something once for each circumstance. */
export function remembered<V>(make: (at: At) => V): (at: At) => V {
  const known = new WeakMap<FastCheck, Map<string, { readonly value: V }>>()
  return (at) => {
    const key = [at.level, at.limit, at.way, at.text, at.keepsType].join()
    const values = known.get(at.fc) ?? new Map<string, { readonly value: V }>()
    known.set(at.fc, values)
    const found = values.get(key) ?? { value: make(at) }
    values.set(key, found)
    return found.value
  }
}

/** Circumstances for the values of a body or schema. */
export function start(fc: FastCheck, way: Way): At {
  return { fc, level: 0, limit: 0, way, text: undefined, keepsType: false }
}

/** The circumstances that count for a value without an inside. */
export function flat({ fc, text, keepsType }: At): At {
  return { ...start(fc, 'any'), text, keepsType }
}

/** Circumstances for a value inside this one. */
export function below(at: At): At {
  return at.keepsType ? { ...at, keepsType: false } : at
}

/** A demand of the document that no finite value fits. */
export class NoValueError extends Error {
  override readonly name = 'NoValueError'

  constructor() {
    super('the document demands what no finite value fits')
  }
}

/** The circumstances with the least depth in which a value exists; undefined where none does. */
export function deepEnough(kind: Kind<unknown>, at: At): At | undefined {
  const limit = LIMITS.find((one) => kind.valid({ ...at, limit: one }) !== undefined)
  return limit === undefined ? undefined : { ...at, limit }
}

/** The values of a kind; undefined where no value fits. */
export function valuesIfAny<T>(kind: Kind<T>, at: At): Arbitrary<T> | undefined {
  const deep = deepEnough(kind, at)
  return deep === undefined ? undefined : kind.valid(deep)
}

/** The values of a kind. Throws NoValueError where no value fits. */
export function valuesOf<T>(kind: Kind<T>, at: At): Arbitrary<T> {
  const found = valuesIfAny(kind, at)
  if (found === undefined) throw new NoValueError()
  return found
}

/** Flaws as one choice, so that those of a large schema do not crowd out their neighbours. */
function joined(at: At, choices: readonly FlawChoice[]): readonly FlawChoice[] {
  if (choices.length < 2) return choices
  const weight = choices.reduce((sum, choice) => sum + choice.weight, 0)
  return [{ weight: Math.min(weight, MAX_NESTED_WEIGHT), arbitrary: at.fc.oneof(...choices) }]
}

/**
 * One choice for all flaws of a kind inside another, its values put into the outer value by
 * `place`.
 */
export function nestedFlaws<B>(
  at: At,
  kind: Kind<unknown>,
  base: Arbitrary<B>,
  place: (base: B, flawed: Flawed) => Flawed,
): readonly FlawChoice[] {
  return joined(at, kind.flaws(below(at))).map(({ weight, arbitrary }) => {
    return {
      weight,
      arbitrary: at.fc.tuple(base, arbitrary).map(([value, flawed]) => place(value, flawed)),
    }
  })
}

/** A flaw of the value itself; none without values that have it. */
export function ownFlaw(
  values: Arbitrary<unknown> | undefined,
  rule: string,
  pointer = '',
): readonly FlawChoice[] {
  return values === undefined
    ? []
    : [{ weight: 1, arbitrary: values.map((value) => ({ value, pointer, rule })) }]
}

const SAMPLES: Readonly<Record<JsonType, unknown>> = {
  null: null,
  boolean: true,
  number: 7,
  string: 'x',
  array: [],
  object: {},
}

/**
 * Values of another JSON type than these. As text, only a word where no text is allowed can be of
 * another type.
 */
export function typeFlaw(at: At, ...types: readonly JsonType[]): readonly FlawChoice[] {
  if (at.keepsType) return []
  const isText = at.text !== undefined
  if (isText && ['string', 'array', 'object'].some((type) => types.some((own) => own === type)))
    return []
  if (isText) return ownFlaw(at.fc.constantFrom('x', 'maybe', '--'), 'type')
  const others = Object.entries(SAMPLES).filter(([type]) => types.every((own) => own !== type))
  return others.length === 0
    ? []
    : ownFlaw(at.fc.constantFrom(...others.map(([, value]) => value)), 'type')
}

/**
 * The values that pass. Throws, where fast-check would search for ever, after ten thousand misses
 * in a row.
 */
export function sift<T>(
  values: Arbitrary<T>,
  passes: (value: T) => boolean,
  what: string,
): Arbitrary<T> {
  let misses = 0
  return values.filter((value) => {
    if (passes(value)) {
      misses = 0
      return true
    }
    misses += 1
    if (misses > MAX_MISSES) throw new Error(`no value found for: ${what}`)
    return false
  })
}

/** Draws with which values that pass are looked for. */
const TRIALS = [8, 92, 900]

/** The values that pass; undefined where none of a thousand does. */
export function siftIfAny<T>(
  { fc }: At,
  values: Arbitrary<T>,
  passes: (value: T) => boolean,
  what: string,
): Arbitrary<T> | undefined {
  const isFound = TRIALS.some((numRuns, seed) => fc.sample(values, { numRuns, seed }).some(passes))
  return isFound ? sift(values, passes, what) : undefined
}
