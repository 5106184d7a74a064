// The schemas of an operation's bodies, changed by what is sent and what is answered.
import type { MediaIr, OperationIr, Schema } from '../ir.ts'

type Change = (schema: Schema) => Schema

/** The operation with the schemas of its body and of its answers changed. */
export function changedBodies(
  operation: OperationIr,
  forRequests: Change,
  forAnswers: Change,
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
