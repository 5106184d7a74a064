// What is wrong with a row by itself, or beside the one before it.
import type { ContractState, LedgerEnd, UpdateRecord } from '../../store/store.ts'
import type { AnyTemplate, StoredUpdate } from '../../engine/index.ts'
import { isGenuine } from '../../engine/index.ts'
import { messageOf } from '../../host/problem.ts'

type Template = AnyTemplate | undefined

/**
 * Reasons that read on from "contract ID: it". The first thing wrong with its content speaks for
 * what follows from it.
 */
export function contractProblems(
  state: ContractState,
  template: Template,
  end: LedgerEnd,
): readonly string[] {
  const { createdOffset, archivedOffset } = state
  const content = contentProblem(state, template)
  return [
    ...(content === undefined ? [] : [content]),
    ...(createdOffset < 1n || createdOffset > end.offset
      ? [`is created at offset ${createdOffset}, the ledger has 1 to ${end.offset}`]
      : []),
    ...(archivedOffset !== 0n && (archivedOffset < createdOffset || archivedOffset > end.offset)
      ? [
          `is created at offset ${createdOffset} and archived at ${archivedOffset}, the ledger ends at ${end.offset}`,
        ]
      : []),
  ]
}

function contentProblem({ contract }: ContractState, template: Template): string | undefined {
  if (!isGenuine(contract)) return 'has content that does not match the hash in its id'
  if (template === undefined)
    return `has a template that this version does not have: ${contract.templateId}`
  try {
    const { key1, key2, key3, rank } = template.placeOf(contract)
    const isThere =
      key1 === contract.key1 &&
      key2 === contract.key2 &&
      key3 === contract.key3 &&
      rank === contract.rank
    return isThere ? undefined : 'has keys or a rank that do not follow from its content'
  } catch (error) {
    return `does not decode: ${messageOf(error)}`
  }
}

/** Reasons that read on from "update OFFSET: it", of the update after `before`, each as its own. */
export function orderProblems(
  { offset, recordTime }: UpdateRecord,
  before: LedgerEnd,
  end: LedgerEnd,
): readonly string[] {
  return [
    ...(recordTime <= before.recordTime
      ? [`has record time ${recordTime}, the one before it ${before.recordTime}`]
      : []),
    ...(offset > end.offset ? [`is after the ledger end ${end.offset}`] : []),
  ]
}

/** Likewise, of what its body says. */
export function bodyProblems({ updateId }: UpdateRecord, update: StoredUpdate): readonly string[] {
  if (update.kind === 'reassignment') return otherId(updateId, update.reassignment.updateId)
  const { transaction } = update
  const altered = transaction.events.flatMap((event) =>
    event.kind === 'create' && !isGenuine(event.contract) ? [event.contract] : [],
  )
  return [
    ...otherId(updateId, transaction.updateId),
    ...altered.map(
      ({ contractId }) =>
        `creates contract ${contractId} with content that does not match the hash in its id`,
    ),
  ]
}

function otherId(updateId: string, inBody: string): readonly string[] {
  return updateId === inBody ? [] : [`has the id ${updateId}, its body ${inBody}`]
}
