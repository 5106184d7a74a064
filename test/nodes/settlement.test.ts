// Delivery versus payment between parties of two nodes, settled by a venue on a third: each side
// allocates at its node, with what any node's registry says.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { timeText } from '../../runtime/participant/time.ts'
import { commandsOf, createdId, exercise, list, path } from '../interfaces/ledger-kit.ts'
import { WALLET } from './kit.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'

const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
const APP = '#network-token-test-trading-app:Network.Testing.Apps.TradingApp'
const PROPOSAL = `${APP}:OTCTradeProposal`
const HOUR = 3_600_000_000n
const NO_META = { values: {} }

interface Trader {
  readonly node: LocalNode
  readonly name: string
  readonly party: string
}

describe('a settlement between nodes', () => {
  let nodes: LocalNodes
  let [venue, alice, bob]: readonly Trader[] = []

  before(async () => {
    nodes = await openNodes(['sv', 'provider', 'user'])
    ;[venue, alice, bob] = await Promise.all(
      nodes.all.map(async (node) => {
        const answer = await node.done('trader', 'POST /api/validator/v0/register', {})
        await node.done('trader', `POST ${WALLET}/tap`, { amount: '100' })
        return { node, name: 'trader', party: String(path(answer, 'party_id')) }
      }),
    )
  })
  after(() => nodes.close())

  test('both legs change hands in one transaction', async () => {
    assert.ok(venue !== undefined && alice !== undefined && bob !== undefined)
    const executor = venue
    const { dso } = venue.node.services.economy.parties
    const leg = (sender: Trader, receiver: Trader, amount: string) => ({
      sender: sender.party,
      receiver: receiver.party,
      amount,
      instrumentId: { admin: dso, id: 'Coin' },
      meta: NO_META,
    })
    const proposed = await submit(alice, {
      CreateCommand: {
        templateId: PROPOSAL,
        createArguments: {
          venue: venue.party,
          tradeCid: null,
          transferLegs: { leg0: leg(alice, bob, '100'), leg1: leg(bob, alice, '20') },
          approvers: [alice.party],
        },
      },
    })
    const accepted = await submit(
      bob,
      exercise(PROPOSAL, createdId(proposed), 'OTCTradeProposal_Accept', { approver: bob.party }),
    )
    const now = BigInt(Date.now()) * 1_000n
    const initiated = await submit(
      venue,
      exercise(PROPOSAL, createdId(accepted), 'OTCTradeProposal_InitiateSettlement', {
        prepareUntil: timeText(now + HOUR),
        settleBefore: timeText(now + 2n * HOUR),
      }),
    )
    const tradeId = createdId(initiated)

    const before = await balances(alice, bob)
    const allocations = {
      leg0: await allocate(alice, { tradeId, legId: 'leg0', venue, receiver: bob, amount: '100' }),
      leg1: await allocate(bob, { tradeId, legId: 'leg1', venue, receiver: alice, amount: '20' }),
    }
    const entries = await Promise.all(
      Object.entries(allocations).map(async ([legId, id]) => {
        const found = await context(executor, id)
        return { legId, id, found }
      }),
    )
    const allocationsWithContext = Object.fromEntries(
      entries.map(({ legId, id, found }) => [
        legId,
        { _1: id, _2: { context: path(found, 'choiceContextData'), meta: NO_META } },
      ]),
    )
    const disclosed = entries.flatMap(({ found }) => list(path(found, 'disclosedContracts')))
    await submit(
      venue,
      exercise(`${APP}:OTCTrade`, tradeId, 'OTCTrade_Settle', { allocationsWithContext }),
      [...new Map(disclosed.map((one) => [path(one, 'contractId'), one])).values()],
    )
    const [ofAlice, ofBob] = before
    assert.deepEqual(await balances(alice, bob), [(ofAlice ?? 0) - 80, (ofBob ?? 0) + 80])
  })
})

interface Leg {
  readonly tradeId: string
  readonly legId: string
  readonly venue: Trader
  readonly receiver: Trader
  readonly amount: string
}

/** Allocates as the wallet does: the request says what is asked. */
async function allocate(trader: Trader, { tradeId, legId, venue, receiver, amount }: Leg) {
  const { node, name } = trader
  const listed = await node.done(name, `GET ${WALLET}/token-standard/allocation-requests`)
  const requests = list(path(listed, 'allocation_requests'))
  const request = requests.find((one) => path(one, 'contract', 'contract_id') === tradeId)
  const asked = path(request, 'contract', 'payload')
  const micros = (member: string): number => Date.parse(String(path(asked, member))) * 1_000
  const made = await node.done(name, 'POST /api/validator/v0/allocations', {
    settlement: {
      executor: venue.party,
      settlement_ref: { id: 'OTCTradeProposal', cid: path(asked, 'tradeCid') },
      requested_at: micros('createdAt'),
      allocate_before: micros('prepareUntil'),
      settle_before: micros('settleBefore'),
    },
    transfer_leg_id: legId,
    transfer_leg: { receiver: receiver.party, amount },
  })
  return String(path(made, 'output', 'allocation_cid'))
}

function context({ node, name }: Trader, allocationId: string): Promise<unknown> {
  const line = `POST /registry/allocations/v1/${allocationId}/choice-contexts/execute-transfer`
  return node.done(name, line, {})
}

function submit(
  trader: Trader,
  command: object,
  disclosedContracts: readonly unknown[] = [],
): Promise<unknown> {
  const commands = { ...commandsOf(trader, command), disclosedContracts }
  return trader.node.done(trader.name, SHOW, { commands })
}

async function balances(...traders: readonly Trader[]): Promise<readonly number[]> {
  return Promise.all(
    traders.map(async ({ node, name }) => {
      const balance = await node.done(name, `GET ${WALLET}/balance`)
      return Number(path(balance, 'effective_unlocked_qty'))
    }),
  )
}
