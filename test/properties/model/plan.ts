// What the model says to a command: a change, or every reason for which it may be refused. Which
// reason a service names first is its own business, so any of them will do; none is the model's
// mistake or the service's.
import { Overflow } from './arithmetic.ts'
import type { Economy, Entity } from './state.ts'
import { put, record, remove } from './state.ts'

export type Reason =
  /** No decimal, no id, not even a command. */
  | 'invalid'
  /** A plain requirement of the choice. */
  | 'requirement'
  | 'insufficient-funds'
  | 'too-many-inputs'
  /** Unknown, archived or invisible. */
  | 'not-found'
  | 'unauthorised'
  | 'too-late'
  | 'too-early'
  | 'duplicate'
  | 'unknown-synchronizer'
  | 'insufficient-topup'
  /** No round is open. */
  | 'no-round'

/** Amounts that one transfer moved; decimals. */
export interface Moved {
  readonly sender: string
  readonly inputs: readonly bigint[]
  readonly outputs: readonly bigint[]
  readonly change: bigint
  readonly minted: bigint
  readonly burned: bigint
  readonly round: bigint
}

export interface Change {
  readonly consume: readonly string[]
  readonly create: readonly Entity[]
  readonly minted?: bigint
  readonly burned?: bigint
  readonly moved?: Moved
  /** Dust goes without an entry in the history. */
  readonly isSilent?: boolean
  /** Everything that is no contract: statuses, traffic, rounds. */
  readonly also?: (economy: Economy) => void
}

export type Plan =
  | { readonly ok: true; readonly change: Change }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/** Someone else's contract: hidden from strangers, seen but not moved by stakeholders. */
export const FOREIGN: readonly Reason[] = ['not-found', 'unauthorised']

/** A condition and what it is called when it does not hold. */
export type Check = readonly [holds: boolean, ...reasons: readonly Reason[]]

/** A refusal. */
export function refuse(...reasons: readonly Reason[]): Plan {
  return { ok: false, reasons }
}

/** The change, unless a check fails or the change cannot be computed. */
export function judge(checks: readonly Check[], change: () => Change): Plan {
  const reasons = checks.flatMap(([holds, ...names]) => (holds ? [] : names))
  if (reasons.length > 0) return refuse(...new Set(reasons))
  try {
    return { ok: true, change: change() }
  } catch (error) {
    if (error instanceof Overflow) return refuse('requirement', 'invalid')
    throw error
  }
}

/** Ids for what a change creates; `apply` moves on. */
export function nameOf(economy: Economy, place: number): string {
  return `model-${economy.serial + place}`
}

/** Makes a change happen. */
export function apply(economy: Economy, change: Change): void {
  const moves = new Map<string, bigint>()
  const note = (entity: Entity, sign: bigint) => {
    if (entity.kind !== 'coin' || entity.lockedUntil !== null) return
    moves.set(entity.owner, (moves.get(entity.owner) ?? 0n) + sign * entity.amount)
  }
  for (const id of change.consume) note(remove(economy, id), -1n)
  for (const entity of change.create) put(economy, entity)
  for (const entity of change.create) note(entity, 1n)
  economy.serial += change.create.length
  economy.minted += change.minted ?? 0n
  economy.burned += change.burned ?? 0n
  if (change.isSilent !== true) for (const [party, amount] of moves) record(economy, party, amount)
  change.also?.(economy)
}
