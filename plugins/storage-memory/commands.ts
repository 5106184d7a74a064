// Commands by key, and in the order in which they expire: to forget costs what is forgotten.
import { compareUtf8 } from '../../runtime/index.ts'
import { SortedList } from './sorted-list.ts'
import type { CommandRecord } from '../../runtime/index.ts'

export class Commands {
  readonly #byKey = new Map<string, CommandRecord>()
  readonly #byEnd = new SortedList(byEnd, [])

  /** In place of the one of this key. */
  put(command: CommandRecord): void {
    const known = this.#byKey.get(command.key)
    if (known !== undefined) this.#byEnd.delete(known)
    this.#byKey.set(command.key, command)
    this.#byEnd.insert(command)
  }

  get(key: string): CommandRecord | undefined {
    return this.#byKey.get(key)
  }

  /** At most so many of those that were kept until before `recordTime`; answers how many went. */
  forget(recordTime: bigint, limit: number): number {
    const first = this.#byEnd.upwards(() => false).take(limit)
    const gone: CommandRecord[] = []
    for (const command of first) {
      if (command.keptUntil >= recordTime) break
      gone.push(command)
    }
    for (const command of gone) {
      this.#byKey.delete(command.key)
      this.#byEnd.delete(command)
    }
    return gone.length
  }
}

function byEnd(one: CommandRecord, other: CommandRecord): number {
  if (one.keptUntil !== other.keptUntil) return one.keptUntil < other.keptUntil ? -1 : 1
  return compareUtf8(one.key, other.key)
}
