// How long coin may be locked for somebody else by the token standard.
import { badRequest } from '../../../economy/errors.ts'
import type { PlainError } from '../../../economy/errors.ts'
import type { Economy } from '../../../economy/economy.ts'

/** 400 where `name` is further ahead, by `micros`, than the network allows. */
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
