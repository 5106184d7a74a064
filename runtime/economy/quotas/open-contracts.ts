// How many contracts of a kind a party may still make that automations have to look at. Counted in
// the store when a party is first met and whenever the room that was found is used up, so that most
// submissions count nothing. What automations end at once makes room again at once: so there is a
// rate besides. Per server, in memory.
import {
  acceptedAppPayment,
  acceptedTransferOffer,
  appPaymentRequest,
  buyTrafficRequest,
  featuredAppRight,
  mergeDelegationProposal,
  mintingDelegation,
  mintingDelegationProposal,
  subscriptionIdleState,
  subscriptionInitialPayment,
  subscriptionPayment,
  transferCommand,
  transferPreapprovalProposal,
  validatorRight,
  walletAppInstall,
} from '../../contracts/index.ts'
import type { TemplateKey } from '../../engine/index.ts'
import { Recent } from '../../host/recent.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, ContractStore } from '../../store/store.ts'
import { MAX_NAMES } from '../../work/limits.ts'
import { Rates } from '../../work/rates.ts'
import { counted } from './opened.ts'

interface Kind {
  readonly reference: string
  readonly name: string
  /**
   * A party that signs for it, or for whom alone it can be made, and whose turn it is when
   * automations look.
   */
  readonly party: Pick<TemplateKey<unknown>, 'column' | 'of'>
}

/** Counted kinds of contracts, by template reference. */
const WATCHED: ReadonlyMap<string, Kind> = new Map(
  [
    kindOf(acceptedAppPayment.by('sender')),
    kindOf(acceptedTransferOffer.by('sender')),
    kindOf(appPaymentRequest.by('sender')),
    kindOf(buyTrafficRequest.by('endUserParty')),
    kindOf(featuredAppRight.by('provider')),
    kindOf(mergeDelegationProposal.by('owner')),
    kindOf(mintingDelegation.by('beneficiary')),
    kindOf(mintingDelegationProposal.by('beneficiary')),
    kindOf(subscriptionIdleState.by('sender')),
    kindOf(subscriptionInitialPayment.by('sender')),
    kindOf(subscriptionPayment.by('sender')),
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

/** Contracts that were opened by submissions: all of them, and those of submissions that ended. */
interface Tally {
  readonly begun: number
  readonly ended: number
}

const NONE: Tally = { begun: 0, ended: 0 }

interface OpenContractsInput {
  readonly contracts: Pick<ContractStore, 'count'>
  readonly limit: number
  /** Contracts per second in the long run; at once `limit`. */
  readonly perSecond: number
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
}

export class OpenContracts {
  readonly #input: OpenContractsInput
  readonly #rates: Rates
  readonly #rooms = new Recent<Room>(MAX_NAMES)
  readonly #tallies = new Recent<Tally>(MAX_NAMES)

  constructor(input: OpenContractsInput) {
    this.#input = input
    this.#rates = new Rates({ perSecond: input.perSecond, burst: input.limit }, input.nowMs)
  }

  /** `full`: there is none left; `uncounted`: `count` has to be asked first. */
  roomFor({ party, kind, count }: Opening): 'there' | 'full' | 'uncounted' {
    const room = this.#rooms.get(nameOf(party, kind))
    if (room === undefined) return 'uncounted'
    if (room.left >= count) return 'there'
    return this.#input.nowMs() - room.countedMs < RECOUNT_MS ? 'full' : 'uncounted'
  }

  /**
   * Takes room that is there, until `end` or `giveBack`; answers how long that has to wait where
   * the party opened too many lately, milliseconds, else 0.
   */
  take({ party, kind, count }: Opening): number {
    const name = nameOf(party, kind)
    const waitMs = this.#rates.take(name, count)
    if (waitMs === 0) this.#change(name, { left: -count, begun: count })
    return waitMs
  }

  /** Nothing came of it. */
  giveBack({ party, kind, count }: Opening): void {
    const name = nameOf(party, kind)
    this.#rates.giveBack(name, count)
    this.#change(name, { left: count, begun: -count })
  }

  /** The contracts are there, and are counted where it is counted anew. */
  end({ party, kind, count }: Opening): void {
    this.#change(nameOf(party, kind), { ended: count })
  }

  async count({ party, kind }: Opening): Promise<void> {
    const { contracts, limit, nowMs } = this.#input
    const name = nameOf(party, kind)
    const before = this.#tallies.get(name) ?? NONE
    const open = await contracts.count({
      template: kind.reference,
      key: { name: kind.party.column, value: party },
      limit,
    })
    // Whatever had not ended by then may be among those counted or not.
    const begun = Math.max(0, (this.#tallies.get(name) ?? NONE).begun - before.ended)
    this.#rooms.set(name, { left: limit - open - begun, countedMs: nowMs() })
  }

  #change(name: string, { left = 0, begun = 0, ended = 0 }: Partial<Tally & Room>): void {
    const room = this.#rooms.get(name)
    if (room !== undefined) this.#rooms.set(name, { ...room, left: room.left + left })
    const tally = this.#tallies.get(name) ?? NONE
    this.#tallies.set(name, { begun: tally.begun + begun, ended: tally.ended + ended })
  }
}

/** Counted contracts among those that a transaction opens. */
export function openingsOf(opened: readonly ContractRecord[]): readonly Opening[] {
  const watched = opened.flatMap((contract) => {
    const kind = WATCHED.get(templateOf(contract))
    return kind === undefined ? [] : [{ party: kind.party.of(contract), kind }]
  })
  return counted(watched, ({ party, kind }) => nameOf(party, kind))
}

function nameOf(party: string, { reference }: Kind): string {
  return `${reference} ${party}`
}
