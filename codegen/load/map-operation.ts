// The schemas of an operation, changed where they stand.
import type { MediaIr, OperationIr, Schema } from '../ir.ts'

type Change = (schema: Schema) => Schema

/** The operation with the schemas of its body and of its answers changed. */
export function mapBodies(
  operation: OperationIr,
  forRequests: Change,
  forAnswers = forRequests,
): OperationIr {
  const changed = (media: readonly MediaIr[], change: Change): readonly MediaIr[] =>
    media.map((one) => (one.schema === undefined ? one : { ...one, schema: change(one.schema) }))
  const { body } = operation
  return {
    ...operation,
    ...(body === undefined ? {} : { body: { ...body, media: changed(body.media, forRequests) } }),
    responses: operation.responses.map((response) => ({
      ...response,
      media: changed(response.media, forAnswers),
    })),
  }
}

/** The operation with all of its schemas changed: those of parameters and headers, too. */
export function mapSchemas(operation: OperationIr, change: Change): OperationIr {
  const inside = <T extends { readonly schema: Schema }>(list: readonly T[]): readonly T[] =>
    list.map((one) => ({ ...one, schema: change(one.schema) }))
  const { parameters, responses, ...rest } = mapBodies(operation, change)
  return {
    ...rest,
    parameters: inside(parameters),
    responses: responses.map((one) => ({ ...one, headers: inside(one.headers) })),
  }
}
