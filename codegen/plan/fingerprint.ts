// Fingerprints of operations and schemas with everything they refer to, so that a report can say
// what a new document changed.
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { canonicalJson, sha256 } from '../json.ts'
import { refsIn } from '../load/refs.ts'
import { refGraph } from '../ref-graph.ts'
import { compareText, isFields } from '../values.ts'

/** `shape` leaves out what only people read, so a change of texts alone shows as such. */
interface Fingerprint {
  readonly full: string
  readonly shape: string
}

export interface InterfaceFingerprints {
  readonly operations: Readonly<Record<string, Fingerprint>>
  readonly schemas: Readonly<Record<string, Fingerprint>>
}

interface OwnContent extends Fingerprint {
  readonly refs: ReadonlySet<string>
}

/** Digits of a fingerprint: it tells what has changed, and keeps nobody from anything. */
const PRINT_LENGTH = 10
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'summary', 'examples', 'tags'])

/** Fingerprints of all operations (by id) and schemas (by name), each over its closure. */
export function fingerprints(ir: InterfaceIr): InterfaceFingerprints {
  const schemas = new Map(
    Object.entries(ir.schemas).map(([name, schema]) => [name, ownContent(schema)]),
  )
  const reached = closures(schemas)
  const byOperation = ir.operations.map((operation): [string, Fingerprint] => {
    return [operation.operationId, closure(ownContent(withoutPlace(operation)), reached)]
  })
  const bySchema = [...schemas].map(([name, own]): [string, Fingerprint] => [
    name,
    closure(own, reached),
  ])
  return {
    operations: Object.fromEntries(byOperation.sort(([a], [b]) => compareText(a, b))),
    schemas: Object.fromEntries(bySchema),
  }
}

function withoutPlace(operation: OperationIr): Omit<OperationIr, 'at'> {
  const { at: _at, ...rest } = operation
  return rest
}

function ownContent(value: unknown): OwnContent {
  return {
    full: sha256(canonicalJson(value)),
    shape: sha256(shapeText(value)),
    refs: refsIn(value),
  }
}

/** A part as JSON, without what only people read. */
export function shapeText(value: unknown): string {
  return canonicalJson(value, isOfShape)
}

/**
 * A text is one for people only where its value is text or a list: a property may be called
 * `description` too.
 */
function isOfShape(key: string, item: unknown): boolean {
  return !FOR_PEOPLE.has(key) || isFields(item)
}

/** The hash of everything that a name leads to, itself included, by name. */
function closures(
  schemas: ReadonlyMap<string, OwnContent>,
): (name: string) => Fingerprint | undefined {
  const graph = refGraph(new Map([...schemas].map(([name, { refs }]) => [name, refs])))
  const hashes = graph.fold<Fingerprint>((members, below) => {
    const hash = (key: keyof Fingerprint): string =>
      sha256(
        [
          ...members
            .toSorted(compareText)
            .map((name) => `${name} ${schemas.get(name)?.[key] ?? ''}`),
          ...below.map((one) => one[key]).sort(compareText),
        ].join('\n'),
      )
    return { full: hash('full'), shape: hash('shape') }
  })
  return (name) => hashes[graph.groupOf(name) ?? -1]
}

function closure(own: OwnContent, reached: (name: string) => Fingerprint | undefined): Fingerprint {
  const refs = [...own.refs].sort(compareText)
  const hash = (key: keyof Fingerprint): string => {
    return sha256(
      [own[key], ...refs.map((name) => `${name} ${reached(name)?.[key] ?? ''}`)].join('\n'),
    ).slice(0, PRINT_LENGTH)
  }
  return { full: hash('full'), shape: hash('shape') }
}
