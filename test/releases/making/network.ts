// What the operator does for the network, and a party that issues a token of its own.
import { textAt } from '../client.ts'
import { create, createdBy, exercise, FAR, FAR_MICROS, idOf, nowOf, submit } from './making.ts'
import type { Making } from './making.ts'
import { OPERATOR } from './people.ts'

/** A vote that was closed, which makes somebody a featured provider, and one that goes on. */
export async function vote(making: Making, name: string): Promise<void> {
  const { done } = making
  const provider = idOf(making, name)
  const request = async (body: string, rest: object = {}): Promise<string> => {
    const action = {
      tag: 'ARC_DsoRules',
      value: { dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider } } },
    }
    const answer = await done(OPERATOR, 'POST /v0/admin/network/votes', {
      action,
      reason: { url: 'https://votes.example', body },
      ...rest,
    })
    return textAt(answer, 'vote_request_contract_id')
  }
  const first = await request('a good app')
  await done(OPERATOR, `POST /v0/admin/network/votes/${first}/close`)
  await done(
    OPERATOR,
    `POST /v0/admin/network/votes/${await request('a better app', { vote_before: FAR })}/cast`,
    {
      accept: false,
      reason: { url: '', body: 'not yet' },
    },
  )
}

/**
 * The test token of a party: a holding, one that is allocated, one whose allocation waits, one that
 * is in flight.
 */
export async function useTestToken(making: Making, user: string, party: string): Promise<void> {
  const admin = idOf(making, party)
  const rules = 'network-test-token:Network.Test.Token:TestTokenRules'
  const act = (...commands: readonly object[]): Promise<unknown> =>
    submit(making, user, [admin], ...commands)
  const [contractId = ''] = createdBy(await act(create(rules, { admin })), 'TestTokenRules')
  const onRules = (choice: string, argument: object): object =>
    exercise({ template: rules, contractId, choice, argument })
  const mint = async (amount: string): Promise<string> => {
    const [cid = ''] = createdBy(
      await act(onRules('TestTokenRules_Mint', { owner: admin, instrumentId: 'Gold', amount })),
      'TestTokenHolding',
    )
    return cid
  }
  const allocate = async (id: string, holding: string): Promise<string> => {
    const made = await act(
      onRules('TestTokenRules_Allocate', {
        allocation: allocationOf(admin, id),
        requestedAt: await nowOf(making),
        inputHoldingCids: [holding],
        expiresAt: FAR,
      }),
    )
    const [cid = ''] = createdBy(made, 'TestTokenAllocationInstruction')
    return cid
  }
  await allocate('waits', await mint('10'))
  const template =
    'network-api-token-allocation-instruction-v2:Network.Api.Token.AllocationInstructionV2:AllocationInstruction'
  const argument = { actors: [admin], extraArgs: { context: { values: {} }, meta: { values: {} } } }
  await act(
    exercise({
      template,
      contractId: await allocate('stands', await mint('20')),
      choice: 'AllocationInstruction_Accept',
      argument,
    }),
  )
  await mint('123.4567890123')
  const moved = await mint('0.5')
  await making.done(OPERATOR, `POST /v0/admin/network/contracts/${moved}/reassign`, {
    synchronizer_id: null,
  })
  making.kept.inFlight.push(moved)
}

function allocationOf(admin: string, id: string): object {
  const account = { owner: admin, provider: null, id: '' }
  const leg = {
    transferLegId: 'leg',
    side: 'SenderSide',
    otherside: account,
    amount: '4',
    instrumentId: 'Gold',
    meta: { values: {} },
  }
  return {
    settlement: { executors: [admin], id, cid: null, meta: { values: {} } },
    admin,
    authorizer: account,
    transferLegSides: [leg],
    settlementDeadline: FAR,
    nextIterationFunding: null,
    committed: false,
    meta: { values: { 'example.org/why': 'a test' } },
  }
}

/**
 * Parts of the development fund for somebody: one that was taken back, one that is not minted yet.
 */
export async function allocateFund(making: Making, beneficiary: string): Promise<void> {
  const line = 'POST /v0/wallet/development-fund-coupons'
  const allocate = async (amount: string): Promise<string> => {
    const body = {
      beneficiary: idOf(making, beneficiary),
      amount,
      expiresAt: FAR_MICROS,
      reason: `Grant of ${amount}`,
    }
    return textAt(
      await making.done(OPERATOR, `${line}/allocate`, body),
      'development_fund_coupon_contract_id',
    )
  }
  await making.done(OPERATOR, `${line}/${await allocate('2.5')}/withdraw`, { reason: 'Sent twice' })
  await allocate('7.5')
}
