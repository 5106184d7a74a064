// Values of the token standard, as the scenes write them.
import { NO_META } from '../kit.ts'
import { released, releasedModule } from '../released.ts'
import { FUTURE, LATER, PAST } from './stage.ts'
import type { Parties } from './stage.ts'

export const GOLD = 'Gold'

/** Arguments of choices that look into a context, with what they look for. */
export const extraOf = (values: object = {}): object => ({ context: { values }, meta: NO_META })

export const contractValue = (value: string): object => ({ tag: 'AV_ContractId', value })

/** An account of a party alone, or one that a provider keeps. */
export const account = (owner: string | null, provider: string | null = null, id = '') => ({
  owner,
  provider,
  id,
})

export const instrument = (admin: string) => ({ admin, id: GOLD })

export function transferOf(
  { admin, alice, bob }: Parties,
  inputHoldingCids: readonly string[],
  more: object = {},
): object {
  return {
    sender: alice,
    receiver: bob,
    amount: '2',
    instrumentId: instrument(admin),
    requestedAt: PAST,
    executeBefore: FUTURE,
    inputHoldingCids,
    meta: NO_META,
    ...more,
  }
}

export function settlementOf({ venue }: Parties, more: object = {}): object {
  return {
    executor: venue,
    settlementRef: { id: 'trade', cid: null },
    requestedAt: PAST,
    allocateBefore: FUTURE,
    settleBefore: LATER,
    meta: NO_META,
    ...more,
  }
}

export function legOf({ admin, alice, bob }: Parties, more: object = {}): object {
  return {
    sender: alice,
    receiver: bob,
    amount: '2',
    instrumentId: instrument(admin),
    meta: NO_META,
    ...more,
  }
}

const second = (name: string, module: string) => (entity: string) =>
  `#${released(`api-token-${name}-v2`)}:${releasedModule(`Api.Token.${module}V2`)}:${entity}`

/** Names of the interfaces of the standard's second version. */
export const interfacesV2 = {
  transferFactory: second('transfer-instruction', 'TransferInstruction')('TransferFactory'),
  transferInstruction: second('transfer-instruction', 'TransferInstruction')('TransferInstruction'),
  eventLog: second('transfer-events', 'TransferEvents')('EventLog'),
  allocationFactory: second('allocation-instruction', 'AllocationInstruction')('AllocationFactory'),
  allocationInstruction: second(
    'allocation-instruction',
    'AllocationInstruction',
  )('AllocationInstruction'),
  allocation: second('allocation', 'Allocation')('Allocation'),
  settlementFactory: second('allocation', 'Allocation')('SettlementFactory'),
  allocationRequest: second('allocation-request', 'AllocationRequest')('AllocationRequest'),
}

export const settlementV2 = ({ venue }: Parties, more: object = {}): object => ({
  executors: [venue],
  id: 'trade',
  cid: null,
  meta: NO_META,
  ...more,
})

/** A leg from one account to the other. */
export const legV2 = ({ alice, bob }: Parties): object => ({
  transferLegId: 'gold',
  sender: account(alice),
  receiver: account(bob),
  amount: '2',
  instrumentId: GOLD,
  meta: NO_META,
})

/** The part of the leg that one side allocates. */
export function allocationV2(
  { admin, alice, bob }: Parties,
  side: 'SenderSide' | 'ReceiverSide' = 'SenderSide',
  more: object = {},
): object {
  const [authorizer, otherside] = side === 'SenderSide' ? [alice, bob] : [bob, alice]
  return {
    admin,
    authorizer: account(authorizer),
    transferLegSides: [
      {
        transferLegId: 'gold',
        side,
        otherside: account(otherside),
        amount: '2',
        instrumentId: GOLD,
        meta: NO_META,
      },
    ],
    settlementDeadline: LATER,
    nextIterationFunding: null,
    committed: false,
    meta: NO_META,
    ...more,
  }
}

export const finalized = (allocationCid: string): object => ({
  allocationCid,
  extraTransferLegSides: [],
  nextIterationFunding: null,
})
