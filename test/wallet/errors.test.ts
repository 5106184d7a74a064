// Which status each refusal has. docs/economy-rules.md, "Wallet answers"; docs/ledger-rules.md,
// "Errors"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AbortReason, Rejection } from '../../runtime/engine/index.ts'
import { rejectionError, treasuryError } from '../../runtime/economy/errors.ts'
import type { TreasuryRejection } from '../../runtime/economy/treasury/index.ts'

const reason = (id: string): AbortReason => ({ id, category: 'state', message: 'no' })

const REFUSALS: readonly (readonly [Rejection, number])[] = [
  [{ kind: 'contract-not-found', contractId: 'target' }, 404],
  [{ kind: 'contract-not-found', contractId: 'other' }, 409],
  [{ kind: 'contract-in-flight', contractId: 'target' }, 409],
  [{ kind: 'unauthorised', missing: ['p'], what: 'x' }, 400],
  [{ kind: 'aborted', reason: reason('') }, 409],
  [{ kind: 'aborted', reason: reason('insufficient-funds') }, 400],
  [{ kind: 'too-early', notBefore: 1n }, 409],
  [{ kind: 'too-late', before: 1n }, 409],
  [{ kind: 'time-in-doubt', before: 1n }, 503],
  [{ kind: 'invalid', reason: 'x' }, 400],
  [{ kind: 'duplicate', updateId: 'u', offset: 1n }, 409],
  [{ kind: 'duplicate-in-flight' }, 429],
  [{ kind: 'contention', contractIds: [] }, 409],
  [{ kind: 'no-traffic', member: 'm', missingBytes: 1n }, 429],
]

const FAILURES: readonly (readonly [TreasuryRejection, number])[] = [
  [
    {
      kind: 'invalid-transfer',
      reason: { tag: 'ITR_InsufficientFunds', value: { missingAmount: 1n } },
    },
    400,
  ],
  [{ kind: 'refused', rejection: { kind: 'duplicate-in-flight' } }, 429],
  [{ kind: 'target-gone', contractId: 'target' }, 404],
  [{ kind: 'target-gone', contractId: 'other' }, 409],
  [{ kind: 'paid-before', contractId: 'target' }, 409],
  [{ kind: 'no-wallet', party: 'p' }, 404],
  [{ kind: 'no-round' }, 503],
  [{ kind: 'queue-full' }, 429],
]

test('each refusal of the ledger has its status', () => {
  for (const [rejection, status] of REFUSALS)
    assert.equal(rejectionError(rejection, 'target').status, status, rejection.kind)
})

test('each failure of the treasury has its status', () => {
  for (const [failure, status] of FAILURES)
    assert.equal(treasuryError(failure, 'target').status, status, failure.kind)
})
