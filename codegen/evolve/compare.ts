// How two shapes of one package differ. What a difference means, for what was written with the
// older and for those who use it, stands with its rule (codegen/diff/rules-contracts.ts).
import type { TypeIr } from '../contracts-ir.ts'
import { CONTRACT_RULE } from '../diff/rules-contracts.ts'
import type { Stored } from '../diff/rule.ts'
import type { ContractRuleName } from '../diff/rules-contracts.ts'
import { sentence } from '../diff/sentence.ts'
import { parseType } from '../load/type-expression.ts'
import type { Path } from '../load/source.ts'
import type { InterfaceShape, Members, PackageShape, TemplateShape, TypeShape } from './shape.ts'

/** The role of a type: stored contracts have it, or it travels as a command. */
type Role = 'payload' | 'argument' | 'result'

export interface ShapeChange {
  readonly rule: ContractRuleName
  /** The template or interface. */
  readonly entity: string
  /** Absent where the change is of the entity itself. */
  readonly role?: Role
  readonly choice?: string
  /** The field or case, below the payload, argument or result: `amount.createdAt`. */
  readonly member?: string
  readonly before?: string | boolean | number
  readonly after?: string | boolean | number
  /** The path in contracts.yaml, of the newer shape if it is there, else of what held it. */
  readonly path: Path
}

/** The meaning of a difference for contracts and commands of the older shape. */
export function storedBy({ rule }: Pick<ShapeChange, 'rule'>): Stored {
  return CONTRACT_RULE[rule].stored
}

/** The sentence for a change: `Coin payload amount: …`. */
export function sentenceOf(change: ShapeChange): string {
  const { rule, member, choice, before, after } = change
  return sentence(CONTRACT_RULE[rule].says, {
    subject: subjectOf(change),
    name: member ?? choice ?? '',
    before,
    after,
  })
}

/** The entity, and which of its types is concerned. */
function subjectOf({ entity, choice, role }: ShapeChange): string {
  return [choice === undefined || role === undefined ? entity : choice, role]
    .filter((part) => part !== undefined)
    .join(' ')
}

type Place = Pick<ShapeChange, 'entity' | 'role' | 'choice' | 'member' | 'path'>

/** A place in two shapes of a package, and what is compared there. */
interface Spot {
  readonly before: PackageShape
  readonly after: PackageShape
  readonly at: Place
  readonly part: 'payload' | 'choice'
  readonly holder: 'field' | 'case'
  /** Pairs of types that are being compared: a type may be made of itself. */
  readonly open: Set<string>
}

/** Every difference between two shapes of a package, in the order of their names. */
export function compareShapes(before: PackageShape, after: PackageShape): readonly ShapeChange[] {
  const spot =
    (key: string) =>
    (entity: string): Spot =>
      spotOf(before, after, { entity, path: [key, entity] })
  const [templates, interfaces] = [spot('templates'), spot('interfaces')]
  return [
    ...compareEach('template', before.templates, after.templates, templates, compareTemplate),
    ...compareEach(
      'contract-interface',
      before.interfaces,
      after.interfaces,
      interfaces,
      compareInterface,
    ),
  ]
}

/** The differences of one template's payload; none where either has no such template. */
export function comparePayload(
  before: PackageShape,
  after: PackageShape,
  entity: string,
): readonly ShapeChange[] {
  const [old, now] = [before.templates[entity], after.templates[entity]]
  if (old === undefined || now === undefined) return []
  return compareFields(spotOf(before, after, { entity, path: ['templates', entity] }), old, now)
}

function spotOf(before: PackageShape, after: PackageShape, at: Place): Spot {
  return { before, after, at, part: 'payload', holder: 'field', open: new Set() }
}

/** A place below, where nothing is being compared yet. */
function inside(spot: Spot, keys: Path, more: Partial<Place> = {}): Spot {
  const at = { ...spot.at, ...more, path: [...spot.at.path, ...keys] }
  return { ...spot, at, open: new Set() }
}

function changed(
  { at }: Spot,
  rule: ContractRuleName,
  detail: Partial<ShapeChange> = {},
): readonly ShapeChange[] {
  return [{ ...at, rule, ...detail }]
}

/** Compares what both sides have under a name; the rest was added or removed. */
function compareEach<T>(
  kind: 'template' | 'contract-interface' | 'choice',
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  spotAt: (name: string) => Spot,
  compare: (spot: Spot, old: T, now: T) => readonly ShapeChange[],
): readonly ShapeChange[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)]
    if (is === undefined) return changed(spotAt(name), `${kind}-removed`)
    if (was === undefined) return changed(spotAt(name), `${kind}-added`)
    return compare(spotAt(name), was, is)
  })
}

function compareTemplate(
  spot: Spot,
  old: TemplateShape,
  now: TemplateShape,
): readonly ShapeChange[] {
  const listed = (rule: ContractRuleName, some: readonly string[], others: readonly string[]) =>
    some
      .filter((one) => !others.includes(one))
      .flatMap((member) => changed(inside(spot, ['interfaces']), rule, { member }))
  return [
    ...(old.module === now.module
      ? []
      : changed(inside(spot, ['module']), 'template-moved', {
          before: old.module,
          after: now.module,
        })),
    ...compareFields(spot, old, now),
    ...listed('template-interface-removed', old.interfaces, now.interfaces),
    ...listed('template-interface-added', now.interfaces, old.interfaces),
    ...compareChoices(spot, old, now),
  ]
}

function compareFields(spot: Spot, old: TemplateShape, now: TemplateShape): readonly ShapeChange[] {
  return compareMembers(inside(spot, ['fields'], { role: 'payload' }), old.fields, now.fields)
}

/**
 * An interface is a promise to those who implement it and to those who call it: it stays as it is.
 */
function compareInterface(
  spot: Spot,
  old: InterfaceShape,
  now: InterfaceShape,
): readonly ShapeChange[] {
  const view = inside({ ...spot, part: 'choice' }, [], { role: 'result' })
  const [first] = [...compareWords(view, old.view, now.view), ...compareChoices(spot, old, now)]
  if (old.module === now.module && first === undefined) return []
  return changed(spot, 'contract-interface-changed', { path: first?.path ?? spot.at.path })
}

type Chosen = Pick<TemplateShape, 'choices'>

function compareChoices(spot: Spot, old: Chosen, now: Chosen): readonly ShapeChange[] {
  const spotAt = (choice: string): Spot =>
    inside({ ...spot, part: 'choice' }, ['choices', choice], { choice })
  return compareEach('choice', old.choices, now.choices, spotAt, (at, was, is) => [
    ...(was.consuming === is.consuming
      ? []
      : changed(inside(at, ['consuming']), 'choice-consuming-changed', {
          before: was.consuming,
          after: is.consuming,
        })),
    ...(['argument', 'result'] as const).flatMap((role) =>
      compareWords(inside(at, [role], { role }), was[role], is[role]),
    ),
  ])
}

/** Compares types by their words, and tells both where the words themselves differ. */
function compareWords(spot: Spot, before: string, after: string): readonly ShapeChange[] {
  const [old, now] = [typeOf(before), typeOf(after)]
  const changes = old === undefined || now === undefined ? [] : compareTypes(spot, old, now)
  return before === after
    ? changes
    : changes.map((change) =>
        change.rule.endsWith('-type') ? { before, after, ...change } : change,
      )
}

/** A word that the loader or the lock's reader has accepted. */
function typeOf(word: string): TypeIr | undefined {
  const parsed = parseType(word)
  return parsed.ok ? parsed.type : undefined
}

function compareTypes(spot: Spot, before: TypeIr, after: TypeIr): readonly ShapeChange[] {
  if (before.kind === 'named' && after.kind === 'named')
    return compareNamed(spot, before.name, after.name)
  const isSame =
    before.kind === after.kind &&
    (before.kind !== 'scalar' || after.kind !== 'scalar' || before.name === after.name)
  if (!isSame) return changed(spot, `${spot.part}-${spot.holder}-type`)
  if ('of' in before && 'of' in after) return compareTypes(spot, before.of, after.of)
  if (!('first' in before) || !('first' in after)) return []
  return [
    ...compareTypes(spot, before.first, after.first),
    ...compareTypes(spot, before.second, after.second),
  ]
}

/** Compares two types by their names, which are ours: what is written has none of them. */
function compareNamed(spot: Spot, before: string, after: string): readonly ShapeChange[] {
  const pair = `${before} ${after}`
  const [old, now] = [spot.before.types[before], spot.after.types[after]]
  if (old === undefined || now === undefined || spot.open.has(pair)) return []
  spot.open.add(pair)
  const [was, is] = [kindOf(old), kindOf(now)]
  if (was !== is)
    return changed(spot, `${spot.part}-${spot.holder}-type`, { before: was, after: is })
  const within: Spot = {
    ...spot,
    at: { ...spot.at, path: pathOf(spot, after, now) },
    holder: is === 'record' ? 'field' : 'case',
  }
  return compareMembers(within, membersOf(old), membersOf(now))
}

/**
 * Where a type's members stand: a record in place is written where it is used, a payload with its
 * template.
 */
function pathOf({ after, at }: Spot, name: string, type: TypeShape): Path {
  const isInPlace =
    name === at.choice || name === `${at.choice ?? ''}Result` || name === `${at.entity}View`
  if (isInPlace) return at.path
  return Object.hasOwn(after.templates, name)
    ? ['templates', name, 'fields']
    : ['types', name, kindOf(type)]
}

function kindOf(type: TypeShape): 'record' | 'variant' | 'enum' {
  return 'record' in type ? 'record' : 'variant' in type ? 'variant' : 'enum'
}

function membersOf(type: TypeShape): Members {
  if ('record' in type) return type.record
  return 'variant' in type
    ? type.variant
    : Object.fromEntries(type.enum.map((name) => [name, 'Unit']))
}

/**
 * Fields of a record or cases of a variant. What is new at the end is read from what has it not.
 */
function compareMembers(spot: Spot, before: Members, after: Members): readonly ShapeChange[] {
  const { at, part, holder } = spot
  const [old, now] = [Object.keys(before), Object.keys(after)]
  const kept = now.filter((name) => Object.hasOwn(before, name))
  const below = (name: string): Place => ({
    ...at,
    member: at.member === undefined ? name : `${at.member}.${name}`,
    path: [...at.path, name],
  })
  const gone = old
    .filter((name) => !Object.hasOwn(after, name))
    .map((name): ShapeChange => ({
      ...below(name),
      path: at.path,
      rule: `${part}-${holder}-removed`,
    }))
  const order = old.filter((name) => Object.hasOwn(after, name)).join() !== kept.join()
  const isInside = (name: string): boolean =>
    now.slice(now.indexOf(name)).some((later) => Object.hasOwn(before, later))
  return [
    ...gone,
    ...(order ? changed(spot, `${part}-${holder}-order`) : []),
    ...now.flatMap((name): readonly ShapeChange[] => {
      const [was, is = ''] = [before[name], after[name]]
      if (was !== undefined) return compareWords({ ...spot, at: below(name) }, was, is)
      return [{ ...below(name), rule: newMember(spot, is, isInside(name)), after: is }]
    }),
  ]
}

function newMember({ part, holder }: Spot, word: string, isInside: boolean): ContractRuleName {
  if (holder === 'case') return isInside ? `${part}-case-order` : `${part}-case-added`
  return isInside || !word.endsWith('?') ? `${part}-field-required` : `${part}-field-added`
}
