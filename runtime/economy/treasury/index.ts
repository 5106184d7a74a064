// The one path for everything that spends a hosted party's coins: a serial queue per party, and
// among servers a lease, so that a party's own payments never contend with each other. Others may
// still spend the same coins elsewhere; then inputs are chosen anew. A failing operation fails
// alone. docs/economy-rules.md, "Treasury"
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { CoinOperation, WalletAppInstall } from '../../../generated/contracts.gen.ts'
import { pauseAfterLoss } from '../../engine/index.ts'
import type { Committed, Contract, Rejection, Rejected } from '../../engine/index.ts'
import type { Economy } from '../economy.ts'
import { requestTrace, withTrace } from '../trace.ts'
import { earlierRequest, isSameRequest, recentRequest } from '../wallets/request-ids.ts'
import {
  batchLength,
  batchSubmission,
  failureOf,
  inPipeline,
  withoutNeedlessMerges,
} from './batch.ts'
import type { Job, Request } from './batch.ts'
import { readHoldings } from './funds.ts'
import { withInputLimit } from './input-limit.ts'
import { earlierOperation, operationCommandId } from './operation-facts.ts'
import { failed, NOTHING_MERGED, targetOf } from './outcome.ts'
import type { OperationOptions, TreasuryRejected, TreasuryResult } from './outcome.ts'
import { PartyLeases } from './party-leases.ts'
import { SerialQueue } from './serial-queue.ts'
import { sendPipeline } from './pipeline.ts'
import type { End } from './pipeline.ts'
import {
  isLostRace,
  resultAt,
  oneOfEachId,
  paidBefore,
  paymentFact,
  isThere,
  gone,
  readFound,
  readMeans,
} from './requests.ts'
import type { Found } from './requests.ts'

export type {
  Deduplication,
  OperationOptions,
  Priority,
  TreasuryDone,
  TreasuryRejected,
  TreasuryRejection,
  TreasuryResult,
} from './outcome.ts'

/** Choices of inputs after somebody else was faster. */
const MAX_ATTEMPTS = 5

/** Callers are answered long before. */
const JOB_LIMIT_MS = 60_000

export class Treasury {
  readonly #economy: Economy
  readonly #queues = new Map<string, SerialQueue<Job, TreasuryResult>>()
  /** None where no other server can be. */
  readonly #leases: PartyLeases | undefined

  constructor(economy: Economy) {
    this.#economy = economy
    const {
      store,
      settings: {
        validator: {
          treasury: { leaseMs, sliceMs },
        },
      },
    } = economy
    const options = { store: store.leases, holder: serverName(), leaseMs, sliceMs }
    this.#leases = store.features.multiProcess ? new PartyLeases(options) : undefined
  }

  /**
   * Runs an operation on the coins of a hosted party, in its turn. Resolves when it is committed,
   * or has failed: at once where the party pays more often than it may.
   */
  async enqueue(
    party: string,
    operation: CoinOperation,
    options: OperationOptions = {},
  ): Promise<TreasuryResult> {
    const over = this.#overRate(party)
    if (over !== undefined) return over
    const job: Job = { kind: 'operation', operation, options, trace: requestTrace() }
    const result = await this.#queued(party, job)
    if (result === undefined) return failed({ kind: 'queue-full' })
    return result.ok ? result : withInputLimit(this.#economy, party, result)
  }

  /**
   * Runs `submit` in its turn, alone, with the holdings to spend: unlocked coins, largest first,
   * then those whose lock has expired. It is called again with fresh ones when somebody else was
   * faster, so it must submit nothing before.
   */
  async runAlone<R>(
    party: string,
    submit: (holdings: readonly string[]) => Promise<Committed<R> | Rejected>,
  ): Promise<Committed<R> | TreasuryRejected> {
    const over = this.#overRate(party)
    if (over !== undefined) return over
    const done = Promise.withResolvers<Committed<R> | TreasuryRejected>()
    const run = async () => done.resolve(await this.#withHoldings(party, submit))
    const job: Job = { kind: 'alone', trace: requestTrace(), run }
    const settled = await this.#queued(party, job)
    if (settled === undefined) return failed({ kind: 'queue-full' })
    const result = await done.promise
    return result.ok ? result : withInputLimit(this.#economy, party, result)
  }

  /**
   * Whether an operation of this kind was done for a deduplication id that is kept for good, on
   * whichever server.
   */
  async wasDone(
    party: string,
    operation: Pick<CoinOperation, 'tag'>,
    dedupId: string,
  ): Promise<boolean> {
    const earlier = await earlierRequest(
      this.#economy.store,
      operationCommandId(party, operation, dedupId),
    )
    return earlierOperation(earlier) !== undefined
  }

  /**
   * Whether an operation of the party would be refused for too many others: costs nothing to find
   * out.
   */
  isFull(party: string): boolean {
    return this.#queues.get(party)?.isFull ?? false
  }

  /**
   * Whether another server may have to end its payments before this one can pay from the party's
   * coins.
   */
  mustWait(party: string): boolean {
    return this.#leases?.has(leaseName(party)) === false
  }

  /** Operations that wait, of all parties. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { length }) => sum + length, 0)
  }

  /** Resolves when no operation waits or runs. */
  async settled(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.settled()))
  }

  /** Waits as `settled` does, then lets other servers pay from the parties' coins at once. */
  async stop(): Promise<void> {
    await this.settled()
    await this.#leases?.release()
  }

  #overRate(party: string): TreasuryRejected | undefined {
    const over = this.#economy.quotas.overPayments(party)
    return over && failed({ kind: 'refused', rejection: { kind: 'over-quota', ...over } })
  }

  async #queued(party: string, job: Job): Promise<TreasuryResult | undefined> {
    const queue = this.#queues.get(party) ?? this.#newQueue(party)
    return queue.enqueue(job)
  }

  #newQueue(party: string): SerialQueue<Job, TreasuryResult> {
    const { queueSize, batchSize } = this.#economy.settings.validator.treasury
    const queue = new SerialQueue<Job, TreasuryResult>({
      ready: () => this.#leases?.hold(leaseName(party)),
      capacity: queueSize,
      limitMs: JOB_LIMIT_MS,
      batchLength: (waiting) => batchLength(waiting, batchSize),
      run: (jobs) => withTrace(jobs[0]?.trace, () => this.#run(party, jobs)),
      idle: () => this.#forget(party),
    })
    this.#queues.set(party, queue)
    return queue
  }

  #forget(party: string): void {
    this.#queues.delete(party)
    this.#leases?.rest(leaseName(party))
  }

  async #run(
    party: string,
    jobs: readonly Job[],
  ): Promise<readonly (TreasuryResult | Promise<TreasuryResult>)[]> {
    const requests: Request[] = []
    for (const job of jobs) {
      if (job.kind === 'operation') requests.push(job)
      else await job.run()
    }
    if (requests.length > 1 && requests.every(inPipeline)) return this.#runPipeline(party, requests)
    const sent = withoutNeedlessMerges(requests)
    const results = new Map<Job, TreasuryResult>()
    await this.#execute(party, sent, results)
    return jobs.map((job) => results.get(job) ?? NOTHING_MERGED)
  }

  /** A result for each; those that the pipeline leaves behind are run by themselves. */
  async #runPipeline(
    party: string,
    requests: readonly Request[],
  ): Promise<readonly Promise<TreasuryResult>[]> {
    const results: Promise<TreasuryResult>[] = []
    while (results.length < requests.length) {
      const rest = requests.slice(results.length)
      const ends = rest.length > 1 ? await this.#sendPipeline(party, rest).catch(() => []) : []
      for (const [index, request] of rest.slice(0, Math.max(1, ends.length)).entries()) {
        const result = this.#endOf(party, request, ends[index])
        await Promise.allSettled([result])
        results.push(result)
      }
    }
    return results
  }

  async #sendPipeline(party: string, requests: readonly Request[]): Promise<readonly End[]> {
    const { named, means } = await readFound(this.#economy, party, requests)
    const { install, disclosures, funds } = means
    if (install === undefined || funds === undefined) return []
    const missing = requests.findIndex((request) => !isThere(request, named))
    const {
      engine,
      quotas,
      parties: { operator },
    } = this.#economy
    return sendPipeline(
      { engine, quotas },
      missing < 0 ? requests : requests.slice(0, missing),
      funds,
      {
        operator,
        install,
        disclosed: [...disclosures, ...named.values()],
        measured: engine.measuredMicros(),
      },
    )
  }

  /**
   * What went wrong in a pipeline may be due to the others; by itself, the request gets the answer
   * that it would have had alone.
   */
  async #endOf(party: string, request: Request, end: End | undefined): Promise<TreasuryResult> {
    if (end?.status === 'rejected') throw end.reason
    if (end?.value.ok === true) return resultAt(end.value, 0)
    const results = new Map<Job, TreasuryResult>()
    await withTrace(request.trace, () => this.#execute(party, [request], results))
    return results.get(request) ?? NOTHING_MERGED
  }

  /** Puts a result for each request into `results`. */
  async #execute(
    party: string,
    requests: readonly Request[],
    results: Map<Job, TreasuryResult>,
  ): Promise<void> {
    const { named, means } = await readFound(this.#economy, party, requests)
    const live = requests.filter((request) => isThere(request, named))
    for (const request of requests) if (!live.includes(request)) results.set(request, gone(request))
    const { first, later } = oneOfEachId(live, named)
    await this.#executeFirst(party, first, { named, means }, results)
    if (later.length > 0) await this.#execute(party, later, results)
  }

  /** All of different tracking ids. */
  async #executeFirst(
    party: string,
    live: readonly Request[],
    found: Found,
    results: Map<Job, TreasuryResult>,
  ): Promise<void> {
    if (live.length === 0) return
    const outcomes = await this.#submit(party, live, found)
    if (!Array.isArray(outcomes) && live.length > 1) {
      for (const request of live)
        await withTrace(request.trace, () => this.#execute(party, [request], results))
      return
    }
    live.forEach((request, index) => {
      const result = Array.isArray(outcomes) ? outcomes[index] : outcomes
      if (result !== undefined) results.set(request, result)
    })
  }

  /** The results in order, or why the command as a whole was refused. */
  async #submit(
    party: string,
    requests: readonly Request[],
    { named, means }: Found,
  ): Promise<readonly TreasuryResult[] | TreasuryRejected> {
    const unless = requests.flatMap((request) => paymentFact(request, named) ?? [])
    for (let attempt = 1; ; attempt++) {
      const { install, disclosures, funds } =
        attempt === 1 ? means : await readMeans(this.#economy, party, requests)
      if (install === undefined) return failed({ kind: 'no-wallet', party })
      if (funds === undefined) return failed({ kind: 'no-round' })
      const disclosed = [...disclosures, ...named.values()]
      const { quotas, engine, parties: own } = this.#economy
      const measured = engine.measuredMicros()
      const parties = { operator: own.operator, install, disclosed, unless, measured }
      const submission = batchSubmission(requests, funds, parties)
      const done = await quotas.within({ wallet: party }, (claim) =>
        engine.submit({ ...submission, claim }),
      )
      if (done.ok) return requests.map((_, index) => resultAt(done, index))
      const isOver =
        attempt === MAX_ATTEMPTS ||
        !isLostRace(
          done,
          requests.flatMap(({ operation }) => targetOf(operation) ?? []),
        )
      if (isOver)
        return (
          paidBefore(requests, done) ??
          (await this.#earlier(party, requests, done)) ??
          failureOf(done)
        )
      await pauseAfterLoss(attempt)
    }
  }

  /** The earlier result of a duplicate, if the same was asked for. */
  async #earlier(
    party: string,
    [request]: readonly Request[],
    rejection: Rejection,
  ): Promise<readonly TreasuryResult[] | TreasuryRejected | undefined> {
    const dedup = request?.options.dedup
    if (request === undefined || dedup === undefined || rejection.kind !== 'duplicate')
      return undefined
    const commandId = operationCommandId(party, request.operation, dedup.id)
    const earlier = earlierOperation(await recentRequest(this.#economy, commandId))
    if (earlier === undefined) return undefined
    return isSameRequest(earlier, dedup) ? [earlier.done] : failed({ kind: 'other-content' })
  }

  async #withHoldings<R>(
    party: string,
    submit: (holdings: readonly string[]) => Promise<Committed<R> | Rejected>,
  ): Promise<Committed<R> | TreasuryRejected> {
    for (let attempt = 1; ; attempt++) {
      const holdings = await readHoldings(this.#economy, party)
      const done = await submit(holdings)
      if (done.ok) return done
      const isOurs =
        done.kind === 'contention' ||
        (done.kind === 'contract-not-found' && holdings.includes(done.contractId))
      if (!isOurs || attempt === MAX_ATTEMPTS) return failureOf(done)
      await pauseAfterLoss(attempt)
    }
  }

  /**
   * The installation through which a hosted party's coins are spent; undefined for a party without
   * wallet here.
   */
  async installOf(party: string): Promise<Contract<WalletAppInstall> | undefined> {
    return this.#economy.network.walletOfParty(party)
  }
}

/** Nobody else's; says to people which process it is. */
function serverName(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`
}

function leaseName(party: string): string {
  return `treasury ${party}`
}
