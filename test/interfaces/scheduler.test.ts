// When steps begin: whatever one caller has waiting, whoever has had least is next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Scheduler } from '../../runtime/work/scheduler.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const SECOND_MS = 1_000
const MANY = 20

interface Kit {
  readonly scheduler: Scheduler
  /** Callers whose steps have begun, in order. */
  readonly begun: string[]
  /** Lets time pass. */
  pass(ms: number): void
  /** A request of a caller that has many. */
  ask(caller: string, sharer?: string): void
  /** A short step, which takes so long. */
  step(caller: string, ms: number): void
}

function createKit(): Kit {
  let nowMs = 0
  const begun: string[] = []
  const scheduler = new Scheduler(() => nowMs)
  const note = (name: string, ms = 0): void => {
    begun.push(name)
    nowMs += ms
  }
  return {
    scheduler,
    begun,
    pass: (ms) => void (nowMs += ms),
    ask: (caller, sharer = caller) => {
      scheduler.requests.served(caller)
      const waited = scheduler.enter('request', caller, sharer)
      if (waited === undefined) note(sharer)
      else void waited.then(() => note(sharer))
    },
    step: (caller, ms) => {
      const waited = scheduler.enter('short', caller)
      if (waited === undefined) note(caller, ms)
      else void waited.then(() => note(caller, ms))
    },
  }
}

async function until(isTrue: () => boolean): Promise<number> {
  let turns = 0
  for (; !isTrue(); turns += 1) await turn()
  return turns
}

test('beside another, a caller begins one request every few turns, and all in the end', async () => {
  const { begun, ask } = createKit()
  ask('bob')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  assert.deepEqual(begun, ['bob', 'alice'])
  assert.ok((await until(() => begun.length === MANY + 1)) >= 2 * (MANY - 1))
})

test('whatever alice has waiting, the first request of another begins at once', async () => {
  const { begun, ask } = createKit()
  ask('carol')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  await until(() => begun.length === 5)
  ask('bob')
  assert.equal(begun.at(-1), 'bob')
  await until(() => begun.length === MANY + 2)
})

test('those who are one caller share its turns, each in order', async () => {
  const { begun, ask } = createKit()
  ask('bob')
  for (const sharer of ['a', 'a', 'a', 'a', 'b']) ask('', sharer)
  await until(() => begun.length === 6)
  assert.deepEqual(begun, ['bob', 'a', 'a', 'b', 'a', 'a'])
})

test('who is alone for a second waits for nothing', async () => {
  const { begun, ask, pass } = createKit()
  ask('bob')
  ask('alice')
  pass(SECOND_MS)
  for (let count = 0; count < MANY; count += 1) ask('alice')
  assert.equal(begun.length, MANY + 2)
})

test('what waits begins at once when its caller is alone again', async () => {
  const { begun, ask, pass } = createKit()
  ask('bob')
  for (let count = 0; count < MANY; count += 1) ask('alice')
  pass(SECOND_MS)
  for (let turns = 0; turns < 5; turns += 1) await turn()
  assert.equal(begun.length, MANY + 1)
})

test('in a turn steps begin for two milliseconds, and then those of whoever has had least', async () => {
  const { begun, step } = createKit()
  for (let count = 0; count < 6; count += 1) step('alice', 1)
  assert.deepEqual(begun, ['alice', 'alice'])
  step('bob', 1)
  await turn()
  assert.deepEqual(begun.slice(2), ['alice', 'bob'])
  step('carol', 1)
  await turn()
  assert.deepEqual(begun.slice(4), ['carol', 'alice'])
  await until(() => begun.length === 8)
})

test('whoever takes long steps has fewer of them', async () => {
  const { begun, step } = createKit()
  step('nobody', 2)
  for (let count = 0; count < 8; count += 1) step('alice', 4)
  for (let count = 0; count < 8; count += 1) step('bob', 1)
  await until(() => begun.length === 11)
  assert.ok(begun.filter((name) => name === 'bob').length >= 7, begun.join(' '))
  await until(() => begun.length === 17)
})

test('work of a caller that names nobody takes turns with that of others', async () => {
  const { scheduler, begun } = createKit()
  scheduler.enter('long', 'carol')
  for (let count = 0; count < 3; count += 1)
    scheduler.as('alice', () => void scheduler.enter('long')?.then(() => begun.push('alice')))
  scheduler.as('bob', () => void scheduler.enter('long')?.then(() => begun.push('bob')))
  await until(() => begun.length === 4)
  assert.ok(begun.indexOf('bob') < 2, begun.join(' '))
})

test('of long steps one begins in every third turn, and short ones do not wait for that', async () => {
  const { scheduler, begun, step } = createKit()
  const long = (): void => {
    const waited = scheduler.enter('long', 'alice')
    if (waited === undefined) begun.push('long')
    else void waited.then(() => begun.push('long'))
  }
  long()
  long()
  long()
  step('bob', 0)
  assert.deepEqual(begun, ['long', 'bob'])
  const turns = await until(() => begun.length === 4)
  assert.ok(turns >= 6, `${turns} turns`)
})

test('requests that never end keep no short step from its turn', async () => {
  const { scheduler, begun, pass, step } = createKit()
  let asked = 0
  const again = (caller: string): void => {
    scheduler.requests.served(caller)
    void Promise.resolve(scheduler.enter('request', caller)).then(() => {
      pass(1)
      if (!begun.includes('bob') && (asked += 1) < 10_000) again(caller)
    })
  }
  for (let user = 0; user < 10 * MANY; user += 1) again(`user-${user % 10}`)
  for (let turns = 0; turns < MANY; turns += 1) await turn()
  step('carol', 3)
  step('bob', 1)
  assert.ok((await until(() => begun.includes('bob'))) <= 4)
})

const REST_MS = 12

test('whoever has had more rests while a request of somebody else is served', async () => {
  const { scheduler, begun, ask, pass } = createKit()
  const { shares } = scheduler
  ask('bob')
  shares.served('bob')
  shares.charge('alice', REST_MS / 3)
  ask('alice')
  ask('bob')
  await until(() => begun.length === 2)
  assert.deepEqual(begun, ['bob', 'bob'])
  pass(REST_MS)
  await until(() => begun.length === 3)
})

test('nobody rests for a request that began or ended some time ago', () => {
  const { scheduler, begun, ask, pass } = createKit()
  const { shares } = scheduler
  shares.served('bob')
  pass(SECOND_MS)
  shares.charge('alice', REST_MS)
  ask('alice')
  assert.deepEqual(begun, ['alice'])
})
