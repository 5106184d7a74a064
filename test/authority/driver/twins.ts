// Who may not see a user or a party cannot learn that it is there: the answer is the one that a
// name of nobody gets, byte by byte but for the names and the ids of the request.
// docs/authority.md, "What others learn"
import type { Answer, Op } from '../model/ops.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Violation } from './observe.ts'
import { perform } from './perform.ts'
import type { Stage } from './stage.ts'

const GHOST = 'zoe-nobody'

/** Asks the same about somebody who is not there, where the operation was about somebody hidden. */
export async function twinFault(
  stage: Stage,
  op: Op,
  verdict: Verdict,
  answer: Answer,
): Promise<readonly Violation[]> {
  if (verdict.kind !== 'refused' || verdict.hides === undefined) return []
  const hidden = verdict.hides
  const ghost = hidden.includes('::') ? `${GHOST}::${hidden.split('::')[1] ?? ''}` : GHOST
  const twin = await perform(stage, renamed(op, hidden, ghost))
  const [one, other] = [neutral(answer, hidden), neutral(twin, ghost)]
  return one === other
    ? []
    : [
        {
          rule: 'who may not see a user cannot learn that it exists',
          detail: `${one}\n  for nobody: ${other}`,
        },
      ]
}

function renamed(op: Op, from: string, to: string): Op {
  if ('id' in op && op.id === from) return { ...op, id: to }
  if ('userId' in op && op.userId === from) return { ...op, userId: to }
  return op.op === 'patch-party' && op.party === from ? { ...op, party: to } : op
}

/** Status and body without what differs from request to request. */
function neutral({ status, text }: Answer, name: string): string {
  const ids = /"(traceId|correlationId|tid)":"[^"]*"/g
  // A hint may be the same as the name: the party is the same in both.
  const whole = new RegExp(`(?<![\\w-])${name}(?![\\w-]|::)`, 'g')
  return `${status} ${text.replaceAll(ids, '"$1":""').replaceAll(whole, 'NAME')}`
}
