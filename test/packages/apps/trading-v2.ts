// The trading app of the standard's second version, with trades of both test tokens.
import { EXTRA, interfaces } from '../kit.ts'
import { released, releasedModule } from '../released.ts'
import { catalogueOf } from './catalogue.ts'
import { FUTURE, LATER, PAST } from './stage.ts'
import type { Name, Stage } from './stage.ts'
import type { TokenV1 } from './token-v1.ts'
import { TokenV2 } from './token-v2.ts'
import { allocationV2, interfacesV2, legV2, settlementOf, settlementV2 } from './values.ts'

export async function playTradingV2(
  stage: Stage,
  packageId: string,
  first: TokenV1,
): Promise<void> {
  const { packageId: tokens } = await catalogueOf(released('test-token-v2-1.0.0'))
  const app = new TradingV2(stage, packageId, first, new TokenV2(stage, tokens))
  await app.playRequests()
  await app.playTradeOfSecond()
  await app.playTradesOfFirst()
  await app.playAgreements()
}

class TradingV2 {
  readonly stage: Stage
  readonly first: TokenV1
  readonly token: TokenV2
  readonly template: (name: string) => string

  constructor(stage: Stage, packageId: string, first: TokenV1, token: TokenV2) {
    const module = `${packageId}:${releasedModule('Testing.Apps.TradingAppV2')}`
    this.stage = stage
    this.first = first
    this.token = token
    this.template = (name) => `${module}:${name}`
  }

  opened(): Promise<string> {
    const { parties } = this.stage
    return this.stage.create(['venue'], this.template('OTCTrade'), {
      venue: parties.venue,
      tradeLegs: [{ admin: parties.admin, leg: legV2(parties) }],
      createdAt: PAST,
      settleAt: FUTURE,
      settlementDeadline: LATER,
    })
  }

  /** What lets the venue settle for a trader. */
  agreed(trader: 'alice' | 'bob'): Promise<string> {
    const { parties } = this.stage
    const payload = { venue: parties.venue, trader: parties[trader] }
    return this.stage.create(['venue', trader], this.template('TradeSettlementAgreement'), payload)
  }

  /** An allocation of the first token for a trade. */
  firstAllocation(trade: string): Promise<string> {
    const settlementRef = { id: 'OTCTradeProposal', cid: trade }
    return this.first.allocated({
      settlement: settlementOf(this.stage.parties, { settlementRef }),
    })
  }

  async playRequests(): Promise<void> {
    const { stage } = this
    const { parties } = stage
    const request = (): Promise<string> =>
      stage.create(['venue'], this.template('OTCTradeAllocationRequest'), {
        settlement: settlementV2(parties),
        requestedAt: PAST,
        settleAt: FUTURE,
        allocations: [allocationV2(parties)],
      })
    const second = interfacesV2.allocationRequest
    for (const [by, how] of [
      ['alice', 'Accept'],
      ['alice', 'Reject'],
      ['venue', 'Withdraw'],
    ] as const) {
      const [id, choice] = [await request(), `AllocationRequest_${how}`]
      const as = (name: Name): object => ({ actors: [parties[name]], extraArgs: EXTRA })
      await stage.refuse(['bob'], second, id, choice, as('bob'), /allowed actors/)
      await stage.exercise([by], second, id, choice, as(by))
    }
    const [id, on] = [await request(), interfaces.allocationRequest]
    const reject = (name: Name): object => ({ actor: parties[name], extraArgs: EXTRA })
    await stage.refuse(['bob'], on, id, 'AllocationRequest_Reject', reject('bob'), /allowed/)
    await stage.exercise(['alice'], on, id, 'AllocationRequest_Reject', reject('alice'))
    const withdraw = { extraArgs: EXTRA }
    await stage.exercise(['venue'], on, await request(), 'AllocationRequest_Withdraw', withdraw)
  }

  /** The receiver's allocation is made with the agreement, in the settlement. */
  async playTradeOfSecond(): Promise<void> {
    const { stage, token } = this
    const { parties } = stage
    const on = this.template('OTCTrade')
    const rules = await token.rules()
    const id = await this.opened()
    await stage.exercise(['venue'], on, id, 'OTCTrade_RequestAllocations', {})
    const settlement = settlementV2(parties, { id: 'OTCTradeProposal', cid: id })
    const sent = await token.allocated(rules, [await token.mint()], { settlement })
    const missing = {
      authorizerAgreementCid: await this.agreed('bob'),
      factoryCid: rules,
      choiceArg: token.allocateArguments(rules, [], {
        by: 'bob',
        settlement,
        allocation: allocationV2(parties, 'ReceiverSide'),
      }),
    }
    const value = {
      allocationCids: [sent],
      missingAllocations: [missing],
      factoryCid: rules,
      extraArgs: token.extra(rules),
    }
    const batch = [[parties.admin, { tag: 'SettlementBatchV2', value }]]
    const settle = (batchesByAdmin: object): object => ({ batchesByAdmin, allocationRequests: [] })
    await stage.refuse(['venue'], on, id, 'OTCTrade_Settle', settle([]), /No settlement batch/)
    await stage.exercise(['venue'], on, id, 'OTCTrade_Settle', settle(batch))
  }

  async playTradesOfFirst(): Promise<void> {
    const { stage } = this
    const { admin } = stage.parties
    const on = this.template('OTCTrade')
    const agreements = {
      extraArgs: EXTRA,
      senderAgreementCid: await this.agreed('alice'),
      receiverAgreementCid: await this.agreed('bob'),
    }
    const [settled, cancelled] = [await this.opened(), await this.opened()]
    const gold = { allocationCid: await this.firstAllocation(settled), ...agreements }
    const value = { allocationsWithContext: { gold } }
    await stage.exercise(['venue'], on, settled, 'OTCTrade_Settle', {
      batchesByAdmin: [[admin, { tag: 'SettlementBatchV1', value }]],
      allocationRequests: [],
    })
    const cancel = (allocationCid: string): object => ({
      allocationsWithContextV1: [{ allocationCid, ...agreements }],
      allocationsWithContextV2: [],
      allocationRequestCids: [],
    })
    const other = cancel(await this.firstAllocation(settled))
    await stage.refuse(['venue'], on, cancelled, 'OTCTrade_Cancel', other, /settlement/)
    const right = cancel(await this.firstAllocation(cancelled))
    await stage.exercise(['venue'], on, cancelled, 'OTCTrade_Cancel', right)
  }

  /** Agreements are for what their traders send or receive, and nothing else. */
  async playAgreements(): Promise<void> {
    const { stage, token } = this
    const { parties } = stage
    const on = this.template('TradeSettlementAgreement')
    const [ofSender, ofReceiver] = [await this.agreed('alice'), await this.agreed('bob')]
    const allocationCid = await this.firstAllocation(await this.opened())
    const refused = (choice: string, id: string, argument: object, by: readonly Name[]) =>
      stage.refuse(by, on, id, `TradeSettlementAgreement_${choice}`, argument, /is not equal to/)
    for (const how of ['ExecuteTransfer', 'Cancel']) {
      const asSender = { receiverAgreementCid: ofSender, allocationCid, extraArgs: EXTRA }
      await refused(`${how}AsSender`, ofReceiver, asSender, ['venue'])
      const asReceiver = { sender: parties.alice, allocationCid, extraArgs: EXTRA }
      await refused(`${how}AsReceiver`, ofSender, asReceiver, ['venue', 'alice'])
    }
    const rules = await token.rules()
    const choiceArg = token.allocateArguments(rules, [])
    const receipt = { factoryCid: rules, choiceArg }
    await refused('CreateReceiptAllocation', ofReceiver, receipt, ['venue'])
  }
}
