// How many contracts of one kind others may have open on a party that did not sign them. Half is
// anybody's; the other is kept for signers who have few, so that nobody with some parties keeps the
// rest out. Each server counts in the store once a minute, and once a second beyond half, and adds
// what it opens itself. docs/configuration.md, Quotas
import { Recent } from '../../host/recent.ts'
import { MAX_NAMES } from '../../work/limits.ts'
import { counted } from './opened.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, ContractStore, StakesQuery } from '../../store/store.ts'

/** Part of what is left of the second half that one signer may have; at least one contract. */
const SHARE = 50

/** Time for which a count decides, milliseconds: other servers plant too. */
const FRESH_MS = { belowHalf: 60_000, beyondHalf: 1_000 }

/** Contracts of one kind that a transaction opens on one party. */
export interface Planting {
  /** An observer who neither signed nor asked for it. */
  readonly on: string
  /** The signatories, but for the exempt. */
  readonly by: readonly string[]
  readonly reference: string
  readonly count: number
}

interface Count {
  readonly open: number
  readonly countedMs: number
}

interface PlantedInput {
  readonly contracts: Pick<ContractStore, 'countStakes'>
  readonly limit: number
  /** Time that only rises, milliseconds. */
  readonly nowMs: () => number
}

export class Planted {
  readonly #input: PlantedInput
  readonly #counts = new Recent<Count>(MAX_NAMES)

  constructor(input: PlantedInput) {
    this.#input = input
  }

  /** `full`: there is none left; `uncounted`: `count` has to be asked first. */
  roomFor({ on, by, reference, count }: Planting): 'there' | 'full' | 'uncounted' {
    const { limit } = this.#input
    const all = this.#counts.get(nameOf(reference, on))
    if (all === undefined || !this.#areFresh([all], FRESH_MS.belowHalf)) return 'uncounted'
    const open = all.open + count
    if (open <= limit / 2) return 'there'
    const own = by.map((planter) => this.#counts.get(nameOf(reference, on, planter)))
    if (!this.#areFresh([all, ...own], FRESH_MS.beyondHalf)) return 'uncounted'
    const share = Math.max(1, (limit - all.open) / SHARE)
    const isShared = own.every((known) => (known?.open ?? 0) + count <= share)
    return isShared && open <= limit ? 'there' : 'full'
  }

  /** Adds what is about to be opened; a negative count takes back what came to nothing. */
  add({ on, by, reference, count }: Planting): void {
    for (const name of [nameOf(reference, on), ...by.map((each) => nameOf(reference, on, each))]) {
      const known = this.#counts.get(name)
      if (known !== undefined) this.#counts.set(name, { ...known, open: known.open + count })
    }
  }

  async count({ on, by, reference, count }: Planting): Promise<void> {
    const { limit } = this.#input
    const open = await this.#counted(reference, [on])
    if (open + count > limit / 2)
      await Promise.all(by.map((planter) => this.#counted(reference, [on, planter])))
  }

  async #counted(template: string, parties: StakesQuery['parties']): Promise<number> {
    const { contracts, limit, nowMs } = this.#input
    const open = await contracts.countStakes({ template, parties, limit })
    this.#counts.set(nameOf(template, ...parties), { open, countedMs: nowMs() })
    return open
  }

  #areFresh(counts: readonly (Count | undefined)[], freshMs: number): boolean {
    const since = this.#input.nowMs() - freshMs
    return counts.every((count) => count !== undefined && count.countedMs > since)
  }
}

/**
 * Contracts, of those that a transaction opens, on others: on observers who did not sign and whom
 * it does not act for. Those that only exempt parties sign count for nobody.
 *
 * @param exempt the network's parties and the operator
 * @param acting who asked for it
 */
export function plantingsOf(
  opened: readonly ContractRecord[],
  exempt: ReadonlySet<string>,
  acting: readonly string[],
): readonly Planting[] {
  const plantings: Omit<Planting, 'count'>[] = []
  for (const contract of opened) {
    const by = contract.signatories.filter((party) => !exempt.has(party))
    if (by.length === 0) continue
    for (const on of contract.observers)
      if (!exempt.has(on) && !acting.includes(on))
        plantings.push({ on, by, reference: templateOf(contract) })
  }
  return counted(plantings, ({ on, by, reference }) => nameOf(reference, on, ...by))
}

function nameOf(reference: string, ...parties: readonly string[]): string {
  return [reference, ...parties].join(' ')
}
