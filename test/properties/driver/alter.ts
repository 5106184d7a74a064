// Means to break the product from outside: choices that run otherwise, transactions in which a rule
// is missing, stores that write something else. Nothing of it touches product code, and all of it
// is taken back.
import { completed } from '../../../runtime/engine/new-contract.ts'
import type { Choice, Self, Template, Tx } from '../../../runtime/engine/index.ts'
import type {
  Commit,
  CommitFacts,
  CommitWrites,
  ContractStore,
} from '../../../runtime/store/store.ts'

type Undo = () => void

/** Overwrites members that are there. */
export function overwrite<T extends object>(target: T, change: Partial<T>): Undo {
  const before = { ...target }
  Object.assign(target, change)
  return () => void Object.assign(target, before)
}

export type Run<T, A, R> = (tx: Tx, self: Self<T>, argument: A) => R

/** Lets a choice run as `make` says, which gets its own code. */
export function rerun<T, A, R>(
  { rules }: Choice<T, A, R>,
  make: (original: Run<T, A, R>) => Run<T, A, R>,
): Undo {
  return overwrite(rules, { run: make(rules.run) })
}

/** Undoes all, the last first. */
export function together(...undos: readonly Undo[]): Undo {
  return () => undos.toReversed().forEach((undo) => undo())
}

/** The transaction with some of its members replaced. */
export function within(tx: Tx, change: Partial<Tx>): Tx {
  return {
    create: (template, payload) => tx.create(template, payload),
    fetch: (template, contractId) => tx.fetch(template, contractId),
    exercise: (choice, contractId, argument) => tx.exercise(choice, contractId, argument),
    exerciseInterface: (choice, contractId, argument) =>
      tx.exerciseInterface(choice, contractId, argument),
    archive: (template, contractId) => tx.archive(template, contractId),
    templateOf: (contractId) => tx.templateOf(contractId),
    template: (id) => tx.template(id),
    whenAgain: (again) => tx.whenAgain(again),
    read: (contractId) => tx.read(contractId),
    mark: () => tx.mark(),
    time: () => tx.time(),
    notBefore: (time) => tx.notBefore(time),
    before: (time) => tx.before(time),
    until: (time) => tx.until(time),
    abort: (fault) => tx.abort(fault),
    require(condition, requirement, given): asserts condition {
      tx.require(condition, requirement, given)
    },
    ...change,
  }
}

/** A choice whose code sees another transaction. */
export function inAnother<T, A, R>(choice: Choice<T, A, R>, change: (tx: Tx) => Partial<Tx>): Undo {
  return rerun(
    choice,
    (original) => (tx, self, argument) => original(within(tx, change(tx)), self, argument),
  )
}

/** A transaction without time bounds. */
export const timeless: Partial<Tx> = { notBefore: () => undefined, before: () => undefined }

/** A transaction without one requirement. */
export function without(tx: Tx, missing: string): Partial<Tx> {
  return {
    require(condition, requirement, given): asserts condition {
      if (requirement !== missing) tx.require(condition, requirement, given)
    },
  }
}

type Change = <T>(template: Template<T>, payload: T) => T

/** Alters payloads of one template and no other. */
export function changing<S>(target: Template<S>, change: (payload: S) => S): Change {
  const codec = target.type.payload
  return (template, payload) => {
    if (template.type.id !== target.type.id) return payload
    const own = template.type.payload
    return own.decode(codec.encode(change(codec.decode(own.encode(payload)))))
  }
}

/** Contracts are read otherwise. */
export function reading(tx: Tx, change: Change): Partial<Tx> {
  return { fetch: (template, contractId) => change(template, tx.fetch(template, contractId)) }
}

/** Contracts are made otherwise. */
export function making(tx: Tx, change: Change): Partial<Tx> {
  return {
    create: (template, payload) =>
      tx.create(template, change(template, completed(template, payload))),
  }
}

/** Contracts of a template stay that should go. */
export function keeping(
  tx: Tx,
  kept: (templateId: string, contractId: string) => boolean,
): Partial<Tx> {
  return {
    archive: (template, contractId) =>
      kept(template.type.id, contractId) ? undefined : tx.archive(template, contractId),
  }
}

/** A store whose commits see other facts or write something else. */
export function recommit(
  inner: ContractStore,
  change: {
    readonly facts?: (facts: CommitFacts) => CommitFacts
    readonly writes?: (writes: CommitWrites, truth: CommitFacts) => CommitWrites
  },
): ContractStore {
  const { facts: see = (same) => same, writes: write = (same) => same } = change
  const commit = async <T>({ reads, decide }: Commit<T>): Promise<T> =>
    inner.commit({
      reads,
      decide: (facts) => {
        const { writes, result } = decide(see(facts))
        return { writes: write(writes, facts), result }
      },
    })
  return { ...inner, commit }
}
