// Prints the description of a template or interface, and what reads a template's older shapes.
import type { ChoiceIr, EntityIr, InterfaceTypeIr, TemplateIr } from '../contracts-ir.ts'
import type { OldTypes, TemplateHistory } from '../evolve/history.ts'
import { filled } from '../layout.ts'
import { codec, doc, typeText, payloadName } from './contract-types.ts'
import type { Sheet } from './contract-types.ts'
import { propertyKey, quote } from '../literals.ts'

/** Path of the file with the types of an old version, below the output folder. */
export function oldTypesFile({ packageName, version }: Omit<OldTypes, 'types'>): string {
  return `contracts/${packageName}-${version}.gen.ts`
}

const ARCHIVE: ChoiceIr = {
  name: 'Archive',
  consuming: true,
  argument: { kind: 'scalar', name: 'Unit' },
  result: { kind: 'scalar', name: 'Unit' },
}

export function printTemplate(
  sheet: Sheet,
  template: TemplateIr,
  history: TemplateHistory,
): string {
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

export function printInterface(sheet: Sheet, one: InterfaceTypeIr): string {
  const type = `InterfaceType<${typeText(one.view)}>`
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
  const exact = entity.choices.map((choice) => `  readonly ${choice.name}: ${choiceType(choice)}\n`)
  return (
    `export const ${entity.name} = {\n${lines.map((line) => `  ${line}\n`).join('')}` +
    `} satisfies ${type} & { readonly choices: {\n${exact.join('')}} }\n`
  )
}

function choiceType(choice: ChoiceIr): string {
  return `ChoiceType<${typeText(choice.argument)}, ${typeText(choice.result)}>`
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
