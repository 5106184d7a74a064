// A first automation that asks for what the ledger refuses fails, instead of doing nothing.
// docs/automations.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submitFor, transferOffer, verdictFor } from '../../runtime/economy.ts'
import { createWorld } from '../wallet/world.ts'

test("an offer in somebody else's name is thrown, or answered to who asks for a verdict", async () => {
  const { economy, partyOf } = await createWorld()
  const [alice, bob] = [await partyOf('alice'), await partyOf('bob')]
  const command = {
    run: (tx: Parameters<Parameters<typeof submitFor>[2]['run']>[0]) =>
      tx.create(transferOffer, {
        sender: alice,
        receiver: bob,
        dso: economy.parties.dso,
        description: '',
        expiresAt: economy.clock.nowMicros() + 60_000_000n,
        trackingId: 'in-her-name',
        amount: { amount: 1n, unit: 'CoinUnit' as const },
      }),
  }
  await assert.rejects(submitFor(economy, bob, command), { name: 'SubmissionRejected' })
  const verdict = await verdictFor(economy, bob, command)
  assert.ok(!verdict.ok)
  assert.equal(verdict.kind, 'unauthorised')
})
