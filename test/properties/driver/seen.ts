// Contracts of the ledger as the property tests speak of them: party names are the model's, ids the
// ledger's. Everything that an update made is kept in a book, since updates name what they archive
// by id alone.
import type {
  AcceptedTransferOffer,
  Coin,
  OpenMiningRound,
} from '../../../generated/contracts.gen.ts'
import {
  acceptedTransferOffer,
  appRewardCoupon,
  coin,
  coinTransferInstruction,
  lockedCoin,
  openMiningRound,
  ownerOf,
  transferOffer,
  transferPreapproval,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
} from '../../../runtime/contracts/index.ts'
import { DECIMAL_ONE, formatDecimal } from '../../../runtime/engine/index.ts'
import type { ContractRecord } from '../../../runtime/store/store.ts'
import type { CouponView, Holding, InstructionView, OfferView, PreapprovalView } from '../world.ts'

/** Names of parties: the model's, and what the ledger calls them. */
export class Parties {
  readonly #ids: ReadonlyMap<string, string>
  readonly #names: ReadonlyMap<string, string>

  constructor(idByName: ReadonlyMap<string, string>) {
    this.#ids = idByName
    this.#names = new Map([...idByName].map(([name, id]) => [id, name]))
  }

  idOf(name: string): string {
    return this.#ids.get(name) ?? name
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id
  }
}

export type Seen =
  | { readonly kind: 'holding'; readonly value: Holding }
  | { readonly kind: 'instruction'; readonly value: InstructionView }
  | { readonly kind: 'offer' | 'accepted'; readonly value: OfferView }
  | { readonly kind: 'preapproval'; readonly value: PreapprovalView }
  | { readonly kind: 'coupon'; readonly value: CouponView }
  | { readonly kind: 'open-round'; readonly value: OpenMiningRound }

type ReadContract = (record: ContractRecord, parties: Parties) => Seen

const READERS: ReadonlyMap<string, ReadContract> = new Map<string, ReadContract>([
  [coin.type.id, (record, parties) => holding(record.contractId, coin.open(record), null, parties)],
  [
    lockedCoin.type.id,
    (record, parties) => {
      const { coin: held, lock } = lockedCoin.open(record)
      return holding(record.contractId, held, lock.expiresAt, parties)
    },
  ],
  [coinTransferInstruction.type.id, instruction],
  [
    transferOffer.type.id,
    (record, parties) => offer('offer', record.contractId, transferOffer.open(record), parties),
  ],
  [
    acceptedTransferOffer.type.id,
    (record, parties) =>
      offer('accepted', record.contractId, acceptedTransferOffer.open(record), parties),
  ],
  [transferPreapproval.type.id, preapproval],
  [
    appRewardCoupon.type.id,
    (record, parties) => {
      const payload = appRewardCoupon.open(record)
      return coupon(record, 'app', { ...payload, beneficiary: parties.nameOf(ownerOf(payload)) })
    },
  ],
  [
    validatorRewardCoupon.type.id,
    (record, parties) => {
      const { user, ...payload } = validatorRewardCoupon.open(record)
      return coupon(record, 'validator', {
        ...payload,
        beneficiary: parties.nameOf(user),
        featured: false,
      })
    },
  ],
  [
    validatorLivenessActivityRecord.type.id,
    (record, parties) => {
      const { validator, round } = validatorLivenessActivityRecord.open(record)
      return coupon(record, 'liveness', {
        beneficiary: parties.nameOf(validator),
        featured: false,
        amount: DECIMAL_ONE,
        round,
      })
    },
  ],
  [
    openMiningRound.type.id,
    (record) => ({ kind: 'open-round', value: openMiningRound.open(record) }),
  ],
])

/** The contract, undefined for one of a template that the model does not know. */
export function seenOf(record: ContractRecord, parties: Parties): Seen | undefined {
  return READERS.get(record.templateId)?.(record, parties)
}

function holding(
  id: string,
  { owner, amount }: Coin,
  lockedUntil: bigint | null,
  parties: Parties,
): Seen {
  const {
    initialAmount,
    createdAt: createdRound,
    ratePerRound: { rate },
  } = amount
  const amountText = formatDecimal(initialAmount)
  return {
    kind: 'holding',
    value: {
      id,
      owner: parties.nameOf(owner),
      amount: initialAmount,
      amountText,
      createdRound,
      rate,
      lockedUntil,
    },
  }
}

function instruction(record: ContractRecord, parties: Parties): Seen {
  const { lockedCoin: locked, transfer } = coinTransferInstruction.open(record)
  const { amount, requestedAt, executeBefore } = transfer
  const [sender, receiver] = [parties.nameOf(transfer.sender), parties.nameOf(transfer.receiver)]
  return {
    kind: 'instruction',
    value: { id: record.contractId, sender, receiver, amount, requestedAt, executeBefore, locked },
  }
}

type OfferParties = Pick<AcceptedTransferOffer, 'sender' | 'receiver' | 'trackingId'>

function offer(
  kind: 'offer' | 'accepted',
  id: string,
  { sender, receiver, trackingId }: OfferParties,
  parties: Parties,
): Seen {
  return {
    kind,
    value: { id, sender: parties.nameOf(sender), receiver: parties.nameOf(receiver), trackingId },
  }
}

function preapproval(record: ContractRecord, parties: Parties): Seen {
  const { receiver, provider, validFrom, lastRenewedAt, expiresAt } =
    transferPreapproval.open(record)
  const named = { receiver: parties.nameOf(receiver), provider: parties.nameOf(provider) }
  return {
    kind: 'preapproval',
    value: { id: record.contractId, ...named, validFrom, lastRenewedAt, expiresAt },
  }
}

function coupon(
  { contractId: id }: ContractRecord,
  of: CouponView['of'],
  { featured, beneficiary, amount, round }: Omit<CouponView, 'id' | 'of'>,
): Seen {
  return { kind: 'coupon', value: { id, of, featured, beneficiary, amount, round } }
}

/** Everything that updates made so far, archived or not. */
export class SeenBook {
  readonly parties: Parties
  readonly #records = new Map<string, ContractRecord>()
  readonly #seen = new Map<string, Seen>()
  readonly #opened = new Map<bigint, OpenMiningRound>()
  readonly #tracked = new Map<string, OfferView>()
  readonly #received = new Map<string, bigint>()

  constructor(parties: Parties) {
    this.parties = parties
  }

  note(record: ContractRecord): Seen | undefined {
    const seen = seenOf(record, this.parties)
    this.#records.set(record.contractId, record)
    if (seen === undefined) return undefined
    this.#seen.set(record.contractId, seen)
    if (seen.kind === 'open-round') this.#opened.set(seen.value.round, seen.value)
    if (seen.kind === 'offer')
      this.#tracked.set(`${seen.value.sender}\n${seen.value.trackingId}`, seen.value)
    if (seen.kind === 'coupon' && seen.value.of === 'liveness') {
      this.#received.set(
        seen.value.beneficiary,
        (this.#received.get(seen.value.beneficiary) ?? 0n) + 1n,
      )
    }
    return seen
  }

  /** Lets go of what is archived and will not be asked for again. */
  forget(contractIds: Iterable<string>): void {
    for (const contractId of contractIds) {
      this.#records.delete(contractId)
      this.#seen.delete(contractId)
    }
  }

  get(contractId: string): Seen | undefined {
    return this.#seen.get(contractId)
  }

  record(contractId: string): ContractRecord | undefined {
    return this.#records.get(contractId)
  }

  holding(contractId: string): Holding | undefined {
    const seen = this.#seen.get(contractId)
    return seen?.kind === 'holding' ? seen.value : undefined
  }

  /** The round as it was when it was open. */
  opened(round: bigint): OpenMiningRound | undefined {
    return this.#opened.get(round)
  }

  /** One offer for each tracking id that was ever used. */
  tracked(): Iterable<readonly [key: string, offer: OfferView]> {
    return this.#tracked
  }

  /** Liveness records that a validator ever got. */
  received(validator: string): bigint {
    return this.#received.get(validator) ?? 0n
  }
}
