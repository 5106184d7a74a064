// What the comparers share: both documents, and the notes that they take. What a note means is
// decided later, when it is known which operations reach a schema and which way.
import type { InterfaceIr, Schema } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { refName } from '../load/refs.ts'
import type { Path } from '../load/source.ts'
import { REQUEST, RESPONSE } from './rules.ts'
import type { RuleName } from './rules.ts'
import { same } from './sets.ts'
import type { Matched } from './sets.ts'

/**
 * Where two parts that are compared stand, and in which comparison. Paths are those of the IR;
 * `places.ts` finds them in the documents.
 */
export interface Spot {
  readonly in: Comparison
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
  /** Compares schemas that stand in the same place: parts of a schema, for its comparers. */
  compare(spot: Spot, before: Schema | undefined, after: Schema | undefined): void
}

/** A place further in. `words` go on with the subject. */
export function into(spot: Spot, words: string, ...keys: readonly string[]): Spot {
  return {
    ...spot,
    old: [...spot.old, ...keys],
    new: [...spot.new, ...keys],
    subject: spot.subject + words,
  }
}

/** The same place for values that travel these ways only. */
export function only(spot: Spot, ways: number): Spot {
  return { ...spot, ways: spot.ways & ways }
}

/** Takes a note. */
export function note(spot: Spot, rule: RuleName, detail: Detail = {}): void {
  spot.in.to.notes.push({ rule, spot, ...detail })
}

/** A member of two parts, the rule of its change, and its keys where these are not its name. */
type Row<T> = readonly [member: keyof T & string, rule: RuleName, keys?: Path]

/** Notes the members that differ, each under its rule. */
export function compareMembers<T>(spot: Spot, before: T, after: T, rows: readonly Row<T>[]): void {
  for (const [member, rule, keys = [member]] of rows) {
    const [was, is] = [before[member], after[member]]
    if (!same(was, is)) note(spot, rule, { before: was, after: is, keys })
  }
}

/** Notes a flag that was set or unset. */
export function compareFlag(
  spot: Spot,
  before: boolean | undefined,
  after: boolean | undefined,
  [set, unset]: readonly [set: RuleName, unset: RuleName],
  keys: Path,
): void {
  if (before !== after) note(spot, after === true ? set : unset, { keys })
}

/** Rules of what comes and of what goes. */
type Both = readonly [added: RuleName, removed: RuleName]

/** Notes what only one side has. False where both have something, or none has. */
export function noteOneSided(
  spot: Spot,
  before: unknown,
  after: unknown,
  [added, removed]: Both,
  detail: Detail = {},
): boolean {
  if ((before === undefined) === (after === undefined)) return false
  const isNew = before === undefined
  note(spot, isNew ? added : removed, {
    ...(isNew ? { after } : { before }),
    ...detail,
    only: isNew ? 'new' : 'old',
  })
  return true
}

/** Notes what has no counterpart: what is gone, then what is new. */
export function noteUnmatched<T>(
  spot: Spot,
  { gone, fresh }: Pick<Matched<T>, 'gone' | 'fresh'>,
  [added, removed]: Both,
  detailOf: (one: T, key: string) => Detail,
): void {
  for (const [key, one] of gone) note(spot, removed, { ...detailOf(one, key), only: 'old' })
  for (const [key, one] of fresh) note(spot, added, { ...detailOf(one, key), only: 'new' })
}

/** The side on which alone something is said. */
export function onlyIn(before: unknown, after: unknown): Pick<Detail, 'only'> {
  if (before === undefined) return { only: 'new' }
  return after === undefined ? { only: 'old' } : {}
}

/** Notes that two component schemas stand in one place; true when that is more than a new name. */
export function link({ in: { to, renamed }, ways }: Spot, old: string, now: string): boolean {
  to.links.push({ old, new: now, ways })
  return (renamed.get(now) ?? now) !== old
}

/** The schema behind a chain of references, with the keywords beside them; their names in order. */
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
