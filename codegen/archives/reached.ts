// What a package defines, and what of other packages that leads to. docs/decisions/0057
import type {
  ChoiceDefinition,
  DataDefinition,
  DataShape,
  Field,
  InterfaceDefinition,
  Package,
  Program,
  TemplateDefinition,
} from '../../runtime/packages/program/definitions.ts'
import type { Reference, Type } from '../../runtime/packages/program/types.ts'

/** A definition that gets code: a data type, with the template that it is the payload of. */
export interface Reached {
  readonly reference: Reference
  readonly data: DataDefinition
  readonly template: TemplateDefinition | undefined
  /** Absent but for interfaces. */
  readonly interface: InterfaceDefinition | undefined
}

/**
 * All definitions of these packages that values can be of, and all that these lead to. Throws
 * MalformedArchive.
 */
export function reached(program: Program, packages: readonly Package[]): readonly Reached[] {
  const found = new Map<Reference, Reached>()
  const open = packages.flatMap((one) => definedIn(program, one))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    const one = reachedAt(program, next)
    found.set(next, one)
    open.push(...leadsTo(one))
  }
  return [...found.values()]
}

function definedIn(program: Program, { packageId, modules }: Package): readonly Reference[] {
  return [...modules.values()].flatMap(({ name: module, dataTypes }) =>
    [...dataTypes]
      .filter(([, read]) => read().serializable || read().shape.kind === 'interface')
      .map(([name]) => program.reference(packageId, module, name)),
  )
}

function reachedAt(program: Program, reference: Reference): Reached {
  const data = program.dataType(reference)
  const module = program.packages.get(reference.packageId)?.modules.get(reference.module)
  const isTemplate = module?.templates.has(reference.name) === true
  return {
    reference,
    data,
    template: isTemplate ? program.template(reference) : undefined,
    interface: data.shape.kind === 'interface' ? program.interface(reference) : undefined,
  }
}

function leadsTo({ data: { shape }, template, interface: face }: Reached): readonly Reference[] {
  const choices = [...((template ?? face)?.choices.values() ?? [])]
  return [
    ...fieldsOf(shape).flatMap(({ type }) => namedIn(type)),
    ...choices.flatMap(({ argument, result }: ChoiceDefinition) => [
      ...namedIn(argument),
      ...namedIn(result),
    ]),
    ...[...(template?.implementations.values() ?? [])].map((one) => one.interface),
    ...(face === undefined ? [] : [...namedIn(face.view), ...face.requires]),
  ]
}

/** Fields of a record, or constructors of a variant. */
export function fieldsOf(shape: DataShape): readonly Field[] {
  if (shape.kind === 'record') return shape.fields
  return shape.kind === 'variant' ? shape.constructors : []
}

function namedIn(type: Type): readonly Reference[] {
  if (type.kind !== 'constructor' && type.kind !== 'builtin') return []
  const inner = type.arguments.flatMap(namedIn)
  return type.kind === 'constructor' ? [type.reference, ...inner] : inner
}
