// The tables of a package that give it its names: texts, dotted names and the packages that it
// imports are stored once and named by number everywhere else.
import { MalformedArchive } from './message.ts'
import type { Message, Table } from './message.ts'

const NAME = /^[A-Za-z$_][A-Za-z0-9$_]{0,999}$/
const PACKAGE_ID = /^[A-Za-z0-9\-_ ]{1,64}$/

/** So that the numbers of a module and a name are one number; known packages have 20,000. */
const MAX_NAMES = 2 ** 17
/** Numbers in place of a package id's: the package itself, then its imports. */
const OWN = MAX_NAMES
const FIRST_IMPORT = OWN + 1

/** Field numbers of the tables in a package. */
const tables = { strings: 2, dottedNames: 3, imports: 9 } as const

/** Name of a definition; `packageId` is '' for the package that speaks. */
export interface QualifiedName {
  readonly packageId: string
  readonly module: string
  readonly name: string
}

/**
 * The names of one package; every method throws MalformedArchive for numbers that name nothing.
 */
export class Names {
  readonly imports: readonly string[]
  readonly #strings: Table
  readonly #dottedNames: Table
  readonly #texts: (string | undefined)[] = []
  readonly #identifiers: (string | undefined)[] = []
  readonly #names: (string | undefined)[] = []
  /** By package, then by module and name. */
  readonly #qualified = new Map<number, Map<number, QualifiedName>>()

  constructor(lfPackage: Message) {
    this.#strings = lfPackage.table(tables.strings)
    this.#dottedNames = lfPackage.table(tables.dottedNames)
    if (Math.max(this.#strings.length, this.#dottedNames.length) > MAX_NAMES)
      throw new MalformedArchive('The package has too many names')
    const imports = lfPackage.optionalMessage(tables.imports)?.table(1)
    this.imports = Array.from({ length: imports?.length ?? 0 }, (_, index) =>
      packageIdOf(imports?.text(index) ?? ''),
    )
  }

  text(index: number): string {
    return (this.#texts[index] ??= this.#strings.text(index))
  }

  /** A field, choice, constructor or variable. */
  identifier(index: number): string {
    return (this.#identifiers[index] ??= identifierOf(this.text(index)))
  }

  packageId(index: number): string {
    return packageIdOf(this.text(index))
  }

  importedPackageId(index: number): string {
    const id = this.imports[index]
    if (id === undefined) throw new MalformedArchive(`There is no imported package ${index}`)
    return id
  }

  dottedName(index: number): string {
    return (this.#names[index] ??= this.#dottedName(index))
  }

  /** The name that a message for a type or a value holds; the same object for the same numbers. */
  qualified(message: Message): QualifiedName {
    const module = message.message(1)
    const reference = module.message(1)
    const text = reference.optionalNumber(3)
    const index = reference.optionalNumber(4)
    const moduleName = module.number(2)
    const name = message.number(2)
    if (text !== undefined && index !== undefined)
      throw new MalformedArchive('A reference names two packages')
    const origin = text ?? (index === undefined ? OWN : index + FIRST_IMPORT)
    let known = this.#qualified.get(origin)
    if (known === undefined) this.#qualified.set(origin, (known = new Map()))
    const key = moduleName * MAX_NAMES + name
    const found = known.get(key)
    if (found !== undefined) return found
    const foreign = text === undefined ? '' : this.packageId(text)
    const made = {
      packageId: index === undefined ? foreign : this.importedPackageId(index),
      module: this.dottedName(moduleName),
      name: this.dottedName(name),
    }
    known.set(key, made)
    return made
  }

  #dottedName(index: number): string {
    const segments = this.#dottedNames.message(index).numbers(1)
    if (segments.length === 0) throw new MalformedArchive(`Dotted name ${index} is empty`)
    return segments.map((segment) => this.identifier(segment)).join('.')
  }
}

function identifierOf(text: string): string {
  if (NAME.test(text)) return text
  throw new MalformedArchive(`Invalid name ${JSON.stringify(text.slice(0, 100))}`)
}

function packageIdOf(text: string): string {
  if (!PACKAGE_ID.test(text))
    throw new MalformedArchive(`Invalid package id ${JSON.stringify(text.slice(0, 100))}`)
  return text
}
