// Where the released packages and ours differ on purpose. docs/differences.md
import type { Difference } from './values.ts'

/** A difference that is meant. */
export interface Known {
  /** Templates and choices; absent: all. */
  readonly of?: readonly string[]
  /** The last names of the place. */
  readonly at: string
  /** Whether places within it are meant, too, which it then begins. */
  readonly within?: true
}

/** Choices that burn the price of a preapproval. */
const PREAPPROVALS = [
  'CoinRules_CreateTransferPreapproval',
  'CoinRules_CreateExternalPartySetupProposal',
  'TransferPreapproval_Renew',
  'TransferPreapprovalProposal_Accept',
]

const ENDS_OF_MERGING = [
  'MergeDelegationProposal_Reject',
  'MergeDelegationProposal_Withdraw',
  'MergeDelegation_Reject',
  'MergeDelegation_Withdraw',
]

/** Differences from all versions of the packages. */
const ALWAYS: readonly Known[] = [
  // Answers that say nothing: an object without members here.
  { at: '' },
  { at: 'dummyArg' },
  // Metadata where the packages have none.
  { of: ['CoinRules_Mint'], at: 'meta' },
  { of: PREAPPROVALS, at: 'transferResult.meta' },
  { of: ['TransferPreapproval_Send'], at: 'result.meta' },
  // What is burned is not created first.
  { of: PREAPPROVALS, at: 'transferResult.createdCoins' },
  { of: ['CoinRules_Bootstrap_Rounds'], at: 'initialRound' },
  { of: ['CoinRules_Bootstrap_Rounds'], at: 'openMiningRoundCid' },
  { of: ['CoinRules_Bootstrap_Rounds'], at: 'openMiningRoundCids' },
  { of: ['CoinRules_MiningRound_StartIssuing'], at: 'optUnclaimedRewardCid' },
  // The network knows who hosts a party.
  { of: ['ValidatorRight'], at: 'parties' },
  // Interfaces of featured apps are not served.
  { at: 'views.FeaturedAppRight' },
  // The reason of the argument is answered, too.
  { of: ['DevelopmentFundCoupon_Withdraw', 'DevelopmentFundCoupon_Reject'], at: 'reason' },
  { of: ['TransferCommand_Send'], at: 'transferCounterCid' },
  // Choices here read no clock: a renewed preapproval counts from the old expiry.
  { of: ['TransferPreapproval'], at: 'lastRenewedAt' },
  // What a lock is for is said in other words.
  { at: 'lock.optContext' },
  { at: 'lock.context' },
  // Of the configuration: nothing makes markers here.
  { of: ['CoinRules'], at: 'featuredAppActivityMarkerAmount' },
  // The price of traffic is kept in rounds here whatever the rewards.
  { at: 'trafficPrice' },
]

/** Beside the newest version of the coin. */
export const NEWEST: readonly Known[] = [
  ...ALWAYS,
  // What is expired answers its owner alone there.
  { of: ['Coin_Expire', 'LockedCoin_ExpireCoin'], at: 'expireSum', within: true },
  // What is left of the operator's holdings is not told. A merge answers its reward, too.
  { of: ['BatchMergeUtility_BatchMerge'], at: 'operatorChangeMap' },
  { at: 'optAppRewardCouponCid' },
  // Ends of delegations answer nothing.
  { of: ENDS_OF_MERGING, at: 'result' },
  // Allocations that end on their own have a time of their own there.
  { of: ['CoinAllocation'], at: 'payload.expiresAt' },
  { of: ['CoinAllocation'], at: 'cip-112/expiresAt' },
  // The choices that replaced others.
  { of: ['LockedCoin_Unlock', 'LockedCoin_OwnerExpireLock'], at: 'coin' },
  { of: ['LockedCoin_Unlock', 'LockedCoin_OwnerExpireLock'], at: 'coinCid' },
]

/** Beside the versions that the wallet’s package is made with, which are older than ours. */
export const OLDER: readonly Known[] = [
  ...ALWAYS,
  { at: 'transferPreapprovalBaseDuration' },
  { of: ['CoinRules_DevNet_Tap'], at: 'reason' },
  { of: ['LockedCoin_Unlock', 'LockedCoin_OwnerExpireLock'], at: 'coin' },
  { of: ['LockedCoin_Unlock', 'LockedCoin_OwnerExpireLock'], at: 'coinSum' },
  { of: ['Coin_Expire', 'LockedCoin_ExpireCoin'], at: 'expireSum.round.number' },
  // When the sender of a payment can take the coin back.
  { at: 'lockExpiresAt' },
  // Payments that come to nothing answer the coin alone.
  ...[
    'AcceptedAppPayment_Expire',
    'AcceptedAppPayment_Reject',
    'SubscriptionInitialPayment_Expire',
    'SubscriptionInitialPayment_Reject',
    'SubscriptionPayment_Expire',
    'SubscriptionPayment_Reject',
    'AnsEntryContext_RejectEntryInitialPayment',
  ].flatMap((choice) => [
    { of: [choice], at: 'coin' },
    { of: [choice], at: 'coinSum' },
  ]),
  // What the wallet's choices answer besides.
  ...['TransferOffer', 'AcceptedTransferOffer', 'BuyTrafficRequest'].flatMap((template) =>
    ['Withdraw', 'Abort', 'Cancel'].map((name) => ({
      of: [`${template}_${name}`, `WalletAppInstall_${template}_${name}`],
      at: 'reason',
    })),
  ),
  // Outcomes of a batch are all that the operations answer.
  { of: ['WalletAppInstall_ExecuteBatch'], at: 'endUserParty' },
  { of: ['WalletAppInstall_ExecuteBatch'], at: 'outcomes.value', within: true },
  { of: ['AcceptedTransferOffer_Complete'], at: 'receiverCoin' },
  { of: ['BuyTrafficRequest_Complete'], at: 'purchase' },
  { of: ['TransferPreapprovalProposal_Accept'], at: 'meta' },
  ...[
    'TransferFactory_Transfer',
    'TransferInstruction_Accept',
    'AllocationFactory_Allocate',
    'Allocation_ExecuteTransfer',
    'TransferPreapproval_Send',
  ].flatMap((choice) => [
    { of: [choice], at: 'sender' },
    { of: [choice], at: 'tx-kind' },
  ]),
]

/** Beside versions from before the development fund, which the packages of names are made with. */
export const OLDEST: readonly Known[] = [
  ...OLDER,
  { at: 'optDevelopmentFundPercentage' },
  { at: 'optDevelopmentFundManager' },
  { at: 'inputDevelopmentFundAmount' },
  // Texts have no blank at their end.
  { of: ['AnsRules'], at: 'descriptionPrefix' },
]

/** Contracts that only one side creates. */
const ONE_SIDED = {
  ours: [],
  // The next round’s configuration, and markers, which become coupons.
  released: ['ExternalPartyConfigState', 'FeaturedAppActivityMarker'],
} as const satisfies Readonly<Record<'ours' | 'released', readonly string[]>>

/**
 * True where one side refuses what the other does on purpose: by the refusal, and what the other
 * answers.
 */
export function isStricter(side: 'ours' | 'released', refusal: string, answer: string): boolean {
  return STRICTER[side].some(
    ([reason, answers]) => refusal.includes(reason) && answers.some((one) => answer.includes(one)),
  )
}

/** Parts of a refusal, and of what the other side answers in its place: one of them. */
type Stricter = readonly [refusal: string, answers: readonly string[]]

const STRICTER: Readonly<Record<'ours' | 'released', readonly Stricter[]>> = {
  // Of a batch each operation fails alone there, and here only what cannot be paid.
  ours: [
    ['the wallet that offers to host', ['Only a validator can create a proposal to host']],
    ['the owner of the input', ['Contract group identifier mismatch: expected ForOwner']],
    ['the new expiry is after the old one', ['newExpiresAt is after expiresAt']],
    ['too-late', ['has not expired', 'is not in the past']],
    // Nothing is paid or minted in a round that has not opened.
    ['too-early', ['COO_Error', 'COO_Tap']],
  ],
  released: [
    // Of older versions, where fees could use up what is locked.
    [
      'lock expires before',
      ['"acceptedPayment"', '"subscriptionPayment"', '"output"', 'TransferResultLockedCoin'],
    ],
    // Their dust is expired two rounds after its fees are as much as its amount, and not in a lock.
    ["is expired'", ['"expireSum"']],
    // Payments are collected in the round of their acceptance.
    ['matches round at collection', ['"receiverCoins"', '"subscription"', '"entryCid"']],
    // A batch by another's request is refused as a whole.
    ['unauthorised', ['ITR_InsufficientFunds']],
  ],
}

export function isKnown(known: readonly Known[], of: string, { at }: Difference): boolean {
  return known.some(
    (each) =>
      (each.of?.includes(of) ?? true) &&
      (at === each.at ||
        at.endsWith(`.${each.at}`) ||
        at.endsWith(`/${each.at}`) ||
        (each.within === true && at.startsWith(`${each.at}.`))),
  )
}

export function isOneSided(side: 'ours' | 'released', template: string): boolean {
  const all: readonly string[] = ONE_SIDED[side]
  return all.includes(template)
}
