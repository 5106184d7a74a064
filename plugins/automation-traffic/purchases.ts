// Adds up what members have bought, in as many looks as it takes. docs/economy-rules.md, "Traffic"
import { memberTraffic } from '../../runtime/economy.ts'
import type { ActivePosition, Contract, EconomyRun, MemberTraffic } from '../../runtime/economy.ts'

/** Purchases of one member that one look reads. */
const PAGE = 500

/** Members with more than a page that are remembered at most; then they are counted anew. */
const MAX_REMEMBERED = 1_000

export interface Counted {
  /** All that counts. */
  readonly bytes: bigint
  /** The number of contracts. */
  readonly number: number
  /** The oldest of them, a page at most. */
  readonly oldest: readonly Contract<MemberTraffic>[]
}

interface Pass extends Counted {
  readonly after: ActivePosition
  /**
   * Microseconds: what was made later does not count in this pass, or a merge of what was counted
   * would count again.
   */
  readonly until: bigint
}

export class Purchases {
  readonly #passes = new Map<string, Pass>()

  /**
   * Purchases of a member on this synchronizer that were made long enough ago; undefined where
   * there is more to read. Asks for a run for that, and when more of them count.
   */
  async count({ economy, again }: EconomyRun, member: string): Promise<Counted | undefined> {
    const {
      reader,
      clock,
      node,
      settings: { network },
    } = economy
    const pass = this.#passes.get(member)
    const wait = 1_000_000n * BigInt(network.traffic.applySeconds)
    const { until = clock.nowMicros() - wait } = pass ?? {}
    const page = await reader.active(
      memberTraffic,
      { memberId: member },
      { limit: PAGE, ...(pass === undefined ? {} : { after: pass.after }) },
    )
    for (const { createdAt } of page) if (createdAt > until) again.at(createdAt + wait)
    const found = page.filter(
      ({ createdAt, payload }) =>
        createdAt <= until &&
        payload.synchronizerId === node.synchronizerId &&
        payload.migrationId === BigInt(network.migrationId),
    )
    const counted = {
      bytes: found.reduce(
        (total, { payload }) => total + payload.totalPurchased,
        pass?.bytes ?? 0n,
      ),
      number: (pass?.number ?? 0) + found.length,
      oldest: pass === undefined || pass.oldest.length === 0 ? found : pass.oldest,
    }
    const last = page.length < PAGE ? undefined : page.at(-1)
    if (last === undefined) {
      this.#passes.delete(member)
      return counted
    }
    again.soon()
    if (this.#passes.size >= MAX_REMEMBERED) this.#passes.clear()
    this.#passes.set(member, {
      ...counted,
      after: { rank: last.record.rank, sequence: last.sequence },
      until,
    })
    return undefined
  }
}
