// Seeded random JSON values for a schema: mostly right, then damaged in one or two places.
import type { InterfaceIr, Schema, SchemaObject } from '../../codegen/ir.ts'
import { declaredTypes } from '../../codegen/emit/validators-facts.ts'
import { refName } from '../../codegen/load/refs.ts'

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const parsed: unknown = JSON.parse('{"__proto__": 1, "constructor": {"a": 1}}')

/** Values that are right for some schema and wrong for most. */
export const JUNK: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  7,
  1.5,
  1e10,
  -0,
  2147483647,
  2147483648,
  9007199254740991,
  '',
  'a',
  'abc',
  '😀',
  '1',
  '-1.5',
  'a b',
  '2024-02-29',
  '2023-02-29',
  '2024-02-29T10:00:00Z',
  '2024-02-29T10:00:00',
  '1999-12-31T23:59:60Z',
  '2024-01-01T00:00:00.123456789+02:00',
  'https://example.com/a',
  'not a uri',
  'a@example.com',
  'Zm9v',
  'Zm9',
  'Zh==',
  '123e4567-e89b-12d3-a456-426614174000',
  [],
  [1],
  [1, 1],
  [1, '1'],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  ['a', 'b', 'c', 'd'],
  {},
  { a: 1 },
  { a: 'x', b: 'y' },
  { constructor: 1 },
  { toString: 'x' },
  { 'x-y': 1 },
  parsed,
  { a: null },
  { a: { a: { a: 1 } } },
  { a: [1] },
]

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T10:00:00Z', '2024-01-01T00:00:00.123456+02:00'],
  date: ['2024-02-29'],
  uri: ['https://example.com/a'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  email: ['a@example.com'],
  byte: ['Zm9v', ''],
  decimal: ['1.0', '-12.5'],
}

/** A value that fits the schema more often than not. */
export function valueOf(ir: InterfaceIr, schema: Schema, random: () => number, depth = 0): unknown {
  if (typeof schema === 'boolean') return pick(JUNK, random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(schema.enum, random)
  if (schema.$ref !== undefined)
    return valueOf(ir, ir.schemas[refName(schema.$ref)] ?? true, random, depth + 1)
  const branches = schema.oneOf ?? schema.anyOf
  const isUnion = schema.properties === undefined && branches !== undefined
  const own = isUnion ? undefined : typedValue(ir, schema, random, depth)
  const all = [...(schema.allOf ?? []), ...(branches === undefined ? [] : [pick(branches, random)])]
  return all
    .map((one) => tagged(schema, one, valueOf(ir, one, random, depth + 1)))
    .reduce(merge, own)
}

function tagged(union: SchemaObject, branch: Schema, value: unknown): unknown {
  const property = union.discriminator?.propertyName
  if (property === undefined || typeof branch === 'boolean' || !isRecord(value)) return value
  const name = refName(branch.$ref ?? '')
  const mapped = Object.entries(union.discriminator?.mapping ?? {}).find(
    ([, ref]) => refName(ref) === name,
  )
  return { ...value, [property]: mapped?.[0] ?? name }
}

function merge(a: unknown, b: unknown): unknown {
  return isRecord(a) && isRecord(b) ? { ...a, ...b } : b
}

function typedValue(
  ir: InterfaceIr,
  schema: SchemaObject,
  random: () => number,
  depth: number,
): unknown {
  const types =
    declaredTypes(schema) ?? (schema.properties === undefined ? [] : (['object'] as const))
  switch (types.length === 0 ? undefined : pick(types, random)) {
    case undefined:
      return schema.allOf === undefined ? pick(JUNK, random) : undefined
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'integer':
      return wholeNumber(schema, random)
    case 'number':
      return wholeNumber(schema, random) / (random() < 0.5 ? 1 : 2)
    case 'string':
      return textOf(schema, random)
    case 'array':
      return arrayOf(ir, schema, random, depth)
    case 'object':
      return objectOf(ir, schema, random, depth)
  }
}

function arrayOf(
  ir: InterfaceIr,
  schema: SchemaObject,
  random: () => number,
  depth: number,
): readonly unknown[] {
  const length = (schema.minItems ?? 0) + (depth > 6 ? 0 : Math.floor(random() * 3))
  return Array.from({ length }, () => valueOf(ir, schema.items ?? true, random, depth + 1))
}

function wholeNumber(schema: SchemaObject, random: () => number): number {
  const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? -3)
  return low + Math.floor(random() * Math.min(Number(schema.maximum ?? low + 9) - low + 1, 50))
}

function textOf(schema: SchemaObject, random: () => number): string {
  const known = TEXTS[schema.format ?? (schema.contentEncoding === 'base64' ? 'byte' : '')]
  if (known !== undefined) return pick(known, random)
  const text = pick(['a', 'abc', 'alice::1220aa', '', '12', 'x-1', '1.0', '😀'], random)
  return text.padEnd(schema.minLength ?? 0, 'a').slice(0, schema.maxLength ?? 100)
}

function objectOf(
  ir: InterfaceIr,
  schema: SchemaObject,
  random: () => number,
  depth: number,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const chance = depth > 5 ? 0 : 0.6
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(key) !== true && random() > chance) continue
    put(result, key, valueOf(ir, inner, random, depth + 1))
  }
  if (
    schema.additionalProperties !== undefined &&
    schema.additionalProperties !== false &&
    random() < chance
  ) {
    put(
      result,
      pick(['k', 'a/b~c', '__proto__'], random),
      valueOf(ir, schema.additionalProperties, random, depth + 1),
    )
  }
  return result
}

/** The value with one place replaced, removed, added or doubled. */
export function damaged(value: unknown, random: () => number): unknown {
  if (random() < 0.15) return pick(JUNK, random)
  if (Array.isArray(value) && value.length > 0) {
    const at = Math.floor(random() * value.length)
    if (random() < 0.1) return [...value, value[at]]
    return value.map((item: unknown, i) => (i === at ? damaged(item, random) : item))
  }
  const keys = isRecord(value) ? Object.keys(value) : []
  if (!isRecord(value) || keys.length === 0) return pick(JUNK, random)
  const key = pick(keys, random)
  const copy: Record<string, unknown> = {}
  const isGone = random() < 0.25
  for (const [name, item] of Object.entries(value)) {
    if (name !== key) put(copy, name, item)
    else if (!isGone) put(copy, name, damaged(item, random))
  }
  if (random() < 0.1)
    put(copy, pick(['zzz', '__proto__', 'constructor', 'a'], random), pick(JUNK, random))
  return copy
}

function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function pick<T>(list: readonly T[], random: () => number): T {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('an empty list has no item to pick')
  return found
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
