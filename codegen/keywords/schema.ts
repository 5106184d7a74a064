// The type of a schema in the generator's own form, as the table of keywords has it.
import type { FormName } from './forms.ts'
import type { KEYWORDS, NamesWhere } from './table.ts'
import type { SchemaType } from './types.ts'

export type { SchemaType } from './types.ts'

/**
 * A schema in JSON Schema 2020-12 form: OpenAPI 3.0's `nullable` has become a `null` type, boolean
 * exclusive bounds numbers. `$ref` always is `#/components/schemas/NAME` of the same interface.
 * Object keys come sorted. `true` accepts all.
 */
export type Schema = boolean | SchemaObject

/** A keyword's value, by its form. */
interface FormValues {
  readonly text: string
  readonly count: number
  readonly step: number
  readonly limit: number | bigint
  readonly strictMinimum: number | bigint
  readonly strictMaximum: number | bigint
  readonly flag: boolean
  readonly type: SchemaType | readonly SchemaType[]
  readonly names: readonly string[]
  readonly values: readonly unknown[]
  readonly object: {
    readonly propertyName: string
    readonly mapping?: Readonly<Record<string, string>>
  }
  readonly schema: Schema
  readonly schemas: readonly Schema[]
  readonly schemaMap: Readonly<Record<string, Schema>>
  readonly places: unknown
  readonly examples: readonly unknown[]
  readonly any: unknown
}

type ValueOf<Form extends FormName> = FormValues[Form]

type KeptKeywords = {
  readonly [K in NamesWhere<{ kept: true }>]?: ValueOf<(typeof KEYWORDS)[K]['form']>
}

/** The keywords that schemas of the form have; what a document says besides, `lint` reports. */
export interface SchemaObject extends KeptKeywords {
  readonly [extension: `x-${string}`]: unknown
}
