// Does again what the roots of a transaction did; all below them follows from the contracts' code.
import { qualified } from '../../engine/index.ts'
import type { SubmissionStep, Tx } from '../../engine/index.ts'
import type { PreparedRoot } from './prepared.ts'

interface Replay {
  readonly roots: readonly PreparedRoot[]
  readonly notBefore: bigint | undefined
  readonly before: bigint
}

/** The steps of a submission that gets the same nodes within the same bounds. */
export function replay({ roots, notBefore, before }: Replay): readonly SubmissionStep[] {
  const bounds: SubmissionStep = (tx) => {
    // What choices demand of it, they demand again.
    tx.until(before)
    if (notBefore !== undefined) tx.notBefore(notBefore)
  }
  return [bounds, ...roots.map((root): SubmissionStep => (tx) => replayRoot(tx, root))]
}

function replayRoot(tx: Tx, root: PreparedRoot): void {
  const template = tx.template(root.templateId)
  if (root.kind === 'create') return void template.createJson(tx, root.payload)
  const { choices } = template
  const choice =
    choices.get(qualified(root.choice, root.interfaceId ?? '')) ?? choices.get(root.choice)
  if (choice === undefined) return unknown(tx, root.choice)
  choice.exerciseJson(tx, root.contractId, root.argument)
}

function unknown(tx: Tx, what: string): never {
  return tx.abort({ id: '', category: 'argument', message: `There is no ${what}` })
}
