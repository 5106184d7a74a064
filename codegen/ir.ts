// The generator's own intermediate form: complete, versioned, canonically sorted. Loaders make it,
// emitters read nothing else.
import type { Schema } from './keywords/schema.ts'

/** Rises when a reader of the form has to change with it. */
export const IR_VERSION = 1

export type { Schema, SchemaObject, SchemaType } from './keywords/schema.ts'

/** The place of a parameter in a request. */
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
  /** Whether the members of an object are written `name=value`. */
  readonly explode: boolean
  readonly schema: Schema
  /** Set when the header is declared by `content`: its text is then of this media type. */
  readonly mediaType?: string
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
  /** Parameters in the path template's order, then query, header, cookie by name. */
  readonly parameters: readonly ParameterIr[]
  readonly body?: { readonly required: boolean; readonly media: readonly MediaIr[] }
  readonly responses: readonly ResponseIr[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** All `x-` keys of the operation. */
  readonly extensions: Readonly<Record<string, unknown>>
  /** JSON pointer and place in the source, for messages. */
  readonly at: SourcePlace
}

/** The place where something was written. Lines and columns count from 1. */
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
