// When small requests begin: one caller's many do not come before another's one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Starts } from '../../runtime/work/starts.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const SECOND_MS = 1_000
const MANY = 20
/** Open requests that nobody has to wait for. */
const FEW = 16

/** Notes who has begun, in order; each group has as many open as need not wait, and then more. */
function asking(starts: Starts): { begun: string[]; ask(group: string, caller?: string): void } {
  const begun: string[] = []
  const known = new Set<string>()
  const ask = (group: string, caller = group): void => {
    if (!known.has(group)) for (let open = 0; open < FEW; open += 1) starts.enter(group, caller)
    known.add(group)
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

test('who has few requests open begins each at once, and as many again when those are over', () => {
  const starts = new Starts(() => 0)
  starts.enter('bob', 'bob')
  for (let round = 0; round < 3; round += 1) {
    for (let open = 0; open < FEW; open += 1)
      assert.equal(starts.enter('alice', 'alice'), undefined, `${round}: ${open}`)
    for (let open = 0; open < FEW; open += 1) starts.leave('alice')
  }
})
