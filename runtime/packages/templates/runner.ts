// Runs the code of packages in an engine’s transactions: one evaluation for each, so that its
// limits hold for all that happens in it. docs/ledger-rules.md, "Packages that run"
import type { Tx } from '../../engine/index.ts'
import { Evaluation } from '../evaluate/evaluation.ts'
import { ProgramLinker } from '../evaluate/linker.ts'
import type { Program, ReadCode } from '../program/definitions.ts'
import type { EvaluationLimits } from '../values/failure.ts'
import { exceeded } from '../values/meter.ts'
import type { Value } from '../values/value.ts'
import { refusing } from './failures.ts'
import { ledgerHost } from './ledger-host.ts'
import type { HostTemplates } from './ledger-host.ts'
import type { Runner } from './package-template.ts'

/** A runner of the code of a program. */
export function packageRunner(
  program: Program,
  limits: EvaluationLimits,
  templates: HostTemplates,
): Runner {
  const linker = new ProgramLinker(program)
  const small = partOf(limits)
  const ofTransactions = new WeakMap<Tx, Evaluation>()
  /** Steps that views took which are shown at once. */
  const stepsOf = new WeakMap<object, number>()
  /** The evaluation of the transaction whose code is running. */
  let current: Evaluation | undefined
  const within = <T>(evaluation: Evaluation, run: (evaluation: Evaluation) => T): T => {
    const around = current
    current = evaluation
    try {
      return refusing(() => run(evaluation))
    } finally {
      current = around
    }
  }
  const evaluationOf = (tx: Tx): Evaluation => {
    const known = ofTransactions.get(tx)
    if (known !== undefined) return known
    const made = new Evaluation(linker, limits, ledgerHost(tx, templates))
    ofTransactions.set(tx, made)
    tx.whenAgain((read) => refusing(() => made.again(read)))
    return made
  }
  // Rules have no transaction at hand.
  const evaluate = <T>(run: (evaluation: Evaluation) => T): T =>
    within(current ?? new Evaluation(linker, small), run)
  const shown = (code: ReadCode, args: readonly Value[], together: object): Value => {
    const before = stepsOf.get(together) ?? 0
    const evaluation = new Evaluation(linker, small)
    return within(evaluation, () => {
      if (before > limits.steps) throw exceeded('steps', limits.steps)
      try {
        return evaluation.view(code, args)
      } finally {
        stepsOf.set(together, before + evaluation.used.steps)
      }
    })
  }
  return {
    value: (code, args) => evaluate((evaluation) => evaluation.evaluate(code, args)),
    view: (code, args, together) =>
      together === undefined
        ? evaluate((evaluation) => evaluation.view(code, args))
        : shown(code, args, together),
    parties: (code, args) => evaluate((evaluation) => evaluation.parties(code, args)),
    update: (tx, code, args) =>
      within(evaluationOf(tx), (evaluation) => evaluation.runChoice(code, args)),
    within: (tx, run) => within(evaluationOf(tx), run),
  }
}

/** What runs outside of a transaction has a part of its limits. */
const PART = 100

function partOf({ steps, cells, depth }: EvaluationLimits): EvaluationLimits {
  return { steps: Math.ceil(steps / PART), cells: Math.ceil(cells / PART), depth }
}
