// Reads from a package's bytes what uploads and upgrade checks need; expressions are passed over
// but for the packages that they refer to. Field numbers are those of the public archive format,
// second major version. docs/ledger-rules.md, "Packages"
import type { Archive } from '../archive/archive.ts'
import { Interned } from './interned.ts'
import { Budget, MalformedArchive, Message } from '../archive/message.ts'
import { demandPackageName } from '../archive/package-names.ts'
import { refuseCircles } from './module-circles.ts'
import { graphOf, packageReferences } from './references.ts'
import type {
  Choice,
  DataShape,
  DataType,
  Field,
  Interface,
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

/** How many references within a package are followed in search of circles of its modules. */
export const MAX_REFERENCES = 10_000_000

/**
 * Summarises the package of an archive of the second major language version. Throws
 * MalformedArchive; BrokenRule where modules refer to each other in a circle.
 */
export async function readPackage({
  packageId,
  languageVersion,
  lfPackage,
}: Archive): Promise<PackageSummary> {
  const budget = new Budget(MAX_FIELDS)
  const message = Message.in(lfPackage, budget)
  const interned = new Interned(message)
  const { packages, parts } = await packageReferences(lfPackage, interned)
  refuseCircles(graphOf(parts, interned), new Budget(MAX_REFERENCES))
  return {
    packageId,
    languageVersion,
    ...readMetadata(message.optionalMessage(4), interned),
    modules: message.messages(1).map((module) => readModule(module, interned)),
    dependencies: packages,
  }
}

function readMetadata(
  metadata: Message | undefined,
  interned: Interned,
): Pick<PackageSummary, 'name' | 'version' | 'upgradedPackageId'> {
  if (metadata === undefined) throw new MalformedArchive('The package has no name and version')
  const name = interned.text(metadata.number(1))
  const version = interned.text(metadata.number(2))
  demandPackageName(name, version)
  const upgraded = metadata.optionalMessage(3)
  const upgradedPackageId = upgraded && interned.packageId(upgraded.number(1))
  return { name, version, upgradedPackageId }
}

function readModule(module: Message, interned: Interned): Module {
  const names = (field: number, nameField: number): string[] =>
    module.messages(field).map((definition) => interned.dottedName(definition.number(nameField)))
  return {
    name: interned.dottedName(module.number(1)),
    synonyms: module.messages(3).map((definition) => readSynonym(definition, interned)),
    dataTypes: module.messages(4).map((definition) => readDataType(definition, interned)),
    templates: module.messages(6).map((definition) => readTemplate(definition, interned)),
    exceptions: names(7, 1),
    interfaces: names(8, 2),
    interfaceTypes: module.messages(8).map((definition) => readInterface(definition, interned)),
  }
}

function readInterface(definition: Message, interned: Interned): Interface {
  return {
    name: interned.dottedName(definition.number(2)),
    requires: definition.messages(7).map((each) => interned.constructorReference(each)),
    methods: definition.messages(3).map((method) => ({
      name: interned.identifier(method.number(2)),
      type: interned.type(method.message(3)),
    })),
    choices: definition.messages(5).map((choice) => readChoice(choice, interned)),
    view: interned.type(definition.message(6)),
  }
}

function readSynonym(synonym: Message, interned: Interned): Synonym {
  return {
    name: interned.dottedName(synonym.number(2)),
    parameters: interned.variables(synonym.messages(3)),
    type: interned.type(synonym.message(4)),
  }
}

function readDataType(dataType: Message, interned: Interned): DataType {
  return {
    name: interned.dottedName(dataType.number(2)),
    parameters: interned.variables(dataType.messages(3)),
    serializable: dataType.number(4) !== 0,
    shape: readShape(dataType, interned),
  }
}

function readShape(dataType: Message, interned: Interned): DataShape {
  const shapes = [5, 6, 7, 8].filter((field) => dataType.has(field))
  const [field] = shapes
  if (field === undefined || shapes.length > 1)
    throw new MalformedArchive('A data type must be exactly one thing')
  const shape = dataType.message(field)
  if (field === 5) return { kind: 'record', fields: readFields(shape, interned) }
  if (field === 6) return { kind: 'variant', cases: readFields(shape, interned) }
  if (field === 8) return { kind: 'interface' }
  return { kind: 'enum', names: shape.numbers(2).map((name) => interned.identifier(name)) }
}

function readFields(fields: Message, interned: Interned): Field[] {
  return fields.messages(1).map((field) => ({
    name: interned.identifier(field.number(3)),
    type: interned.type(field.message(2)),
  }))
}

function readTemplate(template: Message, interned: Interned): Template {
  const key = template.optionalMessage(9)
  return {
    name: interned.dottedName(template.number(1)),
    choices: template.messages(6).map((choice) => readChoice(choice, interned)),
    key: key && interned.type(key.message(1)),
    interfaces: template
      .messages(10)
      .map((instance) => interned.constructorReference(instance.message(1))),
  }
}

function readChoice(choice: Message, interned: Interned): Choice {
  return {
    name: interned.identifier(choice.number(2)),
    consuming: choice.number(3) !== 0,
    argument: interned.type(choice.message(6).message(2)),
    result: interned.type(choice.message(8)),
  }
}
