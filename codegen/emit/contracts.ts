// Prints contracts.gen.ts: a type and a codec under one name for every contract type, and the
// description of every template and interface. What is printed imports nothing but
// contract-codec.gen.ts.
import type { ContractsIr, EntityIr } from '../contracts-ir.ts'
import type { ContractsLock } from '../evolve/contracts-lock.ts'
import { historyOf } from '../evolve/history.ts'
import type { OldTypes } from '../evolve/history.ts'
import { filled } from '../layout.ts'
import { printLimitConstants } from './contract-limits.ts'
import { printInterface, printTemplate } from './contract-templates.ts'
import { inOrder, makeSheet, printType } from './contract-types.ts'
import type { Sheet } from './contract-types.ts'
import { propertyKey, quote } from '../literals.ts'
import { printImports } from './support.ts'

/**
 * Text of contracts.gen.ts, without marker. The lock says which versions of a template there were
 * before.
 */
export function printContracts(ir: ContractsIr, lock: ContractsLock): string {
  const sheet = makeSheet(ir)
  const types = inOrder(sheet.shapes).map((type) => printType(sheet, type))
  const interfaces = ir.interfaces.map((one) => printInterface(sheet, one))
  const templates = ir.templates.map((one) => printTemplate(sheet, one, historyOf(one, lock)))
  const constants = printLimitConstants(sheet.limits)
  const body = [...types, ...interfaces, ...templates, ...printLists(ir)].join('\n')
  return withImports(sheet, './', constants === '' ? body : `${constants}\n${body}`)
}

/** Text of that file, without marker: a type and a codec under one name for each. */
export function printOldTypes({ types }: OldTypes): string {
  const sheet = makeSheet({ packages: [], types, interfaces: [], templates: [] })
  const printed = inOrder(sheet.shapes).map((type) => printType(sheet, type))
  return withImports(sheet, '../', printed.join('\n'))
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

function withImports(sheet: Sheet, root: string, body: string): string {
  const modules = [...sheet.modules].map(
    ([alias, path]) => `import * as ${alias} from '${root}${path}'\n`,
  )
  return `${printImports(body, ['contract-codec.gen.ts'], root)}${modules.sort().join('')}\n${body}`
}
