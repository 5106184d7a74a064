// Adds up anew what the totals of the store say, all the time and a page at a time: commits only
// ever add to them, so that one that was wrong once would stay wrong. Each sum is taken at one
// offset while the ledger goes on, and nothing waits for it.
import { templateOf } from '../store/rules.ts'
import type { ContractRecord, ContractStore, KeysQuery, Total, TotalKey } from '../store/store.ts'
import type { Invariants } from './invariants.ts'
import type { AnyTemplate, TemplateKey } from './template.ts'

export interface AuditedTotal {
  readonly name: string
  /** Those that declare it. */
  readonly templates: readonly Pick<AnyTemplate, 'reference' | 'totalsOf'>[]
  /** The key whose values are the accounts; absent where all is one sum, of the account ''. */
  readonly account?: Pick<TemplateKey<unknown>, 'column'>
  /** Whether accounts are parties with a stake in their contracts. */
  readonly areParties?: boolean
}

interface TotalsAuditOptions {
  readonly store: Pick<ContractStore, 'ledgerEnd' | 'total' | 'keys' | 'snapshot'>
  readonly audited: readonly AuditedTotal[]
  readonly invariants: Invariants
  /** Contracts that one look reads at most; a total counts as one more. */
  readonly page: number
}

interface Kept extends Total {
  /** That the total is of. */
  readonly offset: bigint
}

interface Sum {
  amount: bigint
  count: bigint
}

/**
 * How often the total and its offset are read before the next one is looked at: a ledger that is
 * busy moves on in between.
 */
const TRIES = 20

export class TotalsAudit {
  readonly #options: TotalsAuditOptions
  readonly #templates: ReadonlyMap<string, Pick<AnyTemplate, 'totalsOf'>>
  #pass: AsyncGenerator<void, void> | undefined
  /** What this look may still read. */
  #left = 0
  #isWrong = false
  /** Sums that were compared, since the start. */
  compared = 0

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
    const kept = await this.#kept(key)
    if (kept === undefined) return yield
    const sum: Sum = { amount: 0n, count: 0n }
    const templates = audited.templates.map(({ reference }) => reference)
    const parties = audited.areParties === true ? [account] : []
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const limit = this.#left
      const query = { offset: kept.offset, templates, parties, after, limit }
      const page = await this.#options.store.snapshot(query)
      for (const { contract } of page) this.#add(sum, key, contract)
      after = page.length < limit ? undefined : page.at(-1)?.sequence
      yield* this.#spend(page.length)
    }
    yield* this.#spend(1)
    this.#compare(key, kept, sum)
  }

  /** The total and the offset that it is of; undefined where the ledger moves on all the time. */
  async #kept(key: TotalKey): Promise<Kept | undefined> {
    const { store } = this.#options
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { offset } = await store.ledgerEnd()
      const total = await store.total(key)
      if ((await store.ledgerEnd()).offset === offset) return { ...total, offset }
    }
    return undefined
  }

  #add(sum: Sum, { name, account }: TotalKey, contract: ContractRecord): void {
    for (const one of this.#templates.get(templateOf(contract))?.totalsOf(contract) ?? []) {
      if (one.name !== name || one.account !== account) continue
      sum.amount += one.amount
      sum.count += 1n
    }
  }

  #compare({ name, account }: TotalKey, kept: Kept, sum: Sum): void {
    this.compared += 1
    if (kept.amount === sum.amount && kept.count === sum.count) return
    this.#isWrong = true
    const whose = account === '' ? '' : ` of ${account}`
    const said = `${kept.amount} in ${kept.count} contracts`
    this.#options.invariants.breached(
      'totals',
      `the total ${name}${whose} is kept as ${said}, ` +
        `those at offset ${kept.offset} add up to ${sum.amount} in ${sum.count}`,
    )
  }

  *#spend(reads: number): Generator<void, void> {
    this.#left -= reads
    if (this.#left > 0) return
    // The look ends here; the next one has set what it may read.
    yield
  }
}
