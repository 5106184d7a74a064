// Packages in the generator's form: names that TypeScript can have, and types in its words.
import type { ChoiceIr, ScalarName, ShapeIr, TypeIr } from '../contracts-ir.ts'
import { compareText } from '../values.ts'
import { MalformedArchive } from '../../runtime/packages/archive/message.ts'
import type {
  ChoiceDefinition,
  DataShape,
  Field,
  Package,
  Program,
} from '../../runtime/packages/program/definitions.ts'
import { demandPackageName } from '../../runtime/packages/archive/package-names.ts'
import { freeVariables } from '../../runtime/packages/program/type-table.ts'
import type { Reference, Type } from '../../runtime/packages/program/types.ts'
import { compareVersions } from '../../runtime/packages/summary/summary.ts'
import type { ModuleIr } from './packages-ir.ts'
import { fieldsOf, reached } from './reached.ts'
import type { Reached } from './reached.ts'

/** Names that printed code uses for something else. */
const TAKEN: ReadonlySet<string> = new Set([
  'Choice',
  'Codec',
  'ContractId',
  'Interface',
  'InterfaceOf',
  'Optional',
  'PayloadOf',
  'ReadonlyMap',
  'Template',
  'Unit',
])

/** Names that a module's imports may bring besides. */
const HELPERS = [
  'CommandOptions',
  'Created',
  'Exercised',
  'Fields',
  'Ids',
  'Json',
  'PackageLedger',
  'Shape',
  'Shaped',
  'SubmissionError',
  'Submit',
  'Update',
]

const SCALARS: ReadonlyMap<string, ScalarName> = new Map([
  ['Unit', 'Unit'],
  ['Bool', 'Bool'],
  ['Int64', 'Int'],
  ['Date', 'Date'],
  ['Timestamp', 'Timestamp'],
  ['Party', 'Party'],
  ['Text', 'Text'],
])

/** Characters of a folder's name; file systems have 255, and a version may follow. */
const MAX_FOLDER = 150

/**
 * The modules of these packages, and those that they lead to, by file. Throws MalformedArchive.
 */
export function packageModules(program: Program, main: readonly Package[]): readonly ModuleIr[] {
  const definitions = reached(program, main)
  for (const one of definitions) demandPrintable(program, one)
  const files = filesOf(foldersOf(program, main, definitions), definitions)
  const fileOf = (reference: Reference): string => files.get(moduleKey(reference)) ?? ''
  const modules = Map.groupBy(definitions, ({ reference }) => fileOf(reference))
  const names = new Map(
    [...modules.values()].flatMap((inside) => [
      ...namesIn(inside.map(({ reference }) => reference)),
    ]),
  )
  return [...modules]
    .sort(([a], [b]) => compareText(a, b))
    .map(([file, inside]) => new ModuleBuilder(program, fileOf, names, file).build(inside))
}

/** Segments of the names of modules and types; they become names of files and of code. */
const SEGMENTS = /^(?=.{1,200}$)[A-Z][\w$]*(?:\.[A-Z][\w$]*)*$/u

/** Names in a definition that printed code could not have; a compiler makes no others. */
function demandPrintable(program: Program, definition: Reached): void {
  const { reference, data, template, interface: face } = definition
  const { packageId, module, name } = reference
  const { name: packageName = '', version = '' } = program.packages.get(packageId) ?? {}
  demandPackageName(packageName, version)
  const members = fieldsOf(data.shape).map((field) => field.name)
  const choices = [...(template?.choices.keys() ?? []), ...(face?.choices.keys() ?? [])]
  const bad =
    [module, name].find((text) => !SEGMENTS.test(text)) ??
    [...members, ...choices].find((text) => text === '__proto__') ??
    choices.find((text) => !SEGMENTS.test(text))
  if (packageName.length > MAX_FOLDER || bad !== undefined)
    throw new MalformedArchive(
      `a name that generated code cannot have: ${JSON.stringify((bad ?? packageName).slice(0, 300))}`,
    )
}

/** Files of modules by package and module: no two differ by case alone, which disks may ignore. */
function filesOf(
  folders: ReadonlyMap<string, string>,
  definitions: readonly Reached[],
): ReadonlyMap<string, string> {
  const used = new Set<string>()
  const files = new Map<string, string>()
  const keys = new Set(definitions.map(({ reference }) => moduleKey(reference)))
  for (const key of [...keys].sort(compareText)) {
    const [packageId = '', module = ''] = key.split(':')
    const path = `packages/${folders.get(packageId) ?? packageId}/${module}`
    files.set(key, `${unusedFile(path, used)}.gen.ts`)
  }
  return files
}

function moduleKey({ packageId, module }: Reference): string {
  return `${packageId}:${module}`
}

function unusedFile(path: string, used: Set<string>): string {
  let free = path
  while (used.has(free.toLowerCase())) free += '_'
  used.add(free.toLowerCase())
  return free
}

/**
 * Folders by package id: the package's name. Of several versions the one that was asked for has it,
 * else the newest; the others have their version too.
 */
function foldersOf(
  program: Program,
  main: readonly Package[],
  definitions: readonly Reached[],
): ReadonlyMap<string, string> {
  const ids = new Set(definitions.map(({ reference }) => reference.packageId))
  const packages = [...ids].flatMap((id) => program.packages.get(id) ?? [])
  const folders = new Map<string, string>()
  // A package may be named like the folder of another one's version.
  const used = new Set(packages.map(({ name }) => name))
  for (const [name, versions] of Map.groupBy(packages, (one) => one.name)) {
    const [first, ...others] = versions.toSorted(
      (one, other) =>
        Number(main.includes(other)) - Number(main.includes(one)) ||
        compareVersions(other.version, one.version) ||
        compareText(one.packageId, other.packageId),
    )
    if (first !== undefined) folders.set(first.packageId, name)
    for (const { packageId, version } of others) {
      const isTaken = used.has(`${name}-${version}`)
      const folder = `${name}-${version}${isTaken ? `-${packageId.slice(0, 8)}` : ''}`
      used.add(folder)
      folders.set(packageId, folder)
    }
  }
  return folders
}

/** Names of a module's definitions; no two are the same. */
function namesIn(references: readonly Reference[]): ReadonlyMap<Reference, string> {
  const used = new Set(TAKEN)
  const names = new Map<Reference, string>()
  for (const one of references.toSorted((a, b) => compareText(a.name, b.name)))
    names.set(one, unused(one.name.replaceAll('.', '_'), used))
  return names
}

function unused(name: string, used: Set<string>): string {
  let free = name
  while (used.has(free)) free += '_'
  used.add(free)
  return free
}

/** Builds one module. */
class ModuleBuilder {
  readonly #program: Program
  readonly #fileOf: (reference: Reference) => string
  readonly #names: ReadonlyMap<Reference, string>
  readonly #file: string
  /** Names of imported modules by file. */
  readonly #aliases = new Map<string, string>()
  readonly #variables = new Map<string, string>()
  readonly #used = new Set([...TAKEN, ...HELPERS])

  constructor(
    program: Program,
    fileOf: (reference: Reference) => string,
    names: ReadonlyMap<Reference, string>,
    file: string,
  ) {
    this.#program = program
    this.#fileOf = fileOf
    this.#names = names
    this.#file = file
  }

  build(definitions: readonly Reached[]): ModuleIr {
    for (const { reference } of definitions) this.#used.add(this.#names.get(reference) ?? '')
    for (const { data } of definitions) for (const { name } of data.parameters) this.#variable(name)
    const sorted = definitions.toSorted((a, b) => compareText(a.reference.name, b.reference.name))
    const packageId = sorted[0]?.reference.packageId ?? ''
    const { name: packageName, version: packageVersion } = this.#program.packages.get(
      packageId,
    ) ?? {
      name: '',
      version: '',
    }
    const parts = {
      types: sorted.flatMap((one) => this.#data(one)),
      templates: sorted.flatMap((one) =>
        one.template === undefined ? [] : [this.#template(one, one.template)],
      ),
      interfaces: sorted.flatMap((one) =>
        one.interface === undefined ? [] : [this.#interface(one, one.interface)],
      ),
    }
    const imports = [...this.#aliases].map(([file, alias]) => [alias, file] as const)
    return {
      file: this.#file,
      packageId,
      packageName,
      packageVersion,
      ...parts,
      imports: new Map(imports.sort(([a], [b]) => compareText(a, b))),
    }
  }

  #data({ reference, data, interface: face }: Reached): ModuleIr['types'] {
    if (face !== undefined) return []
    const used = new Set(fieldsOf(data.shape).flatMap(({ type }) => [...freeVariables(type)]))
    // A parameter that nothing is of is named as linters want it.
    const parameters = data.parameters.map(
      ({ name }) => `${used.has(name) ? '' : '_'}${this.#variable(name)}`,
    )
    return [{ name: this.#name(reference), parameters, shape: this.#shape(data.shape) }]
  }

  /** The name of a parameter, the same in all types of the module. */
  #variable(name: string): string {
    const known = this.#variables.get(name)
    const made = known ?? unused(name.charAt(0).toUpperCase() + name.slice(1), this.#used)
    this.#variables.set(name, made)
    return made
  }

  #shape(shape: DataShape): ShapeIr {
    if (shape.kind === 'record') return { kind: 'record', members: this.#members(shape.fields) }
    if (shape.kind === 'variant')
      return { kind: 'variant', members: this.#members(shape.constructors) }
    return { kind: 'enum', names: shape.kind === 'enum' ? shape.constructors : [] }
  }

  #members(fields: readonly Field[]) {
    return fields.map(({ name, type }) => ({ name, type: this.#type(type) }))
  }

  #template(
    { reference }: Reached,
    { choices, implementations }: NonNullable<Reached['template']>,
  ): ModuleIr['templates'][number] {
    return {
      ...this.#entity(reference, choices),
      interfaces: [...implementations.values()]
        .map((one) => this.#name(one.interface))
        .sort(compareText),
    }
  }

  #interface(
    { reference }: Reached,
    { choices, view }: NonNullable<Reached['interface']>,
  ): ModuleIr['interfaces'][number] {
    return { ...this.#entity(reference, choices), view: this.#type(view) }
  }

  #entity(reference: Reference, choices: ReadonlyMap<string, ChoiceDefinition>) {
    const made = [...choices.values()].map(({ name, consuming, argument, result }): ChoiceIr => ({
      name,
      consuming,
      argument: this.#type(argument),
      result: this.#type(result),
    }))
    return {
      name: this.#name(reference),
      path: `${reference.module}:${reference.name}`,
      choices: made.sort((a, b) => compareText(a.name, b.name)),
    }
  }

  /** The name of a definition in this module's file. */
  #name(reference: Reference): string {
    const name = this.#names.get(reference) ?? reference.name
    const file = this.#fileOf(reference)
    if (file === this.#file) return name
    const known = this.#aliases.get(file)
    const alias = known ?? unused(reference.module.replaceAll('.', '_'), this.#used)
    this.#aliases.set(file, alias)
    return `${alias}.${name}`
  }

  #type(type: Type): TypeIr {
    if (type.kind === 'variable' && type.arguments.length === 0)
      return { kind: 'named', name: this.#variable(type.name), isVariable: true }
    if (type.kind === 'constructor') return this.#named(type.reference, type.arguments)
    if (type.kind !== 'builtin') return unwritable(type.kind)
    const scalar = SCALARS.get(type.name)
    if (scalar !== undefined) return { kind: 'scalar', name: scalar }
    const [first, second] = type.arguments
    if (type.name === 'Numeric' && first?.kind === 'nat')
      return { kind: 'scalar', name: 'Numeric', scale: first.value }
    if (first === undefined) return unwritable(type.name)
    const of = this.#type(first)
    if (type.name === 'ContractId') return { kind: 'scalar', name: 'ContractId', of }
    if (type.name === 'Optional') return { kind: 'optional', of }
    if (type.name === 'List') return { kind: 'list', of }
    if (type.name === 'TextMap') return { kind: 'textMap', of }
    if (type.name === 'GenMap' && second !== undefined)
      return { kind: 'map', first: of, second: this.#type(second) }
    return unwritable(type.name)
  }

  #named(reference: Reference, given: readonly Type[]): TypeIr {
    const name = this.#name(reference)
    const module = this.#program.packages.get(reference.packageId)?.modules.get(reference.module)
    const isTemplate = module?.templates.has(reference.name) === true
    return {
      kind: 'named',
      name,
      ...(isTemplate ? { codec: `${name}$payload` } : {}),
      ...(given.length === 0 ? {} : { arguments: given.map((one) => this.#type(one)) }),
    }
  }
}

function unwritable(what: string): never {
  throw new MalformedArchive(`${what} has no values that can be written`)
}
