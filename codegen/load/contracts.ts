// Reads spec/contracts.yaml into the generator's form and says what is wrong with it, with line and
// column.
import { typeNames } from '../contracts-ir.ts'
import type {
  ChoiceIr,
  ContractsIr,
  DefaultLimits,
  EntityIr,
  InterfaceTypeIr,
  MemberIr,
  NamedTypeIr,
  PackageIr,
  ShapeIr,
  TemplateIr,
  TypeIr,
} from '../contracts-ir.ts'
import type { Finding } from '../findings.ts'
import { sha256 } from '../json.ts'
import { isFields, sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { readKeys } from './contract-keys.ts'
import { LIMITED_KINDS, readLimit, readLimits } from './contract-limits.ts'
import { readSource } from './source.ts'
import type { Path, Source } from './source.ts'
import { BUILT_IN, parseType } from './type-expression.ts'

export interface LoadedContracts {
  /** What could be understood; complete only where no finding is an error. */
  readonly ir: ContractsIr
  readonly findings: readonly Finding[]
  readonly source: Source
}

/** Names that the generated file gives a meaning of its own. */
const TAKEN: ReadonlySet<string> = new Set([
  'AnyInterfaceType',
  'AnyTemplateType',
  'ChoiceType',
  'Codec',
  'InterfaceType',
  'Readonly',
  'ReadonlyMap',
  'Record',
  'TemplateType',
])
const UNIT: TypeIr = { kind: 'scalar', name: 'Unit' }
const TYPE_NAME = /^[A-Z][A-Za-z0-9_]*$/u
const FIELD_NAME = /^[a-z_][A-Za-z0-9_]*$/u
const PACKAGE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u
const MODULE_NAME = /^[A-Z][A-Za-z0-9_]*(?:\.[A-Z][A-Za-z0-9_]*)*$/u
const VERSION = /^\d+\.\d+\.\d+$/u

/** What loading gathers as it goes. */
interface Sheet {
  readonly source: Source
  readonly findings: Finding[]
  readonly packages: Map<string, PackageIr>
  readonly types: Map<string, NamedTypeIr>
  /** Where each generated identifier was defined, by name. */
  readonly defined: Map<string, Path>
  /** Names that types use, to be looked up when all are known. */
  readonly uses: { readonly name: string; readonly path: Path }[]
}

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
          ['packages', 'limits', 'types', 'interfaces', 'templates'],
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

function report(sheet: Sheet, rule: string, message: string, path: Path): void {
  sheet.findings.push({ severity: 'error', rule, message, at: sheet.source.place(path) })
}

/** The object at a path without its unknown keys. */
function checkFields(
  sheet: Sheet,
  value: unknown,
  path: Path,
  known: readonly string[],
  needed: readonly string[] = [],
): Fields {
  if (!isFields(value)) {
    report(sheet, 'contract-key', `expected an object with ${known.join(', ')}`, path)
    return {}
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      report(sheet, 'contract-key', `unknown key '${key}'; known are ${known.join(', ')}`, [
        ...path,
        key,
      ])
  }
  for (const key of needed) {
    if (!Object.hasOwn(value, key)) report(sheet, 'contract-key', `'${key}' is missing`, path)
  }
  return Object.fromEntries(
    known.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]),
  )
}

/** Entries of an optional object, sorted by key, each with its path. */
function entriesAt(
  sheet: Sheet,
  value: unknown,
  path: Path,
): readonly (readonly [string, unknown, Path])[] {
  if (value === undefined) return []
  if (isFields(value)) return sortedEntries(value).map(([key, item]) => [key, item, [...path, key]])
  report(sheet, 'contract-key', 'expected an object', path)
  return []
}

function readPackages(sheet: Sheet, value: unknown): void {
  for (const [name, item, path] of entriesAt(sheet, value, ['packages'])) {
    const version = checkFields(
      sheet,
      item,
      path,
      ['version', 'description', 'origin'],
      ['version'],
    )['version']
    if (!PACKAGE_NAME.test(name))
      report(
        sheet,
        'contract-name',
        `'${name}' is no package name: lower-case words joined by '-'`,
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

/** Takes an identifier of the generated file; false where that is not possible. */
function define(sheet: Sheet, name: string, path: Path): boolean {
  const former = sheet.defined.get(name)
  if (!TYPE_NAME.test(name))
    report(
      sheet,
      'contract-name',
      `'${name}' is no type name: an upper-case letter, then letters, digits, '_'`,
      path,
    )
  else if (BUILT_IN.has(name) || TAKEN.has(name))
    report(sheet, 'contract-name', `'${name}' has a meaning of its own`, path)
  else if (former !== undefined)
    report(
      sheet,
      'contract-name',
      `'${name}' is defined twice, the other at line ${lineOf(sheet, former)}`,
      path,
    )
  else {
    sheet.defined.set(name, path)
    return true
  }
  return false
}

function lineOf(sheet: Sheet, path: Path): number {
  return sheet.source.place(path).line
}

function readNamedType(sheet: Sheet, name: string, value: unknown, path: Path): void {
  const item = checkFields(sheet, value, path, [
    'record',
    'variant',
    'enum',
    'maxBytes',
    'description',
    'origin',
  ])
  const [kind, ...others] = (['record', 'variant', 'enum'] as const).filter((key) =>
    Object.hasOwn(item, key),
  )
  if (kind === undefined || others.length > 0) {
    report(sheet, 'contract-key', `'${name}' is either a record, a variant or an enum`, path)
    return
  }
  const shape =
    kind === 'enum'
      ? readEnum(sheet, item[kind], [...path, kind])
      : readShape(sheet, kind, item[kind], [...path, kind])
  const maxBytes = readLimit(item, 'maxBytes', (key, message) =>
    report(sheet, 'contract-limit', message, [...path, key]),
  )
  addType(sheet, name, { shape, ...(maxBytes === undefined ? {} : { maxBytes }) }, path, item)
}

type Definition = Pick<NamedTypeIr, 'shape' | 'maxBytes'>

function addType(
  sheet: Sheet,
  name: string,
  definition: Definition,
  path: Path,
  item: Fields = {},
): void {
  if (define(sheet, name, path))
    sheet.types.set(name, { name, ...described(sheet, item, path), ...definition })
}

function described(sheet: Sheet, item: Fields, path: Path): { readonly description?: string } {
  for (const key of ['description', 'origin'] as const) {
    if (Object.hasOwn(item, key) && text(item[key]) === undefined)
      report(sheet, 'contract-key', `'${key}' is no text`, [...path, key])
  }
  const description = text(item['description'])
  return description === undefined ? {} : { description }
}

function readEnum(sheet: Sheet, value: unknown, path: Path): ShapeIr {
  const names = Array.isArray(value) ? value.map((name) => text(name) ?? '') : []
  if (names.length === 0) report(sheet, 'contract-key', 'an enum lists its names', path)
  for (const [index, name] of names.entries()) {
    if (!TYPE_NAME.test(name))
      report(sheet, 'contract-name', `'${name}' is no name of an enum's value`, [
        ...path,
        String(index),
      ])
    if (names.indexOf(name) < index)
      report(sheet, 'contract-name', `'${name}' is listed twice`, [...path, String(index)])
  }
  return { kind: 'enum', names }
}

function readShape(sheet: Sheet, kind: 'record' | 'variant', value: unknown, path: Path): ShapeIr {
  const members = readMembers(sheet, value, path, kind === 'record' ? FIELD_NAME : TYPE_NAME)
  if (kind === 'variant' && members.length === 0)
    report(sheet, 'contract-key', 'a variant lists its cases', path)
  return { kind, members }
}

/** Fields or cases, in the document's order. */
function readMembers(sheet: Sheet, value: unknown, path: Path, form: RegExp): readonly MemberIr[] {
  if (!isFields(value)) {
    report(sheet, 'contract-key', 'expected an object of names and types', path)
    return []
  }
  return Object.entries(value).map(([name, type]) => {
    const place = [...path, name]
    if (!form.test(name) || name === '__proto__')
      report(sheet, 'contract-name', `'${name}' is no name of a field or case here`, place)
    return { name, type: readType(sheet, type, place) }
  })
}

function readType(sheet: Sheet, value: unknown, path: Path): TypeIr {
  if (typeof value !== 'string') {
    report(sheet, 'contract-type', 'expected a type, such as Decimal or List<Party>', path)
    return UNIT
  }
  const parsed = parseType(value)
  if (!parsed.ok) {
    report(sheet, 'contract-type', `the type '${value}' ${parsed.problem}`, path)
    return UNIT
  }
  for (const name of typeNames(parsed.type)) sheet.uses.push({ name, path })
  return parsed.type
}

/** A type, or a record in place, which becomes a type called `name`. Absent: Unit. */
function readTypeOrRecord(
  sheet: Sheet,
  item: Fields,
  key: string,
  name: string,
  path: Path,
): TypeIr {
  if (!Object.hasOwn(item, key)) return UNIT
  const place = [...path, key]
  if (!isFields(item[key])) return readType(sheet, item[key], place)
  addType(sheet, name, { shape: readShape(sheet, 'record', item[key], place) }, place)
  return { kind: 'named', name }
}

/** What templates and interfaces have in common. */
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
    report(sheet, 'contract-name', `'${module}' is no module name, such as Network.Coin`, [
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
    ['consuming', 'argument', 'result', 'description', 'origin'],
    ['consuming'],
  )
  const consuming = item['consuming']
  if (!TYPE_NAME.test(name))
    report(sheet, 'contract-name', `'${name}' is no name of a choice`, path)
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
  const keys = ['package', 'module', 'view', 'choices', 'description', 'origin']
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
  const known = [
    'package',
    'module',
    'fields',
    'keys',
    'interfaces',
    'choices',
    'description',
    'origin',
  ]
  const item = checkFields(sheet, value, path, known, ['package', 'module', 'fields'])
  const payload = Object.hasOwn(item, 'fields')
    ? readMembers(sheet, item['fields'], [...path, 'fields'], FIELD_NAME)
    : []
  const keys = readKeys(item['keys'], (below, message) =>
    report(sheet, 'template-key', message, [...path, 'keys', ...below]),
  )
  const listed = item['interfaces'] ?? []
  if (!Array.isArray(listed))
    report(sheet, 'contract-key', `'interfaces' is no list`, [...path, 'interfaces'])
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
