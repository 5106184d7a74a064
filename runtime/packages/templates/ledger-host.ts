// The ledger as the code of packages sees it: an engine's transaction. Contracts of templates that
// are in code elsewhere are met through their interfaces alone, in JSON and in their words.
// docs/decisions/0056-packages-that-run.md
import { ARCHIVE, interfaceChoice, violated } from '../../engine/index.ts'
import type { AnyTemplate, Tx } from '../../engine/index.ts'
import type { HostExercise, Savepoint, UpdateHost } from '../evaluate/host.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Program } from '../program/definitions.ts'
import type { Reference } from '../program/types.ts'
import { illTyped } from '../values/failure.ts'
import { Contract, Rec } from '../values/value.ts'
import type { Elsewhere, Value } from '../values/value.ts'
import type { ValueCodecs } from './codec.ts'
import type { InCode } from './in-code.ts'
import { choiceIn, readable } from './package-template.ts'
import type { PackageTemplate } from './package-template.ts'

/** The templates of packages, as the evaluator names them. */
export interface HostTemplates {
  readonly program: Program
  readonly codecs: ValueCodecs
  readonly inCode: InCode
  /** The id by which the ledger knows an interface. */
  meant(interfaceName: Reference): string
  /** Throws a refusal where the program has none of this name. */
  named(name: Reference): PackageTemplate
  /** Undefined for a template that is not one of the program's. */
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
    exercise: (exercise) =>
      exercise.isInterface
        ? throughInterface(tx, templates, exercise)
        : exercised(tx, templates, exercise),
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
  const any = tx.templateOf(contractId)
  const interfaceId = templates.meant(interfaceName)
  if (!any.interfaces.includes(interfaceId))
    throw violated(`${contractId} does not implement ${interfaceId}`)
  const found = templates.of(any)
  if (found !== undefined)
    return new Contract(found.reference, tx.fetch(found.template, contractId, interfaceId))
  const record = tx.read(contractId, interfaceId)
  return new Contract(interfaceName, undefined, elsewhere(templates, any, record))
}

/** What the code of a contract says that is in no package. */
function elsewhere(
  { program, codecs, meant, inCode }: HostTemplates,
  any: AnyTemplate,
  record: ContractRecord,
): Elsewhere {
  const named = (key: string): Reference => {
    const [packageId = '', module = '', name = ''] = key.split(':')
    return program.reference(packageId, module, name)
  }
  return {
    implements: (key) => any.interfaces.includes(meant(named(key))),
    view: (key) => {
      const codec = codecs.of(program.interface(named(key)).view)
      const view = inCode.outward.payload(any.viewOf(record, meant(named(key))), named(key).name)
      return readable(record, () => codec.decode(view))
    },
    signatories: () => record.signatories,
    observers: () => record.observers,
  }
}

function exercised(
  tx: Tx,
  templates: HostTemplates,
  { on, choice: name, contractId, argument }: HostExercise,
): Value {
  const { template, choices } = templates.named(on)
  if (name === ARCHIVE) return void tx.archive(template, contractId)
  const choice = choiceIn(choices, name, undefined)
  if (choice === undefined) throw violated(`${on.text} has no choice ${name}`)
  return tx.exercise(choice, contractId, argument)
}

function throughInterface(
  tx: Tx,
  templates: HostTemplates,
  { on, choice: name, contractId, argument }: HostExercise,
): Value {
  const any = tx.templateOf(contractId)
  const interfaceId = templates.meant(on)
  const own = templates.of(any)
  const choice = own && choiceIn(own.choices, name, interfaceId)
  if (choice !== undefined) return tx.exercise(choice, contractId, argument)
  const bound =
    name === ARCHIVE ? any.choices.get(ARCHIVE) : interfaceChoice(any, name, interfaceId)
  const type = templates.program.interface(on).choices.get(name)
  if (own !== undefined || bound === undefined || type === undefined)
    throw violated(`${contractId} has no choice ${name} of ${interfaceId}`)
  const { codecs, inCode } = templates
  const json = inCode.inward.payload(codecs.of(type.argument).encode(argument), name)
  const result = inCode.outward.payload(bound.exerciseJson(tx, contractId, json), name)
  return readable({ contractId, templateId: interfaceId }, () =>
    codecs.of(type.result).decode(result),
  )
}
