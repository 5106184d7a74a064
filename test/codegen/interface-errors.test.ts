// Errors that an interface states once: every operation answers them, and openapi.json has them
// once, too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { diffInterfaces } from '../../codegen/diff/diff-interfaces.ts'
import { loadInterface } from '../../codegen/index.ts'
import type { InterfaceIr, OperationIr } from '../../codegen/index.ts'
import { generateInto, tempFolder } from './generator-kit.ts'
import { GOLDENS } from './golden-kit.ts'

const SPEC = join(GOLDENS, 'interface-errors/document.yaml')

const statusesOf = ({ operations }: InterfaceIr): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operations.map(({ operationId, responses }) => [
      operationId,
      responses.map(({ status }) => status).join(' '),
    ]),
  )

const withoutPlaces = ({ operations, ...rest }: InterfaceIr): unknown => ({
  ...rest,
  operations: operations.map(({ at: _at, ...operation }: OperationIr) => operation),
})

test('an operation has the errors that it does not declare, and none of them beside a default of its own', () => {
  const { ir, findings } = loadInterface(SPEC)
  assert.deepEqual(findings, [])
  assert.deepEqual(statusesOf(ir), {
    getAll: '200 default',
    putCreated: '201 400 404 default',
    getMore: '200 400 404 409 default',
    getOwn: '200 400 404 default',
    getPlain: '200 400 404 default',
    getSame: '200 400 404 default',
  })
  const own = ir.operations
    .find(({ operationId }) => operationId === 'getOwn')
    ?.responses.find(({ status }) => status === '404')
  assert.equal(own?.description, 'not there')
})

test('openapi.json has each named response once, and says the same as the document', async (t) => {
  const out = tempFolder(t)
  await generateInto(out, SPEC)
  const file = join(out, 'interface-errors/openapi.json')
  const printed: {
    components: { responses: object }
    paths: Record<string, { get: { responses: unknown } }>
  } = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(Object.keys(printed.components.responses), ['Bad', 'Missing', 'Other', 'Text'])
  assert.deepEqual(printed.paths['/plain']?.get.responses, {
    200: { $ref: '#/components/responses/Text' },
    400: { $ref: '#/components/responses/Bad' },
    404: { $ref: '#/components/responses/Missing' },
    default: { $ref: '#/components/responses/Other' },
  })
  const [written, read] = [loadInterface(SPEC), loadInterface(file)]
  assert.deepEqual(
    withoutPlaces(read.ir),
    withoutPlaces({ ...written.ir, extensions: read.ir.extensions }),
  )
  assert.deepEqual(
    diffInterfaces(read, written).map(({ rule }) => rule),
    [],
  )
})

test('what is said of such an error is said where the interface states it', () => {
  const { locate } = loadInterface(SPEC)
  const at = locate(['paths', '/plain', 'get', 'responses', '404', 'headers', 'X-Place'])
  assert.deepEqual([at.pointer, at.line], ['/components/responses/Missing/headers/X-Place', 35])
})
