// The engine as one of several nodes uses it: everything is shared but who pays.
import type { Engine } from './engine.ts'
import type { Submission } from './submission.ts'

/** The same engine; what is submitted through it uses the traffic of `member`. */
export function engineOf(engine: Engine, member: string): Engine {
  const paid = <R>(submission: Submission<R>): Submission<R> => ({ member, ...submission })
  return {
    synchronizerId: engine.synchronizerId,
    cache: engine.cache,
    counts: engine.counts,
    invariants: engine.invariants,
    get submissionsUnderWay() {
      return engine.submissionsUnderWay
    },
    oldestSubmissionMs: () => engine.oldestSubmissionMs(),
    auditMemory: () => engine.auditMemory(),
    submit: (submission) => engine.submit(paid(submission)),
    stage: (submission) => engine.stage(paid(submission)),
    rehearse: (submission) => engine.rehearse(paid(submission)),
    reassign: (request) => engine.reassign(request),
    recordFacts: (reads, decide) => engine.recordFacts(reads, decide),
    onCommitted: (listener) => engine.onCommitted(listener),
    template: (id) => engine.template(id),
    drain: () => engine.drain(),
  }
}
