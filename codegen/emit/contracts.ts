// Prints contracts.gen.ts: a type and a codec under one name for every contract type, and the
// description of every template and interface. What is printed imports nothing but
// contract-codec.gen.ts.
import { typeNames } from '../contracts-ir.ts'
import type {
  ChoiceIr,
  ContractsIr,
  EntityIr,
  InterfaceTypeIr,
  MemberIr,
  NamedTypeIr,
  ShapeIr,
  TemplateIr,
  TypeIr,
} from '../contracts-ir.ts'
import type { ContractsLock } from '../evolve/contracts-lock.ts'
import { historyOf } from '../evolve/history.ts'
import type { OldTypes, TemplateHistory } from '../evolve/history.ts'
import {
  limitedBytes,
  limitedItems,
  limitedKeys,
  limitedScalar,
  printLimitConstants,
} from './contract-limits.ts'
import type { LimitSheet } from './contract-limits.ts'
import { filled, importOf } from '../layout.ts'
import { propertyKey, quote } from './names.ts'

/** Name of the file that contracts.gen.ts imports. */
export const CONTRACT_CODEC_FILE = 'contract-codec.gen.ts'

/**
 * Text of contracts.gen.ts, without marker. The lock says which versions of a template there were
 * before.
 */
export function printContracts(ir: ContractsIr, lock: ContractsLock): string {
  const sheet = makeSheet(ir)
  const types = inOrder(sheet.shapes).map((type) => printType(sheet, type))
  const interfaces = ir.interfaces.map((one) => printInterface(sheet, one))
  const templates = ir.templates.map((one) => printTemplate(sheet, one, historyOf(one, lock)))
  const body = [...types, ...interfaces, ...templates, ...printLists(ir)].join('\n')
  const constants = printLimitConstants(sheet.limits)
  return `${printImports(sheet, './')}\n${constants}${constants === '' ? '' : '\n'}${body}`
}

/** Path of the file with the types of an old version, below the output folder. */
export function oldTypesFile({ packageName, version }: Omit<OldTypes, 'types'>): string {
  return `contracts/${packageName}-${version}.gen.ts`
}

/** Text of that file, without marker: a type and a codec under one name for each. */
export function printOldTypes({ types }: OldTypes): string {
  const sheet = {
    ...makeSheet({ packages: [], types, interfaces: [], templates: [] }),
    types: new Set<string>(),
  }
  const body = inOrder(sheet.shapes)
    .map((type) => printType(sheet, type))
    .join('\n')
  return `${printImports(sheet, '../')}\n${body}`
}

interface Sheet {
  readonly shapes: readonly PrintedType[]
  readonly templates: ReadonlySet<string>
  /** Types whose codec stands above; the others are reached by `lazy`. */
  readonly printed: Set<string>
  /** Values and types that are imported. */
  readonly values: Set<string>
  readonly types: Set<string>
  /** Files of old types that are imported, by the name that they have here. */
  readonly modules: Map<string, string>
  readonly limits: LimitSheet
}

interface PrintedType extends NamedTypeIr {
  /** Name of the codec's constant: a template's name means the template. */
  readonly constant: string
}

function makeSheet(ir: ContractsIr): Sheet {
  const payloads = ir.templates.map(({ name, payload, ...rest }): PrintedType => ({
    name,
    constant: payloadName(name),
    shape: { kind: 'record', members: payload },
    ...(rest.description === undefined ? {} : { description: rest.description }),
  }))
  const values = new Set<string>()
  return {
    shapes: [...ir.types.map((type) => ({ ...type, constant: type.name })), ...payloads],
    templates: new Set(ir.templates.map(({ name }) => name)),
    printed: new Set(),
    values,
    types: new Set(['AnyInterfaceType', 'AnyTemplateType']),
    modules: new Map(),
    limits: { defaults: ir.limits, constants: new Map(), use: (value) => useOf(values, value) },
  }
}

function payloadName(template: string): string {
  return `${template}$payload`
}

/** Every type after those that it is made of, as far as it is not made of itself. */
function inOrder(shapes: readonly PrintedType[]): readonly PrintedType[] {
  const byName = new Map(shapes.map((type) => [type.name, type]))
  const ordered = new Set<PrintedType>()
  const open = new Set<PrintedType>()
  const visit = (type: PrintedType): void => {
    if (open.has(type)) return
    open.add(type)
    for (const name of membersOf(type.shape).flatMap((member) => typeNames(member.type))) {
      const needed = byName.get(name)
      if (needed !== undefined) visit(needed)
    }
    ordered.add(type)
  }
  for (const type of shapes) visit(type)
  return [...ordered]
}

function membersOf(shape: ShapeIr): readonly MemberIr[] {
  return shape.kind === 'enum' ? [] : shape.members
}

function printType(sheet: Sheet, type: PrintedType): string {
  const isExported = type.constant === type.name
  sheet.types.add('Codec')
  const value = limitedBytes(sheet.limits, type.maxBytes, shapeCodec(sheet, type).trimEnd())
  sheet.printed.add(type.name)
  return (
    `${doc(type.description)}${typeDeclaration(sheet, type)}` +
    `${isExported ? 'export ' : ''}const ${type.constant}: Codec<${type.name}> = ${value}\n`
  )
}

function typeDeclaration(sheet: Sheet, { name, shape }: PrintedType): string {
  if (shape.kind === 'enum') return `export type ${name} = ${shape.names.map(quote).join(' | ')}\n`
  if (shape.kind === 'variant') {
    const cases = shape.members.map(
      (one) =>
        `  | { readonly tag: ${quote(one.name)}; readonly value: ${memberType(sheet, one.type)} }\n`,
    )
    return `export type ${name} =\n${cases.join('')}`
  }
  if (shape.members.length === 0)
    return `export type ${name} = ${memberType(sheet, { kind: 'scalar', name: 'Unit' })}\n`
  const members = shape.members.map(
    (one) => `  readonly ${propertyKey(one.name)}: ${memberType(sheet, one.type)}\n`,
  )
  return `export interface ${name} {\n${members.join('')}}\n`
}

/** The type's text; remembers that `Unit` has to be imported. */
function memberType(sheet: Sheet, type: TypeIr): string {
  const written = typeText(type)
  if (/\bUnit\b/u.test(written)) sheet.types.add('Unit')
  return written
}

const SCALAR_TYPES: Readonly<Record<string, string>> = {
  Party: 'string',
  Text: 'string',
  ContractId: 'string',
  Bool: 'boolean',
  Unit: 'Unit',
}

function typeText(type: TypeIr): string {
  switch (type.kind) {
    case 'scalar':
      return SCALAR_TYPES[type.name] ?? 'bigint'
    case 'named':
      return type.name
    case 'optional':
      return `${typeText(type.of)} | null`
    case 'list':
    case 'set':
      return `readonly ${itemText(type.of)}[]`
    case 'textMap':
      return `ReadonlyMap<string, ${typeText(type.of)}>`
    case 'map':
      return `readonly (readonly [${typeText(type.first)}, ${typeText(type.second)}])[]`
    case 'pair':
      return `readonly [${typeText(type.first)}, ${typeText(type.second)}]`
  }
}

function itemText(type: TypeIr): string {
  return type.kind === 'named' || type.kind === 'scalar' ? typeText(type) : `(${typeText(type)})`
}

function shapeCodec(sheet: Sheet, { name, shape }: PrintedType): string {
  if (shape.kind === 'enum')
    return `${use(sheet, 'enumeration')}<${name}>([${shape.names.map(quote).join(', ')}])\n`
  if (shape.members.length === 0) return `${use(sheet, 'unit')}\n`
  const members = shape.members.map(
    (one) => `  ${propertyKey(one.name)}: ${codec(sheet, one.type)},\n`,
  )
  return `${use(sheet, shape.kind)}<${name}>({\n${members.join('')}})\n`
}

function use(sheet: Sheet, value: string): string {
  return useOf(sheet.values, value)
}

function useOf(values: Set<string>, value: string): string {
  values.add(value)
  return value
}

function codec(sheet: Sheet, type: TypeIr): string {
  switch (type.kind) {
    case 'scalar':
      return limitedScalar(sheet.limits, type)
    case 'named':
      return namedCodec(sheet, type.name)
    case 'map':
    case 'pair':
      return limitedItems(
        sheet.limits,
        type,
        `${use(sheet, type.kind)}(${codec(sheet, type.first)}, ${codec(sheet, type.second)})`,
      )
    case 'textMap':
      return limitedItems(
        sheet.limits,
        type,
        `${use(sheet, 'textMap')}(${codec(sheet, type.of)}${limitedKeys(sheet.limits)})`,
      )
    default:
      return limitedItems(sheet.limits, type, `${use(sheet, type.kind)}(${codec(sheet, type.of)})`)
  }
}

function namedCodec(sheet: Sheet, name: string): string {
  const constant = sheet.templates.has(name) ? payloadName(name) : name
  return sheet.printed.has(name) ? constant : `${use(sheet, 'lazy')}(() => ${constant})`
}

const ARCHIVE: ChoiceIr = {
  name: 'Archive',
  consuming: true,
  argument: { kind: 'scalar', name: 'Unit' },
  result: { kind: 'scalar', name: 'Unit' },
}

function printTemplate(sheet: Sheet, template: TemplateIr, history: TemplateHistory): string {
  const {
    name,
    package: { name: packageName, version: packageVersion },
    module,
  } = template
  const interfaces = template.interfaces.map((each) => `${each}.id`).join(', ')
  const earlier = history.earlier.map(
    ({ version, templateId, readBy }) =>
      `    { version: ${quote(version)}, id: ${quote(templateId)}, read: ${reader(sheet, template, history, readBy)} },`,
  )
  const members = [
    `reference: ${quote(`${packageName}:${module}:${name}`)},`,
    `packageVersion: ${quote(packageVersion)},`,
    `payload: ${payloadName(name)},`,
    ...printKeys(template),
    `interfaces: [${interfaces}],`,
    `interfaceChoices: ${interfaceChoices(template)},`,
    ...(earlier.length === 0
      ? ['earlier: [],']
      : ['earlier: [', ...earlier.map((line) => line.slice(2)), '],']),
  ]
  sheet.types.add('TemplateType')
  const hasUpgrades = history.upgrades.length > 0
  const plain = hasUpgrades
    ? `TemplateType<${name}, ${upgradesName(name)}>`
    : `TemplateType<${name}>`
  // The literal name lets the compiler tell which templates have code.
  const type = `${plain} & { readonly name: ${quote(name)}; readonly interfaceChoices: object }`
  const upgrades = hasUpgrades ? `${printUpgrades(sheet, template, history)}\n` : ''
  return (
    upgrades +
    printEntity(sheet, { ...template, choices: [ARCHIVE, ...template.choices] }, type, members)
  )
}

/** The one place that says under which name a key is asked for, and where it is stored. */
function printKeys({ keys }: TemplateIr): readonly string[] {
  const lines = keys.map(
    ({ name, column, kind }) =>
      `  ${propertyKey(name)}: { column: 'key${column}', kind: ${quote(kind)} },`,
  )
  return lines.length === 0 ? ['keys: {},'] : ['keys: {', ...lines, '},']
}

/**
 * The choices that the template has by its interfaces, with their types: its code has to provide
 * them too.
 */
function interfaceChoices({ interfaces }: TemplateIr): string {
  return interfaces.length === 0
    ? '{}'
    : `{ ${interfaces.map((each) => `...${each}.choices`).join(', ')} }`
}

function upgradesName(template: string): string {
  return `${template}$Upgrades`
}

/**
 * What the template's code has to provide: a function from each payload that no later shape reads.
 */
function printUpgrades(sheet: Sheet, template: TemplateIr, { upgrades }: TemplateHistory): string {
  const lines = upgrades.map(({ from, to }) => {
    const result = to === undefined ? template.name : oldType(sheet, template, to)
    return `  readonly ${quote(from)}: (from: ${oldType(sheet, template, from)}) => ${result}\n`
  })
  return `export interface ${upgradesName(template.name)} {\n${lines.join('')}}\n`
}

/**
 * The name of a payload's type and codec in an old version; remembers that its file has to be
 * imported.
 */
function oldType(
  sheet: Sheet,
  { name, package: { name: packageName } }: TemplateIr,
  version: string,
): string {
  const alias = `${packageName}-${version}`.replaceAll(/[^A-Za-z0-9]+/gu, '_')
  sheet.modules.set(alias, oldTypesFile({ packageName, version }))
  return `${alias}.${name}`
}

/**
 * The function that reads a payload which the shape of a version takes, and brings it to the
 * newest.
 */
function reader(
  sheet: Sheet,
  template: TemplateIr,
  { upgrades }: TemplateHistory,
  readBy: string | undefined,
): string {
  const codecOf = (version: string | undefined): string =>
    version === undefined ? payloadName(template.name) : oldType(sheet, template, version)
  if (readBy === undefined) return `(value: unknown) => ${codecOf(undefined)}.decode(value)`
  let text = `${codecOf(readBy)}.decode(value)`
  for (let version: string | undefined = readBy; version !== undefined;) {
    const upgrade = upgrades.find(({ from }) => from === version)
    if (upgrade === undefined) break
    text = `upgrades[${quote(upgrade.from)}](${text})`
    if (upgrade.readBy !== upgrade.to)
      text = `${codecOf(upgrade.readBy)}.decode(${codecOf(upgrade.to)}.encode(${text}))`
    version = upgrade.readBy
  }
  return `(value: unknown, upgrades: ${upgradesName(template.name)}) => ${text}`
}

function printInterface(sheet: Sheet, one: InterfaceTypeIr): string {
  sheet.types.add('InterfaceType')
  const type = `InterfaceType<${memberType(sheet, one.view)}>`
  return (
    doc(one.description) +
    printEntity(sheet, one, type, [`view: ${codec(sheet, one.view)},`], 'interfaceId')
  )
}

/**
 * The description of a template or interface. `idKey`: a further member of its choices that holds
 * its id.
 */
function printEntity(
  sheet: Sheet,
  entity: EntityIr,
  type: string,
  members: readonly string[],
  idKey?: string,
): string {
  const id = quote(`${entity.package.id}:${entity.module}:${entity.name}`)
  const ids = [`templateId: ${id}`, ...(idKey === undefined ? [] : [`${idKey}: ${id}`])]
  const lines = [
    `id: ${id},`,
    `packageId: ${quote(entity.package.id)},`,
    `packageName: ${quote(entity.package.name)},`,
    `name: ${quote(entity.name)},`,
    ...members,
    'choices: {',
    ...entity.choices.flatMap((choice) => printChoice(sheet, choice, ids)),
    '},',
  ]
  const exact = entity.choices.map(
    (choice) => `  readonly ${choice.name}: ${choiceType(sheet, choice)}\n`,
  )
  return (
    `export const ${entity.name} = {\n${lines.map((line) => `  ${line}\n`).join('')}` +
    `} satisfies ${type} & { readonly choices: {\n${exact.join('')}} }\n`
  )
}

function choiceType(sheet: Sheet, choice: ChoiceIr): string {
  sheet.types.add('ChoiceType')
  return `ChoiceType<${memberType(sheet, choice.argument)}, ${memberType(sheet, choice.result)}>`
}

function printChoice(sheet: Sheet, choice: ChoiceIr, ids: readonly string[]): readonly string[] {
  const members = filled(
    [
      `name: ${quote(choice.name)}`,
      `consuming: ${choice.consuming}`,
      ...ids,
      `argument: ${codec(sheet, choice.argument)}`,
      `result: ${codec(sheet, choice.result)}`,
    ],
    '      ',
  )
  const about = choice.description === undefined ? [] : [`  ${doc(choice.description).trimEnd()}`]
  return [...about, `  ${choice.name}: {`, ...members.map((line) => line.slice(2)), '  },']
}

function printLists(ir: ContractsIr): readonly string[] {
  const packages = ir.packages.map(
    ({ name, version, id }) =>
      `  ${propertyKey(name)}: { id: ${quote(id)}, version: ${quote(version)} },\n`,
  )
  return [
    printByName('templateTypes', 'AnyTemplateType', ir.templates),
    printByName('interfaceTypes', 'AnyInterfaceType', ir.interfaces),
    `export const packages = {\n${packages.join('')}} as const\n`,
  ]
}

/** An object rather than a list, so that its type says which there are. */
function printByName(constant: string, type: string, entities: readonly EntityIr[]): string {
  const lines = filled(
    entities.map(({ name }) => name),
    '  ',
  )
  const members = lines.map((line) => `${line}\n`).join('')
  return `export const ${constant} = {\n${members}} satisfies Readonly<Record<string, ${type}>>\n`
}

function printImports(sheet: Sheet, root: string): string {
  const file = `${root}${CONTRACT_CODEC_FILE}`
  const modules = [...sheet.modules].map(
    ([alias, path]) => `import * as ${alias} from '${root}${path}'\n`,
  )
  return (
    importOf('import', [...sheet.values].sort(), file) +
    importOf('import type', [...sheet.types].sort(), file) +
    modules.sort().join('')
  )
}

function doc(description: string | undefined): string {
  return description === undefined
    ? ''
    : `/** ${description.trim().replaceAll('*/', '* /').replaceAll(/\s+/gu, ' ')} */\n`
}
