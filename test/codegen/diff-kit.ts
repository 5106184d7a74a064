// Documents for tests of the comparison that stand in no file.
import { loadInterface } from '../../codegen/index.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import { pointerOf } from '../../codegen/load/source.ts'

/** Loads a document that is JSON already; all of it stands in one line. */
export function loadData(data: unknown): LoadedInterface {
  const place = (path: readonly string[]) => ({ line: 1, column: 1, pointer: pointerOf(path) })
  return loadInterface('/document.json', {
    read: (file) => ({
      file,
      bytes: new Uint8Array(),
      data,
      findings: [],
      place: (path) => ({ file, ...place(path) }),
    }),
  })
}

/**
 * A document of many operations over schemas that refer to each other in circles. `length` is a
 * limit that all of them reach.
 */
export function manyOperations(count: number, length: number): unknown {
  const ref = (index: number): unknown => ({ $ref: `#/components/schemas/S${index % 300}` })
  const schemas = Array.from({ length: 300 }, (_, index) => [
    `S${index}`,
    {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', maxLength: index === 0 ? length : 9 },
        next: ref(index + 1),
        other: ref(index * 7),
        list: { type: 'array', items: ref(index + 13) },
      },
    },
  ])
  const paths = Array.from({ length: count }, (_, index) => [
    `/things${index}/{id}`,
    {
      post: {
        operationId: `operation${index}`,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: length } },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: ref(index) } } },
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: ref(index + 1) } } },
        },
      },
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Many', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  }
}
