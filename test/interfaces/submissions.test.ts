// What a server remembers of refused submissions: of each user, and only so much.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Submissions } from '../../runtime/interfaces/ledger/commands/submissions.ts'
import type { Refusal } from '../../runtime/interfaces/ledger/commands/submissions.ts'

const refusal = (userId: string, commandId: string): Refusal => ({
  userId,
  actAs: [userId],
  commandId,
  submissionId: '',
  offset: 5n,
  at: 0n,
  body: { code: 'X', cause: 'x', context: {}, errorCategory: 8 },
})

test("a flood of one user's refusals takes the place of no other user's, and does not grow", () => {
  const submissions = new Submissions()
  submissions.tell(refusal('bob', 'kept'))
  for (let count = 0; count < 2_000; count += 1) submissions.tell(refusal('alice', String(count)))
  assert.equal(submissions.toldTo('bob', 0, 5n).length, 1)
  const flood = submissions.toldTo('alice', 0, 5n)
  assert.deepEqual([flood.length, flood.at(-1)?.number], [100, 2_001])
  assert.deepEqual(submissions.toldTo('bob', 0, 6n), [], 'the ledger went on before')
})

test('a reader is called for what its own user is told, and reads each once', () => {
  const submissions = new Submissions()
  let calls = 0
  const stop = submissions.onTold('bob', () => {
    calls += 1
  })
  for (const user of ['alice', 'bob', 'alice']) submissions.tell(refusal(user, 'c'))
  const [first] = submissions.toldTo('bob', 0, 0n)
  assert.deepEqual([calls, submissions.toldTo('bob', first?.number ?? 0, 0n)], [1, []])
  stop()
  submissions.tell(refusal('bob', 'd'))
  assert.equal(calls, 1)
})
