// History in words: what each choice of the ledger means to the person whose history it is. The set
// of choices is open.
import { t } from './language.ts'

/** Groups that a filter distinguishes. */
export const GROUPS = {
  payment: t('Payments'),
  made: t('New coin'),
  automation: t('Rewards and merges'),
  traffic: t('Traffic'),
  preapproval: t('Preapprovals'),
  lock: t('Locks and expiry'),
  notice: t('Notices'),
  other: t('Others'),
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
  ['AcceptedTransferOffer_Complete', sides('payment', t('Offer paid'), t('Offer received'))],
  ['CoinRules_Transfer', sides('payment', t('Sent'), t('Received'))],
  ['CoinRules_LegacyTransfer', sides('payment', t('Sent'), t('Received'))],
  ['TransferPreapproval_Send', sides('payment', t('Sent in one step'), t('Received in one step'))],
  [
    'TransferFactory_Transfer',
    sides('payment', t('Two-step transfer begun'), t('Two-step transfer offered to you')),
  ],
  [
    'TransferInstruction_Accept',
    sides('payment', t('Two-step transfer was accepted'), t('Two-step transfer accepted')),
  ],
  [
    'TransferInstruction_Withdraw',
    sides(
      'payment',
      t('Two-step transfer withdrawn, coin returned'),
      t('Two-step transfer to you was withdrawn'),
    ),
  ],
  [
    'TransferInstruction_Reject',
    sides(
      'payment',
      t('Two-step transfer was rejected, coin returned'),
      t('Two-step transfer to you rejected'),
    ),
  ],
  [
    'TransferInstruction_Update',
    sides(
      'payment',
      t('Two-step transfer ended, coin returned'),
      t('Two-step transfer to you ended'),
    ),
  ],
  ['WalletAppInstall_ExecuteBatch', both('automation', t('Done by the wallet'))],
  ['CoinRules_BuyMemberTraffic', sides('traffic', t('Traffic bought'), t('Traffic sold'))],
  ['CoinRules_CreateTransferPreapproval', both('preapproval', t('Preapproval set up'))],
  ['TransferPreapproval_Renew', both('preapproval', t('Preapproval renewed'))],
  ['CoinRules_DevNet_Tap', both('made', t('Test coin received'))],
  ['CoinRules_Mint', both('made', t('Minted'))],
  ['LockedCoin_Unlock', both('lock', t('Lock released, coin returned'))],
  ['LockedCoin_OwnerExpireLock', both('lock', t('Lock expired, coin returned'))],
  ['LockedCoin_ExpireCoin', both('lock', t('Locked holding expired'))],
  ['Coin_Expire', both('lock', t('Holding expired'))],
  ['AppPaymentRequest_Accept', both('payment', t('Payment to an app accepted, coin locked'))],
  ['AcceptedAppPayment_Collect', sides('payment', t('App paid'), t('App payment collected'))],
  ['AcceptedAppPayment_Reject', both('payment', t('App payment was rejected, coin returned'))],
  ['AcceptedAppPayment_Expire', both('payment', t('App payment expired, coin returned'))],
  [
    'SubscriptionRequest_AcceptAndMakePayment',
    both('payment', t('Subscription begun, coin locked')),
  ],
  [
    'SubscriptionInitialPayment_Collect',
    sides('payment', t('Subscription paid, first time'), t('Subscription collected, first time')),
  ],
  [
    'SubscriptionInitialPayment_Reject',
    both('payment', t('Subscription was rejected, coin returned')),
  ],
  [
    'SubscriptionInitialPayment_Expire',
    both('payment', t('First subscription payment expired, coin returned')),
  ],
  [
    'SubscriptionIdleState_MakePayment',
    both('payment', t('Subscription payment begun, coin locked')),
  ],
  [
    'SubscriptionPayment_Collect',
    sides('payment', t('Subscription paid'), t('Subscription collected')),
  ],
  [
    'SubscriptionPayment_Reject',
    both('payment', t('Subscription payment was rejected, coin returned')),
  ],
  ['SubscriptionPayment_Expire', both('payment', t('Subscription payment expired, coin returned'))],
  ['SubscriptionIdleState_ExpireSubscription', both('notice', t('Subscription expired'))],
  [
    'AnsRules_CollectInitialEntryPayment',
    sides('payment', t('Name paid'), t('Name payment collected')),
  ],
  [
    'AnsRules_CollectEntryRenewalPayment',
    sides('payment', t('Name renewal paid'), t('Name renewal collected')),
  ],
])

/** Newer forms of a choice end in a number, and mean the same. */
const NEWER = /V\d+$/u

/** The words for a choice; undefined for one that this wallet does not know. */
export function wordsOf(choice: string): Words | undefined {
  return CHOICES.get(choice) ?? CHOICES.get(choice.replace(NEWER, ''))
}

/** The title of a notification: which operation of the wallet did not go through. */
export function noticeWords(choice: string, operation: string | undefined): string {
  if (operation === 'CO_CompleteAcceptedTransfer') return t('Payment of an offer failed')
  if (operation === 'CO_SubscriptionMakePayment') return t('Subscription payment failed')
  return wordsOf(choice)?.group === 'notice'
    ? (wordsOf(choice)?.sender ?? t('Notice'))
    : t('Notice')
}
