// Binds descriptions of templates and choices to their code, and hides their types where commands
// arrive as JSON.
import { invalid } from './interrupt.ts'
import { placeOf, stakeholdersOf } from './new-contract.ts'
import { ContractUnreadable, unknownVersion } from './unreadable.ts'
import { templateOf } from '../store/rules.ts'
import type { ContractRecord } from '../store/store.ts'
import type {
  AnyChoice,
  AnyTemplate,
  Choice,
  ChoiceRules,
  ChoicesOf,
  ChoiceType,
  Json,
  NoUpgrades,
  Template,
  TemplateRules,
  TemplateType,
  Tx,
} from './template.ts'

/** The choice that every template has. */
export const ARCHIVE = 'Archive'

/** Rules of a template whose older payloads need code to become new ones. */
interface UpgradingRules<T, U> extends TemplateRules<T> {
  /**
   * By version: brings a payload to the version after it. Pure. What it answers has the
   * signatories, observers, keys, rank and totals that the contract was written with.
   */
  readonly upgrades: U
}

/**
 * A template from its printed type and its rules; where the type asks for upgrades, the compiler
 * does too. Remembers decoded payloads as long as their records live.
 */
export function defineTemplate<T extends object, D>(
  type: TemplateType<T> & D,
  rules: TemplateRules<T>,
): Template<T, D>
export function defineTemplate<T extends object, U, D>(
  type: TemplateType<T, U> & D,
  rules: UpgradingRules<T, U>,
): Template<T, D>
export function defineTemplate<T extends object, D>(
  type: TemplateType<T> & D,
  rules: TemplateRules<T> & Partial<UpgradingRules<T, NoUpgrades>>,
): Template<T, D> {
  const { id, reference, payload: codec, earlier } = type
  const versions = new Map(earlier.map((version) => [version.id, version]))
  const payloads = new WeakMap<ContractRecord, T>()
  const isOf: Template<T>['isOf'] = (subject) =>
    subject.templateId === id || templateOf(subject) === reference
  const read: Template<T>['read'] = (payload, templateId) => {
    const version = versions.get(templateId)
    return version === undefined
      ? codec.decode(payload)
      : version.read(payload, rules.upgrades ?? NO_UPGRADES)
  }
  const template: Template<T, D> = {
    type,
    rules,
    isOf,
    read,
    earlierIds: [...versions.keys()],
    open: (contract) => payloads.get(contract) ?? decode(contract),
    remember: (contract, payload) => void payloads.set(contract, payload),
  }
  const decode = (contract: ContractRecord): T => {
    const { templateId } = contract
    if (!isOf(contract)) throw new TypeError(`${contract.contractId} is not a ${type.name}`)
    if (templateId !== id && !versions.has(templateId)) throw unknownVersion(contract)
    const payload = read(JSON.parse(contract.payload), templateId)
    if (templateId !== id) requireSame(template, contract, payload)
    payloads.set(contract, payload)
    return payload
  }
  return template
}

const NO_UPGRADES: NoUpgrades = {}

/**
 * A contract is what its parties agreed to, and is found by what it said, whatever a later version
 * makes of it.
 */
function requireSame<T>(template: Template<T>, contract: ContractRecord, payload: T): void {
  const now = { ...stakeholdersOf(template, payload), ...placeOf(template, payload) }
  const { signatories, observers, key1, key2, key3, rank } = contract
  const was = { signatories, observers, key1, key2, key3, rank: String(rank) }
  if (JSON.stringify({ ...now, rank: String(now.rank) }) === JSON.stringify(was)) return
  throw new ContractUnreadable(
    contract,
    'gets other stakeholders, keys or another rank by its upgrade',
  )
}

/** A choice of a template, or of an interface for this template. */
export function choice<T, A, R>(
  template: Template<T>,
  type: ChoiceType<A, R>,
  rules: ChoiceRules<T, A, R>,
): Choice<T, A, R> {
  return { template, type, rules }
}

/**
 * A template with its choices by name, types hidden; one that is missing does not compile.
 * `Archive` comes by itself. Throws a TypeError where a choice belongs to another template or
 * stands under another's name.
 */
export function bindTemplate<T, D, N extends string>(
  template: Template<T, D> & { readonly type: { readonly name: N } },
  choices: ChoicesOf<T, D>,
): AnyTemplate & { readonly name: N }
export function bindTemplate<T>(
  template: Template<T>,
  choices: Readonly<Record<string, Choice<T, unknown, unknown>>>,
): AnyTemplate {
  const { type, rules } = template
  const bound = Object.entries(choices).map(([name, each]) => bindChoice(template, name, each))
  return {
    id: type.id,
    name: type.name,
    reference: type.reference,
    earlierIds: template.earlierIds,
    packageName: type.packageName,
    packageVersion: type.packageVersion,
    interfaces: type.interfaces,
    choices: new Map([archiveOf(template), ...bound].map((each) => [each.name, each])),
    createJson: (tx, payload, templateId = type.id) =>
      tx.create(
        template,
        valid(() => template.read(payload, templateId)),
      ),
    totalsOf: (contract) => rules.totals?.(template.open(contract)) ?? [],
    accrues: rules.accruals !== undefined,
    accrualsOf: (contract) => rules.accruals?.(template.open(contract)) ?? [],
    placeOf: (contract) => placeOf(template, template.open(contract)),
    viewOf: (contract, interfaceId) => rules.views?.[interfaceId]?.(template.open(contract)),
  }
}

function bindChoice<T>(
  template: Template<T>,
  key: string,
  bound: Choice<T, unknown, unknown>,
): AnyChoice {
  const { name, interfaceId, argument: codec, result } = bound.type
  if (name !== key) throw new TypeError(`${name} stands under the name ${key}`)
  if (bound.template.type.id !== template.type.id)
    throw new TypeError(`${name} is not a choice of ${template.type.name}`)
  return {
    name,
    ...(interfaceId === undefined ? {} : { interfaceId }),
    exerciseJson: (tx, contractId, argument) =>
      result.encode(
        tx.exercise(
          bound,
          contractId,
          valid(() => codec.decode(argument)),
        ),
      ),
  }
}

function archiveOf<T>(template: Template<T>): AnyChoice {
  return {
    name: ARCHIVE,
    exerciseJson: (tx, contractId, argument) => archive(tx, template, contractId, argument),
  }
}

function archive<T>(tx: Tx, template: Template<T>, contractId: string, argument: unknown): Json {
  const isUnit =
    typeof argument === 'object' &&
    argument !== null &&
    !Array.isArray(argument) &&
    Object.keys(argument).length === 0
  if (!isUnit) throw invalid('Archive: expected an empty object')
  tx.archive(template, contractId)
  return {}
}

function valid<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
}
