// A generator plugin: the schemas of documents as JSON Schema, for editors, databases and programs
// in other languages.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { readableJson } from '../json.ts'
import { defineGeneratorPlugin } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'
import { factsOf } from '../emit/validators-facts.ts'
import type { Facts } from '../emit/validators-facts.ts'
import { discriminatedCases } from '../emit/validators-union.ts'
import { mapSchema } from '../load/map-schema.ts'
import { refName } from '../load/refs.ts'
import { mapValues } from '../values.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const VERSION = '1'

/**
 * Adds `NAME/schemas.json` for every interface: a JSON Schema 2020-12 document with all component
 * schemas below `$defs`. What a discriminator decides is written out as constants, so that any
 * validator decides the same.
 */
export function jsonSchemas(): GeneratorPlugin {
  return defineGeneratorPlugin({
    name: 'json-schemas',
    version: VERSION,
    emit: (ir) => ({ [`${ir.name}/schemas.json`]: readableJson(documentOf(ir)) }),
  })
}

function documentOf(ir: InterfaceIr): object {
  const facts = factsOf(ir)
  const $defs = mapValues(ir.schemas, (schema) =>
    mapSchema(
      mapSchema(schema, (part) => tagged(facts, part)),
      plain,
    ),
  )
  return { $schema: DIALECT, title: ir.title, $defs }
}

/** Each variant of a union with the tags that choose it. */
function tagged(facts: Facts, schema: SchemaObject): SchemaObject {
  const { discriminator, ...rest } = schema
  if (discriminator === undefined) return schema
  const property = discriminator.propertyName
  const unions = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const tags = new Map(
      discriminatedCases(facts, schema, keyword).map(({ branch, values }) => [branch, values]),
    )
    const branches = schema[keyword]?.map((branch): Schema => {
      const values = tags.get(branch)
      const tag = { required: [property], properties: { [property]: { enum: values ?? [] } } }
      return values === undefined ? branch : { allOf: [branch, tag] }
    })
    return branches === undefined ? [] : [[keyword, branches] as const]
  })
  return { ...rest, ...Object.fromEntries(unions) }
}

/** The schema without extensions; references lead to `$defs`. */
function plain({ $ref, ...schema }: SchemaObject): SchemaObject {
  const own = Object.entries(schema).filter(([key]) => !key.startsWith('x-'))
  const target = $ref === undefined ? undefined : refName($ref)
  const pointer = target?.replaceAll('~', '~0').replaceAll('/', '~1')
  const ref = pointer === undefined ? {} : { $ref: `#/$defs/${encodeURIComponent(pointer)}` }
  return { ...ref, ...Object.fromEntries(own) }
}
