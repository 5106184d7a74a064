// History: every update becomes lines of the parties whose coins it concerns, in the commit that
// writes it. docs/economy-rules.md, "Histories"; docs/ledger-rules.md, "Commits"
import type { InvalidTransferReason } from '../../../generated/contracts.gen.ts'
import { installChoices, isInCode } from '../../contracts/index.ts'
import type { Projector } from '../../engine/submission.ts'
import type { ExerciseEvent } from '../../engine/transaction.ts'
import type { LogRecord } from '../../store/store.ts'
import { failureNotice } from './entries.ts'
import type { HistoryLine } from './entries.ts'
import { failureText } from '../failure-text.ts'
import { readers } from './readers.ts'
import { TransactionTree } from './tree.ts'

/**
 * Name of the log; its owner is the party, a line's id the `event_id` of its body, which is as the
 * wire has it.
 */
export const HISTORY_LOG = 'history'

const executeBatch = installChoices.WalletAppInstall_ExecuteBatch
const BATCH = executeBatch.type.name

/** Pure. Most updates concern no coins and cost a look at each choice. */
export const historyProjector: Projector = {
  project: (transaction) => {
    const isTold = transaction.events.some(
      (event) =>
        event.kind === 'exercise' &&
        (readers.has(event.choice) || event.choice === BATCH) &&
        isInCode(event),
    )
    if (!isTold) return { logs: [], facts: [] }
    const tree = new TransactionTree(transaction)
    const lines = linesWithin(tree, 0, transaction.events.length - 1, undefined)
    return { logs: recordsOf(lines), facts: [] }
  },
}

/** Several owners may have the same entry: it is written once. */
function recordsOf(lines: readonly HistoryLine[]): readonly LogRecord[] {
  const texts = new Map<HistoryLine['entry'], string>()
  return lines.map(({ owner, entry }) => {
    const body = texts.get(entry) ?? JSON.stringify(entry)
    texts.set(entry, body)
    return { log: HISTORY_LOG, owner, id: entry.event_id, body }
  })
}

/** The lines of the events from `first` to `last`, which are whole trees. */
function linesWithin(
  tree: TransactionTree,
  first: number,
  last: number,
  batch: ExerciseEvent | undefined,
): readonly HistoryLine[] {
  const lines: HistoryLine[] = []
  for (let node = first; node <= last; node++) {
    const event = tree.transaction.events[node]
    if (event?.kind !== 'exercise') continue
    lines.push(...linesOf(tree, event, batch))
    node = event.lastDescendant
  }
  return lines
}

function linesOf(
  tree: TransactionTree,
  event: ExerciseEvent,
  batch: ExerciseEvent | undefined,
): readonly HistoryLine[] {
  const below = (within?: ExerciseEvent): readonly HistoryLine[] =>
    linesWithin(tree, event.node + 1, event.lastDescendant, within)
  if (!isInCode(event)) return below()
  const told = readers.get(event.choice)?.({ tree, event, batch })
  if (told !== undefined) return told
  return event.choice === BATCH ? [...below(event), ...failuresOf(tree, event)] : below()
}

/** Completions that failed while the rest of their batch went on. */
function failuresOf(tree: TransactionTree, event: ExerciseEvent): readonly HistoryLine[] {
  const { endUserParty, outcomes } = executeBatch.resultOf(event)
  const { operations } = executeBatch.argumentOf(event)
  return operations.flatMap(({ tag }, index) => {
    const outcome = outcomes[index]
    if (tag !== 'CO_CompleteAcceptedTransfer' || outcome?.tag !== 'COO_Error') return []
    return [
      {
        owner: endUserParty,
        entry: failureNotice(tree, event, { index, tag, details: details(outcome.value) }),
      },
    ]
  })
}

function details(reason: InvalidTransferReason): string {
  return `direct transfer failed: ${failureText(reason)}`
}
