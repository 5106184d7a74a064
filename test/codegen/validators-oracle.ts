// Ajv set up to mean what our documents mean. The intended differences are written into the schemas
// that Ajv gets: a discriminator decides the variant, whole numbers are exact, base64 and decimals
// are canonical. Not compared: Ajv skips a property schema named __proto__, and takes 0.3 for no
// multiple of 0.1 (validators.test.ts has both).
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { InterfaceIr, Schema, SchemaObject } from '../../codegen/ir.ts'
import { refName } from '../../codegen/load/refs.ts'

/**
 * The verdict of Ajv on a value of a component schema; undefined where Ajv itself fails (deep
 * comparison of `toString` keys).
 */
export type Oracle = (name: string, value: unknown) => boolean | undefined

/** Ajv with the component schemas of `ir`; each is compiled when first asked for. */
export function oracleOf(ir: InterfaceIr): Oracle {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: true,
    ownProperties: true,
    logger: false,
  })
  addFormatsModule.default(ajv)
  addFormats(ajv)
  const schemas = Object.fromEntries(
    Object.entries(ir.schemas).map(([name, schema]) => [name, forAjv(schema)]),
  )
  ajv.addSchema({ $id: 'ir', components: { schemas } })
  const compiled = new Map<string, (value: unknown) => boolean>()
  return (name, value) => {
    const known =
      compiled.get(name) ??
      ajv.compile({ $ref: `ir#/components/schemas/${encodeURIComponent(name)}` })
    compiled.set(name, known)
    try {
      return known(value)
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
}

function addFormats(ajv: Ajv2020): void {
  ajv.addFormat('safe', { type: 'number', validate: Number.isSafeInteger })
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
  ajv.addFormat('decimal', /^[+-]?\d{1,28}(\.\d{1,10})?$/)
  ajv.addFormat('byte', (text: string) => Buffer.from(text, 'base64').toString('base64') === text)
  for (const ignored of [
    'password',
    'binary',
    'time',
    'duration',
    'hostname',
    'ipv4',
    'ipv6',
    'regex',
    'url',
  ]) {
    ajv.addFormat(ignored, true)
  }
}

function forAjv(schema: Schema): unknown {
  if (typeof schema === 'boolean') return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, forKeyword(key, value)]),
  )
  const format =
    schema.type === 'integer' ? 'safe' : schema.contentEncoding === 'base64' ? 'byte' : undefined
  const exact = schema.format === undefined && format !== undefined ? { format } : {}
  const isTagged = schema.discriminator !== undefined && schema.oneOf !== undefined
  const tagged = isTagged ? { oneOf: schema.oneOf.map((one) => taggedBy(schema, one)) } : {}
  return { ...inner, ...exact, ...tagged }
}

function taggedBy(union: SchemaObject, branch: Schema): unknown {
  const property = union.discriminator?.propertyName ?? ''
  const name = typeof branch === 'object' ? refName(branch.$ref ?? '') : ''
  const mapped = Object.entries(union.discriminator?.mapping ?? {}).filter(
    ([, ref]) => refName(ref) === name,
  )
  const values = mapped.length === 0 ? [name] : mapped.map(([value]) => value)
  return {
    allOf: [forAjv(branch), { required: [property], properties: { [property]: { enum: values } } }],
  }
}

const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties'])
const SINGLE = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

function forKeyword(key: string, value: unknown): unknown {
  if (LISTS.has(key) && Array.isArray(value)) return value.map(forAjv)
  if (SINGLE.has(key)) return forAjv(asSchema(value))
  if (typeof value === 'bigint') return Number(value)
  if (!MAPS.has(key) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, forAjv(inner)]))
}

function asSchema(value: unknown): Schema {
  return typeof value === 'boolean' ? value : { ...(typeof value === 'object' ? value : {}) }
}
