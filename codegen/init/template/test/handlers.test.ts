// Your handlers, as clients see them. The tests here hold for every document; put your own beside
// them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wire } from '../generated/__interface__/routes.gen.ts'
import { start } from './start.ts'

/** Operations that can be called without knowing more than their path. */
const simple = wire.operations.filter(
  ({ method, path, security }) => method === 'GET' && !path.includes('{') && security.length === 0,
)

// A test of your own calls the server with the generated client:
//   import { createClient } from '../generated/__interface__/client.gen.ts'
//   const answer = await createClient({ baseUrl: url }).OPERATION({ … })
//   assert.equal(answer.status, 200)

test('what is not written yet answers with a marked example, and with 501 in production', async (t) => {
  const isExample = await answers({}, ({ headers }) => headers.get('x-example-answer') === 'true')
  const examples = simple.filter((_, index) => isExample[index])
  if (simple.length === 0)
    return t.skip('no GET operation can be called without a path parameter or a credential')
  if (examples.length === 0) return t.skip('every operation that this test can call is written')
  const isMissing = await answers({ isProduction: true }, ({ status }) => status === 501)
  for (const operation of examples)
    assert.ok(isMissing[simple.indexOf(operation)], operation.operationId)
})

/** What is asked of the answer to each simple operation. */
async function answers(
  options: Parameters<typeof start>[0],
  ask: (answer: Response) => boolean,
): Promise<readonly boolean[]> {
  const { url, stop } = await start(options)
  const found: boolean[] = []
  for (const { path } of simple) {
    const answer = await fetch(url + wire.mount + path)
    found.push(ask(answer))
    await answer.body?.cancel()
  }
  await stop()
  return found
}
