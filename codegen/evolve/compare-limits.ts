// How the limits of two contracts.yaml differ. They are no part of a shape, for stored contracts
// are read whatever they are: they decide what callers and choices may create.
import { typeNames } from '../contracts-ir.ts'
import type {
  ChoiceIr,
  ContractsIr,
  EntityIr,
  LimitedKind,
  MemberIr,
  NamedTypeIr,
  TypeIr,
} from '../contracts-ir.ts'
import { LIMITED_KINDS } from '../load/contract-limits.ts'
import type { ShapeChange } from './compare.ts'
import { closure, shapesByName } from './shape.ts'
import { given } from '../values.ts'

type Place = Pick<ShapeChange, 'entity' | 'role' | 'choice' | 'member' | 'path'>

interface Limit extends Place {
  /** Absent: the document's default counts. */
  readonly own?: number | undefined
  /** Absent: there is none. */
  readonly value?: number | undefined
}

/**
 * Every limit that differs, once, where it is written: a default of the document, a member of a
 * type, the bytes of a type. Only of what is created and of arguments, which are
 * what limits are checked on.
 */
export function compareLimits(before: ContractsIr, after: ContractsIr): readonly ShapeChange[] {
  const [old, now] = [limitsOf(before), limitsOf(after)]
  return [...now].flatMap(([key, limit]): readonly ShapeChange[] => {
    const was = old.get(key)
    const isDefault = was?.own === undefined && limit.own === undefined
    if (was === undefined || was.value === limit.value || isDefault) return []
    const { own: _own, value = Infinity, ...place } = limit
    const rule = value < (was.value ?? Infinity) ? 'limit-lowered' : 'limit-raised'
    return [{ ...place, rule, ...numbers(was.value, limit.value) }]
  })
}

function numbers(
  before: number | undefined,
  after: number | undefined,
): Pick<ShapeChange, 'before' | 'after'> {
  return { ...given({ before, after }) }
}

/** Limits by place and kind. */
function limitsOf(ir: ContractsIr): ReadonlyMap<string, Limit> {
  const defaults = LIMITED_KINDS.map((kind): Limit => {
    const value = ir.limits?.[kind]
    return { entity: 'limits', member: kind, path: ['limits', kind], own: value, value }
  })
  const all = [
    ...defaults,
    ...ir.templates.flatMap(({ name, payload }) => {
      const path = ['templates', name, 'fields']
      return memberLimits(ir, { entity: name, role: 'payload', path }, payload)
    }),
    ...ir.templates.flatMap((one) => choiceLimits(ir, one, 'templates')),
    ...ir.interfaces.flatMap((one) => choiceLimits(ir, one, 'interfaces')),
    ...namedLimits(ir),
  ]
  return new Map(all.map((limit) => [[...limit.path, limit.member].join(' '), limit]))
}

function choiceLimits(
  ir: ContractsIr,
  { name: entity, choices }: EntityIr,
  key: 'templates' | 'interfaces',
): readonly Limit[] {
  return choices.flatMap((choice) => {
    const path = [key, entity, 'choices', choice.name, 'argument']
    const at = { entity, role: 'argument', choice: choice.name, path } as const
    const inPlace = isInPlace(choice)
      ? ir.types.find(({ name }) => name === choice.name)
      : undefined
    return inPlace?.shape.kind === 'record'
      ? memberLimits(ir, at, inPlace.shape.members)
      : typeLimits(ir, at, choice.argument)
  })
}

/** The argument is a record that stands with the choice, whose name it has. */
function isInPlace({ name, argument }: ChoiceIr): boolean {
  return argument.kind === 'named' && argument.name === name
}

/** Types that payloads and arguments are made of; results are what choices make of those. */
function namedLimits(ir: ContractsIr): readonly Limit[] {
  const choices = [...ir.templates, ...ir.interfaces].flatMap((one) => one.choices)
  const payloads = ir.templates.flatMap(({ payload }) => payload.map(({ type }) => type))
  const used = [...payloads, ...choices.map((one) => one.argument)]
  const reached = closure(shapesByName(ir), used.flatMap(typeNames))
  const inPlace = new Set(choices.filter(isInPlace).map(({ name }) => name))
  return ir.types
    .filter(({ name }) => reached.has(name) && !inPlace.has(name))
    .flatMap((type) => namedTypeLimits(ir, type))
}

function namedTypeLimits(
  ir: ContractsIr,
  { name: entity, shape, maxBytes: value }: NamedTypeIr,
): readonly Limit[] {
  const path = ['types', entity]
  const bytes = { entity, member: 'maxBytes', path: [...path, 'maxBytes'], own: value, value }
  if (shape.kind === 'enum') return [bytes]
  return [bytes, ...memberLimits(ir, { entity, path: [...path, shape.kind] }, shape.members)]
}

function memberLimits(ir: ContractsIr, at: Place, members: readonly MemberIr[]): readonly Limit[] {
  return members.flatMap(({ name, type }) =>
    typeLimits(ir, { ...at, member: name, path: [...at.path, name] }, type),
  )
}

/** `List<Text(10)>(5)` has two, that of the list and one of `Text in List`. */
function typeLimits(ir: ContractsIr, at: Place, type: TypeIr, outer = ''): readonly Limit[] {
  const kind = limitedKind(type)
  const own = 'limit' in type ? type.limit : undefined
  const member = [at.member, `(${kind ?? ''}${outer})`].join(' ').trim()
  return [
    ...(kind === undefined ? [] : [{ ...at, member, own, value: own ?? ir.limits?.[kind] }]),
    ...partsOf(type).flatMap(([place, part]) => typeLimits(ir, at, part, place + outer)),
  ]
}

const COLLECTIONS = { list: 'List', set: 'Set', textMap: 'TextMap', map: 'Map' } as const

function limitedKind(type: TypeIr): LimitedKind | undefined {
  if (type.kind === 'scalar') return LIMITED_KINDS.find((kind) => kind === type.name)
  const isSingle = type.kind === 'named' || type.kind === 'optional' || type.kind === 'pair'
  return isSingle ? undefined : COLLECTIONS[type.kind]
}

/** Parts of a type, each with the name of its place. */
function partsOf(type: TypeIr): readonly (readonly [place: string, type: TypeIr])[] {
  switch (type.kind) {
    case 'scalar':
    case 'named':
      return []
    case 'optional':
      return [['', type.of]]
    case 'map':
      return [
        [' in Map keys', type.first],
        [' in Map values', type.second],
      ]
    case 'pair':
      return [
        [' in Pair first', type.first],
        [' in Pair second', type.second],
      ]
    default:
      return [[` in ${COLLECTIONS[type.kind]}`, type.of]]
  }
}
