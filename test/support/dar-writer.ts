// Writes DARs the way a compiler would, and in every way that it would not. Shares nothing with the
// reader: protobuf and zip are put together here from the public formats alone.
import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

export const FORMAT = 'ledger-lf'

/* protobuf */

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}

export function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

export function bytes(field: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([varint(field * 8 + 2), varint(length), ...parts])
}

export function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value))
}

/* packages */

export interface TypeSpec {
  readonly builtin?: number
  readonly variable?: string
  /** `Module:Name` */
  readonly constructed?: string
  readonly synonym?: string
  readonly package?: string
  readonly nat?: number
  readonly args?: readonly TypeSpec[]
  /** One type applied to another, as from language version 2.2 on. */
  readonly applied?: readonly [type: TypeSpec, to: TypeSpec]
}

export const UNIT: TypeSpec = { builtin: 0 }
export const INT64: TypeSpec = { builtin: 2 }
export const PARTY: TypeSpec = { builtin: 6 }
export const TEXT: TypeSpec = { builtin: 7 }
export const optional = (type: TypeSpec): TypeSpec => ({ builtin: 9, args: [type] })
export const list = (type: TypeSpec): TypeSpec => ({ builtin: 10, args: [type] })
export const own = (constructed: string, ...args: TypeSpec[]): TypeSpec => ({ constructed, args })
export const variable = (name: string): TypeSpec => ({ variable: name })

/** Writes an expression. */
export type Write = (encoder: PackageEncoder) => Buffer

export type FieldSpec = readonly [name: string, type: TypeSpec]

export interface DataSpec {
  readonly name: string
  readonly parameters?: readonly string[]
  readonly serializable?: boolean
  readonly record?: readonly FieldSpec[]
  readonly variant?: readonly FieldSpec[]
  readonly enum?: readonly string[]
}

export interface ChoiceSpec {
  readonly name: string
  readonly argument?: TypeSpec
  readonly result?: TypeSpec
  readonly hasAuthorizers?: boolean
  readonly consuming?: boolean
  /** Code of the parties and of what it does; it ends with an error unless given. */
  readonly controllers?: Write
  readonly observers?: Write
  readonly body?: Write
}

export interface TemplateSpec {
  readonly name: string
  readonly choices?: readonly ChoiceSpec[]
  readonly key?: TypeSpec
  readonly interfaces?: readonly TypeSpec[]
  /** Code of the parties; it ends with an error unless given. */
  readonly signatories?: Write
  readonly observers?: Write
  /** Code of its views, of whichever interface. */
  readonly view?: Write
}

/** An interface; its view is a record of no fields, unless another type is given. */
export interface InterfaceSpec {
  readonly name: string
  readonly view?: TypeSpec
  readonly requires?: readonly TypeSpec[]
  readonly methods?: readonly FieldSpec[]
  readonly choices?: readonly ChoiceSpec[]
}

export interface SynonymSpec {
  readonly name: string
  readonly parameters?: readonly string[]
  readonly type: TypeSpec
}

/** A value; its body is written as an expression. */
export interface ValueSpec {
  readonly name: string
  readonly type: TypeSpec
  readonly body: Write
}

export interface ModuleSpec {
  readonly name: string
  readonly values?: readonly ValueSpec[]
  readonly dataTypes?: readonly DataSpec[]
  readonly synonyms?: readonly SynonymSpec[]
  readonly templates?: readonly TemplateSpec[]
  readonly interfaces?: readonly (string | InterfaceSpec)[]
  readonly exceptions?: readonly string[]
}

export interface PackageSpec {
  readonly name: string
  readonly version: string
  /** The minor version of the language's second major version. */
  readonly minor?: string
  readonly modules?: readonly ModuleSpec[]
  readonly upgrades?: string
  /** Packages that only expressions refer to, deep inside. */
  readonly calls?: readonly string[]
  /** The explicit table of imports. */
  readonly imports?: readonly string[]
  /** Texts that nothing refers to. */
  readonly ballast?: readonly Uint8Array[]
  /** Types are written into the table of types and named from there. */
  readonly internedTypes?: boolean
  /** Fields that nothing else here writes. */
  readonly more?: readonly Buffer[]
}

const noParties: Write = (encoder) => encoder.abort(list(PARTY))

/** A package's bytes; texts and names are interned in the order of their first use. */
export class PackageEncoder {
  readonly #spec: PackageSpec
  readonly #texts: Buffer[] = []
  readonly #textNumbers = new Map<string, number>()
  readonly #names: Buffer[] = []
  readonly #nameNumbers = new Map<string, number>()
  readonly #types: Buffer[] = []

  constructor(spec: PackageSpec) {
    this.#spec = spec
  }

  encode(): Buffer {
    const {
      name,
      version,
      upgrades,
      modules = [],
      calls = [],
      imports,
      ballast = [],
      more = [],
    } = this.#spec
    const upgraded = upgrades === undefined ? [] : [bytes(3, number(1, this.text(upgrades)))]
    const metadata = bytes(
      4,
      number(1, this.text(name)),
      number(2, this.text(version)),
      ...upgraded,
    )
    const encoded = modules.map((module) => bytes(1, this.module(module)))
    const callers = calls.map((id, index) =>
      bytes(
        1,
        number(1, this.dotted(`Caller${index}`)),
        bytes(2, number(1, 1), number(2, 1), number(3, 1)),
        bytes(5, this.caller(id)),
      ),
    )
    const table = imports === undefined ? [] : [bytes(9, ...imports.map((id) => text(1, id)))]
    return Buffer.concat([
      ...encoded,
      ...callers,
      ...this.#texts.map((each) => bytes(2, each)),
      ...ballast.map((each) => bytes(2, each)),
      ...this.#names.map((each) => bytes(3, each)),
      metadata,
      ...this.#types.map((each) => bytes(5, each)),
      ...table,
      ...more,
    ])
  }

  text(value: string): number {
    const known = this.#textNumbers.get(value)
    if (known !== undefined) return known
    this.#textNumbers.set(value, this.#texts.length)
    return this.#texts.push(Buffer.from(value)) - 1
  }

  dotted(name: string): number {
    const known = this.#nameNumbers.get(name)
    if (known !== undefined) return known
    const packed = bytes(1, ...name.split('.').map((segment) => varint(this.text(segment))))
    this.#nameNumbers.set(name, this.#names.length)
    return this.#names.push(packed) - 1
  }

  /** A value whose body names one of another package: in a case in a function that is applied. */
  caller(packageId: string): Buffer {
    const value = bytes(3, this.reference('Other:value', packageId))
    const alternative = bytes(2, bytes(1, value), bytes(2))
    const branch = bytes(19, bytes(1, number(5, 1)), alternative)
    const lambda = bytes(
      17,
      bytes(1, number(3, this.text('x')), bytes(2, this.type(UNIT))),
      bytes(2, branch),
    )
    return Buffer.concat([
      bytes(2, number(1, this.dotted('call')), bytes(2, this.type(UNIT))),
      bytes(3, bytes(15, bytes(1, lambda), bytes(2, number(5, 0)))),
    ])
  }

  reference(name: string, packageId?: string): Buffer {
    const [module = '', entity = ''] = name.split(':')
    const moduleReference = bytes(
      1,
      bytes(1, this.packageReference(packageId)),
      number(2, this.dotted(module)),
    )
    return Buffer.concat([moduleReference, number(2, this.dotted(entity))])
  }

  packageReference(id: string | undefined): Buffer {
    if (id === undefined) return bytes(1)
    const index = this.#spec.imports?.indexOf(id) ?? -1
    return index < 0 ? number(3, this.text(id)) : number(4, index)
  }

  type(spec: TypeSpec): Buffer {
    const plain = this.plainType(spec)
    if (this.#spec.internedTypes !== true) return plain
    return number(8, this.#types.push(plain) - 1)
  }

  plainType({
    builtin,
    variable: name,
    constructed,
    synonym,
    package: id,
    nat,
    args = [],
    applied,
  }: TypeSpec): Buffer {
    if (applied !== undefined)
      return bytes(9, ...applied.map((each, index) => bytes(index + 1, this.type(each))))
    const inner = args.map((arg) => bytes(2, this.type(arg)))
    if (builtin !== undefined) return bytes(3, number(1, builtin), ...inner)
    if (name !== undefined) return bytes(1, number(3, this.text(name)), ...inner)
    if (nat !== undefined) return number(6, nat * 2)
    return bytes(
      synonym === undefined ? 2 : 7,
      bytes(1, this.reference(constructed ?? synonym ?? '', id)),
      ...inner,
    )
  }

  /** Code that ends with an error in place of a value of this type. */
  abort(type: TypeSpec): Buffer {
    const error = bytes(16, bytes(1, number(4, 1)), bytes(2, this.type(type)))
    return bytes(15, bytes(1, error), bytes(2, bytes(6, number(4, this.text('none')))))
  }

  /** What goes without saying: the types of interfaces, of their views and of exceptions. */
  impliedTypes({ dataTypes = [], interfaces = [], exceptions = [] }: ModuleSpec): Buffer[] {
    const defined = new Set(dataTypes.map(({ name }) => name))
    const names = interfaces.map((one) => (typeof one === 'string' ? one : one.name))
    const interfaceTypes = names.flatMap((name) => [
      Buffer.concat([number(2, this.dotted(name)), bytes(8)]),
      this.dataType({ name: `${name}View`, record: [] }),
    ])
    const records = exceptions.filter((name) => !defined.has(name))
    return [...interfaceTypes, ...records.map((name) => this.dataType({ name, record: [] }))]
  }

  value({ name, type, body }: ValueSpec): Buffer {
    return Buffer.concat([
      bytes(2, number(1, this.dotted(name)), bytes(2, this.type(type))),
      bytes(3, body(this)),
    ])
  }

  module(spec: ModuleSpec): Buffer {
    const {
      name,
      dataTypes = [],
      synonyms = [],
      values = [],
      templates = [],
      interfaces = [],
      exceptions = [],
    } = spec
    const interfaceOf = (each: string | InterfaceSpec): Buffer => {
      const one = typeof each === 'string' ? { name: each } : each
      const { view = own(`${name}:${one.name}View`), requires = [], methods = [] } = one
      return Buffer.concat([
        number(2, this.dotted(one.name)),
        ...methods.map(([method, type]) =>
          bytes(3, number(2, this.text(method)), bytes(3, this.type(type))),
        ),
        number(4, this.text('this')),
        ...(one.choices ?? []).map((choice) => bytes(5, this.choice(choice))),
        bytes(6, this.type(view)),
        ...requires.map((required) =>
          bytes(7, this.reference(required.constructed ?? '', required.package)),
        ),
      ])
    }
    const exceptionOf = (each: string): Buffer =>
      Buffer.concat([
        number(1, this.dotted(each)),
        bytes(3, this.abort({ builtin: 16, args: [own(`${name}:${each}`), TEXT] })),
      ])
    return Buffer.concat([
      number(1, this.dotted(name)),
      bytes(2, number(1, 1), number(2, 1), number(3, 1)),
      ...synonyms.map((each) => bytes(3, this.synonym(each))),
      ...dataTypes.map((each) => bytes(4, this.dataType(each))),
      ...this.impliedTypes(spec).map((each) => bytes(4, each)),
      ...values.map((each) => bytes(5, this.value(each))),
      ...templates.map((each) => bytes(6, this.template(each))),
      ...exceptions.map((each) => bytes(7, exceptionOf(each))),
      ...interfaces.map((each) => bytes(8, interfaceOf(each))),
    ])
  }

  synonym({ name, parameters, type }: SynonymSpec): Buffer {
    return Buffer.concat([
      number(2, this.dotted(name)),
      ...this.parameters(parameters),
      bytes(4, this.type(type)),
    ])
  }

  parameters(names: readonly string[] = []): Buffer[] {
    return names.map((name) => bytes(3, number(3, this.text(name)), bytes(2, bytes(1))))
  }

  dataType({
    name,
    parameters,
    serializable = true,
    record,
    variant,
    enum: names = [],
  }: DataSpec): Buffer {
    const shape = record
      ? bytes(5, ...this.fields(record))
      : variant
        ? bytes(6, ...this.fields(variant))
        : bytes(7, bytes(2, ...names.map((each) => varint(this.text(each)))))
    return Buffer.concat([
      number(2, this.dotted(name)),
      ...this.parameters(parameters),
      number(4, Number(serializable)),
      shape,
    ])
  }

  fields(specs: readonly FieldSpec[]): Buffer[] {
    return specs.map(([name, type]) =>
      bytes(1, number(3, this.text(name)), bytes(2, this.type(type))),
    )
  }

  template({
    name,
    choices = [],
    key,
    interfaces = [],
    signatories = noParties,
    observers = noParties,
    view,
  }: TemplateSpec): Buffer {
    return Buffer.concat([
      number(1, this.dotted(name)),
      number(2, this.text('this')),
      bytes(4, signatories(this)),
      bytes(7, observers(this)),
      ...choices.map((each) => bytes(6, this.choice(each))),
      ...(key === undefined ? [] : [bytes(9, bytes(1, this.type(key)))]),
      ...interfaces.map((each) =>
        bytes(
          10,
          bytes(1, this.reference(each.constructed ?? '', each.package)),
          bytes(
            2,
            bytes(
              2,
              view?.(this) ?? this.abort({ ...each, constructed: `${each.constructed}View` }),
            ),
          ),
        ),
      ),
    ])
  }

  choice({
    name,
    argument = UNIT,
    result = UNIT,
    controllers = noParties,
    observers = noParties,
    body = (encoder) => encoder.abort({ builtin: 17, args: [result] }),
    hasAuthorizers = false,
    consuming = true,
  }: ChoiceSpec): Buffer {
    const binder = bytes(6, number(3, this.text('arg')), bytes(2, this.type(argument)))
    return Buffer.concat([
      number(2, this.text(name)),
      number(3, Number(consuming)),
      bytes(4, controllers(this)),
      bytes(5, observers(this)),
      binder,
      bytes(8, this.type(result)),
      bytes(9, body(this)),
      number(10, this.text('self')),
      ...(hasAuthorizers ? [bytes(1001, this.abort(list(PARTY)))] : []),
    ])
  }
}

/** An archive: what lies in a DAR, and what it must be read as. */
export interface ArchiveFile {
  readonly name: string
  readonly packageId: string
  readonly payload: Buffer
  readonly archive: Buffer
}

export function archiveOf(name: string, payload: Buffer, statedHash?: string): ArchiveFile {
  const packageId = createHash('sha256').update(payload).digest('hex')
  const archive = Buffer.concat([number(1, 0), bytes(3, payload), text(4, statedHash ?? packageId)])
  return { name: `${name}-${packageId.slice(0, 8)}.dalf`, packageId, payload, archive }
}

export function archive(spec: PackageSpec): ArchiveFile {
  const payload = Buffer.concat([
    text(3, spec.minor ?? '1'),
    bytes(4, new PackageEncoder(spec).encode()),
  ])
  return archiveOf(`${spec.name}-${spec.version}`, payload)
}

/* zip */

export interface EntrySpec {
  readonly name: string
  readonly data: Uint8Array
  readonly stored?: boolean
  /** The size that the headers state in place of the true one. */
  readonly statedSize?: number
  readonly statedChecksum?: number
  readonly localName?: string
  readonly flags?: number
  /** No bytes of its own: the directory leads to the first entry's. */
  readonly shared?: boolean
}

const UNKNOWN_32 = 0xffff_ffff

export function zip(entries: readonly EntrySpec[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const content = entry.stored === true ? Buffer.from(entry.data) : deflated(entry.data)
    const header = Buffer.concat([
      localHeader(entry, content.length),
      Buffer.from(entry.localName ?? entry.name),
    ])
    directory.push(directoryHeader(entry, content.length, entry.shared === true ? 0 : offset))
    if (entry.shared === true) continue
    parts.push(header, content)
    offset += header.length + content.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** Bombs name the same content a thousand times. */
function memoized<T>(compute: (data: Uint8Array) => T): (data: Uint8Array) => T {
  const known = new WeakMap<Uint8Array, T>()
  return (data) => {
    const result = known.get(data) ?? compute(data)
    known.set(data, result)
    return result
  }
}

const deflated = memoized((data) => deflateRawSync(data, { level: 9 }))
const checksum = memoized((data) => crc32(data))

/**
 * The 22 bytes that both headers have in common: version, flags, method, time, checksum and sizes.
 */
function common(entry: EntrySpec, stored: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(45, 0)
  header.writeUInt16LE(entry.flags ?? 0x800, 2)
  header.writeUInt16LE(entry.stored === true ? 0 : 8, 4)
  header.writeUInt32LE(entry.statedChecksum ?? checksum(entry.data), 10)
  header.writeUInt32LE(stored, 14)
  header.writeUInt32LE(Math.min(entry.statedSize ?? entry.data.length, UNKNOWN_32), 18)
  return header
}

function localHeader(entry: EntrySpec, stored: number): Buffer {
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(Buffer.byteLength(entry.localName ?? entry.name))
  return Buffer.concat([uint32(0x0403_4b50), common(entry, stored), lengths])
}

function directoryHeader(entry: EntrySpec, stored: number, offset: number): Buffer {
  const extra =
    (entry.statedSize ?? 0) >= UNKNOWN_32 ? zip64Size(entry.statedSize ?? 0) : Buffer.alloc(0)
  const tail = Buffer.alloc(18)
  tail.writeUInt16LE(Buffer.byteLength(entry.name), 0)
  tail.writeUInt16LE(extra.length, 2)
  tail.writeUInt32LE(offset, 14)
  return Buffer.concat([
    uint32(0x0201_4b50),
    Buffer.from([45, 0]),
    common(entry, stored),
    tail,
    Buffer.from(entry.name),
    extra,
  ])
}

function zip64Size(size: number): Buffer {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(size), 4)
  return extra
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

/* DARs */

/** A manifest as a compiler writes it: lines of at most 72 bytes, continued after a blank. */
export function manifest(attributes: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ 'Manifest-Version': '1.0', ...attributes }).map(([name, value]) =>
    wrap(`${name}: ${value}`),
  )
  return `${lines.join('\r\n')}\r\n\r\n`
}

function wrap(line: string): string {
  const all = Buffer.from(line)
  const parts = [all.subarray(0, 72).toString('latin1')]
  for (let start = 72; start < all.length; start += 71)
    parts.push(` ${all.subarray(start, start + 71).toString('latin1')}`)
  return parts.join('\r\n')
}

export interface DarSpec {
  readonly main: ArchiveFile
  readonly others?: readonly ArchiveFile[]
  readonly attributes?: Readonly<Record<string, string>>
  readonly more?: readonly EntrySpec[]
  readonly stored?: boolean
}

export function dar({
  main,
  others = [],
  attributes = {},
  more = [],
  stored = false,
}: DarSpec): Buffer {
  const archives = [main, ...others]
  const content = manifest({
    'Main-Dalf': main.name,
    Dalfs: archives.map(({ name }) => name).join(', '),
    Format: FORMAT,
    Encryption: 'non-encrypted',
    ...attributes,
  })
  return zip([
    { name: 'META-INF/MANIFEST.MF', data: Buffer.from(content, 'latin1') },
    ...archives.map((each) => ({ name: each.name, data: each.archive, stored })),
    ...more,
  ])
}
