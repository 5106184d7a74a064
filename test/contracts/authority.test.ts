// Who may exercise each choice, who may name itself as its actor, and who signs and sees each
// contract, as the comments of spec/contracts.yaml say it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as code from '../../runtime/contracts/code.ts'
import { installChoices } from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'

/** Names of choices by where those stand who must all agree: in the contract or the argument. */
const CHOICES: Readonly<Record<string, string>> = {
  dso: `AnsEntryContext_CollectEntryRenewalPayment AnsEntryContext_CollectInitialEntryPayment
    AnsEntryContext_RejectEntryInitialPayment AnsRules_RejectEntryInitialPayment Coin_Expire
    CoinRules_AdvanceOpenMiningRounds CoinRules_Bootstrap_Rounds CoinRules_ClaimExpiredRewards
    CoinRules_MergeMemberTrafficContracts CoinRules_MergeUnclaimedRewards
    CoinRules_MiningRound_Archive CoinRules_MiningRound_Close CoinRules_MiningRound_StartIssuing
    CoinRules_SetConfig DevelopmentFundCoupon_Expire DsoRules_AllocateUnclaimedActivityRecord
    DsoRules_CreateTransferCommandCounter DsoRules_GrantFeaturedAppRight
    DsoRules_ReceiveSvRewardCoupon DsoRules_RevokeFeaturedAppRight DsoRules_SetConfig
    FeaturedAppRight_Withdraw TransferPreapproval_Expire UnclaimedActivityRecord_Expire
    ValidatorLicense_Withdraw`,
  'dso user': 'AnsEntry_Renew',
  'dso argument.user': 'AnsRules_CollectEntryRenewalPayment AnsRules_CollectInitialEntryPayment',
  'dso argument.receiver': 'CoinRules_Mint',
  sender: `AcceptedAppPayment_Expire AcceptedTransferOffer_Abort AppPaymentRequest_Reject
    TransferCommand_Withdraw TransferOffer_Withdraw`,
  'sender provider coinReceiverAmounts.receiver': 'AcceptedAppPayment_Collect',
  'sender argument.walletProvider': 'AcceptedTransferOffer_Complete AppPaymentRequest_Accept',
  'coinReceiverAmounts.receiver': 'AcceptedAppPayment_Reject',
  'receiverAmounts.receiver': 'AppPaymentRequest_Withdraw',
  receiver: `AcceptedTransferOffer_Withdraw TransferOffer_Accept TransferOffer_Reject
    TransferPreapprovalProposal_Withdraw`,
  provider: `FeaturedAppRight_Cancel FeaturedAppRight_RewardActivity
    TransferPreapprovalProposal_Accept TransferPreapprovalProposal_Reject
    TransferPreapproval_Renew`,
  user: 'ExternalPartySetupProposal_Accept ExternalPartySetupProposal_Reject ValidatorRight_ArchiveAsUser',
  validator: `ExternalPartySetupProposal_Withdraw ValidatorLicense_Cancel
    ValidatorLicense_RecordValidatorLivenessActivity ValidatorLicense_ReportActive
    ValidatorLicense_UpdateMetadata ValidatorRight_ArchiveAsValidator`,
  operator: `BatchMergeUtility_BatchMerge BatchMergeUtility_MergeHoldings MergeDelegation_Merge
    MergeDelegation_Reject`,
  owner: 'MergeDelegation_Withdraw',
  'delegation.operator': 'MergeDelegationProposal_Accept MergeDelegationProposal_Reject',
  'delegation.owner': 'MergeDelegationProposal_Withdraw',
  delegate: 'MintingDelegation_Mint MintingDelegation_Reject TransferCommand_Send',
  'delegation.delegate': 'MintingDelegationProposal_Accept MintingDelegationProposal_Reject',
  'delegation.beneficiary': 'MintingDelegationProposal_Withdraw',
  beneficiary: 'DevelopmentFundCoupon_Reject MintingDelegation_Withdraw',
  fundManager: 'DevelopmentFundCoupon_Withdraw',
  endUserParty: 'BuyTrafficRequest_Cancel',
  'endUserParty argument.walletProvider': 'BuyTrafficRequest_Complete',
  validatorParty: Object.keys(installChoices).join(' '),
  'coin.dso': 'LockedCoin_ExpireCoin',
  'coin.owner': 'LockedCoin_OwnerExpireLock',
  'coin.owner lock.holders': 'LockedCoin_Unlock',
  'transfer.receiver': 'TransferInstruction_Accept TransferInstruction_Reject',
  'transfer.sender': 'TransferInstruction_Withdraw',
  'transfer.instrumentId.admin argument.extraActors': 'TransferInstruction_Update',
  'allocation.settlement.executor allocation.transferLeg.sender allocation.transferLeg.receiver':
    'Allocation_Cancel Allocation_ExecuteTransfer',
  'allocation.transferLeg.sender': 'Allocation_Withdraw',
  'allocation.transferLeg.instrumentId.admin': 'CoinAllocation_DsoExpire',
  'allocation.authorizer.owner': 'TestTokenAllocation_Withdraw',
  'subscriptionData.sender subscriptionData.receiver subscriptionData.provider':
    'SubscriptionInitialPayment_Collect SubscriptionPayment_Collect Subscription_Archive',
  'subscriptionData.sender': 'SubscriptionIdleState_CancelSubscription SubscriptionRequest_Reject',
  'subscriptionData.sender argument.walletProvider':
    'SubscriptionIdleState_MakePayment SubscriptionRequest_AcceptAndMakePayment',
  'subscriptionData.receiver':
    'SubscriptionInitialPayment_Reject SubscriptionPayment_Reject SubscriptionRequest_Withdraw',
  venue:
    'AllocationRequest_Withdraw OTCTradeProposal_InitiateSettlement OTCTrade_Cancel OTCTrade_Settle',
  responder: 'Respond',
  'admin argument.owner': 'TestTokenRules_Mint',
  'argument.actor': `AcceptedTransferOffer_Expire AllocationRequest_Reject
    AnsEntryContext_Terminate AnsEntry_Expire AppPaymentRequest_Expire BuyTrafficRequest_Expire
    SubscriptionIdleState_ExpireSubscription SubscriptionInitialPayment_Expire
    SubscriptionPayment_Expire TransferCommand_Expire TransferOffer_Expire`,
  'argument.actors': 'AllocationInstruction_Accept AllocationInstruction_Withdraw',
  'argument.allocation.authorizer.owner': 'TestTokenRules_Allocate',
  'argument.allocation.transferLeg.sender': 'AllocationFactory_Allocate',
  'argument.approver': 'OTCTradeProposal_Accept',
  'argument.fundManager': 'CoinRules_AllocateDevelopmentFundCoupon',
  'argument.p': 'TransferPreapproval_Cancel',
  'argument.payer': 'CoinRules_Quote',
  'argument.provider': 'CoinRules_BuyMemberTraffic CoinRules_DevNet_FeatureApp',
  'argument.provider argument.receiver': 'CoinRules_CreateTransferPreapproval',
  'argument.receiver': 'CoinRules_DevNet_Tap',
  'argument.requester': 'DsoRules_RequestVote',
  'argument.sender': 'ExternalPartyCoinRules_CreateTransferCommand TransferPreapproval_Send',
  'argument.sponsor': 'DsoRules_OnboardValidator',
  'argument.sv': 'DsoRules_CloseVoteRequest DsoRules_UpdateCoinPriceVote',
  'argument.trader': 'OTCTradeProposal_Reject',
  'argument.transfer.sender': 'TransferFactory_Transfer',
  'argument.transfer.sender argument.transfer.provider argument.transfer.outputs.receiver argument.transfer.outputs.lock.holders':
    'CoinRules_LegacyTransfer CoinRules_Transfer',
  'argument.user': 'AnsRules_RequestEntry',
  'argument.validator': 'CoinRules_CreateExternalPartySetupProposal',
  'argument.vote.sv': 'DsoRules_CastVote',
}

/** Names of templates by who signs and, behind the stroke, sees them without signing. */
const TEMPLATES: Readonly<Record<string, string>> = {
  dso: `AnsRules ClosedMiningRound CoinRules ExternalPartyCoinRules IssuingMiningRound
    MemberTraffic OpenMiningRound SummarizingMiningRound UnclaimedDevelopmentFundCoupon
    UnclaimedReward VoteRequest`,
  'dso user': 'AnsEntry AnsEntryContext',
  'dso owner': 'Coin',
  'dso | beneficiary': 'UnclaimedActivityRecord',
  'dso | beneficiary fundManager': 'DevelopmentFundCoupon',
  'dso | provider': 'FeaturedAppRight',
  'dso | provider beneficiary': 'AppRewardCoupon',
  'dso | sender': 'TransferCommandCounter',
  'dso | sv': 'CoinPriceVote',
  'dso | sv beneficiary': 'SvRewardCoupon',
  'dso | svs': 'DsoRules',
  'dso | user': 'ValidatorRewardCoupon',
  'dso | validator': 'ValidatorLicense ValidatorLivenessActivityRecord',
  'request.dso': 'VoteResult',
  'sender dso | delegate': 'TransferCommand',
  'sender provider coinReceiverAmounts.receiver': 'AcceptedAppPayment',
  'sender provider receivers': 'TerminatedAppPayment',
  'sender receiver': 'AcceptedTransferOffer',
  'sender receiverAmounts.receiver provider': 'AppPaymentRequest',
  'sender | receiver': 'TransferOffer',
  'receiver provider dso': 'TransferPreapproval',
  'receiver | provider': 'TransferPreapprovalProposal',
  'coin.dso coin.owner lock.holders': 'LockedCoin',
  'transfer.instrumentId.admin transfer.sender | transfer.receiver': 'CoinTransferInstruction',
  'allocation.transferLeg.instrumentId.admin allocation.transferLeg.sender | allocation.settlement.executor':
    'CoinAllocation',
  'subscriptionData.sender subscriptionData.receiver subscriptionData.provider': `Subscription
    SubscriptionIdleState SubscriptionInitialPayment SubscriptionPayment SubscriptionRequest
    TerminatedSubscription`,
  endUserParty: 'BuyTrafficRequest',
  'endUserParty validatorParty': 'WalletAppInstall',
  validator: 'ValidatorTopUpState',
  'validator dso | user': 'ExternalPartySetupProposal',
  'user validator | dso': 'ValidatorRight',
  operator: 'BatchMergeUtility',
  'owner operator': 'MergeDelegation',
  'delegation.owner | delegation.operator': 'MergeDelegationProposal',
  'beneficiary delegate': 'MintingDelegation',
  'delegation.beneficiary | delegation.delegate': 'MintingDelegationProposal',
  'approvers | venue transferLegs.sender transferLegs.receiver': 'OTCTradeProposal',
  'venue transferLegs.sender transferLegs.receiver': 'OTCTrade',
  'admin owner': 'TestTokenHolding',
  'admin allocation.authorizer.owner | allocation.settlement.executors':
    'TestTokenAllocation TestTokenAllocationInstruction',
  admin: 'TestTokenRules',
  'initiator | responder': 'Ping',
}

/** A value whose members are the names of the way to them; a list has one item, itself. */
function place(way: string): object {
  const items = function* () {
    yield place(way)
  }
  const own: Readonly<Record<string | symbol, unknown>> = {
    [Symbol.toPrimitive]: () => way,
    [Symbol.iterator]: items,
    values: items,
    map: (change: (item: object) => unknown) => [change(place(way))],
    flatMap: (change: (item: object) => unknown) => [change(place(way))].flat(),
  }
  return new Proxy(own, {
    get: (_, name) => own[name] ?? place(way === '' ? String(name) : `${way}.${String(name)}`),
  })
}

function partiesOf(rule: unknown): string {
  if (typeof rule !== 'function') return ''
  const parties: unknown = Reflect.apply(rule, undefined, [place(''), place('argument')])
  return Array.from<unknown>(Object(parties)).map(String).join(' ')
}

/** Names of everything that is bound to rules of this kind, by what the rules say. */
function byParties(kind: string, who: (rules: unknown) => string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const one of [...Object.values<unknown>(code), ...Object.values<unknown>(installChoices)]) {
    const rules = member(one, 'rules')
    if (member(rules, kind) === undefined) continue
    const names = (found[who(rules)] ??= [])
    names.push(String(member(member(one, 'type'), 'name')))
  }
  return found
}

const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(table).map(([who, names]) => [who, names.toSorted()]))
const split = (table: Readonly<Record<string, string>>) =>
  sorted(Object.fromEntries(Object.entries(table).map(([who, all]) => [who, all.split(/\s+/u)])))

test('each choice is exercised by those whom the document names, all of them', () => {
  const found = byParties('controllers', (rules) => partiesOf(member(rules, 'controllers')))
  assert.deepEqual(sorted(found), split(CHOICES))
})

test('each contract is signed and seen by those whom the document names', () => {
  const found = byParties('signatories', (rules) => {
    const seen = partiesOf(member(rules, 'observers'))
    return `${partiesOf(member(rules, 'signatories'))}${seen === '' ? '' : ` | ${seen}`}`
  })
  assert.deepEqual(sorted(found), split(TEMPLATES))
})

/** Choices whose actor the argument names, by who it may be. */
const ACTORS: Readonly<Record<string, string>> = {
  'dso or sender or delegate': 'TransferCommand_Expire',
  'dso or user': 'AnsEntryContext_Terminate AnsEntry_Expire',
  endUserParty: 'BuyTrafficRequest_Expire',
  'receiver or provider': 'TransferPreapproval_Cancel',
  'sender or receiver': 'AcceptedTransferOffer_Expire TransferOffer_Expire',
  'sender or receiverAmounts.receiver or provider': 'AppPaymentRequest_Expire',
  'subscriptionData.sender or subscriptionData.receiver or subscriptionData.provider':
    'SubscriptionIdleState_ExpireSubscription SubscriptionInitialPayment_Expire SubscriptionPayment_Expire',
  'transferLegs.sender': 'AllocationRequest_Reject',
  'transferLegs.sender or transferLegs.receiver': 'OTCTradeProposal_Accept OTCTradeProposal_Reject',
}

/** What a choice says to a stranger who names itself as its actor. */
function refusalOf(run: unknown): string {
  const refuse = (holds: boolean, rule: string): void => {
    if (!holds) throw new Error(rule.replace('the actor is ', ''))
  }
  const tx = new Proxy({}, { get: (_, name) => (name === 'require' ? refuse : () => place('')) })
  const argument = {
    actor: 'a stranger',
    p: 'a stranger',
    approver: 'a stranger',
    trader: 'a stranger',
  }
  try {
    if (typeof run === 'function')
      Reflect.apply(run, undefined, [tx, { payload: place('') }, argument])
    return 'nothing'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

test('who names itself as the actor has a part in the contract', () => {
  const found = byParties('controllers', (rules) =>
    /^argument\.(?:actor|p|approver|trader)$/u.test(partiesOf(member(rules, 'controllers')))
      ? refusalOf(member(rules, 'run'))
      : '',
  )
  const named = Object.entries(found).filter(([who]) => who !== '')
  assert.deepEqual(sorted(Object.fromEntries(named)), split(ACTORS))
})
