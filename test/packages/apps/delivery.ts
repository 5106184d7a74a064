// Delivery against payment: an uploaded app settles allocations of two uploaded tokens and of our
// coin in one transaction, and nothing where a part is missing, another's or too late.
import { call } from '../../support/http.ts'
import { list, path } from '../../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../../interfaces/ledger-kit.ts'
import { EXTRA, NO_META } from '../kit.ts'
import { released, releasedModule, wire } from '../released.ts'
import { catalogueOf } from './catalogue.ts'
import { PASSED, PAST } from './stage.ts'
import type { Done, Stage } from './stage.ts'
import { TokenV1 } from './token-v1.ts'
import { TokenV2 } from './token-v2.ts'
import { account, allocationV2, GOLD, settlementOf, settlementV2 } from './values.ts'

/** Archives that are needed. */
export const DELIVERY = [
  'test-token-v1-1.0.0',
  'test-token-v2-1.0.0',
  'token-test-trading-app-v2-1.0.0',
].map(released)

/** The coin is locked for some months at most. */
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const SOON = inHours(1)
const DEADLINE = inHours(2)

const SETTLE = 'OTCTrade_Settle'

/** Alice sells gold to bob, for silver of another admin and coin. */
export async function playDelivery(stage: Stage, ledger: LedgerClient): Promise<Done> {
  const delivery = await Delivery.open(stage, ledger)
  const late = await delivery.opened(PASSED)
  await delivery.refused(late, [], /settlementDeadline/)
  const trade = await delivery.opened(DEADLINE)
  const gold = await delivery.gold(trade)
  const silver = await delivery.silver(trade)
  const coin = await delivery.coin(trade)
  const { dso } = delivery
  await delivery.refused(trade, [gold, silver], /No settlement batch found for admin/)
  const empty = first(dso, {})
  await delivery.refused(trade, [gold, silver, empty], /missing for leg payment/)
  const swapped = { ...coin, senderAgreementCid: coin.receiverAgreementCid }
  await delivery.refused(trade, [gold, silver, first(dso, { payment: swapped })], /is not equal to/)
  const all = [gold, silver, first(dso, { payment: coin })]
  return stage.exercise(['venue'], delivery.template, trade, SETTLE, settling(all))
}

type Batch = readonly [admin: string, batch: object]

const first = (admin: string, allocationsWithContext: object): Batch => [
  admin,
  { tag: 'SettlementBatchV1', value: { allocationsWithContext } },
]

const settling = (batchesByAdmin: readonly Batch[]): object => ({
  batchesByAdmin,
  allocationRequests: [],
})

class Delivery {
  readonly stage: Stage
  readonly ledger: LedgerClient
  readonly dso: string
  readonly template: string
  readonly #tokens: { readonly gold: TokenV1; readonly silver: TokenV2 }
  readonly #agreements: { readonly alice: string; readonly bob: string }

  private constructor(
    { stage, ledger }: Pick<Delivery, 'stage' | 'ledger'>,
    dso: string,
    module: string,
    tokens: { readonly gold: TokenV1; readonly silver: TokenV2 },
    agreements: { readonly alice: string; readonly bob: string },
  ) {
    this.stage = stage
    this.ledger = ledger
    this.dso = dso
    this.template = `${module}:OTCTrade`
    this.#tokens = tokens
    this.#agreements = agreements
  }

  static async open(stage: Stage, ledger: LedgerClient): Promise<Delivery> {
    const [ofGold, ofSilver, ofApp] = await Promise.all(DELIVERY.map(catalogueOf))
    const idOf = (of: typeof ofGold): string => of?.packageId ?? ''
    const { json } = await call(ledger.service.url, 'GET /api/scan/v0/dso-party-id')
    const module = `${idOf(ofApp)}:${releasedModule('Testing.Apps.TradingAppV2')}`
    const agreed = (trader: 'alice' | 'bob'): Promise<string> =>
      stage.create(['venue', trader], `${module}:TradeSettlementAgreement`, {
        venue: stage.parties.venue,
        trader: stage.parties[trader],
      })
    return new Delivery(
      { stage, ledger },
      String(path(json, 'dso_party_id')),
      module,
      {
        gold: new TokenV1(stage, idOf(ofGold)),
        silver: new TokenV2(stage.administeredBy('bank'), idOf(ofSilver)),
      },
      { alice: await agreed('alice'), bob: await agreed('bob') },
    )
  }

  opened(settlementDeadline: string): Promise<string> {
    const { venue, admin, alice, bob, bank } = this.stage.parties
    const leg = (
      [transferLegId, amount, instrumentId]: readonly string[],
      sender: string,
      receiver: string,
    ): object => ({
      transferLegId,
      sender: account(sender),
      receiver: account(receiver),
      amount,
      instrumentId,
      meta: NO_META,
    })
    return this.stage.create(['venue'], this.template, {
      venue,
      tradeLegs: [
        { admin, leg: leg(['gold', '2', GOLD], alice, bob) },
        { admin: bank, leg: leg(['silver', '2', GOLD], bob, alice) },
        { admin: this.dso, leg: leg(['payment', '3', wire('Coin')], bob, alice) },
      ],
      createdAt: PAST,
      settleAt: SOON,
      settlementDeadline,
    })
  }

  refused(trade: string, batches: readonly Batch[], cause: RegExp): Promise<void> {
    const argument = settling(batches)
    return this.stage.refuse(['venue'], this.template, trade, SETTLE, argument, cause)
  }

  async gold(trade: string): Promise<Batch> {
    const { parties } = this.stage
    const settlementRef = { id: 'OTCTradeProposal', cid: trade }
    const settlement = settlementOf(parties, {
      settlementRef,
      allocateBefore: SOON,
      settleBefore: DEADLINE,
    })
    const allocationCid = await this.#tokens.gold.allocated({ settlement })
    const { alice: senderAgreementCid, bob: receiverAgreementCid } = this.#agreements
    const gold = { allocationCid, extraArgs: EXTRA, senderAgreementCid, receiverAgreementCid }
    return first(parties.admin, { gold })
  }

  /** Both sides allocate. */
  async silver(trade: string): Promise<Batch> {
    const { silver } = this.#tokens
    const { stage } = silver
    const { parties } = stage
    const rules = await silver.rules()
    const settlement = settlementV2(parties, { id: 'OTCTradeProposal', cid: trade })
    const holding = silver.holding('5', account(parties.bob))
    const coin = await stage.create(['bob', 'admin'], silver.template('Token', 'Holding'), holding)
    const allocated = async (by: 'alice' | 'bob'): Promise<string> => {
      const [side, other] =
        by === 'bob' ? (['SenderSide', 'alice'] as const) : (['ReceiverSide', 'bob'] as const)
      const transferLegSides = [
        {
          transferLegId: 'silver',
          side,
          otherside: account(parties[other]),
          amount: '2',
          instrumentId: GOLD,
          meta: NO_META,
        },
      ]
      const authorizer = account(parties[by])
      const more = { authorizer, transferLegSides, settlementDeadline: DEADLINE }
      const allocation = allocationV2(parties, side, more)
      const inputs = by === 'bob' ? [coin] : []
      return silver.allocated(rules, inputs, { by, settlement, allocation })
    }
    const value = {
      allocationCids: [await allocated('bob'), await allocated('alice')],
      missingAllocations: [],
      factoryCid: rules,
      extraArgs: silver.extra(rules),
    }
    return [parties.admin, { tag: 'SettlementBatchV2', value }]
  }

  /** Bob's wallet allocates; the registry says what settling takes. */
  async coin(trade: string) {
    const { ledger, stage } = this
    const { venue, alice } = stage.parties
    const micros = (time: string): number => Date.parse(time) * 1_000
    const made = await ledger.done(ledger.bob, 'POST /api/validator/v0/allocations', {
      settlement: {
        executor: venue,
        settlement_ref: { id: 'OTCTradeProposal', cid: trade },
        requested_at: micros(PAST),
        allocate_before: micros(SOON),
        settle_before: micros(DEADLINE),
      },
      transfer_leg_id: 'payment',
      transfer_leg: { receiver: alice, amount: '3' },
    })
    const allocationCid = String(path(made, 'output', 'allocation_cid'))
    const request = `POST /registry/allocations/v1/${allocationCid}/choice-contexts/execute-transfer`
    const context = await ledger.done(ledger.bob, request, {})
    stage.disclosed = list(path(context, 'disclosedContracts'))
    return {
      allocationCid,
      extraArgs: { context: path(context, 'choiceContextData'), meta: NO_META },
      senderAgreementCid: this.#agreements.bob,
      receiverAgreementCid: this.#agreements.alice,
    }
  }
}
