// What all endings share. Contracts that end at a time have it as their rank: as long as few are
// due, one read finds them. Where somebody has left very many, parties have their turns, so that
// those of the others end as they did.
import {
  background,
  forEachOf,
  nextRank,
  submitForNetwork,
  SubmissionRejected,
  Tries,
  Turns,
} from '../../runtime/economy.ts'
import type {
  Contract,
  Economy,
  EconomyRun,
  NetworkCommand,
  TemplateKey,
} from '../../runtime/economy.ts'

/** Limits of a kind of contract in one look. */
const LIMITS = { parties: 200, each: 200, contracts: 500 }

/** Contracts that one transaction ends. */
const TOGETHER = 25

export type Command = NetworkCommand<unknown>

/** Ends what is due of one kind, and asks for a run when the next is. */
export type Expiry = (run: EconomyRun, parallel: number) => Promise<void>

interface ExpiryOptions<T> {
  /** The template of the contracts. */
  readonly key: TemplateKey<T>
  readonly command: (economy: Economy, contract: Contract<T>) => Command | Promise<Command>
  /** One transaction a contract: several would be in each other's way, or history tells of each. */
  readonly isAlone?: boolean
  /** When one that it is too early to end may be ended. */
  readonly until?: (payload: T) => bigint | null
}

/**
 * Of those whose rank is their end. What is in flight, or could not be ended now, is passed by
 * until the next look.
 */
export function ending<T>(options: ExpiryOptions<T>): Expiry {
  const { key, command, isAlone = false } = options
  const turns = new Turns(key, LIMITS)
  const tries = new Tries()
  const early = new Early(options.until)
  return async (run, parallel) => {
    const {
      economy,
      economy: { reader, clock },
      signal,
      again,
    } = run
    const now = clock.nowMicros()
    const endOne = (contract: Contract<T>) =>
      tries.attempt(
        { id: contract.id, party: key.of(contract.record), what: 'a contract cannot be ended' },
        run,
        () =>
          background.piece(key.of(contract.record), async () => {
            const done = await submitForNetwork(economy, await command(economy, contract))
            if (done === undefined && !early.note(contract, run)) again.soon()
            return true
          }),
      )
    await forEachOf(
      turns.look(run, { order: 'rank', maxRank: now }),
      parallel,
      signal,
      async ({ party, contracts }) => {
        const inPlace = contracts.filter(
          (contract) => contract.synchronizerId !== '' && !early.isSo(contract, run),
        )
        const left = isAlone ? inPlace : await endTogether(run, party, inPlace, command)
        await forEachOf(left, parallel, signal, endOne)
      },
    )
    const next = await nextRank(reader, key.template, now)
    if (next !== undefined) again.at(next)
  }
}

/** Contracts that it was too early to end, and until when. */
class Early<T> {
  readonly #until: ExpiryOptions<T>['until']
  readonly #ids = new Set<string>()

  constructor(until: ExpiryOptions<T>['until']) {
    this.#until = until
  }

  /** Answers whether it is known until when. */
  note(contract: Contract<T>, run: EconomyRun): boolean {
    this.#ids.add(contract.id)
    return this.isSo(contract, run)
  }

  isSo({ id, payload }: Contract<T>, { economy, again }: EconomyRun): boolean {
    const until = this.#ids.has(id) ? (this.#until?.(payload) ?? 0n) : 0n
    if (until > economy.clock.nowMicros()) again.at(until)
    else this.#ids.delete(id)
    return this.#ids.has(id)
  }
}

/** A command of the network's party alone. */
export function byNetwork(economy: Pick<Economy, 'parties'>, run: Command['run']): Command {
  return { actAs: [economy.parties.dso], run }
}

/** A party may have left many: they end in few transactions. Answers those that did not. */
async function endTogether<T>(
  { economy }: EconomyRun,
  party: string,
  contracts: readonly Contract<T>[],
  command: ExpiryOptions<T>['command'],
): Promise<readonly Contract<T>[]> {
  const planned = await Promise.all(
    contracts.map(async (contract) => ({ contract, command: await command(economy, contract) })),
  )
  const alike = Map.groupBy(planned, ({ command: { actAs, paid } }) =>
    JSON.stringify([actAs, paid]),
  )
  const left: Contract<T>[] = []
  for (const group of alike.values()) {
    for (let from = 0; from < group.length; from += TOGETHER) {
      const batch = group.slice(from, from + TOGETHER)
      const end = () =>
        isEnded(
          economy,
          batch.map((each) => each.command),
        )
      if (batch.length < 2 || !(await background.piece(party, end)))
        left.push(...batch.map(({ contract }) => contract))
    }
  }
  return left
}

async function isEnded(
  economy: Pick<Economy, 'engine'>,
  [first, ...others]: readonly Command[],
): Promise<boolean> {
  if (first === undefined) return true
  const all = {
    ...first,
    run: (tx: Parameters<Command['run']>[0]) => [first, ...others].forEach(({ run }) => run(tx)),
  }
  return submitForNetwork(economy, all).then(
    (done) => done !== undefined,
    (error: unknown) => {
      if (error instanceof SubmissionRejected) return false
      throw error
    },
  )
}
