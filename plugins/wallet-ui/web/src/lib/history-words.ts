// History in words: what each choice of the ledger means to the person whose history it is. The set
// of choices is open.

/** What a filter tells apart. */
export const GROUPS = {
  payment: 'Payments',
  made: 'New coin',
  automation: 'Rewards and merges',
  traffic: 'Traffic',
  preapproval: 'Preapprovals',
  lock: 'Locks and expiry',
  notice: 'Notices',
  other: 'Others',
} as const

export type Group = keyof typeof GROUPS

interface Words {
  readonly group: Group
  readonly sender: string
  readonly receiver: string
}

const both = (group: Group, text: string): Words => ({ group, sender: text, receiver: text })
const sides = (group: Group, sender: string, receiver: string): Words => ({
  group,
  sender,
  receiver,
})

const CHOICES: ReadonlyMap<string, Words> = new Map([
  ['AcceptedTransferOffer_Complete', sides('payment', 'Offer paid', 'Offer received')],
  ['CoinRules_Transfer', sides('payment', 'Sent', 'Received')],
  ['CoinRules_LegacyTransfer', sides('payment', 'Sent', 'Received')],
  ['TransferPreapproval_Send', sides('payment', 'Sent in one step', 'Received in one step')],
  [
    'TransferFactory_Transfer',
    sides('payment', 'Two-step transfer begun', 'Two-step transfer offered to you'),
  ],
  [
    'TransferInstruction_Accept',
    sides('payment', 'Two-step transfer was accepted', 'Two-step transfer accepted'),
  ],
  [
    'TransferInstruction_Withdraw',
    sides(
      'payment',
      'Two-step transfer withdrawn, coin returned',
      'Two-step transfer to you was withdrawn',
    ),
  ],
  [
    'TransferInstruction_Reject',
    sides(
      'payment',
      'Two-step transfer was rejected, coin returned',
      'Two-step transfer to you rejected',
    ),
  ],
  [
    'TransferInstruction_Update',
    sides('payment', 'Two-step transfer ended, coin returned', 'Two-step transfer to you ended'),
  ],
  ['WalletAppInstall_ExecuteBatch', both('automation', 'Done by the wallet')],
  ['CoinRules_BuyMemberTraffic', sides('traffic', 'Traffic bought', 'Traffic sold')],
  ['CoinRules_CreateTransferPreapproval', both('preapproval', 'Preapproval set up')],
  ['TransferPreapproval_Renew', both('preapproval', 'Preapproval renewed')],
  ['CoinRules_DevNet_Tap', both('made', 'Tapped')],
  ['CoinRules_Mint', both('made', 'Minted')],
  ['LockedCoin_Unlock', both('lock', 'Lock released, coin returned')],
  ['LockedCoin_OwnerExpireLock', both('lock', 'Lock expired, coin returned')],
  ['LockedCoin_ExpireCoin', both('lock', 'Locked holding expired')],
  ['Coin_Expire', both('lock', 'Holding expired')],
  ['AppPaymentRequest_Accept', both('payment', 'Payment to an app accepted, coin locked')],
  ['AcceptedAppPayment_Collect', sides('payment', 'App paid', 'App payment collected')],
  ['AcceptedAppPayment_Reject', both('payment', 'App payment was rejected, coin returned')],
  ['AcceptedAppPayment_Expire', both('payment', 'App payment expired, coin returned')],
  ['SubscriptionRequest_AcceptAndMakePayment', both('payment', 'Subscription begun, coin locked')],
  [
    'SubscriptionInitialPayment_Collect',
    sides('payment', 'Subscription paid, first time', 'Subscription collected, first time'),
  ],
  [
    'SubscriptionInitialPayment_Reject',
    both('payment', 'Subscription was rejected, coin returned'),
  ],
  [
    'SubscriptionInitialPayment_Expire',
    both('payment', 'First subscription payment expired, coin returned'),
  ],
  ['SubscriptionIdleState_MakePayment', both('payment', 'Subscription payment begun, coin locked')],
  ['SubscriptionPayment_Collect', sides('payment', 'Subscription paid', 'Subscription collected')],
  [
    'SubscriptionPayment_Reject',
    both('payment', 'Subscription payment was rejected, coin returned'),
  ],
  ['SubscriptionPayment_Expire', both('payment', 'Subscription payment expired, coin returned')],
  ['SubscriptionIdleState_ExpireSubscription', both('notice', 'Subscription expired')],
  ['AnsRules_CollectInitialEntryPayment', sides('payment', 'Name paid', 'Name payment collected')],
  [
    'AnsRules_CollectEntryRenewalPayment',
    sides('payment', 'Name renewal paid', 'Name renewal collected'),
  ],
])

/** Newer forms of a choice end in a number, and mean the same. */
const NEWER = /V\d+$/u

/** Of a choice; undefined for one that this wallet does not know. */
export function wordsOf(choice: string): Words | undefined {
  return CHOICES.get(choice) ?? CHOICES.get(choice.replace(NEWER, ''))
}

/** The title of a notification: which operation of the wallet did not go through. */
export function noticeWords(choice: string, operation: string | undefined): string {
  if (operation === 'CO_CompleteAcceptedTransfer') return 'Payment of an offer failed'
  if (operation === 'CO_SubscriptionMakePayment') return 'Subscription payment failed'
  return wordsOf(choice)?.group === 'notice' ? (wordsOf(choice)?.sender ?? 'Notice') : 'Notice'
}
