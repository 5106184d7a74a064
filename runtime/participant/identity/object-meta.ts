// The metadata of users and parties as a request gives it: the checks that need no stored state,
// and the merge of an update. docs/ledger-rules.md, "Metadata and annotations"
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { shortKey } from '../../errors/text.ts'
import type { Annotations } from './annotations.ts'
import { annotationKeyProblem, annotationsBytes, MAX_ANNOTATIONS_BYTES } from './annotations.ts'

export interface MetaDraft {
  /** Undefined is "not given". */
  readonly annotations: Annotations | undefined
  /** '' is "not given". */
  readonly resourceVersion: string
}

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/**
 * The first problem with metadata for a new resource: no version, and every annotation has a value.
 * `field` is where it stands.
 */
export function newMetaProblem(
  { annotations = {}, resourceVersion }: MetaDraft,
  field: string,
): LedgerError | undefined {
  if (resourceVersion !== '')
    return invalidArgument(reasonText('resourceVersionOnCreate', { field }))
  const emptyKey = Object.entries(annotations).find(([, value]) => value === '')?.[0]
  const empty =
    emptyKey === undefined
      ? undefined
      : reasonText('annotationValueEmpty', { key: shortKey(emptyKey) })
  return (
    annotationsProblem(annotations, field) ??
    (empty === undefined ? undefined : invalidArgument(empty))
  )
}

/** The first problem with metadata in an update; a given version must be a 64-bit integer. */
export function metaUpdateProblem(
  { annotations = {}, resourceVersion }: MetaDraft,
  field: string,
): LedgerError | undefined {
  const problem = annotationsProblem(annotations, field)
  if (problem || isVersion(resourceVersion)) return problem
  return invalidField(`${field}.resource_version`, reasonText('invalidResourceVersion'))
}

/** The version that an update insists on; undefined insists on none. */
export function expectedVersion({ resourceVersion }: MetaDraft): bigint | undefined {
  return resourceVersion === '' ? undefined : BigInt(resourceVersion.replace('+', ''))
}

function annotationsProblem(annotations: Annotations, field: string): LedgerError | undefined {
  const key = Object.keys(annotations)
    .map(annotationKeyProblem)
    .find((problem) => problem !== undefined)
  if (key !== undefined) return invalidArgument(key)
  return annotationsBytes(annotations) > MAX_ANNOTATIONS_BYTES
    ? invalidArgument(reasonText('annotationsTooLarge', { field: `${field}.annotations` }))
    : undefined
}

function isVersion(text: string): boolean {
  if (text === '') return true
  if (!/^[+-]?\d{1,20}$/.test(text)) return false
  const version = BigInt(text.replace('+', ''))
  return version >= INT64_MIN && version <= INT64_MAX
}
