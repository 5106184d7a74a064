// What a batch has decided so far, seen together with what is stored: an update may use what an
// earlier one of its batch made.
import { AccrualSums } from './accruals.ts'
import type {
  Assignment,
  CommandRecord,
  CommitFacts,
  CommitWrites,
  ContractRecord,
  LogRecord,
  PrunableFact,
  Total,
  TotalKey,
} from '../store/store.ts'
import type { ProjectedFact } from './submission.ts'

interface Fresh {
  readonly contract: ContractRecord
  readonly createdOffset: bigint
  archivedOffset: bigint
  /** The synchronizer on which it was created. */
  readonly synchronizerId: string
}

export class BatchState {
  offset: bigint
  recordTime: bigint
  readonly accruals = new AccrualSums()
  readonly #facts: CommitFacts
  readonly #updates: CommitWrites['updates'][number][] = []
  readonly #created = new Map<string, Fresh>()
  readonly #archived = new Map<string, bigint>()
  /** Places of moved contracts, and every move. */
  readonly #assigned = new Map<string, string>()
  readonly #assignments: Assignment[] = []
  readonly #commands = new Map<string, CommandRecord>()
  readonly #totals = new Map<string, { readonly key: TotalKey; amount: bigint; count: bigint }>()
  readonly #logs: CommitWrites['logs'][number][] = []
  readonly #written = new Map<string, Map<string, PrunableFact>>()

  constructor(facts: CommitFacts) {
    this.#facts = facts
    this.offset = facts.end.offset
    this.recordTime = facts.end.recordTime
  }

  /**
   * Where an active contract is; undefined for one that is archived or unknown. One that is not in
   * flight is here, also where it was stored under an id that the synchronizer had before.
   */
  placeOf(contractId: string): 'here' | 'in-flight' | undefined {
    const fresh = this.#created.get(contractId)
    const known = fresh ?? this.#facts.states.get(contractId)
    if (known === undefined || known.archivedOffset !== 0n || this.#archived.has(contractId))
      return undefined
    const synchronizerId = this.#assigned.get(contractId) ?? known.synchronizerId
    return synchronizerId === '' ? 'in-flight' : 'here'
  }

  command(key: string): CommandRecord | undefined {
    return this.#commands.get(key) ?? this.#facts.commands.get(key)
  }

  fact(kind: string, key: string): string | undefined {
    return this.#written.get(kind)?.get(key)?.body ?? this.#facts.facts.get(kind)?.get(key)
  }

  /** The next update; everything written afterwards belongs to it. */
  open(update: Omit<CommitWrites['updates'][number], 'offset'>): void {
    this.offset += 1n
    this.recordTime = update.recordTime
    this.#updates.push({ offset: this.offset, ...update })
  }

  create(contract: ContractRecord, isTransient: boolean, synchronizerId: string): void {
    const archivedOffset = isTransient ? this.offset : 0n
    this.#created.set(contract.contractId, {
      contract,
      createdOffset: this.offset,
      archivedOffset,
      synchronizerId,
    })
  }

  archive(contractId: string): void {
    const fresh = this.#created.get(contractId)
    if (fresh === undefined) this.#archived.set(contractId, this.offset)
    else fresh.archivedOffset = this.offset
  }

  assign(contractId: string, synchronizerId: string): void {
    this.#assigned.set(contractId, synchronizerId)
    this.#assignments.push({ contractId, offset: this.offset, synchronizerId })
  }

  rememberCommand(command: CommandRecord): void {
    this.#commands.set(command.key, command)
  }

  addTotal({ name, account, amount, count }: TotalKey & Total): void {
    const id = `${name}\0${account}`
    const total = this.#totals.get(id)
    if (total === undefined) {
      this.#totals.set(id, { key: { name, account }, amount, count })
      return
    }
    total.amount += amount
    total.count += count
  }

  log(lines: readonly LogRecord[]): void {
    const { offset } = this
    this.#logs.push(...lines.map((line) => ({ ...line, offset })))
  }

  write({ isPrunable, ...fact }: ProjectedFact): void {
    const { kind, key } = fact
    const written = this.#written.get(kind) ?? new Map<string, PrunableFact>()
    const kept = isPrunable === true ? { ...fact, prunedWith: this.offset } : fact
    this.#written.set(kind, written.set(key, kept))
  }

  writes(): CommitWrites {
    return {
      updates: this.#updates,
      creates: [...this.#created.values()],
      archives: Array.from(this.#archived, ([contractId, offset]) => ({ contractId, offset })),
      assignments: this.#assignments,
      commands: [...this.#commands.values()],
      totals: this.#changedTotals(),
      accruals: this.accruals.rows(),
      logs: this.#logs,
      facts: this.#changedFacts(),
    }
  }

  #changedTotals(): CommitWrites['totals'] {
    const changed = [...this.#totals.values()].filter(
      ({ amount, count }) => amount !== 0n || count !== 0n,
    )
    return changed.map(({ key, amount, count }) => ({ ...key, amount, count }))
  }

  #changedFacts(): CommitWrites['facts'] {
    return [...this.#written.values()].flatMap((facts) => [...facts.values()])
  }
}
