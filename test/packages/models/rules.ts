// Who signs and sees the contracts of the model, who exercises and watches their choices, and what
// contracts are worth: by their payloads alone, whatever the product says.
// docs/authority.md
import { list, path } from '../../interfaces/ledger-kit.ts'
import { wire } from '../released.ts'

type PartiesOf = (payload: unknown) => readonly unknown[]

interface ContractRule {
  readonly signs: PartiesOf
  readonly sees?: PartiesOf
  /** Instrument and amount of what it holds. */
  readonly worth?: (payload: unknown) => readonly [instrument: string, amount: unknown]
}

const COIN = 'coin'
const at =
  (...places: readonly (readonly string[])[]): PartiesOf =>
  (payload) =>
    places.map((place) => path(payload, ...place))
const locked = wire('coin')
const leg = ['allocation', 'transferLeg'] as const

/** By the names of templates. */
export const CONTRACTS: Readonly<Record<string, ContractRule>> = {
  TokenRules: { signs: at(['admin']) },
  Token: {
    signs: at(['holding', 'owner'], ['holding', 'instrumentId', 'admin']),
    worth: (payload) => ['gold', path(payload, 'holding', 'amount')],
  },
  TokenTransferOffer: {
    signs: at(['transfer', 'sender'], ['transfer', 'instrumentId', 'admin']),
    sees: at(['transfer', 'receiver']),
    worth: (payload) => ['gold', path(payload, 'transfer', 'amount')],
  },
  TokenAllocation: {
    signs: at([...leg, 'sender'], [...leg, 'instrumentId', 'admin']),
    sees: at(['allocation', 'settlement', 'executor']),
    worth: (payload) => ['gold', path(payload, ...leg, 'amount')],
  },
  OTCTrade: { signs: at(['venue']) },
  TradeSettlementAgreement: { signs: at(['venue'], ['trader']) },
  WalletUserProxy: { signs: at(['provider']) },
  Probe: { signs: at(['owner']), sees: at(['seer']) },
  Note: { signs: at(['owner']) },
  [wire('Coin')]: {
    signs: at(['dso'], ['owner']),
    worth: (payload) => [COIN, path(payload, 'amount', 'initialAmount')],
  },
  [wire('LockedCoin')]: {
    signs: (payload) => [
      ...at([locked, 'dso'], [locked, 'owner'])(payload),
      ...list(path(payload, 'lock', 'holders')),
    ],
    worth: (payload) => [COIN, path(payload, locked, 'amount', 'initialAmount')],
  },
  [wire('CoinTransferInstruction')]: {
    signs: at(['transfer', 'sender'], ['transfer', 'instrumentId', 'admin']),
    sees: at(['transfer', 'receiver']),
  },
  [wire('CoinAllocation')]: {
    signs: at([...leg, 'sender'], [...leg, 'instrumentId', 'admin']),
    sees: at(['allocation', 'settlement', 'executor']),
  },
}

interface ChoiceRule {
  readonly actors: (payload: unknown, argument: unknown) => readonly unknown[]
  readonly watchers?: PartiesOf
}

const ofPayload = (...places: readonly (readonly string[])[]): ChoiceRule => ({
  actors: at(...places),
})
const ofArgument = (...places: readonly (readonly string[])[]): ChoiceRule => ({
  actors: (_, argument) => at(...places)(argument),
})
const settling = ofPayload(
  ['allocation', 'settlement', 'executor'],
  [...leg, 'sender'],
  [...leg, 'receiver'],
)

/** By the names of choices. */
export const CHOICES: Readonly<Record<string, ChoiceRule>> = {
  TransferFactory_Transfer: ofArgument(['transfer', 'sender']),
  TransferFactory_PublicFetch: ofArgument(['actor']),
  TransferInstruction_Accept: ofPayload(['transfer', 'receiver']),
  TransferInstruction_Reject: ofPayload(['transfer', 'receiver']),
  TransferInstruction_Withdraw: ofPayload(['transfer', 'sender']),
  AllocationFactory_Allocate: ofArgument([...leg, 'sender']),
  Allocation_ExecuteTransfer: settling,
  Allocation_Cancel: settling,
  Allocation_Withdraw: ofPayload([...leg, 'sender']),
  OTCTrade_Settle: ofPayload(['venue']),
  TradeSettlementAgreement_ExecuteTransferAsSender: ofPayload(['venue']),
  TradeSettlementAgreement_ExecuteTransferAsReceiver: {
    actors: (payload, argument) => [path(payload, 'venue'), path(argument, 'sender')],
  },
  WalletUserProxy_BatchTransfer: {
    actors: (_, argument) =>
      list(path(argument, 'transferCalls')).map((call) =>
        path(call, 'choiceArg', 'transfer', 'sender'),
      ),
  },
  Touch: { ...ofPayload(['owner']), watchers: at(['watcher']) },
  Forge: ofPayload(['owner']),
  Look: ofPayload(['owner']),
  Throw: ofPayload(['owner']),
  Catch: ofPayload(['owner']),
  [wire('CoinRules_DevNet_Tap')]: ofArgument(['receiver']),
  [wire('CoinRules_Transfer')]: {
    actors: (_, argument) => {
      const transfer = path(argument, 'transfer')
      const outputs = list(path(transfer, 'outputs'))
      return [
        ...at(['sender'], ['provider'])(transfer),
        ...outputs.flatMap((output) => {
          const lock = path(output, 'lock')
          return [path(output, 'receiver'), ...(lock === null ? [] : list(path(lock, 'holders')))]
        }),
      ]
    },
  },
  [wire('LockedCoin_Unlock')]: {
    actors: (payload) => [
      path(payload, locked, 'owner'),
      ...list(path(payload, 'lock', 'holders')),
    ],
  },
  [wire('LockedCoin_OwnerExpireLock')]: ofPayload([locked, 'owner']),
}
