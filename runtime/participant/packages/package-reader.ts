// Reads from a package's bytes what uploads and upgrade checks need; expressions are passed over
// but for the packages that they refer to. Field numbers are those of the public archive format,
// second major version. docs/ledger-rules.md, "Packages"
import type { Archive } from '../../packages/archive/archive.ts'
import { Interned } from './interned.ts'
import { Budget, MalformedArchive, Message } from '../../packages/archive/message.ts'
import { packageReferences } from './references.ts'
import type {
  Choice,
  DataShape,
  DataType,
  Field,
  Module,
  PackageSummary,
  Synonym,
  Template,
} from './summary.ts'

/**
 * How many fields of definitions a package may have; the largest known ones have some tens of
 * thousands.
 */
const MAX_FIELDS = 1_000_000
const PACKAGE_NAME = /^[A-Za-z0-9\-_]{1,255}$/
const PACKAGE_VERSION = /^(?=.{1,255}$)(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/

/**
 * Summarises the package of an archive of the second major language version. Throws
 * MalformedArchive.
 */
export async function readPackage({
  packageId,
  languageVersion,
  lfPackage,
}: Archive): Promise<PackageSummary> {
  const budget = new Budget(MAX_FIELDS)
  const message = new Message(lfPackage, budget)
  const interned = new Interned(message, budget)
  return {
    packageId,
    languageVersion,
    ...readMetadata(message.optionalBytes(4), interned),
    modules: message.all(1).map((module) => readModule(module, interned)),
    dependencies: await packageReferences(lfPackage, interned),
  }
}

function readMetadata(
  bytes: Uint8Array | undefined,
  interned: Interned,
): Pick<PackageSummary, 'name' | 'version' | 'upgradedPackageId'> {
  if (bytes === undefined) throw new MalformedArchive('The package has no name and version')
  const metadata = new Message(bytes, interned.budget)
  const name = interned.text(metadata.number(1))
  const version = interned.text(metadata.number(2))
  if (!PACKAGE_NAME.test(name))
    throw new MalformedArchive(`Invalid package name ${JSON.stringify(name.slice(0, 300))}`)
  if (!PACKAGE_VERSION.test(version))
    throw new MalformedArchive(`Invalid package version ${JSON.stringify(version.slice(0, 300))}`)
  const upgraded = metadata.optionalBytes(3)
  const upgradedPackageId =
    upgraded && interned.packageId(new Message(upgraded, interned.budget).number(1))
  return { name, version, upgradedPackageId }
}

function readModule(bytes: Uint8Array, interned: Interned): Module {
  const module = new Message(bytes, interned.budget)
  const names = (field: number, nameField: number): string[] =>
    module
      .all(field)
      .map((definition) =>
        interned.dottedName(new Message(definition, interned.budget).number(nameField)),
      )
  return {
    name: interned.dottedName(module.number(1)),
    synonyms: module.all(3).map((definition) => readSynonym(definition, interned)),
    dataTypes: module.all(4).map((definition) => readDataType(definition, interned)),
    templates: module.all(6).map((definition) => readTemplate(definition, interned)),
    exceptions: names(7, 1),
    interfaces: names(8, 2),
  }
}

function readSynonym(bytes: Uint8Array, interned: Interned): Synonym {
  const synonym = new Message(bytes, interned.budget)
  return {
    name: interned.dottedName(synonym.number(2)),
    parameters: interned.variables(synonym.all(3)),
    type: interned.type(synonym.optionalBytes(4)),
  }
}

function readDataType(bytes: Uint8Array, interned: Interned): DataType {
  const dataType = new Message(bytes, interned.budget)
  return {
    name: interned.dottedName(dataType.number(2)),
    parameters: interned.variables(dataType.all(3)),
    serializable: dataType.number(4) !== 0,
    shape: readShape(dataType, interned),
  }
}

function readShape(dataType: Message, interned: Interned): DataShape {
  const shapes = [5, 6, 7, 8].filter((field) => dataType.optionalBytes(field) !== undefined)
  const [field] = shapes
  if (field === undefined || shapes.length > 1)
    throw new MalformedArchive('A data type must be exactly one thing')
  const shape = new Message(dataType.bytes(field), interned.budget)
  if (field === 5) return { kind: 'record', fields: readFields(shape, interned) }
  if (field === 6) return { kind: 'variant', cases: readFields(shape, interned) }
  if (field === 8) return { kind: 'interface' }
  return {
    kind: 'enum',
    names: shape.numbers(2, interned.budget).map((name) => interned.identifier(name)),
  }
}

function readFields(fields: Message, interned: Interned): Field[] {
  return fields.all(1).map((bytes) => {
    const field = new Message(bytes, interned.budget)
    return {
      name: interned.identifier(field.number(3)),
      type: interned.type(field.optionalBytes(2)),
    }
  })
}

function readTemplate(bytes: Uint8Array, interned: Interned): Template {
  const template = new Message(bytes, interned.budget)
  const key = template.optionalBytes(9)
  return {
    name: interned.dottedName(template.number(1)),
    choices: template.all(6).map((choice) => readChoice(choice, interned)),
    key: key && interned.type(new Message(key, interned.budget).optionalBytes(1)),
    interfaces: template
      .all(10)
      .map((instance) =>
        interned.constructorReference(new Message(instance, interned.budget).bytes(1)),
      ),
  }
}

function readChoice(bytes: Uint8Array, interned: Interned): Choice {
  const choice = new Message(bytes, interned.budget)
  return {
    name: interned.identifier(choice.number(2)),
    consuming: choice.number(3) !== 0,
    argument: interned.type(new Message(choice.bytes(6), interned.budget).optionalBytes(2)),
    result: interned.type(choice.optionalBytes(8)),
  }
}
