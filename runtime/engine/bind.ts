// Puts templates together with their choices and hides their types, for commands that arrive as
// JSON.
import { invalid, valid } from './interrupt.ts'
import { placeOf } from './new-contract.ts'
import { constantOf, uncapitalised } from './template-choices.ts'
import type { ChoicesOf, CodeOf, PayloadOf } from './template-choices.ts'
import type { AnyChoice, AnyTemplate, Choice, Json, Template, Tx } from './template.ts'

/** The choice that every template has. */
export const ARCHIVE = 'Archive'

/** A named thing to bind: the printed types have names of templates, choices and interfaces. */
interface Named {
  readonly name: string
  readonly choices: object
  readonly interfaceChoices: object
}

/**
 * Every template of the printed types `types` with its choices. They are found in `code` by name:
 * the template `CoinRules` is `coinRules`, its choice `CoinRules_DevNet_Tap` is
 * `coinRulesDevNetTap`, and `TransferFactory_Transfer`, which it has by an interface, is
 * `coinRulesTransfer`. Choices that are members of one record stand in `records`, under the
 * template. What is missing does not compile. Throws a TypeError as `bindTemplate` does.
 */
export function bindTemplates<D, R extends keyof D>(
  types: D,
  code: CodeOf<D, R>,
  records: { readonly [N in R]: ChoicesOf<PayloadOf<D[N]>, D[N]> },
): readonly AnyTemplate[]
export function bindTemplates(
  types: Readonly<Record<string, Named>>,
  code: Readonly<Record<string, Template<unknown> | AnyBound>>,
  records: Readonly<Record<string, Readonly<Record<string, AnyBound>>>>,
): readonly AnyTemplate[] {
  return Object.values(types).map(({ name, choices, interfaceChoices }) => {
    const template = code[uncapitalised(name)]
    if (template === undefined || 'template' in template) throw new TypeError(`${name} has no code`)
    const choiceOf = (choice: string): readonly [string, AnyBound] => {
      const bound = code[constantOf(name, choice)]
      if (bound === undefined || !('template' in bound))
        throw new TypeError(`${choice} of ${name} has no code`)
      return [choice, bound]
    }
    const all = Object.keys({ ...choices, ...interfaceChoices })
    const named = () => Object.fromEntries(all.filter((choice) => choice !== ARCHIVE).map(choiceOf))
    return bindTemplate(template, records[name] ?? named())
  })
}

/** The name of an interface's choice where it may stand beside others of that name. */
export function qualified(name: string, interfaceId: string): string {
  return `${interfaceId}:${name}`
}

/** The choice that a template has by an interface. */
export function interfaceChoice(
  { choices }: Pick<AnyTemplate, 'choices'>,
  name: string,
  interfaceId: string | undefined,
): AnyChoice | undefined {
  const bound = choices.get(qualified(name, interfaceId ?? '')) ?? choices.get(name)
  return bound?.interfaceId === interfaceId ? bound : undefined
}

type AnyBound = Choice<unknown, unknown, unknown>

/**
 * A template with its choices by name, types hidden; one that is missing does not compile.
 * `Archive` comes by itself. Throws a TypeError where a choice belongs to another template or
 * stands under another's name.
 */
export function bindTemplate<T, D>(template: Template<T, D>, choices: ChoicesOf<T, D>): AnyTemplate
export function bindTemplate<T>(
  template: Template<T>,
  choices: Readonly<Record<string, Choice<T, unknown, unknown>>>,
): AnyTemplate {
  const { type, rules } = template
  const bound = Object.entries(choices).map(([name, each]): [string, AnyChoice] => [
    name,
    bindChoice(template, name, each),
  ])
  return {
    id: type.id,
    name: type.name,
    reference: type.reference,
    earlierIds: template.earlierIds,
    packageName: type.packageName,
    packageVersion: type.packageVersion,
    interfaces: type.interfaces,
    choices: new Map([[ARCHIVE, archiveOf(template)], ...bound]),
    createJson: (tx, payload, templateId = type.id) =>
      tx.create(
        template,
        valid(() => template.read(payload, templateId)),
      ),
    totalsOf: (contract) => rules.totals?.(template.open(contract)) ?? [],
    accrues: rules.accruals !== undefined,
    accrualsOf: (contract) => rules.accruals?.(template.open(contract)) ?? [],
    placeOf: (contract) => placeOf(template, template.open(contract)),
    viewOf: (contract, interfaceId, together) =>
      rules.views?.[interfaceId]?.(template.open(contract), together),
  }
}

function bindChoice<T>(
  template: Template<T>,
  key: string,
  bound: Choice<T, unknown, unknown>,
): AnyChoice {
  const { name, interfaceId, argument: codec, result } = bound.type
  if (name !== key && qualified(name, interfaceId ?? '') !== key)
    throw new TypeError(`${name} stands under the name ${key}`)
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
