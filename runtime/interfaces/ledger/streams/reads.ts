// What streams are made of: every stream is a list of elements that may have no end, read page by
// page as somebody takes them.
import type { Engine } from '../../../engine/index.ts'
import type { VettedPackages } from '../../../participant/packages/vetted-packages.ts'
import type { Store } from '../../../store/store.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import type { HostedParties } from '../../../participant/hosted.ts'
import type { Submissions } from '../commands/submissions.ts'
import type { TemplateOf } from '../projection/events.ts'
import type { SharedPages } from './shared-pages.ts'
import type { LedgerTail } from './tail.ts'

export interface StreamReads {
  readonly store: Store
  readonly tail: LedgerTail
  readonly pages: SharedPages
  readonly templateOf: TemplateOf
  readonly ready: Engine['ready']
  /** Vetted packages that are not in code. */
  readonly uploaded: VettedPackages
  readonly synchronizerId: string
  /** The parties of this node, where it is one of several; nothing of others is shown. */
  readonly hosted: HostedParties | undefined
  /** Submissions that came to nothing on this server. */
  readonly submissions: Submissions
}

/**
 * How long a stream that lets nothing through stays silent about how far it has come, milliseconds.
 */
export const CHECKPOINT_MS = 60_000

/** How long somebody reads. */
export interface Reading {
  readonly signal: AbortSignal
  /**
   * Milliseconds that are left to wait at the end of the ledger; Infinity for who waits for
   * whatever comes.
   */
  patience(): number
  /**
   * The same as in a handler's context; absent for a list, which counts as an answer once it is
   * made.
   */
  hold?(bytes: number): Promise<void> | undefined
}

/** Bytes of a record's character once it is decoded and shown. */
const SHOWN_BYTES = 8

type Page<T> = { readonly page: T } | { readonly room: Promise<void> }

/** Elements read ahead for a reader; without room, they are read again once there is some. */
export async function readAhead<T>(
  reading: Pick<Reading, 'hold'>,
  read: () => Promise<T>,
  charsOf: (page: T) => number,
): Promise<T> {
  const once = async (): Promise<Page<T>> => {
    const page = await read()
    const room = reading.hold?.(SHOWN_BYTES * charsOf(page))
    return room === undefined ? { page } : { room }
  }
  reading.hold?.(0)
  for (;;) {
    const made = await once()
    if ('page' in made) return made.page
    await made.room
  }
}

/** Ends a stream before its end, with what its reader is told. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure'
  readonly error: LedgerError

  constructor(error: LedgerError) {
    super(error.cause)
    this.error = error
  }
}
