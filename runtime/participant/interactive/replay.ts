// Does again what the roots of a transaction did; all below them follows from the contracts' code.
import type { AnyTemplate, SubmissionStep, Tx } from '../../engine/index.ts'
import type { PreparedNode } from './prepared.ts'

interface Replay {
  readonly nodes: readonly PreparedNode[]
  readonly notBefore: bigint | undefined
  readonly before: bigint
}

/** Nodes that commands made themselves. */
function rootsOf(nodes: readonly PreparedNode[]): readonly PreparedNode[] {
  let next = 0
  return nodes.filter((node, at) => {
    if (at < next) return false
    next = node.kind === 'exercise' ? Math.max(node.lastDescendant, at) + 1 : at + 1
    return true
  })
}

/** The steps of a submission that gets the same nodes within the same bounds. */
export function replay(
  { nodes, notBefore, before }: Replay,
  template: (id: string) => AnyTemplate | undefined,
): readonly SubmissionStep[] {
  const bounds: SubmissionStep = (tx) => {
    tx.before(before)
    if (notBefore !== undefined) tx.notBefore(notBefore)
  }
  const roots = rootsOf(nodes).map(
    (root): SubmissionStep =>
      (tx) =>
        replayRoot(tx, root, template(root.templateId)),
  )
  return [bounds, ...roots]
}

function replayRoot(tx: Tx, root: PreparedNode, template: AnyTemplate | undefined): void {
  if (template === undefined) return unknown(tx, root.templateId)
  if (root.kind === 'create') return void template.createJson(tx, parse(tx, root.payload))
  const choice = template.choices.get(root.choice)
  if (choice === undefined) return unknown(tx, root.choice)
  choice.exerciseJson(tx, root.contractId, parse(tx, root.argument))
}

function unknown(tx: Tx, what: string): never {
  return tx.abort({ id: '', category: 'argument', message: `There is no ${what}` })
}

function parse(tx: Tx, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return tx.abort({
      id: '',
      category: 'argument',
      message: 'A value of the prepared transaction is not JSON',
    })
  }
}
