// What became of a user's commands: read off the updates, which carry user, parties and command id.
// A refused command leaves no update; the server that refused it remembers it for a while.
// docs/ledger-rules.md, "Streams and lists"
import type {
  CompletionStreamRequest,
  CompletionStreamResponse,
} from '../../../../generated/ledger/types.gen.ts'
import { userOf } from '../../../engine/index.ts'
import type { StoredUpdate, SubmissionNote } from '../../../engine/index.ts'
import { SECOND_MICROS } from '../../../engine/durations.ts'
import type { Store, UpdateRecord } from '../../../store/store.ts'
import type { Refusal, Repeat } from '../commands/submissions.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import { invalidArgument } from '../../../errors/errors.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import { timeText } from '../../../participant/time.ts'
import { checkpointOf, Checkpoints } from './checkpoints.ts'
import { rangeProblem } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import type { Elements, Show } from './elements.ts'
import { upwards } from './update-feed.ts'
import { decodedOnce } from '../projection/decoded-once.ts'

/** The user's completions, without end. Errors: INVALID_ARGUMENT, those of `rangeFault` */
export async function openCompletions(
  reads: StreamReads,
  { parties, beginExclusive: begin = 0n }: CompletionStreamRequest,
  userId: string,
  reading: Reading,
): Promise<AsyncGenerator<CompletionStreamResponse> | LedgerError> {
  const malformed = parties.map(partyProblem).find((problem) => problem !== undefined)
  if (malformed !== undefined) return invalidArgument(malformed)
  const { updates } = reads.store
  const ledgerEnd = await updates.ledgerEnd()
  const range = { begin, end: undefined }
  const problem = rangeProblem(range, ledgerEnd, await updates.prunedUpTo())
  if (problem !== undefined) return problem
  const asked = { parties: new Set(parties), userId, hosted: reads.hosted }
  const committed = upwards(reads, { ...range, ledgerEnd, parties }, reading, showTo(reads, asked))
  return withTold(reads, { begin, asked }, reading, committed)
}

interface Told {
  readonly begin: bigint
  readonly asked: Asked
}

/**
 * The elements of `committed`, and what the user is told besides, as it comes; that stands where
 * the reader is, so that who goes on from there misses no update.
 */
async function* withTold(
  reads: StreamReads,
  { begin, asked }: Told,
  { signal }: Reading,
  committed: Elements<CompletionStreamResponse>,
): AsyncGenerator<CompletionStreamResponse> {
  const { submissions, synchronizerId, store } = reads
  let position = begin
  let number = 0
  let wake = (): void => undefined
  const stop = submissions.onTold(asked.userId, () => wake())
  try {
    let next = committed.next()
    for (;;) {
      // Before the look, so that what is told meanwhile is not slept through.
      const news = new Promise<undefined>((resolve) => {
        wake = () => resolve(undefined)
      })
      for (const told of submissions.toldTo(asked.userId, number, begin)) {
        number = told.number
        const shown =
          'body' in told.told
            ? refusalOf(told.told, asked, { synchronizerId, position })
            : await repeated(store, told.told, asked, position)
        if (shown !== undefined) yield { completionResponse: shown }
      }
      const item = await Promise.race([next, news])
      if (item === undefined) continue
      if (item.done === true || signal.aborted) return
      position = offsetOf(item.value) ?? position
      yield item.value
      next = committed.next()
    }
  } finally {
    stop()
    await committed.return()
  }
}

/** The completion that is sent again; one ahead of the reader is still to come by itself. */
async function repeated(
  store: Store,
  { updateId }: Repeat,
  asked: Asked,
  position: bigint,
): Promise<Shown | undefined> {
  const record = await store.updates.byId(updateId)
  if (record === undefined || record.offset > position) return undefined
  return completionOf(record, asked)
}

function offsetOf({ completionResponse: shown }: CompletionStreamResponse): bigint | undefined {
  if (shown === undefined) return undefined
  if ('Completion' in shown) return shown.Completion.value.offset
  return 'OffsetCheckpoint' in shown ? shown.OffsetCheckpoint.value.offset : undefined
}

function refusalOf(
  { userId, actAs, commandId, submissionId, at, body }: Refusal,
  asked: Asked,
  { synchronizerId, position }: { readonly synchronizerId: string; readonly position: bigint },
): Shown | undefined {
  const named = actAs.filter((party) => asked.parties.has(party))
  if (named.length === 0) return undefined
  const { code, cause, errorCategory, grpcCodeValue = 0, traceId = '' } = body
  const message = `${code}(${errorCategory},${traceId.slice(0, 8)}): ${cause}`
  const value = {
    commandId,
    userId,
    actAs: named,
    offset: position,
    submissionId,
    status: { code: grpcCodeValue, message },
    synchronizerTime: { synchronizerId, recordTime: timeText(at) },
  }
  return { Completion: { value } }
}

interface Asked {
  readonly parties: ReadonlySet<string>
  readonly userId: string
  /** The same as in `StreamReads`. */
  readonly hosted: StreamReads['hosted']
}

type Shown = CompletionStreamResponse['completionResponse']

function showTo({ synchronizerId }: StreamReads, asked: Asked): Show<CompletionStreamResponse> {
  const checkpoints = new Checkpoints()
  return async (record) => {
    const completion = await completionOf(record, asked)
    const isDue = checkpoints.isDue(completion !== undefined)
    const shown = [
      ...(completion === undefined ? [] : [completion]),
      ...(isDue ? [checkpointOf(record, synchronizerId)] : []),
    ]
    return shown.map((completionResponse) => ({ completionResponse }))
  }
}

async function completionOf(
  record: UpdateRecord,
  { parties, userId, hosted }: Asked,
): Promise<Shown | undefined> {
  const told = toldOf(decodedOnce(record))
  const key = hosted?.node ?? ''
  if (told?.userId !== userOf({ key }, userId)) return undefined
  const { commandId, updateId, synchronizerId, more } = told
  const asked = told.actAs.filter((party) => parties.has(party))
  const sees = await hosted?.seersOf(asked, record.offset)
  const actAs = sees === undefined ? asked : asked.filter(sees)
  if (actAs.length === 0) return undefined
  const value = {
    commandId,
    userId,
    updateId,
    ...more,
    actAs,
    offset: record.offset,
    status: { code: 0, message: '' },
    synchronizerTime: { synchronizerId, recordTime: timeText(record.recordTime) },
  }
  return { Completion: { value } }
}

/** Completions of an update, and their readers; undefined where nobody submitted it. */
function toldOf(update: StoredUpdate) {
  if (update.kind === 'transaction') {
    const { note, traceContext, ...named } = update.transaction
    return { ...named, more: { ...(note && noteMembers(note)), traceContext } }
  }
  const { names, updateId, kind, source, target } = update.reassignment
  if (names === undefined) return undefined
  const { userId, submitter, commandId, submissionId } = names
  const synchronizerId = kind === 'assigned' ? target : source
  return { userId, actAs: [submitter], commandId, updateId, synchronizerId, more: { submissionId } }
}

function noteMembers({ submissionId, deduplicationMicros: text }: SubmissionNote) {
  const micros = BigInt(text)
  const value = { seconds: micros / SECOND_MICROS, nanos: Number(micros % SECOND_MICROS) * 1_000 }
  return { submissionId, deduplicationPeriod: { DeduplicationDuration: { value } } }
}
