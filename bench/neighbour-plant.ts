// What alice left before bench/neighbour begins: very many contracts of each kind that automations
// look at, written by the engine alone.
import {
  acceptedTransferOffer,
  externalPartyCoinRulesCreateTransferCommand,
  mintingDelegation,
  mintingDelegationProposal,
  transferOffer,
  transferPreapprovalProposal,
} from '../runtime/contracts/index.ts'
import { decimalOf } from '../runtime/engine/index.ts'
import type { Tx } from '../runtime/engine/index.ts'
import { networkSubmission } from '../runtime/economy/network/commands.ts'
import { openCoinWorld } from './coin-world.ts'

const TOGETHER = 250
const DAY_MICROS = 86_400_000_000n

/** Makes `count` contracts of each kind in the ledger at `place`, which no server may have open. */
export async function plant(place: string, alice: string, count: number): Promise<void> {
  const world = await openCoinWorld(place)
  const { economy } = world
  const {
    parties: { dso, operator },
    clock,
  } = economy
  const factory = await economy.network.externalPartyCoinRules()
  const disclosedContracts = await economy.network.disclosures()
  const expiresAt = clock.nowMicros() + 30n * DAY_MICROS
  const amount = { amount: decimalOf(1_000_000n), unit: 'CoinUnit' as const }
  const offerOf = (index: number) => ({
    sender: alice,
    receiver: operator,
    dso,
    amount,
    description: '',
    expiresAt,
    trackingId: `p-${index}`,
  })
  const delegation = { beneficiary: alice, delegate: alice, dso, expiresAt, coinMergeLimit: 1n }
  const kinds: readonly ((tx: Tx, index: number) => unknown)[] = [
    (tx, index) => tx.create(transferOffer, offerOf(index)),
    (tx, index) => tx.create(acceptedTransferOffer, offerOf(index)),
    (tx, index) =>
      tx.exercise(externalPartyCoinRulesCreateTransferCommand, factory.id, {
        sender: alice,
        receiver: operator,
        delegate: operator,
        amount: amount.amount,
        expiresAt,
        nonce: BigInt(index % 2),
        description: null,
        expectedDso: dso,
      }),
    (tx) =>
      tx.create(transferPreapprovalProposal, {
        receiver: alice,
        provider: operator,
        expectedDso: dso,
      }),
    (tx) => tx.create(mintingDelegationProposal, { delegation }),
    (tx) => tx.create(mintingDelegation, delegation),
  ]
  for (const make of kinds) {
    for (let from = 0; from < count; from += TOGETHER) {
      const indexes = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, at) => from + at)
      const done = await economy.engine.submit(
        networkSubmission({
          actAs: [alice, operator],
          disclosedContracts,
          run: (tx) => indexes.forEach((index) => void make(tx, index)),
        }),
      )
      if (!done.ok) throw new Error(`planting was refused: ${done.kind}`)
    }
  }
  await world.close()
}
