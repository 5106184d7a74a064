// Prints a contract type as a TypeScript type and a codec under one name.
import { typeNames } from '../contracts-ir.ts'
import type { ContractsIr, MemberIr, NamedTypeIr, ShapeIr, TypeIr } from '../contracts-ir.ts'
import { filled, LINE } from '../layout.ts'
import { limitedBytes, limitedItems, limitedKeys, limitedScalar } from './contract-limits.ts'
import type { LimitSheet } from './contract-limits.ts'
import { propertyKey, quote } from '../literals.ts'
import { given } from '../values.ts'

export interface Sheet {
  readonly shapes: readonly PrintedType[]
  readonly templates: ReadonlySet<string>
  /** Types whose codec stands above; the others are reached by `lazy`. */
  readonly printed: Set<string>
  /** Files of old types that are imported, by the name that they have here. */
  readonly modules: Map<string, string>
  readonly limits: LimitSheet
}

export interface PrintedType extends NamedTypeIr {
  /** Name of the codec's constant: a template's name means the template. */
  readonly constant: string
  readonly isExported: boolean
  /** Variables; the codec is then a function of their codecs. */
  readonly parameters?: readonly string[]
  /** Id of the template whose payload it is, which no other's is. */
  readonly payloadOf?: string
}

export function makeSheet(ir: ContractsIr): Sheet {
  const payloads = ir.templates.map(({ name, payload, ...rest }): PrintedType => ({
    name,
    constant: payloadName(name),
    isExported: false,
    shape: { kind: 'record', members: payload },
    ...given({ description: rest.description }),
  }))
  return {
    shapes: [
      ...ir.types.map((type) => ({ ...type, constant: type.name, isExported: true })),
      ...payloads,
    ],
    templates: new Set(ir.templates.map(({ name }) => name)),
    printed: new Set(),
    modules: new Map(),
    limits: {
      defaults: ir.limits,
      isReadable: ir.texts === 'readable',
      constants: new Map(),
    },
  }
}

export function payloadName(template: string): string {
  return `${template}$payload`
}

/** Every type after those that it is made of, as far as it is not made of itself. */
export function inOrder(shapes: readonly PrintedType[]): readonly PrintedType[] {
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

export function printType(sheet: Sheet, type: PrintedType): string {
  const { constant, description, isExported, maxBytes, name, parameters = [] } = type
  const generic = parametersOf(type)
  const made = { ...type, name: `${name}${generic}` }
  const value = limitedBytes(maxBytes, shapeCodec(sheet, made).trimEnd())
  sheet.printed.add(name)
  const codecs = parameters.map((one) => `${variableCodec(one)}: Codec<${one}>`).join(', ')
  const head =
    generic === ''
      ? `${constant}: Codec<${name}> = `
      : `${constant} = ${generic}(${codecs}): Codec<${made.name}> => `
  return (
    `${doc(description)}${typeDeclaration(made)}` +
    `${isExported ? 'export ' : ''}const ${head}${value}\n`
  )
}

/** Type parameters of a declaration; '' without any. */
function parametersOf({ parameters = [] }: PrintedType): string {
  return parameters.length === 0 ? '' : `<${parameters.join(', ')}>`
}

/** The argument that holds a variable's codec. */
function variableCodec(name: string): string {
  return `${name}$`
}

function typeDeclaration({ name, shape, payloadOf }: PrintedType): string {
  if (shape.kind === 'enum') return `export type ${name} = ${shape.names.map(quote).join(' | ')}\n`
  if (shape.kind === 'variant') {
    const cases = shape.members.map(
      (one) => `  | { readonly tag: ${quote(one.name)}; readonly value: ${typeText(one.type)} }\n`,
    )
    return `export type ${name} =\n${cases.join('')}`
  }
  if (shape.members.length === 0 && payloadOf === undefined)
    return `export type ${name} = ${typeText({ kind: 'scalar', name: 'Unit' })}\n`
  const members = shape.members.map(
    (one) => `readonly ${propertyKey(one.name)}: ${typeText(one.type)}`,
  )
  const head = `export interface ${name}${payloadOf === undefined ? '' : ` extends PayloadOf<${quote(payloadOf)}>`} {`
  const line = `${head} ${members.join('; ')} }`
  return line.length <= LINE
    ? `${line}\n`
    : `${head}\n${members.map((one) => `  ${one}\n`).join('')}}\n`
}

const SCALAR_TYPES: Readonly<Record<string, string>> = {
  Party: 'string',
  Text: 'string',
  ContractId: 'string',
  Bool: 'boolean',
  Unit: 'Unit',
  Numeric: 'string',
  Date: 'string',
  Timestamp: 'string',
}

/** A type as TypeScript writes it. */
export function typeText(type: TypeIr): string {
  switch (type.kind) {
    case 'scalar':
      return type.of === undefined
        ? (SCALAR_TYPES[type.name] ?? 'bigint')
        : `ContractId<${typeText(type.of)}>`
    case 'named':
      return type.name + argumentsText(type.arguments)
    case 'optional':
      return isNullable(type.of) ? `Optional<${typeText(type.of)}>` : `${typeText(type.of)} | null`
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

function argumentsText(types: readonly TypeIr[] = []): string {
  return types.length === 0 ? '' : `<${types.map(typeText).join(', ')}>`
}

/** Whether `null` may be a value of it: an optional of it is written as a list. */
function isNullable(type: TypeIr): boolean {
  return type.kind === 'optional' || (type.kind === 'named' && type.isVariable === true)
}

function itemText(type: TypeIr): string {
  return type.kind === 'named' || type.kind === 'scalar' ? typeText(type) : `(${typeText(type)})`
}

function shapeCodec(sheet: Sheet, { name, shape, payloadOf }: PrintedType): string {
  if (shape.kind === 'enum') return `enumeration<${name}>([${shape.names.map(quote).join(', ')}])\n`
  if (shape.members.length === 0 && payloadOf === undefined) return 'unit\n'
  const members = filled(
    shape.members.map((one) => `${propertyKey(one.name)}: ${codec(sheet, one.type)}`),
    '  ',
  )
  return `${shape.kind}<${name}>({\n${members.map((one) => `${one}\n`).join('')}})\n`
}

export function codec(sheet: Sheet, type: TypeIr): string {
  switch (type.kind) {
    case 'scalar':
      return scalarCodec(sheet, type)
    case 'named':
      return namedCodec(sheet, type)
    case 'optional':
      return `${isNullable(type.of) ? 'nestedOptional' : 'optional'}(${codec(sheet, type.of)})`
    case 'map':
    case 'pair':
      return limitedItems(
        sheet.limits,
        type,
        `${type.kind}(${codec(sheet, type.first)}, ${codec(sheet, type.second)})`,
      )
    case 'textMap':
      return limitedItems(
        sheet.limits,
        type,
        `textMap(${codec(sheet, type.of)}${limitedKeys(sheet.limits)})`,
      )
    default:
      return limitedItems(sheet.limits, type, `${type.kind}(${codec(sheet, type.of)})`)
  }
}

function scalarCodec(sheet: Sheet, type: TypeIr & { readonly kind: 'scalar' }): string {
  if (type.of !== undefined) return `contractIdOf<${typeText(type.of)}>()`
  return type.scale === undefined ? limitedScalar(sheet.limits, type) : `numeric(${type.scale})`
}

function namedCodec(sheet: Sheet, type: TypeIr & { readonly kind: 'named' }): string {
  const { name, arguments: given = [] } = type
  if (type.isVariable === true) return variableCodec(name)
  const constant = type.codec ?? (sheet.templates.has(name) ? payloadName(name) : name)
  const codecs = given.map((one) => codec(sheet, one)).join(', ')
  const made = codecs === '' ? constant : `${constant}(${codecs})`
  const isThere = sheet.printed.has(name) || name.includes('.')
  return isThere ? made : `lazy(() => ${made})`
}

export function doc(description: string | undefined): string {
  return description === undefined
    ? ''
    : `/** ${description.trim().replaceAll('*/', '* /').replaceAll(/\s+/gu, ' ')} */\n`
}
