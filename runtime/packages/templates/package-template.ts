// A template of a package, as the engine has templates: its types are the package's, and its rules
// evaluate the package's code. docs/decisions/0056-packages-that-run.md
import { DecodeError } from '../../../generated/contract-codec.gen.ts'
import { ARCHIVE, bindTemplate, qualified, violated } from '../../engine/index.ts'
import type {
  AnyChoice,
  AnyTemplate,
  Choice,
  Codec,
  Json,
  Template,
  Tx,
} from '../../engine/index.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord } from '../../store/store.ts'
import type {
  ChoiceDefinition,
  Implementation,
  Package,
  Program,
  ReadCode,
  TemplateDefinition,
} from '../program/definitions.ts'
import type { Reference } from '../program/types.ts'
import { illTyped } from '../values/failure.ts'
import { Contract, Rec } from '../values/value.ts'
import type { Value } from '../values/value.ts'
import type { ValueCodecs } from './codec.ts'
import type { ValueCodec } from './scalars.ts'
import { keepShapes } from './shapes.ts'
import { refusing } from './failures.ts'

export type ValueChoice = Choice<Rec, Value, Value>

export interface PackageTemplate {
  readonly any: AnyTemplate
  readonly template: Template<Rec>
  /** Choices by name, those of interfaces by their qualified names. */
  readonly choices: ReadonlyMap<string, ValueChoice>
  readonly reference: Reference
}

interface ShapedChoice {
  readonly choice: ValueChoice
  readonly argument: ValueCodec
  readonly result: ValueCodec
}

const NO_FIELDS = { shape: { kind: 'record', fields: [] } } as const
const ARCHIVE_SHAPES = { argument: NO_FIELDS, result: { shape: { kind: 'unit' } } } as const

/** Runs code of packages. What it throws are refusals of the engine. */
export interface Runner {
  value(code: ReadCode, args: readonly Value[]): Value
  /** Likewise, of a size that can be written; those that are made `together` share limits. */
  view(code: ReadCode, args: readonly Value[], together: object | undefined): Value
  /** Each once. */
  parties(code: ReadCode, args: readonly Value[]): readonly string[]
  update(tx: Tx, code: ReadCode, args: readonly Value[]): Value
  /** Runs a part of a transaction, whose rules are evaluated within its limits. */
  within<T>(tx: Tx, run: () => T): T
}

/** Parts with which the templates of a program are made. */
export interface Making {
  readonly program: Program
  readonly codecs: ValueCodecs
  /** The id by which the ledger knows an interface. */
  meant(interfaceName: Reference): string
  readonly runner: Runner
}

/** A choice as a template has it: by itself, or by an interface where one is given. */
export function choiceIn(
  choices: ReadonlyMap<string, ValueChoice>,
  name: string,
  interfaceId: string | undefined,
): ValueChoice | undefined {
  return choices.get(keyOf(name, interfaceId))
}

function keyOf(name: string, interfaceId: string | undefined): string {
  return interfaceId === undefined ? name : qualified(name, interfaceId)
}

/** A template of a package that is part of the program. */
export function packageTemplate(
  making: Making,
  home: Package,
  definition: TemplateDefinition,
): PackageTemplate {
  const { reference } = definition
  const payload = making.codecs.named(reference)
  const template = templateFrom(making, home, definition, payload)
  const own = [...definition.choices.values()]
    .filter(({ name }) => name !== ARCHIVE)
    .map((choice): [string, ShapedChoice] => [choice.name, choiceFrom(making, template, choice)])
  const inherited = [...definition.implementations.values()].flatMap((implementation) =>
    interfaceChoices(making, template, reference, implementation.interface),
  )
  const made = new Map([...own, ...inherited])
  const choices = new Map([...made].map(([key, { choice }]) => [key, choice]))
  const any = metered(making.runner, bindTemplate(template, Object.fromEntries(choices)))
  keepShapes(any, {
    name: reference.name,
    payload,
    choice: (name, interfaceId) =>
      name === ARCHIVE && interfaceId === undefined
        ? ARCHIVE_SHAPES
        : made.get(keyOf(name, interfaceId)),
  })
  return { any, template, choices, reference }
}

/** The template, whose commands count against the limits of their transaction from the start. */
function metered(runner: Runner, template: AnyTemplate): AnyTemplate {
  const choices = [...template.choices].map(([name, choice]): [string, AnyChoice] => [
    name,
    {
      ...choice,
      exerciseJson: (tx, contractId, argument) =>
        runner.within(tx, () => choice.exerciseJson(tx, contractId, argument)),
    },
  ])
  return {
    ...template,
    choices: new Map(choices),
    createJson: (tx, payload, templateId) =>
      runner.within(tx, () => template.createJson(tx, payload, templateId)),
  }
}

function recordOf(value: Value): Rec {
  if (!(value instanceof Rec)) throw illTyped('a record is expected')
  return value
}

/** A codec without its shape, by which the engine would complete payloads. */
function plain({ decode, encode }: ValueCodec): Codec<Value> {
  return { decode, encode: (value) => refusing(() => encode(value)) }
}

function templateFrom(
  making: Making,
  { name: packageName, version, packageId }: Package,
  definition: TemplateDefinition,
  codec: ValueCodec,
): Template<Rec> {
  const { reference, precondition, signatories, observers, implementations } = definition
  const { runner } = making
  const nameOfTemplate = `${packageName}:${reference.module}:${reference.name}`
  const payloads = new WeakMap<ContractRecord, { readonly payload: Rec }>()
  const isOf: Template<Rec>['isOf'] = (subject) =>
    subject.templateId === reference.text || templateOf(subject) === nameOfTemplate
  const open = (contract: ContractRecord): Rec => {
    const known = payloads.get(contract)
    if (known !== undefined) return known.payload
    if (!isOf(contract)) throw new TypeError(`${contract.contractId} is not a ${reference.text}`)
    const payload = readable(contract, () => recordOf(codec.decode(JSON.parse(contract.payload))))
    if (contract.templateId !== reference.text) {
      demandSame(contract, template, payload)
      signedElsewhere.set(payload, contract.signatories)
    }
    payloads.set(contract, { payload })
    return payload
  }
  const template: Template<Rec> = {
    type: {
      id: reference.text,
      reference: nameOfTemplate,
      packageId,
      packageName,
      packageVersion: version,
      name: reference.name,
      payload: {
        decode: (value, path) => recordOf(codec.decode(value, path)),
        encode: plain(codec).encode,
      },
      keys: {},
      interfaces: [...implementations.values()].map((each) => making.meant(each.interface)),
    },
    rules: {
      signatories: (payload) => runner.parties(signatories, [payload]),
      observers: (payload) => runner.parties(observers, [payload]),
      ...(precondition && {
        ensure: (payload: Rec) => runner.value(precondition, [payload]) === true,
      }),
      views: Object.fromEntries(
        [...implementations.values()].map((each) => [
          making.meant(each.interface),
          viewFrom(making, each),
        ]),
      ),
    },
    isOf,
    open,
    read: (payload) => recordOf(codec.decode(payload)),
    by: (key) => {
      throw new TypeError(`${reference.text} has no key '${key}'`)
    },
    keysOf: () => ({}),
    earlierIds: [],
    remember: (contract, payload) => void payloads.set(contract, { payload }),
  }
  return template
}

/** A contract has the stakeholders that it was created with, whatever another version says. */
function demandSame(contract: ContractRecord, { rules }: Template<Rec>, payload: Rec): void {
  const signatories = rules.signatories(payload)
  const observers = (rules.observers?.(payload) ?? []).filter((one) => !signatories.includes(one))
  const isSame =
    new Set(signatories).symmetricDifference(new Set(contract.signatories)).size === 0 &&
    new Set(observers).symmetricDifference(new Set(contract.observers)).size === 0
  if (!isSame)
    throw violated(`${contract.contractId} has other stakeholders in this version`, 'state')
}

/** Signatories of payloads that another version of the package wrote. */
const signedElsewhere = new WeakMap<Rec, readonly string[]>()

/**
 * Whoever signed a contract agreed to the choices of its own version: one of another version has
 * their authority only where they exercise it themselves.
 */
function demandSigned(payload: Rec, controllers: readonly string[]): readonly string[] {
  const isTheirs = signedElsewhere.get(payload)?.every((one) => controllers.includes(one)) ?? true
  if (isTheirs) return controllers
  throw violated('A choice of another version than the contract’s is for its signatories', 'state')
}

/**
 * Reads a value of a contract that another version, or code elsewhere, wrote. Refuses what is not
 * of this type.
 */
export function readable<T>(
  { contractId, templateId }: Pick<ContractRecord, 'contractId' | 'templateId'>,
  read: () => T,
): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw violated(`${contractId} of ${templateId} cannot be read: ${error.message}`, 'state')
  }
}

function viewFrom(
  { program, codecs, runner }: Making,
  implementation: Implementation,
): (payload: Rec, together?: object) => Json {
  return (payload, together) => {
    const { view } = program.interface(implementation.interface)
    return plain(codecs.of(view)).encode(runner.view(implementation.view, [payload], together))
  }
}

function choiceFrom(
  { codecs, runner }: Making,
  template: Template<Rec>,
  definition: ChoiceDefinition,
  inherited?: { readonly interfaceId: string; readonly selfOf: (payload: Rec) => Value },
): ShapedChoice {
  const { interfaceId, selfOf = same } = inherited ?? {}
  const { name, consuming, controllers, observers, update } = definition
  const [argument, result] = [codecs.of(definition.argument), codecs.of(definition.result)]
  const choice: ValueChoice = {
    template,
    type: {
      name,
      templateId: interfaceId ?? template.type.id,
      ...(interfaceId === undefined ? {} : { interfaceId }),
      consuming,
      argument: plain(argument),
      result: plain(result),
    },
    rules: {
      controllers: (payload, given) =>
        demandSigned(payload, runner.parties(controllers, [selfOf(payload), given])),
      observers: (payload, given) => runner.parties(observers, [selfOf(payload), given]),
      run: (tx, { id, payload }, given) => runner.update(tx, update, [selfOf(payload), given, id]),
    },
    argumentOf: (event) => argument.decode(event.argument),
    resultOf: (event) => result.decode(event.result),
    remember: () => undefined,
  }
  return { choice, argument, result }
}

function interfaceChoices(
  making: Making,
  template: Template<Rec>,
  reference: Reference,
  interfaceName: Reference,
): [string, ShapedChoice][] {
  const interfaceId = making.meant(interfaceName)
  const selfOf = (payload: Rec): Value => new Contract(reference, payload)
  return [...making.program.interface(interfaceName).choices.values()].map((choice) => [
    qualified(choice.name, interfaceId),
    choiceFrom(making, template, choice, { interfaceId, selfOf }),
  ])
}

function same(payload: Rec): Value {
  return payload
}
