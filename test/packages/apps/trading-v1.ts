// The trading app of the standard's first version, with trades of the test token.
import { EXTRA, interfaces } from '../kit.ts'
import { releasedModule } from '../released.ts'
import { FUTURE, LATER, madeOf, PASSED, PAST } from './stage.ts'
import type { Stage } from './stage.ts'
import type { TokenV1 } from './token-v1.ts'
import { legOf, settlementOf } from './values.ts'

const TRADERS = ['venue', 'alice', 'bob'] as const

export async function playTradingV1(
  stage: Stage,
  packageId: string,
  token: TokenV1,
): Promise<void> {
  const app = new TradingV1(stage, packageId, token)
  await app.playProposals()
  await app.playSettlement()
  await app.playCancellation()
  await app.playRequests()
}

class TradingV1 {
  readonly stage: Stage
  readonly token: TokenV1
  readonly proposal: string
  readonly trade: string

  constructor(stage: Stage, packageId: string, token: TokenV1) {
    const module = `${packageId}:${releasedModule('Testing.Apps.TradingApp')}`
    this.stage = stage
    this.token = token
    this.proposal = `${module}:OTCTradeProposal`
    this.trade = `${module}:OTCTrade`
  }

  /** A proposal that these have approved. */
  proposed(...approvers: readonly ('alice' | 'bob')[]): Promise<string> {
    const { parties } = this.stage
    return this.stage.create(approvers, this.proposal, {
      venue: parties.venue,
      tradeCid: null,
      transferLegs: { gold: legOf(parties) },
      approvers: approvers.map((name) => parties[name]),
    })
  }

  /** A trade of these bounds, with the settlement that allocations have to be for. */
  async opened(prepareUntil = FUTURE, settleBefore = LATER) {
    const { parties } = this.stage
    const tradeCid = await this.proposed('alice', 'bob')
    const id = await this.stage.create(TRADERS, this.trade, {
      venue: parties.venue,
      transferLegs: { gold: legOf(parties) },
      tradeCid,
      createdAt: PAST,
      prepareUntil,
      settleBefore,
    })
    const settlement = settlementOf(parties, {
      settlementRef: { id: 'OTCTradeProposal', cid: tradeCid },
      allocateBefore: prepareUntil,
      settleBefore,
    })
    return { id, settlement }
  }

  async playProposals(): Promise<void> {
    const { stage, proposal } = this
    const { alice, bob, bank } = stage.parties
    const [accept, reject] = ['OTCTradeProposal_Accept', 'OTCTradeProposal_Reject']
    const settle = 'OTCTradeProposal_InitiateSettlement'
    const bounds = { prepareUntil: FUTURE, settleBefore: LATER }
    const id = await this.proposed('alice')
    const by = (approver: string): object => ({ approver })
    await stage.refuse(['bank'], proposal, id, accept, by(bank), /trading party/)
    await stage.refuse(['alice'], proposal, id, accept, by(alice), /Approver is new/)
    await stage.refuse(['venue'], proposal, id, settle, bounds, /have approved/)
    const accepted = await stage.exercise(['bob', 'alice'], proposal, id, accept, by(bob))
    await stage.exercise(['venue'], proposal, madeOf(accepted, 'OTCTradeProposal'), settle, bounds)
    const other = await this.proposed('alice')
    await stage.refuse(['bank'], proposal, other, reject, { trader: bank }, /trading party/)
    await stage.exercise(['bob'], proposal, other, reject, { trader: bob })
  }

  async playSettlement(): Promise<void> {
    const { stage, trade, token } = this
    const { parties } = stage
    const settle = 'OTCTrade_Settle'
    const { id, settlement } = await this.opened()
    const refused = (argument: object, cause: RegExp) =>
      stage.refuse(['venue'], trade, id, settle, argument, cause)
    await refused(allocations({}), /missing for leg gold/)
    const foreign = legOf(parties, { sender: parties.bank })
    const wrong = await stage.create(['bank', 'admin'], token.template('TokenAllocation'), {
      allocation: token.allocationOf({ settlement, transferLeg: foreign }),
    })
    await refused(allocations({ gold: wrong }), /matches expected/)
    const gold = await token.allocated({ settlement })
    await refused(allocations({ gold, silver: gold }), /unexpected leg silver/)
    await stage.exercise(['venue'], trade, id, settle, allocations({ gold }))
    const over = await this.opened(PASSED, PASSED)
    const late = allocations({ gold: await token.allocated({ settlement: over.settlement }) })
    await stage.refuse(['venue'], trade, over.id, settle, late, /deadline has not passed/)
  }

  async playCancellation(): Promise<void> {
    const { stage, trade, token } = this
    const cancel = 'OTCTrade_Cancel'
    const { id, settlement } = await this.opened()
    const other = allocations({ gold: await token.allocated() })
    await stage.refuse(['venue'], trade, id, cancel, other, /matches expected/)
    const gold = await token.allocated({ settlement })
    await stage.exercise(['venue'], trade, id, cancel, allocations({ gold }))
  }

  async playRequests(): Promise<void> {
    const { stage } = this
    const { alice, bank } = stage.parties
    const { id } = await this.opened()
    const [reject, withdraw] = ['AllocationRequest_Reject', 'AllocationRequest_Withdraw']
    const request = interfaces.allocationRequest
    const by = (actor: string): object => ({ actor, extraArgs: EXTRA })
    await stage.refuse(['bank'], request, id, reject, by(bank), /Actor is a sender/)
    await stage.exercise(['alice'], request, id, reject, by(alice))
    const { id: other } = await this.opened()
    await stage.exercise(['venue'], request, other, withdraw, { extraArgs: EXTRA })
  }
}

function allocations(byLeg: Readonly<Record<string, string>>): object {
  const allocationsWithContext = Object.fromEntries(
    Object.entries(byLeg).map(([leg, _1]) => [leg, { _1, _2: EXTRA }]),
  )
  return { allocationsWithContext }
}
