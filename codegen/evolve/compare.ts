// How two shapes of one package differ. What a difference means, for what was written with the
// older and for those who use it, stands with its rule (codegen/diff/rules-contracts.ts).
import type { TypeIr } from '../contracts-ir.ts'
import { CONTRACT_RULE } from '../diff/rules-contracts.ts'
import type { Stored } from '../diff/rule.ts'
import type { ContractRuleName } from '../diff/rules-contracts.ts'
import { sentence } from '../diff/sentence.ts'
import { parseType } from '../load/type-expression.ts'
import type { Path } from '../load/source.ts'
import type { Members, PackageShape, TypeShape } from './shape.ts'

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

/** Every difference between two shapes of a package, in the order of their names. */
export function compareShapes(before: PackageShape, after: PackageShape): readonly ShapeChange[] {
  return [
    ...compareEntities(before.templates, after.templates, 'template', (name) =>
      compareTemplate(before, after, name),
    ),
    ...compareEntities(before.interfaces, after.interfaces, 'contract-interface', (name) =>
      compareInterface(before, after, name),
    ),
  ]
}

/** The differences of one template's payload; none where either has no such template. */
export function comparePayload(
  before: PackageShape,
  after: PackageShape,
  name: string,
): readonly ShapeChange[] {
  const [old, now] = [before.templates[name], after.templates[name]]
  if (old === undefined || now === undefined) return []
  const at = { entity: name, role: 'payload', path: ['templates', name, 'fields'] } as const
  return compareMembers(
    { before, after, open: new Set() },
    at,
    'payload-field',
    old.fields,
    now.fields,
  )
}

function compareEntities(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  kind: 'template' | 'contract-interface',
  compare: (name: string) => readonly ShapeChange[],
): readonly ShapeChange[] {
  const key = kind === 'template' ? 'templates' : 'interfaces'
  return sides(before, after).flatMap((name): readonly ShapeChange[] => {
    const path = [key, name]
    if (!Object.hasOwn(after, name)) return [{ rule: `${kind}-removed`, entity: name, path }]
    return Object.hasOwn(before, name)
      ? compare(name)
      : [{ rule: `${kind}-added`, entity: name, path }]
  })
}

function sides(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
}

function compareTemplate(
  before: PackageShape,
  after: PackageShape,
  name: string,
): readonly ShapeChange[] {
  const [old, now] = [before.templates[name], after.templates[name]]
  if (old === undefined || now === undefined) return []
  const path = ['templates', name]
  const moved: readonly ShapeChange[] =
    old.module === now.module
      ? []
      : [
          {
            rule: 'template-moved',
            entity: name,
            before: old.module,
            after: now.module,
            path: [...path, 'module'],
          },
        ]
  const listed = (
    rule: ContractRuleName,
    interfaces: readonly string[],
    others: readonly string[],
  ): readonly ShapeChange[] =>
    interfaces
      .filter((one) => !others.includes(one))
      .map((one) => ({ rule, entity: name, member: one, path: [...path, 'interfaces'] }))
  return [
    ...moved,
    ...comparePayload(before, after, name),
    ...listed('template-interface-removed', old.interfaces, now.interfaces),
    ...listed('template-interface-added', now.interfaces, old.interfaces),
    ...compareChoices(before, after, name, 'templates'),
  ]
}

/**
 * An interface is a promise to those who implement it and to those who call it: it stays as it is.
 */
function compareInterface(
  before: PackageShape,
  after: PackageShape,
  name: string,
): readonly ShapeChange[] {
  const [old, now] = [before.interfaces[name], after.interfaces[name]]
  if (old === undefined || now === undefined) return []
  const path = ['interfaces', name]
  const at = { entity: name, role: 'result', path } as const
  const view = compareWords(
    { before, after, open: new Set() },
    at,
    'choice-field',
    old.view,
    now.view,
  )
  const changes = [...view, ...compareChoices(before, after, name, 'interfaces')]
  const isChanged = old.module !== now.module || changes.length > 0
  return isChanged
    ? [{ rule: 'contract-interface-changed', entity: name, path: changes[0]?.path ?? path }]
    : []
}

function compareChoices(
  before: PackageShape,
  after: PackageShape,
  entity: string,
  key: 'templates' | 'interfaces',
): readonly ShapeChange[] {
  const [old, now] = [before[key][entity]?.choices ?? {}, after[key][entity]?.choices ?? {}]
  return sides(old, now).flatMap((choice): readonly ShapeChange[] => {
    const path = [key, entity, 'choices', choice]
    const [was, is] = [old[choice], now[choice]]
    if (is === undefined) return [{ rule: 'choice-removed', entity, choice, path }]
    if (was === undefined) return [{ rule: 'choice-added', entity, choice, path }]
    const types = (['argument', 'result'] as const).flatMap((role) => {
      const at = { entity, role, choice, path: [...path, role] }
      const changes = compareWords(
        { before, after, open: new Set() },
        at,
        'choice-field',
        was[role],
        is[role],
      )
      return labelled(changes, was[role], is[role])
    })
    const kinds: readonly ShapeChange[] =
      was.consuming === is.consuming
        ? []
        : [
            {
              rule: 'choice-consuming-changed',
              entity,
              choice,
              path: [...path, 'consuming'],
              before: was.consuming,
              after: is.consuming,
            },
          ]
    return [...kinds, ...types]
  })
}

interface Comparison {
  readonly before: PackageShape
  readonly after: PackageShape
  /** Pairs of types that are being compared: a type may be made of itself. */
  readonly open: Set<string>
}

type Place = Pick<ShapeChange, 'entity' | 'role' | 'choice' | 'member' | 'path'>
type Kind = `${'payload' | 'choice'}-${'field' | 'case'}`

function compareWords(
  all: Comparison,
  at: Place,
  kind: Kind,
  before: string,
  after: string,
): readonly ShapeChange[] {
  const [old, now] = [typeOf(before), typeOf(after)]
  return old === undefined || now === undefined ? [] : compareTypes(all, at, kind, old, now)
}

/** A word that the loader or the lock's reader has accepted. */
function typeOf(word: string): TypeIr | undefined {
  const parsed = parseType(word)
  return parsed.ok ? parsed.type : undefined
}

function compareTypes(
  all: Comparison,
  at: Place,
  kind: Kind,
  before: TypeIr,
  after: TypeIr,
): readonly ShapeChange[] {
  if (before.kind === 'named' && after.kind === 'named')
    return compareNamed(all, at, kind, before.name, after.name)
  const isSame =
    before.kind === after.kind &&
    (before.kind !== 'scalar' || after.kind !== 'scalar' || before.name === after.name)
  if (!isSame) return [{ ...at, rule: `${kind}-type` }]
  if ('of' in before && 'of' in after) return compareTypes(all, at, kind, before.of, after.of)
  if (!('first' in before) || !('first' in after)) return []
  return [
    ...compareTypes(all, at, kind, before.first, after.first),
    ...compareTypes(all, at, kind, before.second, after.second),
  ]
}

/** Names of types are ours: what is written has none of them. */
function compareNamed(
  all: Comparison,
  at: Place,
  kind: Kind,
  before: string,
  after: string,
): readonly ShapeChange[] {
  const pair = `${before} ${after}`
  const [old, now] = [all.before.types[before], all.after.types[after]]
  if (old === undefined || now === undefined || all.open.has(pair)) return []
  all.open.add(pair)
  const inside = { ...at, path: pathOf(all, at, after, now) }
  if ('record' in old && 'record' in now)
    return compareMembers(all, inside, fieldKind(kind), old.record, now.record)
  if ('variant' in old && 'variant' in now)
    return compareMembers(all, inside, caseKind(kind), old.variant, now.variant)
  if ('enum' in old && 'enum' in now) {
    return compareMembers(
      all,
      inside,
      caseKind(kind),
      Object.fromEntries(old.enum.map(noType)),
      Object.fromEntries(now.enum.map(noType)),
    )
  }
  return [{ ...at, rule: `${kind}-type`, before: kindOf(old), after: kindOf(now) }]
}

function fieldKind(kind: Kind): Kind {
  return kind.startsWith('payload') ? 'payload-field' : 'choice-field'
}

function caseKind(kind: Kind): Kind {
  return kind.startsWith('payload') ? 'payload-case' : 'choice-case'
}

/**
 * Where a type's members stand: a record in place is written where it is used, a payload with its
 * template.
 */
function pathOf({ after }: Comparison, at: Place, name: string, type: TypeShape): Path {
  const isInPlace =
    name === at.choice || name === `${at.choice ?? ''}Result` || name === `${at.entity}View`
  if (isInPlace) return at.path
  return Object.hasOwn(after.templates, name)
    ? ['templates', name, 'fields']
    : ['types', name, kindOf(type)]
}

function noType(name: string): readonly [string, string] {
  return [name, 'Unit']
}

function kindOf(type: TypeShape): string {
  return 'record' in type ? 'record' : 'variant' in type ? 'variant' : 'enum'
}

/**
 * Fields of a record or cases of a variant. What is new at the end is read from what has it not.
 */
function compareMembers(
  all: Comparison,
  at: Place,
  kind: Kind,
  before: Members,
  after: Members,
): readonly ShapeChange[] {
  const [old, now] = [Object.keys(before), Object.keys(after)]
  const kept = now.filter((name) => Object.hasOwn(before, name))
  const below = (name: string): Place => ({
    ...at,
    member: at.member === undefined ? name : `${at.member}.${name}`,
    path: [...at.path, name],
  })
  const gone = old
    .filter((name) => !Object.hasOwn(after, name))
    .map((name): ShapeChange => ({ ...below(name), path: at.path, rule: `${kind}-removed` }))
  const order = old.filter((name) => Object.hasOwn(after, name)).join() !== kept.join()
  const isInside = (name: string): boolean =>
    now.slice(now.indexOf(name)).some((later) => Object.hasOwn(before, later))
  return [
    ...gone,
    ...(order ? [{ ...at, rule: `${kind}-order` } as const] : []),
    ...now.flatMap((name): readonly ShapeChange[] => {
      const [was, is = ''] = [before[name], after[name]]
      if (was !== undefined) return labelled(compareWords(all, below(name), kind, was, is), was, is)
      return [{ ...below(name), rule: newMember(kind, is, isInside(name)), after: is }]
    }),
  ]
}

function newMember(kind: Kind, word: string, isInside: boolean): ContractRuleName {
  if (kind === 'payload-case' || kind === 'choice-case')
    return isInside ? `${kind}-order` : `${kind}-added`
  return isInside || !word.endsWith('?') ? `${kind}-required` : `${kind}-added`
}

/** Tells both types where the words themselves differ. */
function labelled(
  changes: readonly ShapeChange[],
  before: string,
  after: string,
): readonly ShapeChange[] {
  return before === after
    ? changes
    : changes.map((change) =>
        change.rule.endsWith('-type') ? { before, after, ...change } : change,
      )
}
