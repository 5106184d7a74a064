// What became of a user's commands: read off the updates, which carry user, parties and command id.
// A refused command leaves no update; who submitted it has the answer. domain/ledger.md §7.4
import type {
  CompletionStreamRequest,
  CompletionStreamResponse,
} from '../../../../generated/ledger/types.gen.ts'
import type { UpdateRecord } from '../../../store/store.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import { invalidArgument } from '../../../errors/errors.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import { timeText } from '../../../participant/time.ts'
import { checkpointOf, Checkpoints } from './checkpoints.ts'
import { rangeProblem } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import type { Show } from './update-feed.ts'
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
  return (
    problem ??
    upwards(
      reads,
      { ...range, ledgerEnd, parties },
      reading,
      showTo(reads, { parties: new Set(parties), userId }),
    )
  )
}

interface Asked {
  readonly parties: ReadonlySet<string>
  readonly userId: string
}

function showTo({ synchronizerId }: StreamReads, asked: Asked): Show<CompletionStreamResponse> {
  const checkpoints = new Checkpoints()
  return (record) => {
    const completion = completionOf(record, asked)
    const isDue = checkpoints.isDue(completion !== undefined)
    const shown = [
      ...(completion === undefined ? [] : [completion]),
      ...(isDue ? [checkpointOf(record, synchronizerId)] : []),
    ]
    return shown.map((completionResponse) => ({ completionResponse }))
  }
}

function completionOf(
  record: UpdateRecord,
  { parties, userId }: Asked,
): CompletionStreamResponse['completionResponse'] | undefined {
  const update = decodedOnce(record)
  if (update.kind !== 'transaction' || update.transaction.userId !== userId) return undefined
  const { commandId, updateId, actAs, traceContext, synchronizerId } = update.transaction
  const named = actAs.filter((party) => parties.has(party))
  if (named.length === 0) return undefined
  const value = {
    commandId,
    userId,
    updateId,
    actAs: named,
    offset: record.offset,
    traceContext,
    status: { code: 0, message: '' },
    synchronizerTime: { synchronizerId, recordTime: timeText(record.recordTime) },
  }
  return { Completion: { value } }
}
