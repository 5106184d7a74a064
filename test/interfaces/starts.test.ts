// When small requests begin: one caller's many do not come before another's one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Starts } from '../../runtime/work/starts.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const SECOND_MS = 1_000
const MANY = 20

/** Notes who has begun, in order. */
function asking(starts: Starts): { begun: string[]; ask(group: string, caller?: string): void } {
  const begun: string[] = []
  const ask = (group: string, caller = group): void => {
    const waited = starts.enter(group, caller)
    if (waited === undefined) begun.push(caller)
    else void waited.then(() => begun.push(caller))
  }
  return { begun, ask }
}

async function until(isTrue: () => boolean): Promise<number> {
  let turns = 0
  for (; !isTrue(); turns += 1) await turn()
  return turns
}

test('beside another, a caller begins one request every few turns, and all in the end', async () => {
  const { begun, ask } = asking(new Starts(() => 0))
  ask('bob')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  assert.deepEqual(begun, ['bob', 'alice'])
  assert.ok((await until(() => begun.length === MANY + 1)) >= 2 * (MANY - 1))
})

test('whatever alice has waiting, the first request of another begins at once', async () => {
  const { begun, ask } = asking(new Starts(() => 0))
  ask('carol')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  await until(() => begun.length === 5)
  ask('bob')
  assert.equal(begun.at(-1), 'bob')
  await until(() => begun.length === MANY + 2)
})

test('callers of one group share its turns, each in order', async () => {
  const { begun, ask } = asking(new Starts(() => 0))
  ask('bob')
  for (const caller of ['a', 'a', 'a', 'a', 'b']) ask('', caller)
  await until(() => begun.length === 6)
  assert.deepEqual(begun, ['bob', 'a', 'a', 'b', 'a', 'a'])
})

test('who is alone for a second waits for nothing', async () => {
  let nowMs = 0
  const { begun, ask } = asking(new Starts(() => nowMs))
  ask('bob')
  ask('alice')
  nowMs = SECOND_MS
  for (let count = 0; count < 5; count += 1) await turn()
  for (let count = 0; count < MANY; count += 1) ask('alice')
  assert.equal(begun.length, MANY + 2)
})

test('what waits begins at once when its caller is alone again', async () => {
  let nowMs = 0
  const { begun, ask } = asking(new Starts(() => nowMs))
  ask('bob')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  nowMs = SECOND_MS
  await turn()
  await turn()
  assert.equal(begun.length, MANY + 1)
})
