// Command ids are forgotten when their time is over, and not a moment before: by then they are
// free, whatever is still stored of them.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { newStore } from '../support/test-store.ts'
import { DAY, SECOND, startNetwork } from './kit.ts'

const HOUR = 3_600n * SECOND

test('of commands of several days those are left whose ids are still used', async () => {
  const store = await newStore()
  const {
    economy: {
      engine,
      parties: { operator },
    },
    pass,
    work,
  } = await startNetwork({ store })
  const submit = (commandId: string, deduplicationMicros: bigint) =>
    engine.submit({
      actAs: [operator],
      userId: 'u',
      commandId,
      deduplicationMicros,
      run: () => undefined,
    })
  const known = async (commandId: string): Promise<boolean> =>
    (await store.contracts.command(
      hash('sha256', JSON.stringify(['u', [operator], commandId])),
    )) !== undefined
  for (let day = 0; day < 3; day += 1) {
    assert.ok((await submit(`day ${day}`, DAY)).ok)
    pass(DAY)
  }
  assert.ok((await submit('long', 9n * DAY)).ok)
  assert.ok((await submit('hour', HOUR)).ok)
  await work('command-ids')
  assert.deepEqual(await Promise.all(['day 0', 'day 1', 'day 2', 'long', 'hour'].map(known)), [
    false,
    false,
    false,
    true,
    true,
  ])
  pass(HOUR)
  const again = await submit('hour', HOUR)
  assert.equal(!again.ok && again.kind, 'duplicate')
  pass(SECOND)
  await work('command-ids')
  assert.equal(await known('hour'), true, "by the ledger's time, which goes on with its updates")
  assert.ok((await submit('other', HOUR)).ok)
  await work('command-ids')
  assert.deepEqual(await Promise.all(['long', 'hour', 'other'].map(known)), [true, false, true])
  assert.ok((await submit('hour', HOUR)).ok)
})
