// The audit that goes on beside requests in every server: totals against holdings, and that nothing
// stays behind in memory. Quiet unless something is wrong. docs/operations.md, Invariants
import { coin, lockedCoin, memberTraffic, allTemplates } from '../contracts/index.ts'
import type { Logger } from '../host/log.ts'
import { TotalsAudit } from '../engine/index.ts'
import type { AuditedTotal } from '../engine/index.ts'
import type { Economy } from './economy.ts'
import type { ContractStore } from '../store/store.ts'

interface AuditSettings {
  /** Milliseconds between two looks; 0: never. */
  readonly everyMs: number
  /** Contracts that a look reads at most. */
  readonly page: number
  /** Milliseconds from the end of one pass over all totals to the next. */
  readonly restMs: number
}

interface AuditOptions {
  readonly store: ContractStore
  readonly economy: Pick<Economy, 'engine' | 'network'>
  readonly settings: AuditSettings
  readonly log: Logger | undefined
}

/** Rests of a ledger in which nothing happens. */
const IDLE_RESTS = 10

export interface Audit {
  /** Totals that were compared, since the start. */
  readonly compared: number
  /** Totals that could not be: the ledger moved on whenever one was read. */
  readonly missed: number
  /** Resolves when the look that is under way has ended. */
  stop(): Promise<void>
}

/** Begins to look; nothing of it can fail a request. */
export function startAudit({ store, economy, settings, log }: AuditOptions): Audit {
  const { engine, network } = economy
  const { everyMs, page, restMs } = settings
  const totals = new TotalsAudit({
    store,
    audited: audited(),
    invariants: engine.invariants,
    page,
    position: async () => (await network.usableRound())?.payload.round ?? 0n,
  })
  let lookedAt = -1n
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isStopped = everyMs === 0
  const later = (ms: number): void => {
    if (!isStopped) timer = setTimeout(() => (looking = look()), ms).unref()
  }
  /** Longer where nothing has been committed since the pass before. */
  const rest = async (): Promise<number> => {
    const { offset } = await store.ledgerEnd().catch(() => ({ offset: lookedAt - 1n }))
    const isIdle = offset === lookedAt
    lookedAt = offset
    return isIdle ? IDLE_RESTS * restMs : restMs
  }
  const look = async (): Promise<void> => {
    engine.auditMemory()
    const isOver = await totals.look().catch((error: unknown) => {
      // A store that cannot be reached is its own health's matter.
      log?.debug({ err: error }, 'the audit of totals will begin again')
      return true
    })
    later(isOver ? await rest() : everyMs)
  }
  later(everyMs)
  return {
    get compared() {
      return totals.compared
    },
    get missed() {
      return totals.missed
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** The sums that holdings must have. */
function audited(): readonly AuditedTotal[] {
  const of = (...some: readonly { readonly type: { readonly id: string } }[]) =>
    allTemplates.filter(({ id }) => some.some(({ type }) => type.id === id))
  return [
    { name: 'supply', templates: of(coin, lockedCoin) },
    { name: 'unlocked', templates: of(coin), account: coin.by('owner'), areParties: true },
    {
      name: 'locked',
      templates: of(lockedCoin),
      account: lockedCoin.by('owner'),
      areParties: true,
    },
    { name: 'traffic', templates: of(memberTraffic), account: memberTraffic.by('memberId') },
  ]
}
