// Runs the code of packages in an engine’s transactions: one evaluation for each, so that its
// limits hold for all that happens in it. docs/decisions/0056-packages-that-run.md
import type { Tx } from '../../engine/index.ts'
import { Evaluation } from '../evaluate/evaluation.ts'
import { ProgramLinker } from '../evaluate/linker.ts'
import type { Program } from '../program/definitions.ts'
import type { EvaluationLimits } from '../values/failure.ts'
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
  const ofTransactions = new WeakMap<Tx, Evaluation>()
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
    return made
  }
  // Rules have no transaction at hand: at its root, each is an evaluation of its own.
  const evaluate = <T>(run: (evaluation: Evaluation) => T): T =>
    within(current ?? new Evaluation(linker, limits), run)
  return {
    value: (code, args) => evaluate((evaluation) => evaluation.evaluate(code, args)),
    view: (code, args) => evaluate((evaluation) => evaluation.view(code, args)),
    parties: (code, args) => evaluate((evaluation) => evaluation.parties(code, args)),
    update: (tx, code, args) =>
      within(evaluationOf(tx), (evaluation) => evaluation.runChoice(code, args)),
  }
}
