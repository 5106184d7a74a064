// Names of sweeps: numbered for each pair of sender and receiver, so that servers which sweep at
// the same time take the same name, of which the ledger accepts one.
import { createHash } from 'node:crypto'
import type { Sweep } from './amount.ts'

/** The tracking id, or deduplication id, of a pair's `n`-th sweep. */
export function nameOf(
  { sender, receiver }: Pick<Sweep, 'sender' | 'receiver'>,
  n: number,
): string {
  return `sweep-${createHash('sha256')
    .update(JSON.stringify([sender, receiver]))
    .digest('hex')
    .slice(0, 32)}-${n}`
}

/**
 * The first number from `from` on that is not used, where all before it are; asks a logarithmic
 * number of times.
 */
export async function firstUnused(
  isUsed: (n: number) => Promise<boolean>,
  from: number,
): Promise<number> {
  if (!(await isUsed(from))) return from
  let [used, step] = [from, 1]
  while (await isUsed(used + step)) [used, step] = [used + step, step * 2]
  let unused = used + step
  while (unused - used > 1) {
    const middle = used + Math.floor((unused - used) / 2)
    if (await isUsed(middle)) used = middle
    else unused = middle
  }
  return unused
}
