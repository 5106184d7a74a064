// What the comparers share: both documents, and the notes that they take. What a note means is
// decided later, when it is known which operations reach a schema and which way.
import type { InterfaceIr, Schema } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { refName } from '../load/refs.ts'
import type { Path } from '../load/source.ts'
import { REQUEST, RESPONSE } from './rules.ts'
import type { RuleName } from './rules.ts'

/**
 * Where two parts that are compared stand. Paths are those of the IR; `places.ts` finds them in the
 * documents.
 */
export interface Spot {
  readonly old: Path
  readonly new: Path
  /** How a sentence names it. */
  readonly subject: string
  /** Bits of the ways that values can travel here. */
  readonly ways: number
}

export interface Detail {
  readonly name?: string
  readonly before?: unknown
  readonly after?: unknown
  /** Keys below the spot where it stands. */
  readonly keys?: Path
  /** `old`: gone, `new`: it was not there. Both when absent. */
  readonly only?: 'old' | 'new'
}

export interface Note extends Detail {
  readonly rule: RuleName
  readonly spot: Spot
}

/** Somewhere a schema of the old document and one of the new stand in the same place. */
export interface Link {
  readonly old: string
  readonly new: string
  readonly ways: number
}

/** Everything found in one part: an operation, or a pair of component schemas. */
export interface Notes {
  readonly notes: Note[]
  readonly links: Link[]
}

export interface Comparison {
  readonly before: InterfaceIr
  readonly after: InterfaceIr
  /** Former name of a component schema by its new one, where they differ. */
  readonly renamed: ReadonlyMap<string, string>
  readonly to: Notes
}

/** `compareSchemas`, handed to those who compare parts of schemas. */
export type Compare = (
  comparison: Comparison,
  spot: Spot,
  before: Schema | undefined,
  after: Schema | undefined,
) => void

/** A place further in. `words` go on with the subject. */
export function into(spot: Spot, words: string, ...keys: readonly string[]): Spot {
  return {
    old: [...spot.old, ...keys],
    new: [...spot.new, ...keys],
    subject: spot.subject + words,
    ways: spot.ways,
  }
}

/** The same place for values that travel these ways only. */
export function only(spot: Spot, ways: number): Spot {
  return { ...spot, ways: spot.ways & ways }
}

/** Takes a note. */
export function note(
  comparison: Comparison,
  spot: Spot,
  rule: RuleName,
  detail: Detail = {},
): void {
  comparison.to.notes.push({ rule, spot, ...detail })
}

/** Notes that two component schemas stand in one place; true when that is more than a new name. */
export function link(comparison: Comparison, spot: Spot, old: string, now: string): boolean {
  comparison.to.links.push({ old, new: now, ways: spot.ways })
  return (comparison.renamed.get(now) ?? now) !== old
}

/** What a chain of references leads to, with the keywords beside them; their names in order. */
export function resolved(
  ir: InterfaceIr,
  schema: Schema,
): { readonly schema: Schema; readonly names: readonly string[] } {
  const names: string[] = []
  let current = schema
  while (typeof current === 'object' && current.$ref !== undefined) {
    const { $ref, ...siblings }: typeof current = current
    const name = refName($ref)
    const target: Schema = names.includes(name) ? {} : (ir.schemas[name] ?? {})
    names.push(name)
    current = typeof target === 'boolean' ? (target ? siblings : false) : { ...target, ...siblings }
  }
  return { schema: current, names }
}

/**
 * Bits of the ways that a property's values travel: read only ones never in requests, write only
 * ones never in responses.
 */
export function waysOf(ir: InterfaceIr, schema: Schema | undefined): number {
  if (schema === undefined || typeof schema === 'boolean') return REQUEST | RESPONSE
  const { schema: whole } = resolved(ir, schema)
  if (typeof whole === 'boolean') return REQUEST | RESPONSE
  return (whole.readOnly === true ? 0 : REQUEST) | (whole.writeOnly === true ? 0 : RESPONSE)
}

/** How a sentence names a schema that stands in a list. */
export function labelOf(schema: Schema): string {
  if (typeof schema === 'boolean') return String(schema)
  return schema.$ref === undefined ? canonicalJson(schema) : refName(schema.$ref)
}
