// Adds up what rounds came to, in steps of bounded size: reads the updates up to a round's end,
// then closes the round party by party. Done after the round and not in each commit, which would
// pay for it. docs/decisions/0041-round-totals.md
import {
  coin,
  lockedCoin,
  issuingMiningRound,
  summarizingMiningRound,
} from '../../contracts/index.ts'
import { decodeUpdate } from '../../engine/index.ts'
import type { StoredTransaction } from '../../engine/index.ts'
import { scheduler } from '../../work/scheduler.ts'
import { bodyIn } from '../../store/rules.ts'
import type { ContractRecord, FactName, FactRecord, UpdateRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { coinActivity, heldIn } from './coin-activity.ts'
import type { RoundChange } from './coin-activity.ts'
import { boardsAfter, latestBoards } from './boards.ts'
import { before, digits, kindsBefore, kindsOf, PROGRESS } from './names.ts'
import type { Kinds } from './names.ts'
import { beginAfter, nextClosed, progressForm, roundAdded } from './progress.ts'
import type { ClosedRound, Progress } from './progress.ts'
import { addSums, NO_SUMS, sumsFact, sumsOf } from './sums.ts'
import type { Sums } from './sums.ts'
import { roundSumsForm, roundTotalForm } from './stored-round.ts'

/** Updates that one step reads. */
const UPDATES = 200
const UPDATE_BYTES = 524_288
/** Coins that one step counts, and parties of a round that it closes. */
const COINS = 1_000
const PARTIES = 200

type Totals = Pick<Economy, 'engine' | 'network' | 'parties' | 'reader' | 'settings' | 'store'>

/** Writes of a step, unless somebody did it meanwhile: `facts` are asked for what `reads` names. */
interface Step {
  readonly next: Progress
  readonly reads: readonly FactName[]
  facts(known: (name: FactName) => string | undefined): readonly FactRecord[]
}

/**
 * Does the next step; answers whether there may be another. Updates that were pruned before they
 * were read begin a new reckoning: sums then are of the rounds from there on, balances still of all
 * coins.
 */
export async function addUpRounds(economy: Totals, keptRounds: number): Promise<boolean> {
  const { contracts } = economy.store
  const text = (await contracts.fact(PROGRESS.kind, PROGRESS.key))?.body
  const progress = text === undefined ? undefined : progressForm.read(text)
  const pruned = (await economy.store.updates.prunedUpTo()).participant
  const step =
    progress === undefined || progress.offset < pruned
      ? begin(pruned, (progress?.era ?? 0n) + 1n)
      : await stepAfter(economy, progress, keptRounds)
  if (step === undefined) return false
  await economy.engine.recordFacts([PROGRESS, ...step.reads], (facts) => {
    const known = (name: FactName) => bodyIn(facts, name)
    if (known(PROGRESS) !== text) return []
    return [{ ...PROGRESS, body: progressForm.write(step.next) }, ...step.facts(known)]
  })
  return true
}

function begin(offset: bigint, era: bigint): Step {
  return { next: beginAfter(offset, era), reads: [], facts: () => [] }
}

async function stepAfter(
  economy: Totals,
  progress: Progress,
  keptRounds: number,
): Promise<Step | undefined> {
  if (progress.stage === 'clearing') return cleared(economy, progress)
  if (progress.stage === 'counting') return counted(economy, progress)
  const closed = nextClosed(progress)
  if (closed !== undefined) return closedPage(economy, progress, closed, keptRounds)
  return (await isDue(economy, progress)) ? read(economy, progress) : undefined
}

async function cleared({ store }: Totals, progress: Progress): Promise<Step> {
  const { from, to } = kindsBefore(progress.era)
  await store.contracts.forgetFacts(from, to)
  return { next: { ...progress, stage: 'counting' }, reads: [], facts: () => [] }
}

/** Adds coins that were there before the first update that is read. */
async function counted({ store }: Totals, progress: Progress): Promise<Step> {
  const templates = [coin, lockedCoin].map(({ type }) => type.reference)
  const page = await store.contracts.snapshot({
    offset: progress.offset,
    templates,
    parties: [],
    after: progress.counted,
    limit: COINS,
  })
  const rows = new Rows(kindsOf(progress.era))
  for (const { contract } of page) {
    const held = heldIn(contract)
    if (held !== undefined) rows.addForGood(held.owner, balanceOf(held))
  }
  const last = page.length < COINS ? undefined : page.at(-1)
  const next: Progress =
    last === undefined ? { ...progress, stage: 'reading' } : { ...progress, counted: last.sequence }
  return rows.step(next)
}

function balanceOf({
  initialAmount,
  holdingRate,
}: Pick<Sums, 'holdingRate' | 'initialAmount'>): Sums {
  return { ...NO_SUMS, initialAmount, holdingRate }
}

/** Whether a round is over that is not added up: until then nothing needs to be read. */
async function isDue(economy: Totals, { last }: Progress): Promise<boolean> {
  const {
    network,
    reader,
    parties: { dso },
    settings,
  } = economy
  const [open, summarizing, issuing] = await Promise.all([
    network.earliestRound(),
    firstOf(reader.active(summarizingMiningRound, { dso }, { order: 'rank', limit: 1 })),
    firstOf(reader.active(issuingMiningRound, { dso }, { order: 'rank', limit: 1 })),
  ])
  const under = [open, summarizing, issuing].flatMap((one) => one?.payload.round ?? [])
  const next = last === undefined ? BigInt(settings.network.initialRound) : last + 1n
  return under.every((round) => round > next)
}

async function firstOf<T>(page: Promise<readonly T[]>): Promise<T | undefined> {
  return (await page)[0]
}

/** Reads updates into the sums of their rounds; undefined where there are no more. */
async function read(economy: Totals, progress: Progress): Promise<Step | undefined> {
  const { contracts } = economy.store
  const records = await contracts.updatesAfter(progress.offset, UPDATES, UPDATE_BYTES)
  const last = records.at(-1)
  if (last === undefined) return undefined
  const transactions = await decoded(records)
  const recordOf = await archivedIn(economy, transactions)
  // Pruned while it was read: the next step begins anew.
  if ((await economy.store.updates.prunedUpTo()).participant > progress.offset) return undefined
  const rows = new Rows(kindsOf(progress.era))
  const closed: ClosedRound[] = [...progress.closed]
  let { first } = progress
  const pause = scheduler.parts()
  for (const transaction of transactions) {
    await pause()
    const activity = coinActivity(transaction, recordOf)
    first ??= lowest(activity.opened)
    const next = progress.last === undefined ? first : progress.last + 1n
    for (const change of activity.changes) rows.add(change, first, next)
    for (const round of activity.closed)
      if (first !== undefined && round >= first)
        closed.push({ round, effectiveAt: transaction.effectiveAt })
  }
  return rows.step({ ...progress, offset: last.offset, first, closed })
}

function lowest(rounds: readonly bigint[]): bigint | undefined {
  return rounds.reduce<bigint | undefined>(
    (least, round) => (least === undefined || round < least ? round : least),
    undefined,
  )
}

async function decoded(records: readonly UpdateRecord[]): Promise<readonly StoredTransaction[]> {
  const transactions: StoredTransaction[] = []
  const pause = scheduler.parts()
  for (const { body } of records) {
    await pause()
    const update = decodeUpdate(body)
    if (update.kind === 'transaction') transactions.push(update.transaction)
  }
  return transactions
}

/** The contracts that transactions archive and did not create. */
async function archivedIn(
  { store }: Totals,
  transactions: readonly StoredTransaction[],
): Promise<(contractId: string) => ContractRecord | undefined> {
  const ids = [...new Set(transactions.flatMap(({ consumed }) => consumed))]
  const states = await store.contracts.byIds(ids)
  const records = new Map(states.map(({ contract }) => [contract.contractId, contract]))
  return (contractId) => records.get(contractId)
}

/** Adds a page of the parties of a round to what all rounds came to; the last ends the round. */
async function closedPage(
  { store }: Totals,
  progress: Progress,
  { round, effectiveAt }: ClosedRound,
  keptRounds: number,
): Promise<Step> {
  const kinds = kindsOf(progress.era)
  const closing = progress.closing ?? { round, after: '', sums: NO_SUMS }
  if (closing.after === '') await forget(store, kinds, round, progress)
  const page = await store.contracts.facts(kinds.open(round), closing.after, PARTIES)
  const own = page.map(({ key: party, body }) => ({ party, sums: sumsOf(body) }))
  const sums = own.reduce((total, each) => addSums(total, each.sums), closing.sums)
  const isLast = page.length < PARTIES
  const next: Progress = isLast
    ? roundAdded(progress, round, keptRounds)
    : { ...progress, closing: { round, after: page.at(-1)?.key ?? '', sums } }
  return {
    next,
    reads: [
      kinds.everybody,
      ...latestBoards(kinds),
      ...own.map(({ party }) => ({ kind: kinds.party, key: party })),
    ],
    facts: (known) => {
      const rows = own.map(({ party, sums: share }) => ({
        party,
        own: share,
        sums: addSums(sumsOf(known({ kind: kinds.party, key: party })), share),
      }))
      const all = addSums(sumsOf(known(kinds.everybody)), sums)
      return [
        ...rows.map((row) => sumsFact(kinds.party, row.party, row.sums)),
        ...rows.map((row) => ({
          kind: kinds.roundParty(round),
          key: row.party,
          body: roundSumsForm.write({ own: row.own, all: row.sums }),
        })),
        ...boardsAfter(kinds, round, rows, known),
        ...(isLast
          ? [
              sumsFact(kinds.everybody.kind, kinds.everybody.key, all),
              {
                kind: kinds.round,
                key: digits(round),
                body: roundTotalForm.write({ own: sums, all, effectiveAt }),
              },
            ]
          : []),
      ]
    },
  }
}

/** Forgets facts that nobody reads since a commit said so. */
async function forget(
  { contracts }: Totals['store'],
  { open, roundParty, board }: Kinds,
  round: bigint,
  { keptFrom = 0n }: Progress,
): Promise<void> {
  const ranges = [before(open, round), before(roundParty, keptFrom), before(board, keptFrom)]
  for (const { from, to } of ranges) await contracts.forgetFacts(from, to)
}

/** Sums by the fact to which they are added. */
class Rows {
  readonly #kinds: Kinds
  readonly #rows = new Map<string, { readonly name: FactName; readonly sums: Sums }>()

  constructor(kinds: Kinds) {
    this.#kinds = kinds
  }

  /**
   * To its round. What is of a round before `first` counts for the balance alone; where the round
   * is not said it is the `next` to be added up.
   */
  add(change: RoundChange, first: bigint | undefined, next: bigint | undefined): void {
    const { party, sums } = change
    const round = change.round ?? next
    if (first === undefined || round === undefined || round < first)
      return this.addForGood(party, balanceOf(sums))
    const own = next !== undefined && next > round ? next : round
    this.#add({ kind: this.#kinds.open(own), key: party }, sums)
  }

  /** Adds sums to the totals of all rounds. */
  addForGood(party: string, sums: Sums): void {
    this.#add({ kind: this.#kinds.party, key: party }, sums)
    this.#add(this.#kinds.everybody, sums)
  }

  step(next: Progress): Step {
    const rows = [...this.#rows.values()]
    return {
      next,
      reads: rows.map(({ name }) => name),
      facts: (known) =>
        rows.map(({ name: { kind, key }, sums }) =>
          sumsFact(kind, key, addSums(sumsOf(known({ kind, key })), sums)),
        ),
    }
  }

  #add(name: FactName, sums: Sums): void {
    const key = `${name.kind}\n${name.key}`
    this.#rows.set(key, { name, sums: addSums(this.#rows.get(key)?.sums ?? NO_SUMS, sums) })
  }
}
