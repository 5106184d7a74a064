// Where the deployment merges, one signature of an external party also lets the operator merge its
// holdings. docs/economy-rules.md, "Merging"
import assert from 'node:assert/strict'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { coin, mergeDelegation, mergeDelegationProposal } from '../../runtime/contracts/index.ts'
import {
  prepareAccept,
  proposeSetup,
  submitAccept,
} from '../../runtime/interfaces/validator/external-party/setup.ts'
import {
  generateTopology,
  submitTopology,
} from '../../runtime/interfaces/validator/external-party/topology.ts'
import { createInteractive } from '../../runtime/participant/interactive/interactive.ts'
import { PlainError } from '../../runtime/economy/errors.ts'
import { createCohosting } from '../../runtime/economy/network/cohosting.ts'
import { Treasury } from '../../runtime/economy/treasury/index.ts'
import { startNetwork } from '../network/kit.ts'
import type { Network } from '../network/kit.ts'
import { newKey, rawKey, signHex } from './kit.ts'

function made<T>(outcome: T | PlainError): T {
  if (outcome instanceof PlainError) return assert.fail(outcome.message)
  return outcome
}

/** A party that accepted its setup proposal; answers its id. */
async function newParty({ economy, store, clock }: Network, treasury: Treasury): Promise<string> {
  const { engine, node } = economy
  const cohosting = createCohosting({ store, engine, node })
  const holder = newKey()
  const interactive = createInteractive({
    engine: economy.engine,
    store,
    clock,
    newNonce: () => randomBytes(16),
    words: OWN_WORDS,
  })
  const generated = made(
    generateTopology(economy, { party_hint: 'dora', public_key: rawKey(holder) }),
  )
  const signed = generated.topology_txs.map(({ topology_tx, hash }) => ({
    topology_tx,
    signed_hash: signHex(holder, hash),
  }))
  const party = made(
    await submitTopology(
      { economy, cohosting },
      {
        public_key: rawKey(holder),
        signed_topology_txs: signed,
      },
    ),
  )
  const contract_id = made(await proposeSetup(economy, treasury, party))
  const { transaction, tx_hash } = made(
    await prepareAccept(
      { economy, interactive, words: OWN_WORDS },
      { contract_id, user_party_id: party },
    ),
  )
  const submission = {
    party_id: party,
    transaction,
    signed_tx_hash: signHex(holder, tx_hash),
    public_key: rawKey(holder),
  }
  made(await submitAccept({ economy, interactive, words: OWN_WORDS }, submission))
  return party
}

async function payTimes(
  count: number,
  { economy }: Network,
  treasury: Treasury,
  receiver: string,
): Promise<void> {
  const preapproval = await economy.network.preapprovalOf(receiver)
  assert.ok(preapproval)
  const value = {
    transferPreapprovalCid: preapproval.id,
    providerFeaturedAppRightCid: null,
    amount: 10_000_000_000n,
    description: null,
  }
  for (let paid = 0; paid < count; paid += 1) {
    const done = await treasury.enqueue(economy.parties.operator, {
      tag: 'CO_TransferPreapprovalSend',
      value,
    })
    assert.ok(done.ok)
  }
}

for (const isOn of [true, false]) {
  test(`an external party's holdings are ${isOn ? '' : 'not '}merged where the deployment merges${isOn ? '' : ' nothing'}`, async () => {
    const network = await startNetwork({
      seeded: true,
      validator: { proposeMergeDelegation: isOn },
      network: { traffic: { baseBurstBytes: 1_000_000_000 } },
    })
    const treasury = new Treasury(network.economy)
    const party = await newParty(network, treasury)
    assert.equal(
      (await network.economy.reader.all(mergeDelegationProposal, { owner: party })).length,
      isOn ? 1 : 0,
    )
    await payTimes(11, network, treasury, party)
    await network.work('merging')
    assert.equal(
      (await network.economy.reader.all(mergeDelegation, { owner: party })).length,
      isOn ? 1 : 0,
    )
    assert.equal((await network.economy.reader.all(coin, { owner: party })).length, isOn ? 1 : 11)
    assert.equal((await network.economy.reader.total('unlocked', party)).amount, 110_000_000_000n)
    await network.services.stop()
  })
}
