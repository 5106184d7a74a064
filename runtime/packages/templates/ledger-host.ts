// The ledger as the code of packages sees it: an engine's transaction. Contracts of templates that
// are in code elsewhere are met through their interfaces alone.
// docs/decisions/0056-packages-that-run.md
import { ARCHIVE, invalid } from '../../engine/index.ts'
import type { AnyTemplate, Tx } from '../../engine/index.ts'
import type { HostExercise, Savepoint, UpdateHost } from '../evaluate/host.ts'
import type { Reference } from '../program/types.ts'
import { illTyped } from '../values/failure.ts'
import { Contract, Rec } from '../values/value.ts'
import type { Value } from '../values/value.ts'
import { choiceIn } from './package-template.ts'
import type { PackageTemplate } from './package-template.ts'

/** The templates of packages, as the evaluator names them. */
export interface HostTemplates {
  /** Throws where the program has none of this name. */
  named(name: Reference): PackageTemplate
  /** Undefined for a template that is not a package's. */
  of(template: AnyTemplate): PackageTemplate | undefined
}

/** The host of what runs in a transaction. */
export function ledgerHost(tx: Tx, templates: HostTemplates): UpdateHost {
  return {
    create: (name, payload) => {
      if (!(payload instanceof Rec)) throw illTyped('a record is expected')
      return tx.create(templates.named(name).template, payload)
    },
    fetch: (name, contractId) => tx.fetch(templates.named(name).template, contractId),
    fetchInterface: (name, contractId) => fetched(tx, templates, name, contractId),
    exercise: (exercise) => exercised(tx, templates, exercise),
    getTime: () => tx.time(),
    ledgerTimeBefore: (time) => isBefore(tx, time),
    savepoint: (): Savepoint => ({ rollBack: tx.mark() }),
  }
}

function isBefore(tx: Tx, time: bigint): boolean {
  const isEarlier = tx.time() < time
  if (isEarlier) tx.until(time)
  else tx.notBefore(time)
  return isEarlier
}

function fetched(
  tx: Tx,
  templates: HostTemplates,
  interfaceName: Reference,
  contractId: string,
): Contract {
  const found = templates.of(tx.templateOf(contractId))
  const interfaceId = interfaceName.text
  if (found?.any.interfaces.includes(interfaceId) !== true)
    throw invalid(`${contractId} does not implement ${interfaceId}`)
  return new Contract(found.reference, tx.fetch(found.template, contractId))
}

function exercised(tx: Tx, templates: HostTemplates, exercise: HostExercise): Value {
  const { on, isInterface, choice: name, contractId, argument } = exercise
  const template = isInterface ? templates.of(tx.templateOf(contractId)) : templates.named(on)
  if (!isInterface && name === ARCHIVE && template !== undefined)
    return void tx.archive(template.template, contractId)
  const choice = template && choiceIn(template.choices, name, isInterface ? on.text : undefined)
  if (choice === undefined) throw invalid(`${contractId} has no choice ${name} of ${on.text}`)
  return tx.exercise(choice, contractId, argument)
}
