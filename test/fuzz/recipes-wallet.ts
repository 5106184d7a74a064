// Proper requests of the wallet, of its administration and of the registry.
import { rawKey } from '../external/kit.ts'
import type { Purpose } from './holders.ts'
import type { Kitchen, Recipe } from './recipes.ts'

const AMOUNTS = ['1', '0.5', '2.0', '10.25', '0.0000000001', '40000000']
const USERS = 25
const MINUTE_MS = 60_000
const NOTHING = { values: {} }

/** A party that can be paid: mostly one of the few wallets. */
function receiver({ memory, dice, party }: Kitchen): string {
  return memory.some(dice.chance(0.8) ? 'wallet' : 'party', dice) ?? party
}

const payment: Recipe = (kitchen) => ({
  body: {
    receiver_party_id: receiver(kitchen),
    amount: kitchen.dice.pick(AMOUNTS),
    description: 'x',
    expires_at: (Date.now() + kitchen.dice.pick([1, 3, 10]) * MINUTE_MS) * 1_000,
    tracking_id: `f-${kitchen.memory.next()}`,
  },
})

const signedBody =
  (purpose: Purpose): Recipe =>
  ({ memory, dice }) => {
    const body = memory.signed(purpose, dice)
    return body === undefined ? undefined : { body }
  }

/** A vote's action: who is a featured app. */
function action(kitchen: Kitchen): object {
  const { memory, dice } = kitchen
  const grant = { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: receiver(kitchen) } }
  const revoke = {
    tag: 'SRARC_RevokeFeaturedAppRight',
    value: { rightCid: memory.contract('FeaturedAppRight', dice)?.id ?? '00' },
  }
  return { tag: 'ARC_DsoRules', value: { dsoAction: dice.pick([grant, revoke]) } }
}

const automation: Recipe = ({ memory, dice }) => ({
  path: { name: memory.some('automation', dice) ?? 'rounds' },
})

const REASON = { url: '', body: 'because' }

/** A transfer of the coin as the token standard describes it. */
const factory =
  (account: (party: string) => unknown): Recipe =>
  (kitchen) => {
    const { memory, dice, party } = kitchen
    const admin = memory.some('name:dsoparty', dice) ?? 'x'
    const transfer = {
      sender: account(party),
      receiver: account(receiver(kitchen)),
      amount: dice.pick(AMOUNTS),
      instrumentId: { admin, id: 'Coin' },
      meta: NOTHING,
      requestedAt: new Date().toISOString(),
      executeBefore: new Date(Date.now() + MINUTE_MS).toISOString(),
      inputHoldingCids: Array.from(
        { length: dice.between(0, 2) },
        () => memory.contract('Coin', dice)?.id ?? '00',
      ),
    }
    const choiceArguments = {
      expectedAdmin: admin,
      transfer,
      extraArgs: { context: NOTHING, meta: NOTHING },
    }
    return { body: { choiceArguments, excludeDebugFields: dice.chance(0.5) } }
  }

export const WALLET_RECIPES: Readonly<Record<string, Recipe>> = {
  'validator createTransferOffer': payment,
  'validator createTokenStandardTransfer': payment,
  'validator transferPreapprovalSend': (kitchen) => ({
    body: {
      receiver_party_id: receiver(kitchen),
      amount: kitchen.dice.pick(AMOUNTS),
      description: 'x',
      deduplication_id: `f-${kitchen.memory.next()}`,
    },
  }),
  'validator createBuyTrafficRequest': (kitchen) => ({
    body: {
      receiving_validator_party_id: receiver(kitchen),
      domain_id: kitchen.synchronizer,
      traffic_amount: kitchen.dice.pick([200_000, 1, 2_000_000]),
      tracking_id: `f-${kitchen.memory.next()}`,
      expires_at: (Date.now() + MINUTE_MS) * 1_000,
    },
  }),
  'validator tap': ({ dice, memory }) => ({
    body: { amount: dice.pick(['10.0', '100', '1']), command_id: `f-${memory.next()}` },
  }),
  'validator listTransactions': ({ dice, memory }) => {
    const after = dice.chance(0.5) ? memory.some('name:event', dice) : undefined
    return {
      body: {
        page_size: dice.pick([1, 10, 100]),
        ...(after === undefined ? {} : { begin_after_id: after }),
      },
    }
  },
  'validator onboardUser': ({ dice, memory }) => ({
    body: {
      name: `w${dice.between(1, USERS)}`,
      ...(dice.chance(0.2)
        ? {
            party_id: memory.some('party', dice) ?? 'x',
            createPartyIfMissing: dice.chance(0.5),
          }
        : {}),
      ...(dice.chance(0.1) ? { identity_provider_id: dice.pick(['p', 'q', 'none']) } : {}),
    },
  }),
  'validator offboardUser': ({ dice }) => ({
    query: { username: `w${dice.between(1, USERS)}` },
  }),
  'validator generateExternalPartyTopology': ({ dice, holders }) => ({
    body: { party_hint: `e${dice.between(1, 400)}`, public_key: rawKey(holders.simple(dice)) },
  }),
  'validator submitExternalPartyTopology': signedBody('topology'),
  'validator createExternalPartySetupProposal': ({ memory, dice }) => ({
    body: { user_party_id: memory.some('outside', dice) ?? 'x' },
  }),
  'validator prepareAcceptExternalPartySetupProposal': ({ memory, dice }) => {
    const proposal = memory.contract('ExternalPartySetupProposal', dice)
    const user = proposal?.payload === undefined ? undefined : Object(proposal.payload).user
    const user_party_id = String(user ?? memory.some('outside', dice))
    return proposal === undefined
      ? undefined
      : { body: { contract_id: proposal.id, user_party_id } }
  },
  'validator submitAcceptExternalPartySetupProposal': signedBody('accept'),
  'validator prepareTransferPreapprovalSend': (kitchen) => ({
    body: {
      sender_party_id: kitchen.memory.some('outside', kitchen.dice) ?? 'x',
      receiver_party_id: receiver(kitchen),
      amount: kitchen.dice.pick(AMOUNTS),
      nonce: kitchen.dice.between(0, 3),
      expires_at: new Date(Date.now() + 10 * MINUTE_MS).toISOString(),
    },
  }),
  'validator submitTransferPreapprovalSend': signedBody('send'),
  'validator requestNetworkVote': (kitchen) => ({
    body: { action: action(kitchen), reason: REASON },
  }),
  'validator castNetworkVote': ({ memory, dice }) => ({
    path: { contract_id: memory.contract('VoteRequest', dice)?.id ?? '00' },
    body: { accept: dice.chance(0.7), reason: REASON },
  }),
  'validator allocateDevelopmentFundCoupon': (kitchen) => ({
    body: {
      amount: kitchen.dice.pick(AMOUNTS),
      beneficiary: receiver(kitchen),
      expiresAt: (Date.now() + 10 * MINUTE_MS) * 1_000,
      reason: 'x',
    },
  }),
  'registry getTransferFactory': factory((party) => party),
  'registry getTransferFactoryV2': factory((owner) => ({ owner, provider: null, id: '' })),
  'validator pauseAutomation': automation,
  'validator resumeAutomation': automation,
  'validator runAutomation': automation,
  'validator reassignContract': ({ memory, dice, synchronizer }) => {
    const contract_id =
      memory.some(dice.chance(0.6) ? 'unassigned' : 'contract', dice) ??
      memory.some('contract', dice) ??
      '00'
    return {
      path: { contract_id },
      body: { synchronizer_id: dice.chance(0.3) ? null : synchronizer },
    }
  },
}
