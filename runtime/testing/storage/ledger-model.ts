// What a ledger must answer, from all that was written to it: every question is a search.
import { compareUtf8, SnapshotPruned, templateOf } from '../../store/rules.ts'
import type {
  ActiveContract,
  ActiveQuery,
  Assignment,
  CommandRecord,
  CommitWrites,
  ContractState,
  ContractStore,
  CountQuery,
  FactRecord,
  KeyName,
  KeysQuery,
  LedgerEnd,
  LogQuery,
  LogRecord,
  SnapshotQuery,
  StakesQuery,
  Total,
  TotalKey,
  UpdateRecord,
} from '../../store/store.ts'

/** The questions whose answers follow from what was written. */
export type Asked = Pick<
  ContractStore,
  | 'active'
  | 'byIds'
  | 'command'
  | 'count'
  | 'countStakes'
  | 'facts'
  | 'keys'
  | 'ledgerEnd'
  | 'log'
  | 'snapshot'
  | 'total'
  | 'updateAt'
  | 'updatesAfter'
>

interface Held extends ContractState {
  readonly sequence: bigint
  readonly moves: readonly Assignment[]
}

export class LedgerModel implements Asked {
  #held: readonly Held[] = []
  #created = 0n
  #end: LedgerEnd = { offset: 0n, recordTime: 0n }
  #prunedUpTo = 0n
  #updates: readonly UpdateRecord[] = []
  #lines: CommitWrites['logs'] = []
  #totals: CommitWrites['totals'] = []
  /** The latest of each kind and key, and of each key. */
  readonly #facts = new Map<string, CommitWrites['facts'][number]>()
  readonly #commands = new Map<string, CommandRecord>()

  write(writes: CommitWrites): void {
    const { archives, assignments } = writes
    const made = writes.creates.map((state) => ({
      ...state,
      sequence: (this.#created += 1n),
      moves: [],
    }))
    this.#held = [...this.#held, ...made].map((held) => {
      const isOwn = ({ contractId }: { readonly contractId: string }): boolean =>
        contractId === held.contract.contractId
      const archivedOffset = archives.find(isOwn)?.offset ?? held.archivedOffset
      return { ...held, archivedOffset, moves: [...held.moves, ...assignments.filter(isOwn)] }
    })
    this.#end = writes.updates.at(-1) ?? this.#end
    this.#updates = [...this.#updates, ...writes.updates]
    this.#lines = [...this.#lines, ...writes.logs]
    this.#totals = [...this.#totals, ...writes.totals]
    for (const fact of writes.facts) this.#facts.set(`${fact.kind}\0${fact.key}`, fact)
    for (const command of writes.commands) this.#commands.set(command.key, command)
  }

  prune(upTo: bigint): void {
    this.#prunedUpTo = upTo
    const isKept = ({ offset }: { readonly offset: bigint }): boolean => offset > upTo
    this.#updates = this.#updates.filter(isKept)
    this.#lines = this.#lines.filter(isKept)
    this.#held = this.#held.filter(
      ({ archivedOffset }) => archivedOffset === 0n || archivedOffset > upTo,
    )
    for (const [key, { prunedWith }] of this.#facts)
      if (prunedWith !== undefined && prunedWith <= upTo) this.#facts.delete(key)
  }

  async ledgerEnd(): Promise<LedgerEnd> {
    const { offset, recordTime } = this.#end
    return { offset, recordTime }
  }

  async active(query: ActiveQuery): Promise<readonly ActiveContract[]> {
    const { template, key, order, maxRank, after, limit } = query
    const found = this.#held.filter(
      (held) =>
        isActive(held, template) &&
        hasKey(held, key) &&
        (maxRank === undefined || held.contract.rank <= maxRank),
    )
    const sorted = order.startsWith('rank')
      ? found.toSorted((a, b) => Number(a.contract.rank - b.contract.rank))
      : found
    const all = order.endsWith('-desc') ? sorted.toReversed() : sorted
    const from = all.findIndex(({ sequence }) => sequence === after?.sequence) + 1
    return all.slice(from, from + limit).map((held) => activeAt(held))
  }

  async keys({ template, name, after, limit }: KeysQuery): Promise<readonly string[]> {
    const values = this.#held
      .filter((held) => isActive(held, template))
      .map(({ contract }) => contract[name])
    return [...new Set(values)]
      .filter((value) => value !== '' && compareUtf8(value, after) > 0)
      .toSorted(compareUtf8)
      .slice(0, limit)
  }

  async count({ template, key, limit }: CountQuery): Promise<number> {
    return (await this.active({ template, key, order: 'created', limit })).length
  }

  async countStakes({ template, parties, limit }: StakesQuery): Promise<number> {
    const found = this.#held.filter(
      (held) => isActive(held, template) && parties.every((party) => hasStake(held, party)),
    )
    return Math.min(found.length, limit)
  }

  async snapshot({ offset, templates, parties, after, limit }: SnapshotQuery) {
    if (offset < this.#prunedUpTo) throw new SnapshotPruned(this.#prunedUpTo)
    const found = this.#held.filter(
      (held) =>
        held.sequence > after &&
        held.createdOffset <= offset &&
        (held.archivedOffset === 0n || held.archivedOffset > offset) &&
        (templates.length === 0 || templates.includes(templateOf(held.contract))) &&
        (parties.length === 0 || parties.some((party) => hasStake(held, party))),
    )
    return found
      .slice(0, limit)
      .map((held) => ({ ...activeAt(held, offset), createdOffset: held.createdOffset }))
  }

  async byIds(contractIds: readonly string[]): Promise<readonly ContractState[]> {
    return this.#held
      .filter(({ contract }) => contractIds.includes(contract.contractId))
      .map((held) => {
        const { contract, createdOffset, archivedOffset } = held
        const { synchronizerId } = activeAt(held)
        return { contract, createdOffset, archivedOffset, synchronizerId }
      })
  }

  async total({ name, account }: TotalKey): Promise<Total> {
    const own = this.#totals.filter((row) => row.name === name && row.account === account)
    const sum = (one: keyof Total): bigint => own.reduce((total, row) => total + row[one], 0n)
    return { amount: sum('amount'), count: sum('count') }
  }

  async log({ log, owner, after, limit }: LogQuery): Promise<readonly LogRecord[]> {
    const own = this.#lines.filter((line) => line.log === log && line.owner === owner).toReversed()
    const from = own.findIndex(({ id }) => id === after) + 1
    const page = after !== '' && from === 0 ? [] : own.slice(from, from + limit)
    return page.map(({ id, body }) => ({ log, owner, id, body }))
  }

  async facts(kind: string, after: string, limit: number): Promise<readonly FactRecord[]> {
    return [...this.#facts.values()]
      .filter((fact) => fact.kind === kind && compareUtf8(fact.key, after) > 0)
      .toSorted((a, b) => compareUtf8(a.key, b.key))
      .slice(0, limit)
      .map(({ key, body }) => ({ kind, key, body }))
  }

  async command(key: string): Promise<CommandRecord | undefined> {
    return this.#commands.get(key)
  }

  async updatesAfter(offset: bigint, limit: number): Promise<readonly UpdateRecord[]> {
    return this.#updates
      .filter((update) => update.offset > offset)
      .slice(0, limit)
      .map((update) => ({ ...timeOf(update), body: update.body }))
  }

  async updateAt(recordTime: bigint): Promise<Omit<UpdateRecord, 'body'> | undefined> {
    const found = this.#updates.findLast((update) => update.recordTime <= recordTime)
    return found && timeOf(found)
  }
}

function timeOf({ offset, updateId, recordTime }: UpdateRecord): Omit<UpdateRecord, 'body'> {
  return { offset, updateId, recordTime }
}

function isActive({ contract, archivedOffset }: Held, template: string): boolean {
  return archivedOffset === 0n && templateOf(contract) === template
}

function hasKey(
  { contract }: Held,
  key: { readonly name: KeyName; readonly value: string } | undefined,
): boolean {
  return key === undefined || (key.value !== '' && contract[key.name] === key.value)
}

function hasStake({ contract: { signatories, observers } }: Held, party: string): boolean {
  return signatories.includes(party) || observers.includes(party)
}

/** A contract where it was right after an offset; without one, where it is. */
function activeAt({ contract, sequence, ...held }: Held, offset?: bigint): ActiveContract {
  const moves = held.moves.filter((move) => offset === undefined || move.offset <= offset)
  return {
    contract,
    sequence,
    synchronizerId: moves.at(-1)?.synchronizerId ?? held.synchronizerId,
  }
}
