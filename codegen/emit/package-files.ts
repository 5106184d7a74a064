// Prints the modules of packages: a type and a codec for each data type, and what commands need of
// each template, interface and choice.
import type { ChoiceIr } from '../contracts-ir.ts'
import { filled } from '../layout.ts'
import { quote } from '../literals.ts'
import type { EntityIr, InterfaceIr, ModuleIr, TemplateIr } from '../archives/packages-ir.ts'
import { codec, inOrder, payloadName, printType, typeText } from './contract-types.ts'
import type { Sheet } from './contract-types.ts'
import { printImports } from './support.ts'
import { given } from '../values.ts'

/** Path from a module's folder to the output folder. */
const ROOT = '../../'

/** Text of a module's file, without marker. */
export function printPackageModule(module: ModuleIr): string {
  const sheet = sheetOf(module)
  const body = [
    ...module.interfaces.map((one) => markerOf(module, one)),
    ...inOrder(sheet.shapes).map((type) => printType(sheet, type)),
    ...module.interfaces.map((one) => printInterface(sheet, module, one)),
    ...module.templates.map((one) => printTemplate(sheet, module, one)),
  ].join('\n')
  const imports = printImports(body, ['contract-codec.gen.ts', 'packages.gen.ts'], ROOT)
  const modules = [...module.imports].map(
    ([alias, file]) =>
      `import * as ${alias} from ${quote(`../${file.replace(/^packages\//u, '')}`)}\n`,
  )
  return `${imports}${modules.join('')}\n${body}`
}

function sheetOf({ types, templates, packageName }: ModuleIr): Sheet {
  const paths = new Map(templates.map(({ name, path }) => [name, `#${packageName}:${path}`]))
  return {
    shapes: types.map((type) => ({
      ...type,
      constant: paths.has(type.name) ? payloadName(type.name) : type.name,
      isExported: true,
      ...given({ payloadOf: paths.get(type.name) }),
    })),
    templates: new Set(paths.keys()),
    printed: new Set(),
    modules: new Map(),
    limits: { defaults: undefined, isReadable: false, constants: new Map() },
  }
}

function markerOf(module: ModuleIr, { name, path }: InterfaceIr): string {
  return `export type ${name} = Interface<${quote(`#${module.packageName}:${path}`)}>\n`
}

function printTemplate(sheet: Sheet, module: ModuleIr, template: TemplateIr): string {
  const interfaces = template.interfaces.map((one) => `${one}.id`).join(', ')
  const members = [`payload: ${payloadName(template.name)},`, `interfaces: [${interfaces}],`]
  return printEntity(sheet, module, template, members, `Template<${template.name}>`, template.name)
}

function printInterface(sheet: Sheet, module: ModuleIr, one: InterfaceIr): string {
  const members = [`view: ${codec(sheet, one.view)},`]
  return printEntity(sheet, module, one, members, `InterfaceOf<${typeText(one.view)}>`, 'unknown')
}

/** `of`: the type whose contracts the choices are of. */
function printEntity(
  sheet: Sheet,
  { packageId, packageName, packageVersion }: ModuleIr,
  { name, path, choices }: EntityIr,
  members: readonly string[],
  type: string,
  of: string,
): string {
  const id = `#${packageName}:${path}`
  const lines = [
    `id: ${quote(id)},`,
    `exactId: ${quote(`${packageId}:${path}`)},`,
    `packageId: ${quote(packageId)},`,
    `packageName: ${quote(packageName)},`,
    `packageVersion: ${quote(packageVersion)},`,
    ...members,
    ...choices.flatMap((choice) => printChoice(sheet, choice, id)),
  ]
  const typed = choices.map((one) => `  readonly ${one.name}: ${choiceType(one, of)}\n`)
  const more = typed.length === 0 ? '' : ` & {\n${typed.join('')}}`
  return (
    `export const ${name}: ${type}${more} = {\n` +
    `${lines.map((line) => `  ${line}\n`).join('')}}\n`
  )
}

function choiceType({ argument, result }: ChoiceIr, of: string): string {
  return `Choice<${of}, ${typeText(argument)}, ${typeText(result)}>`
}

function printChoice(sheet: Sheet, choice: ChoiceIr, id: string): readonly string[] {
  const members = filled(
    [
      `name: ${quote(choice.name)}`,
      `of: ${quote(id)}`,
      `consuming: ${choice.consuming}`,
      `argument: ${codec(sheet, choice.argument)}`,
      `result: ${codec(sheet, choice.result)}`,
    ],
    '    ',
  )
  return [`${choice.name}: {`, ...members.map((line) => line.slice(2)), '},']
}
