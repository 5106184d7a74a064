// The engine as one of several nodes uses it: what differs is who pays and whose users are meant.
import type { Engine } from './engine.ts'
import type { Submission } from './submission.ts'

/** A node, as updates know it. */
interface Submitter {
  /** '' for the first node of a ledger. */
  readonly key: string
  /** The member whose traffic it uses. */
  readonly member: string
}

/** The user of a node as updates name it: two nodes may have users of one name. */
export function userOf({ key }: Pick<Submitter, 'key'>, userId: string): string {
  return key === '' || userId === '' ? userId : `${key}%${userId}`
}

/** The same engine; what is submitted through it is the node's. */
export function engineOf(engine: Engine, node: Submitter): Engine {
  const paid = <R>(submission: Submission<R>): Submission<R> => ({
    member: node.member,
    ...submission,
    userId: userOf(node, submission.userId),
  })
  return {
    synchronizerId: engine.synchronizerId,
    cache: engine.cache,
    counts: engine.counts.of(node.member),
    invariants: engine.invariants,
    get submissionsUnderWay() {
      return engine.submissionsUnderWay
    },
    measuredMicros: () => engine.measuredMicros(),
    oldestSubmissionMs: () => engine.oldestSubmissionMs(),
    auditMemory: () => engine.auditMemory(),
    submit: (submission) => engine.submit(paid(submission)),
    stage: (submission) => engine.stage(paid(submission)),
    rehearse: (submission) => engine.rehearse(paid(submission)),
    reassign: ({ names, ...request }) =>
      engine.reassign({
        ...request,
        ...(names && { names: { ...names, userId: userOf(node, names.userId) } }),
      }),
    recordFacts: (reads, decide) => engine.recordFacts(reads, decide),
    onCommitted: (listener) => engine.onCommitted(listener),
    template: (id) => engine.template(id),
    ready: (templateIds) => engine.ready(templateIds),
    drain: () => engine.drain(),
  }
}
