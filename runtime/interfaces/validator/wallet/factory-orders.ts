// What a wallet orders from the coin's factory by the token standard: transfers and allocations,
// each once for its id within a day, in its turn among the wallet's payments.
import type { ExtraArgs } from '../../../../generated/contracts.gen.ts'
import { insufficientFunds } from '../../../contracts/index.ts'
import type { Tx } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { badRequest, PlainError, treasuryError } from '../../../economy/errors.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { onceADay, rememberForADay } from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import { extraArgsOf } from '../../registry/index.ts'
import type { FactoryContext } from '../../registry/index.ts'

/** Parts of an order that are known only once the wallet's holdings are at hand. */
interface Means {
  readonly factoryCid: string
  readonly requestedAt: bigint
  readonly inputHoldingCids: readonly string[]
  readonly extraArgs: ExtraArgs
}

interface Order<R> {
  readonly asked: RequestId
  readonly amount: bigint
  /** Reason why it cannot be ordered at this time. */
  problemAt(now: bigint): Promise<PlainError | undefined>
  /** Asked anew for each attempt, since contexts go stale. */
  context(): Promise<FactoryContext | PlainError>
  exercise(tx: Tx, means: Means): R
  /** The answer that was given when it was carried out. */
  decode(result: unknown): R
}

/** Carries an order out; one that was carried out answers as it did then, if it is the same. */
export async function orderOnce<R>(
  { economy, treasury }: { readonly economy: Economy; readonly treasury: Treasury },
  party: string,
  { asked, amount, problemAt, context, exercise, decode }: Order<R>,
): Promise<R | PlainError> {
  const make = async (): Promise<R | PlainError> => {
    const requestedAt = economy.clock.nowMicros()
    const problem = await problemAt(requestedAt)
    if (problem !== undefined) return problem
    const first = await context()
    if (first instanceof PlainError) return first
    const done = await treasury.runAlone(party, async (inputHoldingCids) => {
      const fresh = await context()
      const { factory, context: found } = fresh instanceof PlainError ? first : fresh
      const extraArgs = extraArgsOf(found)
      return verdictFor(economy, party, {
        commandId: asked.commandId,
        project: rememberForADay(asked, economy.engine.measuredMicros()),
        disclosed: found.disclosed.map(({ record }) => record),
        run: (tx) => {
          if (inputHoldingCids.length === 0) tx.abort(insufficientFunds(amount))
          return exercise(tx, { factoryCid: factory.id, requestedAt, inputHoldingCids, extraArgs })
        },
      })
    })
    return done.ok ? done.result : treasuryError(done)
  }
  return onceADay(economy, { asked, mustWait: treasury.mustWait(party), make, answer: decode })
}

/** 400 where `name` is further ahead, by `micros`, than the network lets coin be locked. */
export async function farProblem(
  { network }: Pick<Economy, 'network'>,
  name: string,
  micros: bigint,
): Promise<PlainError | undefined> {
  const limit = (await network.usableRound())?.payload.transferConfigUsd.tokenStandardMaxTTL
  const isNear = limit === undefined || limit === null || micros <= limit
  return isNear
    ? undefined
    : badRequest(`${name} is more than ${limit / 1_000_000n} seconds from now`)
}
