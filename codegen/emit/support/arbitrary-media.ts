// Parts of requests and replies: parameters of one place, and bodies by media type.
import { isObject } from './validation.ts'
import { siftIfAny, valuesIfAny, valuesOf } from './arbitrary.ts'
import type { At, Kind, Kinds, ParameterValues, RequestBody, TextPlace } from './arbitrary.ts'
import { record } from './arbitrary-objects.ts'
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

/** A JSON body; `examples` are the document's. */
export function json(
  mediaType: string,
  kind: Kind<unknown>,
  check?: Check,
  ...examples: readonly unknown[]
): MediaKind {
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
  return {
    valid: (at) => kind.valid({ ...at, text: undefined }),
    flaws: (at) => kind.flaws({ ...at, text: undefined }),
  }
}

/** A parameter that is a list or object in one text, whose parts can hold no separator. */
export function separated<T>(kind: Kind<T>): Kind<T> {
  return asText(kind, 'words')
}

/** Values of one place by name. */
export function values(
  at: At,
  parameters: Parameters | undefined,
  text: TextPlace,
): Arbitrary<ParameterValues> {
  if (parameters === undefined) return at.fc.constant({})
  return valuesOf(groupOf(parameters, text), at).map(members)
}

/** The members of an object. */
export function members(value: unknown): ParameterValues {
  return isObject(value) ? value : {}
}

/** The parameters of a place as one kind. */
export function groupOf([required, optional = {}]: Parameters, text: TextPlace): Kind<unknown> {
  const placed = (kinds: Kinds): Kinds => {
    return Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, asText(kind, text)]),
    )
  }
  return record(placed(required), placed(optional))
}

/** Fields of a form travel as text. */
export function sentKind({ kind, isForm }: MediaKind): Kind<unknown> {
  return isForm ? asText(kind, 'query') : kind
}

/**
 * Bodies of a media type, now and then one of the document's examples; undefined where no value
 * fits.
 */
export function mediaBodies(at: At, media: MediaKind): Arbitrary<RequestBody> | undefined {
  const { mediaType, check, examples } = media
  const made = valuesIfAny(sentKind(media), at)
  const fitting = examples.filter((example) => check === undefined || admits(check, example))
  const all =
    check === undefined || made === undefined
      ? made
      : siftIfAny(at, made, (value) => admits(check, value), check.name)
  const sources = [
    ...(all === undefined ? [] : [{ weight: 4, arbitrary: all }]),
    ...(fitting.length === 0 ? [] : [{ weight: 1, arbitrary: at.fc.constantFrom(...fitting) }]),
  ]
  return sources.length === 0
    ? undefined
    : at.fc.oneof(...sources).map((value) => ({ mediaType, value }))
}
