// Values of the contract language in their JSON form, by the types that packages say.
// docs/ledger-rules.md, "Values on the wire"
import { fail, isFields, step } from '../../../generated/contract-codec.gen.ts'
import type { Json, Shape } from '../../../generated/contract-codec.gen.ts'
import type { Field, Program } from '../program/definitions.ts'
import type { Substitution } from '../program/type-table.ts'
import type { BuiltinType, ConstructorType, Reference, Type } from '../program/types.ts'
import { EvaluationError, illTyped } from '../values/failure.ts'
import { EMPTY_MAP, insert } from '../values/map.ts'
import { Meter } from '../values/meter.ts'
import {
  Cons,
  elementsOf,
  listOf,
  NONE,
  Optional,
  Rec,
  some,
  ValueMap,
  Variant,
} from '../values/value.ts'
import type { Value } from '../values/value.ts'
import { numericOf, scalars } from './scalars.ts'
import type { ValueCodec } from './scalars.ts'

/** Levels of values within each other, as the language has it. */
const MAX_LEVELS = 100

/** A meter without limits: a request's size limits what is read. */
const FREE = new Meter({ steps: Infinity, cells: Infinity, depth: Infinity })

/** Codecs of the types of a program, each made once. */
export class ValueCodecs {
  readonly #program: Pick<Program, 'dataType' | 'types'>
  readonly #codecs = new Map<Type, ValueCodec>()

  constructor(program: Pick<Program, 'dataType' | 'types'>) {
    this.#program = program
  }

  /** The codec of a closed type. Throws EvaluationError where no value of it can be stored. */
  of(type: Type): ValueCodec {
    const known = this.#codecs.get(type)
    if (known !== undefined) return known
    const made = this.#codec(type)
    this.#codecs.set(type, made)
    return made
  }

  /** The codec of a definition without parameters. */
  named(reference: Reference): ValueCodec {
    return this.of(this.#program.types.constructorType(reference))
  }

  #codec(type: Type): ValueCodec {
    if (type.kind === 'constructor') return nested(this.#defined(type))
    if (type.kind === 'builtin') return scalars.get(type.name) ?? this.#container(type)
    return unstorable(type.kind)
  }

  #container({ name, arguments: [first, second] }: BuiltinType): ValueCodec {
    if (first === undefined) return unstorable(name)
    if (name === 'Numeric') return first.kind === 'nat' ? numericOf(first.value) : unstorable(name)
    if (name === 'Optional') return optional(this.of(first))
    if (name === 'List') return nested(list(this.of(first)))
    if (name === 'TextMap') return nested(textMap(this.of(first)))
    if (name !== 'GenMap' || second === undefined) return unstorable(name)
    return nested(genMap(this.of(first), this.of(second)))
  }

  #defined({ reference, arguments: given }: ConstructorType): ValueCodec {
    const { shape, parameters } = this.#program.dataType(reference)
    const bound = new Map(
      parameters.map(({ name }, at) => [name, given[at] ?? unstorable(reference.text)]),
    )
    if (shape.kind === 'record') return record(this.#fields(shape.fields, bound))
    if (shape.kind === 'variant') return variant(this.#fields(shape.constructors, bound))
    return shape.kind === 'enum' ? enumeration(shape.constructors) : unstorable(reference.text)
  }

  /** Made when first asked for: a type may be within itself. */
  #fields(fields: readonly Field[], bound: Substitution): () => Fields {
    const { types } = this.#program
    let made: Fields | undefined
    return () =>
      (made ??= fields.map(({ name, type }) => [name, this.of(types.substitute(type, bound))]))
  }
}

type Fields = readonly (readonly [name: string, codec: ValueCodec])[]

function unstorable(what: string): never {
  throw illTyped(`${what} has no values that can be stored`)
}

/** Levels that the running call is in; no codec waits for anything, so calls never interleave. */
let level = 0

function nested(codec: ValueCodec): ValueCodec {
  return {
    get shape() {
      return codec.shape
    },
    decode: (value, path = '') => {
      if (level >= MAX_LEVELS) return fail(path, `at most ${MAX_LEVELS} levels`)
      return deeper(() => codec.decode(value, path))
    },
    encode: (value) => {
      if (level >= MAX_LEVELS) throw new EvaluationError({ kind: 'nesting' })
      return deeper(() => codec.encode(value))
    },
  }
}

function deeper<T>(run: () => T): T {
  level += 1
  try {
    return run()
  } finally {
    level -= 1
  }
}

function itemsOf(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(path, 'an array')
}

/** An object of these fields; one that is absent is read as `optional` allows. */
function record(fields: () => Fields): ValueCodec {
  return {
    get shape(): Shape {
      return { kind: 'record', fields: fields() }
    },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object')
      const known = fields()
      const names = new Set(known.map(([name]) => name))
      // A newer version's member that is null says nothing.
      const unknown = Object.keys(value).find((key) => !names.has(key) && value[key] !== null)
      if (unknown !== undefined) return fail(step(path, unknown), 'no such field')
      return new Rec(
        known.map(([name, codec]) =>
          codec.decode(Object.hasOwn(value, name) ? value[name] : undefined, `${path}/${name}`),
        ),
      )
    },
    encode: (value) => {
      if (!(value instanceof Rec)) throw illTyped('a record is expected')
      const members = fields().map(([name, codec], at): [string, Json] => [
        name,
        codec.encode(value.fields[at]),
      ])
      return Object.fromEntries(members)
    },
  }
}

/** `{ tag, value }` */
function variant(cases: () => Fields): ValueCodec {
  return {
    get shape(): Shape {
      return { kind: 'variant', cases: new Map(cases()) }
    },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object of tag and value')
      const tag = Object.hasOwn(value, 'tag') ? value['tag'] : undefined
      const rank = cases().findIndex(([name]) => name === tag)
      const [, codec] = cases()[rank] ?? fail(`${path}/tag`, `one of ${namesOf(cases())}`)
      const unknown = Object.keys(value).find((key) => key !== 'tag' && key !== 'value')
      if (unknown !== undefined) return fail(step(path, unknown), 'no such field')
      const held = Object.hasOwn(value, 'value') ? value['value'] : undefined
      return new Variant(rank, codec.decode(held, `${path}/value`))
    },
    encode: (value) => {
      const [tag, codec] = (value instanceof Variant && cases()[value.rank]) || []
      if (!(value instanceof Variant) || tag === undefined || codec === undefined)
        throw illTyped('a variant is expected')
      return { tag, value: codec.encode(value.value) }
    },
  }
}

function namesOf(cases: Fields): string {
  return cases.map(([name]) => name).join(', ')
}

function enumeration(names: readonly string[]): ValueCodec {
  return {
    shape: { kind: 'enum', names },
    decode: (value, path = '') => {
      const rank = names.findIndex((name) => name === value)
      return rank < 0 ? fail(path, `one of ${names.join(', ')}`) : rank
    },
    encode: (value) => {
      const name = typeof value === 'number' ? names[value] : undefined
      if (name === undefined) throw illTyped('an enumeration is expected')
      return name
    },
  }
}

/** Codecs of what optionals hold, by the codecs of the optionals. */
const HELD = new WeakMap<ValueCodec, ValueCodec>()

/** `null` or the value; of an optional within an optional `[]` or `[value]`. */
function optional(of: ValueCodec): ValueCodec {
  const held = HELD.get(of)
  const codec = nested({
    shape: { kind: 'optional', of },
    decode: (value, path = '') => {
      if (value === null || value === undefined) return NONE
      return some(held === undefined ? of.decode(value, path) : readListed(held, value, path))
    },
    encode: (value) => {
      if (!(value instanceof Optional)) throw illTyped('an optional is expected')
      if (!value.isSome) return null
      return held === undefined ? of.encode(value.value) : listed(held, value.value)
    },
  })
  HELD.set(codec, of)
  return codec
}

/** An optional of what `of` reads, as a list. */
function readListed(of: ValueCodec, value: unknown, path: string): Value {
  const items = itemsOf(value, path)
  if (items.length > 1) return fail(path, 'an array of at most one element')
  const place = `${path}/0`
  const held = HELD.get(of)
  const [item] = items.map((each) =>
    some(held === undefined ? of.decode(each, place) : readListed(held, each, place)),
  )
  return item ?? NONE
}

function listed(of: ValueCodec, value: Value): Json {
  if (!(value instanceof Optional)) throw illTyped('an optional is expected')
  if (!value.isSome) return []
  const held = HELD.get(of)
  return [held === undefined ? of.encode(value.value) : listed(held, value.value)]
}

function list(of: ValueCodec): ValueCodec {
  return {
    shape: { kind: 'list', of },
    decode: (value, path = '') =>
      listOf(itemsOf(value, path).map((item, at) => of.decode(item, `${path}/${at}`))),
    encode: (value) => {
      if (value !== null && !(value instanceof Cons)) throw illTyped('a list is expected')
      return elementsOf(value).map((item) => of.encode(item))
    },
  }
}

/** An object. */
function textMap(of: ValueCodec): ValueCodec {
  const text = scalars.get('Text') ?? unstorable('Text')
  return {
    shape: { kind: 'textMap', of },
    decode: (value, path = '') => {
      if (!isFields(value)) return fail(path, 'an object')
      let map = EMPTY_MAP
      for (const [key, item] of Object.entries(value)) {
        const place = step(path, key)
        map = insert(map, text.decode(key, place), of.decode(item, place), FREE)
      }
      return map
    },
    encode: (value) =>
      Object.fromEntries(
        mapEntries(value).map(({ key, value: item }) => [
          String(text.encode(key)),
          of.encode(item),
        ]),
      ),
  }
}

/** `[[key, value], …]`, keys distinct and in the language's order. */
function genMap(key: ValueCodec, of: ValueCodec): ValueCodec {
  return {
    shape: { kind: 'map', key, value: of },
    decode: (value, path = '') => {
      const entries = itemsOf(value, path)
      let map = EMPTY_MAP
      for (const [at, entry] of entries.entries()) {
        const place = `${path}/${at}`
        if (!Array.isArray(entry) || entry.length !== 2)
          return fail(place, 'an array of a key and a value')
        const [first, second]: readonly unknown[] = entry
        map = insert(map, key.decode(first, `${place}/0`), of.decode(second, `${place}/1`), FREE)
      }
      return map.size === entries.length ? map : fail(path, 'distinct keys')
    },
    encode: (value) =>
      mapEntries(value).map((entry) => [key.encode(entry.key), of.encode(entry.value)]),
  }
}

function mapEntries(value: Value) {
  if (!(value instanceof ValueMap)) throw illTyped('a map is expected')
  return [...value.entries()]
}
