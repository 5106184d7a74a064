// An optional field of a contract may be left out when one is created: whoever adds such a field
// breaks no code that creates the contract.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { featuredAppRight } from '../../runtime/contracts/index.ts'
import { submitForNetwork } from '../../runtime/economy/network/commands.ts'
import { startNetwork } from './kit.ts'

test('a contract that is created without its optional fields has null there', async () => {
  const { economy, only } = await startNetwork()
  const { dso } = economy.parties
  await submitForNetwork(economy, {
    actAs: [dso],
    run: (tx) => tx.create(featuredAppRight, { dso, provider: 'app::12' }),
  })
  const { payload, record } = await only(featuredAppRight)
  assert.equal(payload.activityWeight, null)
  assert.deepEqual(featuredAppRight.type.payload.decode(JSON.parse(record.payload)), payload)
})
