// Makes a contract of which a party is to have one, however many ask for it at once and on however
// many servers.
import { pauseAfterLoss } from '../../../engine/index.ts'
import { rejectionError } from '../../../economy/errors.ts'
import type { PlainError } from '../../../economy/errors.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Tx } from '../../../engine/index.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'

const MAX_ATTEMPTS = 20

interface OnceOnly<T> {
  /** The party for whom it is submitted. */
  readonly party: string
  /** The same for everybody who asks for the same thing. */
  readonly commandId: string
  /** Finds the one that is there already. */
  find(): Promise<T | undefined>
  create(tx: Tx): T
}

export interface Found<T> {
  readonly value: T
  readonly isNew: boolean
}

/**
 * What is there, or what was made. A command that was used in an earlier life of the contract is
 * followed by one that names its offset.
 */
export async function createOnce<T>(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas'>,
  { party, commandId, find, create }: OnceOnly<T>,
): Promise<Found<T> | PlainError> {
  let command = commandId
  for (let attempt = 1; ; attempt++) {
    const existing = await find()
    if (existing !== undefined) return { value: existing, isNew: false }
    const done = await verdictFor(economy, party, { commandId: command, run: create })
    if (done.ok) return { value: done.result, isNew: true }
    if (attempt === MAX_ATTEMPTS) return rejectionError(done)
    if (done.kind === 'duplicate') command = `${commandId}/${done.offset}`
    else if (done.kind !== 'duplicate-in-flight') return rejectionError(done)
    await pauseAfterLoss(attempt)
  }
}
