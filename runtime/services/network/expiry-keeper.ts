// Ends what is over. Contracts that end at a time have it as their rank, so what is due is the beginning of a list; dust is looked for
// once a round. domain/behaviour.md §1, §4, §5, §6, §7, §8, §14
import {
  acceptedTransferOffer, acceptedTransferOfferExpire, ansEntry, ansEntryExpire, buyTrafficRequest, buyTrafficRequestExpire, coin,
  coinExpire, coinTransferInstruction, coinTransferInstructionUpdate, contextKeys, developmentFundCoupon, developmentFundCouponExpire,
  externalPartySetupProposal, externalPartySetupProposalWithdraw,
  isDustAt, lockedCoin, lockedCoinExpireCoin, mintingDelegation, mintingDelegationProposal,
  mintingDelegationProposalReject, mintingDelegationReject, NO_METADATA, scaledHoldingRate, transferCommand, transferCommandExpire,
  transferOffer, transferOfferExpire, transferPreapproval, transferPreapprovalExpire, unclaimedActivityRecord,
  unclaimedActivityRecordExpire, voteRequest,
} from '../../contracts/index.ts'
import type { ExpiringAmount } from '../../../generated/contracts.gen.ts'
import type { ActivePosition } from '../../store/store.ts'
import type { Contract, Template } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import type { NetworkCommand } from './commands.ts'
import { submitForNetwork } from './commands.ts'
import type { ServiceTask } from './task.ts'
import { closingVote } from './vote-closing.ts'

const PAGE = 100
/** Coins were dearer to hold when they were cheaper: how many times today's rate is looked for among the smallest of them. */
const RATE_MARGIN = 4n

type Ending<T> = (economy: Economy, contract: Contract<T>) => NetworkCommand<unknown> | Promise<NetworkCommand<unknown>>

/** Ends everything whose time has come. */
export function expiryKeeper(economy: Economy): ServiceTask {
  let dustedRound = -1n
  return {
    name: 'expiry',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      for (const endDue of ENDINGS) await endDue(economy, signal)
      const round = await economy.network.earliestRound()
      if (round === undefined || round.payload.round <= dustedRound || round.payload.opensAt > economy.clock.nowMicros()) return
      await expireDust(economy, round, signal)
      dustedRound = round.payload.round
    },
  }
}

/** Of the network's party alone. */
function byNetwork(economy: Economy, run: NetworkCommand<unknown>['run']): NetworkCommand<unknown> {
  return { actAs: [economy.parties.dso], run }
}

/** Of a party of this validator, which pays. */
function byParty(party: string, run: NetworkCommand<unknown>['run']): NetworkCommand<unknown> {
  return { actAs: [party], paid: true, run }
}

const ENDINGS: readonly ((economy: Economy, signal: AbortSignal) => Promise<void>)[] = [
  ending(transferOffer, (_economy, { id, payload: { sender } }) =>
    byParty(sender, (tx) => tx.exercise(transferOfferExpire, id, { actor: sender }))),
  ending(acceptedTransferOffer, (_economy, { id, payload: { sender } }) =>
    byParty(sender, (tx) => tx.exercise(acceptedTransferOfferExpire, id, { actor: sender }))),
  ending(buyTrafficRequest, (_economy, { id, payload: { endUserParty } }) =>
    byParty(endUserParty, (tx) => tx.exercise(buyTrafficRequestExpire, id, { actor: endUserParty }))),
  ending(externalPartySetupProposal, (_economy, { id, payload: { validator } }) =>
    byParty(validator, (tx) => tx.exercise(externalPartySetupProposalWithdraw, id, {}))),
  ending(mintingDelegationProposal, (_economy, { id, payload: { delegation: { delegate } } }) =>
    byParty(delegate, (tx) => tx.exercise(mintingDelegationProposalReject, id, {}))),
  ending(mintingDelegation, (_economy, { id, payload: { delegate } }) =>
    byParty(delegate, (tx) => tx.exercise(mintingDelegationReject, id, {}))),
  ending(coinTransferInstruction, async (economy, { id, payload: { lockedCoin: lockedCoinCid } }) => {
    const hasLock = (await economy.reader.get(lockedCoin, lockedCoinCid)) !== undefined
    const context = { values: new Map([[contextKeys.expireLock, { tag: 'AV_Bool', value: hasLock } as const]]) }
    return byNetwork(economy, (tx) => tx.exercise(coinTransferInstructionUpdate, id, {
      extraActors: [], extraArgs: { context, meta: NO_METADATA },
    }))
  }),
  ending(transferPreapproval, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(transferPreapprovalExpire, id, {}))),
  ending(transferCommand, (economy, { id, payload: { dso } }) =>
    byNetwork(economy, (tx) => tx.exercise(transferCommandExpire, id, { actor: dso }))),
  ending(developmentFundCoupon, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(developmentFundCouponExpire, id, {}))),
  ending(unclaimedActivityRecord, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(unclaimedActivityRecordExpire, id, {}))),
  ending(ansEntry, (economy, { id, payload: { dso } }) => byNetwork(economy, (tx) => tx.exercise(ansEntryExpire, id, { actor: dso }))),
  // One that is accepted for a later time is too early, and stays.
  ending(voteRequest, closingVote),
]

/** Takes what is due page by page; what could not be ended now is passed by until the next run. */
function ending<T>(template: Template<T>, command: Ending<T>) {
  return async (economy: Economy, signal: AbortSignal): Promise<void> => {
    const maxRank = economy.clock.nowMicros()
    let after: ActivePosition | undefined
    while (!signal.aborted) {
      const due = await economy.reader.active(template, { order: 'rank', maxRank, limit: PAGE, ...after === undefined ? {} : { after } })
      await Promise.all(due.filter(isAssigned).map(async (contract) => submitForNetwork(economy, await command(economy, contract))))
      const last = due.at(-1)
      if (last === undefined || due.length < PAGE) return
      after = positionOf(last)
    }
  }
}

function isAssigned({ synchronizerId }: Contract<unknown>): boolean {
  return synchronizerId !== ''
}

function positionOf({ record: { rank }, sequence }: Contract<unknown>): ActivePosition {
  return { rank, sequence }
}

type OpenRound = NonNullable<Awaited<ReturnType<Economy['network']['earliestRound']>>>

async function expireDust(economy: Economy, round: OpenRound, signal: AbortSignal): Promise<void> {
  const openRoundCid = round.id
  await expireDustOf(economy, round, signal, coin, ({ amount }) => amount, (id) =>
    byNetwork(economy, (tx) => tx.exercise(coinExpire, id, { openRoundCid })))
  await expireDustOf(economy, round, signal, lockedCoin, ({ coin: { amount } }) => amount, (id) =>
    byNetwork(economy, (tx) => tx.exercise(lockedCoinExpireCoin, id, { openRoundCid })))
}

async function expireDustOf<T>(
  economy: Economy, { payload: round }: OpenRound, signal: AbortSignal, template: Template<T>,
  amountOf: (payload: T) => ExpiringAmount, command: (contractId: string) => NetworkCommand<unknown>,
): Promise<void> {
  const rate = scaledHoldingRate(round.transferConfigUsd.holdingFee.rate, round.conversionRate)
  const maxRank = rate * round.round * RATE_MARGIN
  let after: ActivePosition | undefined
  while (!signal.aborted) {
    const smallest = await economy.reader.active(template, { order: 'rank', maxRank, limit: PAGE, ...after === undefined ? {} : { after } })
    const dust = smallest.filter((each) => isAssigned(each) && isDustAt(amountOf(each.payload), round.round))
    await Promise.all(dust.map(({ id }) => submitForNetwork(economy, command(id))))
    const last = smallest.at(-1)
    if (last === undefined || smallest.length < PAGE) return
    after = positionOf(last)
  }
}
