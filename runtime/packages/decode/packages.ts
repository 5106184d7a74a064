// A program: packages that refer to each other. Adding one reads its tables of contents, and
// everything else is read when it is asked for. docs/decisions/0056
import { Budget, MalformedArchive, Message, Values } from '../archive/message.ts'
import { Names } from '../archive/names.ts'
import type { QualifiedName } from '../archive/names.ts'
import type {
  DataDefinition,
  Definitions,
  ExceptionDefinition,
  InterfaceDefinition,
  Module,
  Package,
  Program,
  TemplateDefinition,
  ValueDefinition,
} from '../program/definitions.ts'
import { Types } from '../program/type-table.ts'
import type { Reference, Type } from '../program/types.ts'
import { byName } from './by-name.ts'
import { demandVersion } from './demand-version.ts'
import { readModule } from './module-reader.ts'
import type { ModuleScope } from './module-reader.ts'
import { Nesting } from './nesting.ts'
import { TypeReader } from './type-reader.ts'

/** Fields that the tables and definitions of one package may have, code aside. */
const MAX_FIELDS = 1_000_000
/** Field numbers in a package. */
const fields = { modules: 1, metadata: 4, expressions: 7 } as const
/** Tables that later versions of the language brought. */
const tables = new Map([
  [6, 'A table of kinds'],
  [fields.expressions, 'A table of expressions'],
  [8, 'A reason not to have a table of imports'],
  [9, 'A table of imports'],
])

/** A package before it is read. */
export interface PackageBytes {
  readonly packageId: string
  readonly languageVersion: string
  readonly lfPackage: Uint8Array
}

export class Packages implements Program {
  readonly packages = new Map<string, Package>()
  readonly types: Types
  readonly #work: Budget
  readonly #nesting = new Nesting()
  readonly #values = new Values()
  readonly #dataTypes = new Map<Reference, DataDefinition>()
  readonly #valueDefinitions = new Map<Reference, ValueDefinition>()
  /** References by package, module and name. */
  readonly #references = new Map<string, Map<string, Map<string, Reference>>>()

  /** `work`: what reading code and making types may cost in all. */
  constructor(work = new Budget(Infinity)) {
    this.types = new Types(work)
    this.#work = work
  }

  /** Throws MalformedArchive. */
  add({ packageId, languageVersion, lfPackage }: PackageBytes): Package {
    const message = Message.in(lfPackage, new Budget(MAX_FIELDS, this.#work))
    for (const [field, what] of tables)
      if (message.has(field)) demandVersion(languageVersion, '2.2', what)
    const scope = this.#scope(packageId, languageVersion, message)
    const metadata = message.message(fields.metadata)
    const modules = message.messages(fields.modules).map((each) => readModule(scope, each))
    const added: Package = {
      packageId,
      languageVersion,
      name: scope.names.text(metadata.number(1)),
      version: scope.names.text(metadata.number(2)),
      modules: byName(modules, ({ name }) => name),
    }
    this.packages.set(packageId, added)
    return added
  }

  reference(packageId: string, module: string, name: string): Reference {
    const modules = getOrMake(this.#references, packageId, () => new Map())
    const names = getOrMake(modules, module, () => new Map())
    const text = `${packageId}:${module}:${name}`
    return getOrMake(names, name, () => ({ packageId, module, name, text }))
  }

  dataType(reference: Reference): DataDefinition {
    return getOrMake(this.#dataTypes, reference, () =>
      this.#find(reference, 'data type', (module) => module.dataTypes),
    )
  }

  value(reference: Reference): ValueDefinition {
    return getOrMake(this.#valueDefinitions, reference, () =>
      this.#find(reference, 'value', (module) => module.values),
    )
  }

  template(reference: Reference): TemplateDefinition {
    return this.#find(reference, 'template', (module) => module.templates)
  }

  interface(reference: Reference): InterfaceDefinition {
    return this.#find(reference, 'interface', (module) => module.interfaces)
  }

  exception(reference: Reference): ExceptionDefinition {
    return this.#find(reference, 'exception', (module) => module.exceptions)
  }

  #find<T>(reference: Reference, what: string, of: (module: Module) => Definitions<T>): T {
    const module = this.packages.get(reference.packageId)?.modules.get(reference.module)
    const read = module && of(module).get(reference.name)
    if (read === undefined)
      throw new MalformedArchive(`There is no ${what} ${reference.text} (rule defined names)`)
    return read()
  }

  #expand(reference: Reference, args: readonly Type[]): Type {
    const synonym = this.#find(reference, 'synonym', (module) => module.synonyms)
    if (synonym.parameters.length !== args.length)
      throw new MalformedArchive(`The synonym ${reference.text} lacks arguments`)
    return this.types.expand(synonym, args)
  }

  #scope(packageId: string, languageVersion: string, message: Message): ModuleScope {
    const names = new Names(message)
    const { types } = this
    const known = new Map<QualifiedName, Reference>()
    const own = (module: string, name: string): Reference => this.reference(packageId, module, name)
    const reference = (of: Message): Reference => {
      const qualified = names.qualified(of)
      return getOrMake(known, qualified, () => {
        const { packageId: foreign, module, name } = qualified
        return this.reference(foreign || packageId, module, name)
      })
    }
    const typeScope = {
      languageVersion,
      names,
      types,
      nesting: this.#nesting,
      reference,
      expand: (synonym: Reference, args: readonly Type[]) => this.#expand(synonym, args),
    }
    return {
      ...typeScope,
      own,
      work: this.#work,
      values: this.#values,
      typeReader: new TypeReader(message, typeScope),
      expressions: message.table(fields.expressions),
      dataType: (of) => this.dataType(of),
    }
  }
}

function getOrMake<K, T>(known: Map<K, T>, key: K, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
