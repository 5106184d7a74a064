// What all endings share. Contracts that end at a time have it as their rank: as long as few are
// due, one read finds them. Where somebody has left very many, parties have their turns, so that
// those of the others end as they did.
import {
  background,
  forEachOf,
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

/** What a kind of contract takes of one look. */
const LIMITS = { parties: 200, each: 200, contracts: 500 }

/** Contracts that one transaction ends. */
const TOGETHER = 25

export type Command = NetworkCommand<unknown>

/** Ends what is due of one kind. */
export type Expiry = (run: EconomyRun, parallel: number) => Promise<void>

interface ExpiryOptions<T> {
  /** Whose a contract is. */
  readonly key: TemplateKey<T>
  readonly command: (economy: Economy, contract: Contract<T>) => Command | Promise<Command>
  /** One transaction a contract: several would be in each other's way, or history tells of each. */
  readonly isAlone?: boolean
}

/**
 * Of those whose rank is their end. What is in flight, or could not be ended now, is passed by
 * until the next look.
 */
export function ending<T>({ key, command, isAlone = false }: ExpiryOptions<T>): Expiry {
  const turns = new Turns(key, LIMITS)
  const tries = new Tries()
  return (run, parallel) => {
    const {
      economy,
      economy: { reader, clock },
      signal,
      log,
    } = run
    const endOne = (contract: Contract<T>) =>
      tries.attempt(
        { id: contract.id, party: key.of(contract.record), what: 'a contract cannot be ended' },
        log,
        () =>
          background.piece(key.of(contract.record), async () => {
            await submitForNetwork(economy, await command(economy, contract))
            return true
          }),
      )
    return forEachOf(
      turns.look(reader, { order: 'rank', maxRank: clock.nowMicros() }),
      parallel,
      signal,
      async ({ party, contracts }) => {
        const inPlace = contracts.filter(({ synchronizerId }) => synchronizerId !== '')
        const left = isAlone ? inPlace : await endTogether(economy, party, inPlace, command)
        await forEachOf(left, parallel, signal, endOne)
      },
    )
  }
}

/** Of the network's party alone. */
export function byNetwork(economy: Pick<Economy, 'parties'>, run: Command['run']): Command {
  return { actAs: [economy.parties.dso], run }
}

/** A party may have left many: they end in few transactions. Answers those that did not. */
async function endTogether<T>(
  economy: Economy,
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
      if (
        batch.length < 2 ||
        !(await background.piece(party, () =>
          isEnded(
            economy,
            batch.map((each) => each.command),
          ),
        ))
      )
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
