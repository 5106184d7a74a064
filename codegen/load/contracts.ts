// Reads spec/contracts.yaml into the generator's form and says what is wrong with it, with line and
// column.
import type {
  ChoiceIr,
  ContractsIr,
  DefaultLimits,
  EntityIr,
  InterfaceTypeIr,
  TemplateIr,
} from '../contracts-ir.ts'
import type { Finding } from '../findings.ts'
import { sha256 } from '../json.ts'
import { sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { readKeys } from './contract-keys.ts'
import { LIMITED_KINDS, readLimits } from './contract-limits.ts'
import { checkFields, define, described, entriesAt, report, TYPE_NAME } from './contract-sheet.ts'
import type { Sheet } from './contract-sheet.ts'
import { FIELD_NAME, readMembers, readNamedType, readTypeOrRecord } from './contract-types.ts'
import { readSource } from './source.ts'
import type { Path, Source } from './source.ts'

export interface LoadedContracts {
  /** The part that could be understood; complete only if no finding is an error. */
  readonly ir: ContractsIr
  readonly findings: readonly Finding[]
  readonly source: Source
}

const PACKAGE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u
const MODULE_NAME = /^[A-Z][A-Za-z0-9_]*(?:\.[A-Z][A-Za-z0-9_]*)*$/u
const VERSION = /^\d+\.\d+\.\d+$/u

/** Reads and checks the document. Problems come back as findings, never thrown. */
export function loadContracts(file: string, read = readSource): LoadedContracts {
  const source = read(file)
  const sheet: Sheet = {
    source,
    findings: [...source.findings],
    packages: new Map(),
    types: new Map(),
    defined: new Map(),
    uses: [],
  }
  const root =
    source.findings.length > 0
      ? {}
      : checkFields(
          sheet,
          source.data,
          [],
          ['packages', 'limits', 'texts', 'types', 'interfaces', 'templates'],
        )
  readPackages(sheet, root['packages'])
  for (const [name, value, path] of entriesAt(sheet, root['types'], ['types']))
    readNamedType(sheet, name, value, path)
  const interfaces = entriesAt(sheet, root['interfaces'], ['interfaces']).flatMap((entry) =>
    readInterface(sheet, ...entry),
  )
  const templates = entriesAt(sheet, root['templates'], ['templates']).flatMap((entry) =>
    readTemplate(sheet, ...entry),
  )
  lookUp(sheet, templates)
  checkInterfaces(sheet, templates, interfaces)
  const types = sortedEntries(Object.fromEntries(sheet.types)).map(([, type]) => type)
  const ir = {
    ...defaultLimits(sheet, root['limits']),
    ...textRule(sheet, root['texts']),
    packages: [...sheet.packages.values()],
    types,
    interfaces,
    templates,
  }
  return { ir, findings: sheet.findings, source }
}

/**
 * What a configuration has that names no contracts. `file` is where a person would look for them.
 */
export function noContracts(file: string): LoadedContracts {
  const at = { file, line: 1, column: 1, pointer: '' }
  const source = { file, bytes: new Uint8Array(), data: {}, findings: [], place: () => at }
  return { ir: { packages: [], types: [], interfaces: [], templates: [] }, findings: [], source }
}

function defaultLimits(sheet: Sheet, value: unknown): { readonly limits?: DefaultLimits } {
  if (value === undefined) return {}
  const fields = checkFields(sheet, value, ['limits'], LIMITED_KINDS, LIMITED_KINDS)
  return {
    limits: readLimits(fields, (key, message) =>
      report(sheet, 'contract-limit', message, ['limits', key]),
    ),
  }
}

function textRule(sheet: Sheet, value: unknown): Pick<ContractsIr, 'texts'> {
  if (value === 'readable') return { texts: value }
  if (value !== undefined) report(sheet, 'contract-limit', 'must be readable', ['texts'])
  return {}
}

function readPackages(sheet: Sheet, value: unknown): void {
  for (const [name, item, path] of entriesAt(sheet, value, ['packages'])) {
    const version = checkFields(sheet, item, path, ['version', 'description'], ['version'])[
      'version'
    ]
    if (!PACKAGE_NAME.test(name))
      report(
        sheet,
        'contract-name',
        `'${name}' is not a package name: lower-case words joined by '-'`,
        path,
      )
    if (version !== undefined && !(typeof version === 'string' && VERSION.test(version))) {
      report(sheet, 'contract-package', `the version of '${name}' is not of the form 1.2.3`, [
        ...path,
        'version',
      ])
    }
    const versionText = text(version) ?? ''
    sheet.packages.set(name, { name, version: versionText, id: sha256(`${name}-${versionText}`) })
  }
}

/** The common part of templates and interfaces. */
function readEntity(sheet: Sheet, name: string, item: Fields, path: Path): readonly EntityIr[] {
  const owner = sheet.packages.get(text(item['package']) ?? '')
  const module = text(item['module']) ?? ''
  if (owner === undefined && Object.hasOwn(item, 'package')) {
    report(
      sheet,
      'contract-package',
      `package '${String(item['package'])}' is not under packages`,
      [...path, 'package'],
    )
  }
  if (!MODULE_NAME.test(module))
    report(sheet, 'contract-name', `'${module}' is not a module name, such as Network.Coin`, [
      ...path,
      'module',
    ])
  const isFree = define(sheet, name, path)
  const choices = entriesAt(sheet, item['choices'], [...path, 'choices']).map((entry) =>
    readChoice(sheet, ...entry),
  )
  return owner === undefined || !isFree
    ? []
    : [{ name, ...described(sheet, item, path), package: owner, module, choices }]
}

function readChoice(sheet: Sheet, name: string, value: unknown, path: Path): ChoiceIr {
  const item = checkFields(
    sheet,
    value,
    path,
    ['consuming', 'argument', 'result', 'description'],
    ['consuming'],
  )
  const consuming = item['consuming']
  if (!TYPE_NAME.test(name))
    report(sheet, 'contract-name', `'${name}' is not a name of a choice`, path)
  if (name === 'Archive')
    report(sheet, 'contract-name', `every template has the choice 'Archive' already`, path)
  if (consuming !== undefined && typeof consuming !== 'boolean') {
    report(sheet, 'contract-key', `'consuming' is neither true nor false`, [...path, 'consuming'])
  }
  const argument = readTypeOrRecord(sheet, item, 'argument', name, path)
  const result = readTypeOrRecord(sheet, item, 'result', `${name}Result`, path)
  return { name, ...described(sheet, item, path), consuming: consuming === true, argument, result }
}

function readInterface(
  sheet: Sheet,
  name: string,
  value: unknown,
  path: Path,
): readonly InterfaceTypeIr[] {
  const keys = ['package', 'module', 'view', 'choices', 'description']
  const item = checkFields(sheet, value, path, keys, ['package', 'module'])
  const view = readTypeOrRecord(sheet, item, 'view', `${name}View`, path)
  return readEntity(sheet, name, item, path).map((entity) => ({ ...entity, view }))
}

function readTemplate(
  sheet: Sheet,
  name: string,
  value: unknown,
  path: Path,
): readonly TemplateIr[] {
  const known = ['package', 'module', 'fields', 'keys', 'interfaces', 'choices', 'description']
  const item = checkFields(sheet, value, path, known, ['package', 'module', 'fields'])
  const payload = Object.hasOwn(item, 'fields')
    ? readMembers(sheet, item['fields'], [...path, 'fields'], FIELD_NAME)
    : []
  const keys = readKeys(item['keys'], (below, message) =>
    report(sheet, 'template-key', message, [...path, 'keys', ...below]),
  )
  const listed = item['interfaces'] ?? []
  if (!Array.isArray(listed))
    report(sheet, 'contract-key', `'interfaces' is not a list`, [...path, 'interfaces'])
  const interfaces = Array.isArray(listed) ? listed.map(String) : []
  return readEntity(sheet, name, item, path).map((entity) => ({
    ...entity,
    payload,
    keys,
    interfaces,
  }))
}

/** A type word names a type or, meaning its payload, a template. */
function lookUp(sheet: Sheet, templates: readonly TemplateIr[]): void {
  const known = new Set([...sheet.types.keys(), ...templates.map(({ name }) => name)])
  for (const { name, path } of sheet.uses) {
    if (!known.has(name)) report(sheet, 'contract-type', `there is no type '${name}'`, path)
  }
}

function checkInterfaces(
  sheet: Sheet,
  templates: readonly TemplateIr[],
  interfaces: readonly InterfaceTypeIr[],
): void {
  const known = new Set(interfaces.map(({ name }) => name))
  for (const { name: template, interfaces: listed } of templates) {
    for (const [index, name] of listed.entries()) {
      const path = ['templates', template, 'interfaces', String(index)]
      if (!known.has(name))
        report(sheet, 'contract-interface', `there is no interface '${name}'`, path)
      if (listed.indexOf(name) < index)
        report(sheet, 'contract-interface', `'${name}' is listed twice`, path)
    }
  }
}
