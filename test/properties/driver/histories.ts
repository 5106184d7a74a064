// Parties' histories as they grow: reads what is new and keeps the sum, so that a look costs what
// happened since.
import { HISTORY_LOG } from '../../../runtime/economy/history/projector.ts'
import { member } from '../../../runtime/host/member.ts'
import { parseDecimal } from '../../../runtime/engine/index.ts'
import type { ContractStore, LogRecord } from '../../../runtime/store/store.ts'
import type { UpdateView } from '../world.ts'
import type { Parties } from './seen.ts'

const PAGE = 50

type Entries = UpdateView['entries']

export class Histories {
  readonly #store: ContractStore
  readonly #parties: Parties
  readonly #last = new Map<string, string>()
  readonly #sums = new Map<string, bigint>()
  readonly #fresh = new Map<string, Entries>()

  constructor(store: ContractStore, parties: Parties) {
    this.#store = store
    this.#parties = parties
  }

  /** The sum of all entries of a party, read up to now. */
  async sumOf(name: string): Promise<bigint> {
    const owner = this.#parties.idOf(name)
    const lines = await this.#newLines(owner)
    const [newest] = lines
    if (newest !== undefined) this.#last.set(name, newest.id)
    for (const line of lines) this.#note(name, owner, line)
    return this.#sums.get(name) ?? 0n
  }

  /** Entries of an update that were read; each update once. */
  entriesOf(updateId: string): Entries {
    const entries = this.#fresh.get(updateId) ?? []
    this.#fresh.delete(updateId)
    return entries
  }

  async #newLines(owner: string): Promise<readonly LogRecord[]> {
    const last = this.#last.get(this.#parties.nameOf(owner))
    const found: LogRecord[] = []
    for (let after = ''; ;) {
      const page = await this.#store.log({
        log: HISTORY_LOG,
        owner,
        after,
        limit: after === '' ? 3 : PAGE,
      })
      for (const line of page) {
        if (line.id === last) return found
        found.push(line)
      }
      const end = page.at(-1)
      if (end === undefined) return found
      after = end.id
    }
  }

  #note(party: string, owner: string, { id, body }: LogRecord): void {
    const entry: unknown = JSON.parse(body)
    if (member(entry, 'transaction_type') === 'notification') return
    const amount = changeOf(entry, owner)
    const updateId = id.slice(0, id.indexOf(':'))
    this.#sums.set(party, (this.#sums.get(party) ?? 0n) + amount)
    this.#fresh.set(updateId, [...(this.#fresh.get(updateId) ?? []), { party, amount }])
  }
}

/**
 * What an entry says that a party gained: as sender, and as receiver. docs/economy-rules.md,
 * "Histories"
 */
function changeOf(entry: unknown, owner: string): bigint {
  const [sender, receivers] = [member(entry, 'sender'), member(entry, 'receivers')]
  const parts: readonly unknown[] = [sender, ...(Array.isArray(receivers) ? receivers : [])]
  const own = parts.filter((part) => member(part, 'party') === owner)
  return own.reduce(
    (sum: bigint, part) => sum + (parseDecimal(String(member(part, 'amount'))) ?? 0n),
    0n,
  )
}
