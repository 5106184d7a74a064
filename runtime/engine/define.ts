// Binds descriptions of templates and choices to their code.
import { placeOf, stakeholdersOf } from './new-contract.ts'
import { columnOf, storedKeys } from './template-keys.ts'
import { ContractUnreadable, unknownVersion } from './unreadable.ts'
import { templateOf } from '../store/rules.ts'
import type { ContractRecord } from '../store/store.ts'
import type {
  Choice,
  ChoiceRules,
  ChoiceType,
  Exercised,
  NoUpgrades,
  Template,
  TemplateRules,
  TemplateType,
} from './template.ts'
import type { OwnChoicesOf, OwnRulesOf } from './template-choices.ts'

/** Rules of a template whose older payloads need code to become new ones. */
interface Upgrading<U> {
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
  rules: TemplateRules<NoInfer<T>, NoInfer<D>>,
): Template<T, D>
export function defineTemplate<T extends object, U, D>(
  type: TemplateType<T, U> & D,
  rules: TemplateRules<NoInfer<T>, NoInfer<D>> & Upgrading<U>,
): Template<T, D>
export function defineTemplate<T extends object>(
  type: TemplateType<T>,
  rules: TemplateRules<T> & Partial<Upgrading<NoUpgrades>>,
): Template<T> {
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
  const template: Template<T> = {
    type,
    rules,
    isOf,
    read,
    earlierIds: [...versions.keys()],
    open: (contract) => payloads.get(contract) ?? decode(contract),
    by: (key) => {
      const column = columnOf(type, key)
      return { template, column, of: (contract) => contract[column] }
    },
    keysOf: (contract) => storedKeys(type, contract),
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

type AnyRules = ChoiceRules<unknown, unknown, unknown>

/**
 * A choice of a template, or of an interface for this template. Remembers what was said in an
 * exercise as long as that lives. One that only ends its contract has nothing to run.
 */
export function choice<T, A, R>(
  template: Template<T>,
  type: ChoiceType<A, R>,
  rules: ChoiceRules<NoInfer<T>, NoInfer<A>, R>,
): Choice<T, A, R>
export function choice<T, A>(
  template: Template<T>,
  type: ChoiceType<A, NoUpgrades>,
  rules: Omit<ChoiceRules<NoInfer<T>, NoInfer<A>, NoUpgrades>, 'run'>,
): Choice<T, A, NoUpgrades>
export function choice(
  template: Template<unknown>,
  type: ChoiceType<unknown, unknown>,
  { run = () => ({}), ...rules }: Omit<AnyRules, 'run'> & Partial<Pick<AnyRules, 'run'>>,
): Choice<unknown, unknown, unknown> {
  const said = new WeakMap<Exercised, { readonly argument: unknown; readonly result: unknown }>()
  return {
    template,
    type,
    rules: { ...rules, run },
    argumentOf: (event) =>
      (said.get(event) ?? { argument: type.argument.decode(event.argument) }).argument,
    resultOf: (event) => (said.get(event) ?? { result: type.result.decode(event.result) }).result,
    remember: (event, argument, result) => void said.set(event, { argument, result }),
  }
}

/**
 * Choices of a template from their rules, by the names of its printed type: each is named once. One
 * that is missing does not compile where they are bound.
 */
export function choices<T, D, N extends keyof OwnChoicesOf<T, D> & string>(
  template: Template<T, D>,
  rules: Pick<OwnRulesOf<T, D>, N>,
): Pick<OwnChoicesOf<T, D>, N>
export function choices<T>(
  template: Template<
    T,
    { readonly choices: Readonly<Record<string, ChoiceType<unknown, unknown>>> }
  >,
  rules: Readonly<Record<string, ChoiceRules<T, unknown, unknown>>>,
): Readonly<Record<string, Choice<T, unknown, unknown>>> {
  return Object.fromEntries(
    Object.entries(rules).map(([name, each]) => {
      const type = template.type.choices[name]
      if (type === undefined) throw new TypeError(`${template.type.name} has no choice ${name}`)
      return [name, choice(template, type, each)]
    }),
  )
}
