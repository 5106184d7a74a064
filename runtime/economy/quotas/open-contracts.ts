// How many contracts of a kind a party may still make that automations have to look at. Counted in
// the store when a party is first met and whenever the room that was found is used up, so that most
// submissions count nothing. Per server, in memory.
import {
  acceptedTransferOffer,
  buyTrafficRequest,
  mergeDelegationProposal,
  mintingDelegation,
  mintingDelegationProposal,
  transferCommand,
  transferPreapprovalProposal,
  validatorRight,
  walletAppInstall,
} from '../../contracts/index.ts'
import type { TemplateKey, Transaction } from '../../engine/index.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractStore } from '../../store/store.ts'

interface Kind {
  readonly reference: string
  readonly name: string
  /** A party that signs for it and whose turn it is when automations look. */
  readonly party: Pick<TemplateKey<unknown>, 'column' | 'of'>
}

/** By reference. */
const WATCHED: ReadonlyMap<string, Kind> = new Map(
  [
    kindOf(acceptedTransferOffer.by('sender')),
    kindOf(buyTrafficRequest.by('endUserParty')),
    kindOf(mergeDelegationProposal.by('owner')),
    kindOf(mintingDelegation.by('beneficiary')),
    kindOf(mintingDelegationProposal.by('beneficiary')),
    kindOf(transferCommand.by('sender')),
    kindOf(transferPreapprovalProposal.by('receiver')),
    kindOf(validatorRight.by('user')),
    kindOf(walletAppInstall.by('endUserParty')),
  ].map((kind) => [kind.reference, kind]),
)

function kindOf<T>(party: TemplateKey<T>): Kind {
  const { reference, name } = party.template.type
  return { reference, name, party }
}

/** Parties and kinds that are remembered at most: then all are counted anew. */
const MAX_REMEMBERED = 10_000

/** A party without room is not counted again before, milliseconds. */
const RECOUNT_MS = 1_000

/** Contracts of one kind that a party is to have more. */
export interface Opening {
  readonly party: string
  readonly kind: Kind
  readonly count: number
}

interface Room {
  readonly left: number
  readonly countedMs: number
}

interface OpenContractsInput {
  readonly contracts: Pick<ContractStore, 'count'>
  readonly limit: number
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
}

export class OpenContracts {
  readonly #input: OpenContractsInput
  readonly #rooms = new Map<string, Room>()

  constructor(input: OpenContractsInput) {
    this.#input = input
  }

  /** `full`: there is none left; `uncounted`: `count` has to be asked first. */
  roomFor({ party, kind, count }: Opening): 'there' | 'full' | 'uncounted' {
    const room = this.#rooms.get(nameOf(party, kind))
    if (room === undefined) return 'uncounted'
    if (room.left >= count) return 'there'
    return this.#input.nowMs() - room.countedMs < RECOUNT_MS ? 'full' : 'uncounted'
  }

  /** Takes the room, or with a negative count gives it back. */
  take({ party, kind, count }: Opening): void {
    const name = nameOf(party, kind)
    const room = this.#rooms.get(name)
    if (room !== undefined) this.#rooms.set(name, { ...room, left: room.left - count })
  }

  async count({ party, kind }: Opening): Promise<void> {
    const { contracts, limit, nowMs } = this.#input
    const open = await contracts.count({
      template: kind.reference,
      key: { name: kind.party.column, value: party },
      limit,
    })
    if (this.#rooms.size >= MAX_REMEMBERED) this.#rooms.clear()
    this.#rooms.set(nameOf(party, kind), { left: limit - open, countedMs: nowMs() })
  }
}

/** What a transaction opens and does not close again. */
export function openingsOf({ events }: Transaction): readonly Opening[] {
  const closed = new Set(
    events.flatMap((event) =>
      event.kind === 'exercise' && event.consuming ? [event.contractId] : [],
    ),
  )
  const opened = events.flatMap((event): readonly Opening[] => {
    if (event.kind !== 'create' || closed.has(event.contract.contractId)) return []
    const kind = WATCHED.get(templateOf(event.contract))
    return kind === undefined ? [] : [{ party: kind.party.of(event.contract), kind, count: 1 }]
  })
  const alike = Map.groupBy(opened, ({ party, kind }) => nameOf(party, kind))
  return [...alike.values()].flatMap((openings) =>
    openings.slice(0, 1).map((first) => ({ ...first, count: openings.length })),
  )
}

function nameOf(party: string, { reference }: Kind): string {
  return `${reference} ${party}`
}
