// Your handlers, as clients see them. The tests here hold for every document; put your own beside them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wire } from '../generated/__interface__/routes.gen.ts'
import { handlers } from '../src/handlers/__interface__.ts'
import { start } from './start.ts'

const written = new Set(Object.keys(handlers))
/** An operation that nobody has written, and that can be called without knowing more than its path. */
const simple = wire.operations.find((one) => {
  return one.method === 'GET' && !one.path.includes('{') && one.security.length === 0 && !written.has(one.operationId)
})
const skip = simple === undefined && 'every simple operation is written'

// A test of your own calls the server with the generated client:
//   import { createClient } from '../generated/__interface__/client.gen.ts'
//   const answer = await createClient({ baseUrl: url }).OPERATION({ … })
//   assert.equal(answer.status, 200)

test('what is not written yet answers with a marked example', { skip }, async () => {
  const { url, stop } = await start()
  const answer = await fetch(url + wire.mount + (simple?.path ?? ''))
  const isExample = answer.headers.get('x-example-answer') === 'true'
  await stop()
  // A parameter may be required that this test does not know of.
  assert.ok(isExample || answer.status === 400, `${answer.status}`)
})

test('in production it answers 501', { skip }, async () => {
  const { url, stop } = await start({ isProduction: true })
  const { status } = await fetch(url + wire.mount + (simple?.path ?? ''))
  await stop()
  assert.ok(status === 501 || status === 400, `${status}`)
})
