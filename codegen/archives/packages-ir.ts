// The generator's form of packages: one file for each module that is reached.
import type { ChoiceIr, NamedTypeIr, TypeIr } from '../contracts-ir.ts'

/** A record, variant or enum, which may have parameters. */
export interface DataIr extends NamedTypeIr {
  readonly parameters: readonly string[]
}

export interface EntityIr {
  /** The constant's name. */
  readonly name: string
  /** `Module:Entity` as the package has it. */
  readonly path: string
  readonly choices: readonly ChoiceIr[]
}

/** A template; its payload is the data type of the same name. */
export interface TemplateIr extends EntityIr {
  /** Constants of its interfaces, with the module that has them. */
  readonly interfaces: readonly string[]
}

export interface InterfaceIr extends EntityIr {
  readonly view: TypeIr
}

export interface ModuleIr {
  /** Path below the output folder. */
  readonly file: string
  readonly packageId: string
  readonly packageName: string
  readonly packageVersion: string
  /** Lists are sorted by name. */
  readonly types: readonly DataIr[]
  readonly templates: readonly TemplateIr[]
  readonly interfaces: readonly InterfaceIr[]
  /** Files of other modules by the names that they have here. */
  readonly imports: ReadonlyMap<string, string>
}
