// Binds descriptions of templates and choices to their code, and hides their types where commands arrive as JSON.
import { invalid } from './interrupt.ts'
import { placeOf } from './new-contract.ts'
import type { ContractRecord } from '../store/store.ts'
import type {
  AnyChoice, AnyTemplate, Choice, ChoiceRules, ChoiceType, Codec, Json, Template, TemplateRules, TemplateType, Tx,
} from './template.ts'

/** The choice that every template has. */
export const ARCHIVE = 'Archive'

/** A template from its printed type and its rules. Remembers decoded payloads as long as their records live. */
export function defineTemplate<T extends object>(type: TemplateType<T>, rules: TemplateRules<T>): Template<T> {
  const payloads = new WeakMap<ContractRecord, T>()
  const decode = (contract: ContractRecord): T => {
    if (contract.templateId !== type.id) throw new TypeError(`${contract.contractId} is not a ${type.name}`)
    const payload = type.payload.decode(JSON.parse(contract.payload))
    payloads.set(contract, payload)
    return payload
  }
  return {
    type,
    rules,
    open: (contract) => payloads.get(contract) ?? decode(contract),
    remember: (contract, payload) => void payloads.set(contract, payload),
  }
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
 * A template with its choices, types hidden. `Archive` comes by itself. Throws a TypeError where a choice belongs to another template or
 * stands there twice.
 */
export function bindTemplate<T>(template: Template<T>, choices: readonly Choice<T, unknown, unknown>[]): AnyTemplate {
  const { type, rules } = template
  const bound = [archiveOf(template), ...choices.map((each) => bindChoice(template, each))]
  const byName = new Map(bound.map((each) => [each.name, each]))
  if (byName.size < bound.length) throw new TypeError(`${type.name} has two choices of one name`)
  return {
    id: type.id,
    packageName: type.packageName,
    interfaces: type.interfaces,
    choices: byName,
    createJson: (tx, payload) => tx.create(template, read(type.payload, payload)),
    totalsOf: (contract) => rules.totals?.(template.open(contract)) ?? [],
    placeOf: (contract) => placeOf(template, template.open(contract)),
    viewOf: (contract, interfaceId) => rules.views?.[interfaceId]?.(template.open(contract)),
  }
}

function bindChoice<T>(template: Template<T>, bound: Choice<T, unknown, unknown>): AnyChoice {
  const { name, interfaceId, argument: codec, result } = bound.type
  if (bound.template.type.id !== template.type.id) throw new TypeError(`${name} is not a choice of ${template.type.name}`)
  return {
    name,
    ...interfaceId === undefined ? {} : { interfaceId },
    exerciseJson: (tx, contractId, argument) => result.encode(tx.exercise(bound, contractId, read(codec, argument))),
  }
}

function archiveOf<T>(template: Template<T>): AnyChoice {
  return { name: ARCHIVE, exerciseJson: (tx, contractId, argument) => archive(tx, template, contractId, argument) }
}

function archive<T>(tx: Tx, template: Template<T>, contractId: string, argument: unknown): Json {
  const isUnit = typeof argument === 'object' && argument !== null && !Array.isArray(argument)
    && Object.keys(argument).length === 0
  if (!isUnit) throw invalid('Archive: expected an empty object')
  tx.archive(template, contractId)
  return {}
}

function read<T>(codec: Codec<T>, value: unknown): T {
  try {
    return codec.decode(value)
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
}
