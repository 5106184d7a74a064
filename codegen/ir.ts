// The generator's own intermediate form: complete, versioned, canonically sorted. Loaders make it,
// emitters read nothing else.

/** Rises when a reader of the form has to change with it. */
export const IR_VERSION = 1

/** The types of JSON Schema. */
export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/**
 * A schema in JSON Schema 2020-12 form: OpenAPI 3.0's `nullable` has become a `null` type, boolean
 * exclusive bounds numbers. `$ref` always is `#/components/schemas/NAME` of the same interface.
 * Object keys come sorted. `true` accepts all.
 */
export type Schema = boolean | SchemaObject

/** The keywords that schemas of the form have; what a document says besides, `lint` reports. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly propertyNames?: Schema
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly exclusiveMinimum?: number | bigint
  readonly exclusiveMaximum?: number | bigint
  readonly multipleOf?: number
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping?: Readonly<Record<string, string>>
  }
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly default?: unknown
  readonly description?: string
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly examples?: readonly unknown[]
  readonly [extension: `x-${string}`]: unknown
}

/** Where a parameter stands in a request. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** A parameter, with the defaults of style and explode filled in. */
export interface ParameterIr {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly style:
    'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  readonly schema: Schema
  /** Set when the parameter is declared by `content`: its text is then of this media type. */
  readonly mediaType?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly extensions: Readonly<Record<string, unknown>>
}

/** One media type of a body or a response. */
export interface MediaIr {
  readonly mediaType: string
  readonly schema?: Schema
  readonly examples: readonly unknown[]
  /** Multipart and form: per-property `encoding`, as in the document. */
  readonly encoding?: Readonly<Record<string, unknown>>
}

/** A header of a response. */
export interface HeaderIr {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

/** The answers under one status. */
export interface ResponseIr {
  /** '200', '4XX' or 'default'. */
  readonly status: string
  readonly description: string
  readonly media: readonly MediaIr[]
  readonly headers: readonly HeaderIr[]
}

/** An operation: one method of one path. */
export interface OperationIr {
  /**
   * As in the document, or made from method and path when it has none. Unique within the interface.
   */
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  /** In the path template's order for path parameters, then query, header, cookie by name. */
  readonly parameters: readonly ParameterIr[]
  readonly body?: { readonly required: boolean; readonly media: readonly MediaIr[] }
  readonly responses: readonly ResponseIr[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** All `x-` keys of the operation. */
  readonly extensions: Readonly<Record<string, unknown>>
  /** JSON pointer and place in the source, for messages. */
  readonly at: SourcePlace
}

/** Where something was written. Lines and columns count from 1. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly pointer: string
}

/** All that emitters know of one document. */
export interface InterfaceIr {
  readonly irVersion: typeof IR_VERSION
  /** Folder name under the output: `x-interface.name`, else the file's stem. */
  readonly name: string
  readonly title: string
  readonly version: string
  readonly openapi: string
  readonly operations: readonly OperationIr[]
  /** Component schemas by name, sorted, including those that external `$ref`s brought in. */
  readonly schemas: Readonly<Record<string, Schema>>
  readonly securitySchemes: Readonly<Record<string, unknown>>
  /** All `x-` keys of the root. */
  readonly extensions: Readonly<Record<string, unknown>>
}
