// How an evaluation that ends without a value refuses its transaction.
import { invalid, refused, violated } from '../../engine/index.ts'
import type { AbortReason } from '../../engine/index.ts'
import { MAX_CAUSE_LENGTH } from '../../errors/errors.ts'
import { shortened } from '../../errors/text.ts'
import { MalformedArchive } from '../archive/message.ts'
import { EvaluationError } from '../values/failure.ts'
import type { Failure } from '../values/failure.ts'

/** Runs what evaluates code or writes its values; failures become the engine's refusals. */
export function refusing<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof EvaluationError) throw refusalOf(error.failure)
    if (error instanceof MalformedArchive) throw invalid(error.message)
    // A value that no codec writes, such as a text with a NUL.
    if (error instanceof RangeError) throw violated(error.message)
    throw error
  }
}

/** Facts that a failure states, at most. */
const MAX_FACTS = 20

function cut(text: string): string {
  return shortened(text, MAX_CAUSE_LENGTH)
}

/** A refusal in the words of the contract's code. */
function failed(
  id: string,
  category: AbortReason['category'],
  message: string,
  metadata: AbortReason['metadata'] = {},
): Error {
  const reason = { id, category, message: cut(message), metadata, isVerbatim: true } as const
  return refused({ kind: 'aborted', reason })
}

function refusalOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'status': {
      const facts = [...failure.metadata].slice(0, MAX_FACTS)
      const metadata = Object.fromEntries(facts.map(([key, value]) => [cut(key), cut(value)]))
      return failed(cut(failure.id), failure.category, failure.message, metadata)
    }
    case 'error':
      return failed('', 'state', failure.message)
    case 'unhandled': {
      const name = failure.exception.slice(failure.exception.indexOf(':') + 1)
      return failed(`UNHANDLED_EXCEPTION/${name}`, 'state', failure.message)
    }
    case 'limit': {
      const { of, limit } = failure
      const message = `An evaluation takes at most ${limit} ${of}`
      return refused({
        kind: 'aborted',
        reason: { id: 'evaluation-limit', category: 'argument', message },
      })
    }
    case 'nesting':
      return invalid('A value is nested more than 100 deep')
    case 'incomparable':
      return violated('Functions cannot be compared')
    case 'malformed':
    case 'wrong-template':
    case 'ill-typed':
      return violated(cut(failure.message))
  }
}
