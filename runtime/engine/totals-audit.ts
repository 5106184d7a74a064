// Recomputes the totals of the store continuously, a page at a time: commits only add to totals, so
// a wrong one would stay wrong. Each sum is taken at one offset while the ledger continues, and
// nothing waits for it.
import { accruedAt, accruedBy } from './accruals.ts'
import { isSnapshotPruned, templateOf } from '../store/rules.ts'
import type {
  ContractRecord,
  ContractStore,
  KeysQuery,
  SnapshotQuery,
  Total,
  TotalKey,
} from '../store/store.ts'
import type { Invariants } from './invariants.ts'
import type { AnyTemplate, TemplateKey } from './template.ts'

type Audited = Pick<AnyTemplate, 'reference' | 'totalsOf' | 'accrualsOf'>

export interface AuditedTotal {
  readonly name: string
  /** Templates that declare it. */
  readonly templates: readonly Audited[]
  /** The key whose values are the accounts; absent where all is one sum, of the account ''. */
  readonly account?: Pick<TemplateKey<unknown>, 'column'>
  /** Whether accounts are parties with a stake in their contracts. */
  readonly areParties?: boolean
}

interface TotalsAuditOptions {
  readonly store: Pick<ContractStore, 'ledgerEnd' | 'total' | 'accruals' | 'keys' | 'snapshot'>
  readonly audited: readonly AuditedTotal[]
  readonly invariants: Invariants
  /** Contracts that one look reads at most; a total counts as one more. */
  readonly page: number
  /** The position at which growing amounts are compared. */
  readonly position: () => Promise<bigint>
}

interface Kept extends Total {
  /** Offset of the total. */
  readonly offset: bigint
  /** Growing amounts at `position`. */
  readonly accrued: bigint
  readonly position: bigint
}

type SnapshotPage = Awaited<ReturnType<ContractStore['snapshot']>>

interface Sum {
  amount: bigint
  count: bigint
  accrued: bigint
}

/** How often a look reads a total and its offset: a ledger that is busy moves on in between. */
const TRIES = 20
/** How many looks try so, before the next total is looked at. */
const LOOKS = 10

export class TotalsAudit {
  readonly #options: TotalsAuditOptions
  readonly #templates: ReadonlyMap<string, Audited>
  #pass: AsyncGenerator<void, void> | undefined
  /** Contracts that this look may still read. */
  #left = 0
  #isWrong = false
  /** Sums that were compared, since the start. */
  compared = 0
  /**
   * Totals that were not: between the total and its offset, the ledger moved on each time, or the
   * offset was pruned meanwhile.
   */
  missed = 0

  constructor(options: TotalsAuditOptions) {
    this.#options = options
    const templates = options.audited.flatMap((each) => each.templates)
    this.#templates = new Map(templates.map((each) => [each.reference, each]))
  }

  /**
   * Goes on where the last look stopped. True at the end of a pass over all totals. Rejects as the
   * store does.
   */
  async look(): Promise<boolean> {
    this.#left = this.#options.page
    this.#pass ??= this.#all()
    try {
      const { done = false } = await this.#pass.next()
      if (done) this.#pass = undefined
      return done
    } catch (error) {
      // A generator that threw is over.
      this.#pass = undefined
      throw error
    }
  }

  async *#all(): AsyncGenerator<void, void> {
    this.#isWrong = false
    for (const audited of this.#options.audited) {
      const { account, templates } = audited
      if (account === undefined) yield* this.#one(audited, '')
      else
        for (const { reference: template } of templates)
          yield* this.#each(audited, { template, name: account.column })
    }
    if (!this.#isWrong) this.#options.invariants.holds('totals')
  }

  async *#each(
    audited: AuditedTotal,
    accounts: Pick<KeysQuery, 'template' | 'name'>,
  ): AsyncGenerator<void, void> {
    const { store, page: limit } = this.#options
    for (let after = '', isMore = true; isMore;) {
      const page = await store.keys({ ...accounts, after, limit })
      for (const account of page) yield* this.#one(audited, account)
      after = page.at(-1) ?? ''
      isMore = page.length === limit
    }
  }

  async *#one(audited: AuditedTotal, account: string): AsyncGenerator<void, void> {
    const key = { name: audited.name, account }
    let kept = await this.#kept(key)
    for (let looks = 1; kept === undefined; looks += 1) {
      yield
      if (looks === LOOKS) return void (this.missed += 1)
      kept = await this.#kept(key)
    }
    const sum: Sum = { amount: 0n, count: 0n, accrued: 0n }
    const templates = audited.templates.map(({ reference }) => reference)
    const parties = audited.areParties === true ? [account] : []
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const limit = this.#left
      const query = { offset: kept.offset, templates, parties, after, limit }
      const page = await this.#page(query)
      if (page === undefined) return void (this.missed += 1)
      for (const { contract } of page) this.#add(sum, key, contract, kept.position)
      after = page.length < limit ? undefined : page.at(-1)?.sequence
      yield* this.#spend(page.length)
    }
    yield* this.#spend(1)
    this.#compare(key, kept, sum)
  }

  /** Undefined where the offset was pruned since its total was read. */
  async #page(query: SnapshotQuery): Promise<SnapshotPage | undefined> {
    try {
      return await this.#options.store.snapshot(query)
    } catch (error) {
      if (isSnapshotPruned(error)) return undefined
      throw error
    }
  }

  /** The total and the offset that it is of; undefined where the ledger moved on each time. */
  async #kept(key: TotalKey): Promise<Kept | undefined> {
    const { store } = this.#options
    const position = await this.#options.position()
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { offset } = await store.ledgerEnd()
      const total = await store.total(key)
      const accrued = accruedAt(await store.accruals({ ...key, at: position }), position)
      if ((await store.ledgerEnd()).offset === offset)
        return { ...total, offset, accrued, position }
    }
    return undefined
  }

  #add(sum: Sum, key: TotalKey, contract: ContractRecord, position: bigint): void {
    const template = this.#templates.get(templateOf(contract))
    const isOfKey = ({ name, account }: TotalKey): boolean =>
      name === key.name && account === key.account
    for (const { amount } of template?.totalsOf(contract).filter(isOfKey) ?? []) {
      sum.amount += amount
      sum.count += 1n
    }
    for (const one of template?.accrualsOf(contract).filter(isOfKey) ?? [])
      sum.accrued += accruedBy(one, position)
  }

  #compare({ name, account }: TotalKey, kept: Kept, sum: Sum): void {
    this.compared += 1
    const whose = account === '' ? '' : ` of ${account}`
    if (kept.amount !== sum.amount || kept.count !== sum.count)
      this.#breached(
        `the total ${name}${whose} is kept as ${kept.amount} in ${kept.count} contracts, ` +
          `those at offset ${kept.offset} add up to ${sum.amount} in ${sum.count}`,
      )
    if (kept.accrued !== sum.accrued)
      this.#breached(
        `what ${name}${whose} has accrued at ${kept.position} is kept as ${kept.accrued}, ` +
          `contracts at offset ${kept.offset} add up to ${sum.accrued}`,
      )
  }

  #breached(line: string): void {
    this.#isWrong = true
    this.#options.invariants.breached('totals', line)
  }

  *#spend(reads: number): Generator<void, void> {
    this.#left -= reads
    if (this.#left > 0) return
    // The look ends here; the next one has set what it may read.
    yield
  }
}
