// Tells automations what commits changed: those of this server at once; those of others, and moves
// between synchronizers, when a look at the ledger's end shows that there are some.
// docs/decisions/0053-idle-means-idle.md
import type { ContractChange } from '../host/plugin.ts'
import { decodeUpdate } from '../engine/index.ts'
import type { CommittedUpdate, Engine, HistoryWatch, Transaction } from '../engine/index.ts'
import type { ContractStore, UpdateRecord } from '../store/store.ts'
import { withTrace } from './trace.ts'

/** Updates of others that are read for one look; where there are more, all may have changed. */
const MAX_MISSED = 200
const MAX_BYTES = 1_048_576

type Listener = (changes: readonly ContractChange[] | 'all') => void

interface ChangesOptions {
  readonly store: Pick<ContractStore, 'updatesAfter'>
  readonly engine: Pick<Engine, 'onCommitted'>
  /** Absent: only this server's own commits are told. */
  readonly history?: Pick<HistoryWatch, 'last' | 'onLook'> | undefined
}

export class Changes {
  readonly #store: ChangesOptions['store']
  /** By `Module:Entity`. */
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Up to this offset everything was told; undefined where nobody looks at the ledger's end. */
  #told: bigint | undefined
  /** Offsets beyond that which were. */
  readonly #beyond = new Set<bigint>()
  #isReading = false

  constructor({ store, engine, history }: ChangesOptions) {
    this.#store = store
    this.#told = history?.last.offset
    engine.onCommitted((update) => this.#own(update))
    history?.onLook((end) => void this.#catchUp(end))
  }

  /** Answers how to end it. */
  on(templates: readonly string[], listener: Listener): () => void {
    for (const template of templates) {
      const those = this.#listeners.get(template)
      if (those === undefined) this.#listeners.set(template, new Set([listener]))
      else those.add(listener)
    }
    return () => templates.forEach((template) => this.#listeners.get(template)?.delete(listener))
  }

  #own({ transaction, offset }: CommittedUpdate): void {
    if (this.#told !== undefined) {
      if (offset <= this.#told) return
      this.#beyond.add(offset)
      this.#pass(this.#told)
    }
    this.#tell(transaction, {})
  }

  /** A store that cannot be reached is asked at the next look. */
  async #catchUp(end: bigint): Promise<void> {
    const told = this.#told
    if (told === undefined || end <= told || this.#isReading) return
    this.#isReading = true
    const missed = await this.#store
      .updatesAfter(told, MAX_MISSED, MAX_BYTES)
      .catch(() => undefined)
    this.#isReading = false
    if (missed === undefined) return
    for (const update of missed) this.#others(update)
    // Too many of them, or some are pruned already.
    const last = missed.at(-1)?.offset ?? 0n
    if (last < end || missed[0]?.offset !== told + 1n) this.#tellAll()
    this.#pass(last < end ? end : last)
  }

  #others({ offset, body }: UpdateRecord): void {
    if (this.#told === undefined || offset <= this.#told || this.#beyond.has(offset)) return
    const update = decodeUpdate(body)
    if (update.kind === 'transaction') this.#tell(update.transaction, { isOthers: true })
    else this.#tellAll()
  }

  /** Everything up to here was told, and what follows on it. */
  #pass(offset: bigint): void {
    let told = this.#told === undefined || this.#told < offset ? offset : this.#told
    while (this.#beyond.delete(told + 1n)) told += 1n
    for (const each of this.#beyond) if (each <= told) this.#beyond.delete(each)
    this.#told = told
  }

  #tell(
    { events, traceContext }: Pick<Transaction, 'events' | 'traceContext'>,
    origin: Pick<ContractChange, 'isOthers'>,
  ): void {
    const told = new Map<Listener, ContractChange[]>()
    for (const event of events) {
      if (event.kind === 'exercise' && !event.consuming) continue
      const entity = entityOf(
        event.kind === 'create' ? event.contract.templateId : event.templateId,
      )
      const listeners = this.#listeners.get(entity)
      if (listeners === undefined || listeners.size === 0) continue
      const change: ContractChange =
        event.kind === 'create'
          ? {
              ...origin,
              entity,
              stakeholders: stakeholdersOf(event.contract),
              created: event.contract,
            }
          : { ...origin, entity, stakeholders: event.stakeholders }
      for (const listener of listeners) {
        const changes = told.get(listener)
        if (changes === undefined) told.set(listener, [change])
        else changes.push(change)
      }
    }
    for (const [listener, changes] of told) withTrace(traceContext, () => listener(changes))
  }

  #tellAll(): void {
    const all = new Set([...this.#listeners.values()].flatMap((some) => [...some]))
    for (const listener of all) listener('all')
  }
}

function stakeholdersOf({
  signatories,
  observers,
}: NonNullable<ContractChange['created']>): readonly string[] {
  return [...signatories, ...observers]
}

/** `Module:Entity` of a template's id, as triggers name it. */
export function entityOf(templateId: string): string {
  return templateId.slice(templateId.indexOf(':') + 1)
}
