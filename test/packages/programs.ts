// Small programs of the contract language, in bracketed text, for tests of the evaluator:
// `(fn (n) (if (EQUAL n 0) 1 (ADD_INT64 n 1)))`. What is neither a name of the text around it nor a
// function of the language is a top-level value.
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { Budget } from '../../runtime/packages/archive/message.ts'
import { builtinFunctions } from '../../runtime/packages/program/builtin-functions.ts'
import { Types } from '../../runtime/packages/program/type-table.ts'
import { formsOf } from '../support/forms.ts'
import type { UpdateHost } from '../../runtime/packages/evaluate/host.ts'
import type { BuiltinFunction } from '../../runtime/packages/program/builtin-functions.ts'
import type {
  ExceptionDefinition,
  Program,
  ReadCode,
  TemplateDefinition,
  ValueDefinition,
} from '../../runtime/packages/program/definitions.ts'
import type {
  Alternative,
  Binding,
  Closure,
  Expression,
  Pattern,
  Variable,
} from '../../runtime/packages/program/expressions.ts'
import type { ConstructorType, Reference, Type } from '../../runtime/packages/program/types.ts'
import type { EvaluationLimits } from '../../runtime/packages/values/failure.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { Form } from '../support/forms.ts'

export const LIMITS: EvaluationLimits = { steps: 4_000_000, cells: 40_000_000, depth: 100_000 }

const types = new Types(new Budget(Infinity))

/** A type where the evaluator does not look at it. */
const type: Type = types.builtin('Unit')

export function named(name: string): Reference {
  return known.get(name) ?? remember(name)
}

const known = new Map<string, Reference>()

function remember(name: string): Reference {
  const reference = { packageId: 'pkg', module: 'Main', name, text: `pkg:Main:${name}` }
  known.set(name, reference)
  return reference
}

function typeNamed(name: string): ConstructorType {
  return types.constructorType(named(name))
}

export interface Definitions {
  readonly values?: Readonly<Record<string, string>>
  readonly templates?: readonly TemplateDefinition[]
  readonly exceptions?: readonly ExceptionDefinition[]
}

/** A program of one module. */
export function programOf({ values = {}, templates = [], exceptions = [] }: Definitions): Program {
  const definitions = new Map(
    Object.entries(values).map(([name, body]): [string, ValueDefinition] => [
      name,
      { reference: named(name), type, code: codeOf(body) },
    ]),
  )
  return {
    packages: new Map(),
    types,
    reference: (_packageId, _module, name) => named(name),
    dataType: missing,
    value: ({ name }) => definitions.get(name) ?? missing(),
    template: ({ name }) => templates.find((of) => of.reference.name === name) ?? missing(),
    interface: missing,
    exception: ({ name }) => exceptions.find((of) => of.reference.name === name) ?? missing(),
  }
}

function missing(): never {
  throw new Error('the program does not have this')
}

/** Code with these parameters. */
export function codeOf(text: string, ...parameters: readonly string[]): ReadCode {
  const closure = closureOf(formsOf(text)[0], parameters)
  return () => closure
}

const SLOTS = 20

/** Names of a function: its own slots, and what it captures of the function around it. */
class Scope {
  readonly captures: Variable[] = []
  readonly #outer: Scope | undefined
  readonly #names = new Map<string, Variable>()
  #slots = 0

  constructor(names: readonly string[], outer?: Scope) {
    this.#outer = outer
    for (const name of names) this.bind(name)
  }

  bind(name: Form | undefined): number {
    this.#names.set(word(name), { kind: 'local', slot: this.#slots })
    return this.#slots++
  }

  find(name: string): Variable | undefined {
    const own = this.#names.get(name)
    const outer = own === undefined ? this.#outer?.find(name) : undefined
    if (outer === undefined) return own
    const captured: Variable = { kind: 'captured', index: this.captures.push(outer) - 1 }
    this.#names.set(name, captured)
    return captured
  }
}

function word(form: Form | undefined): string {
  return typeof form === 'string' ? form : missing()
}

function closureOf(body: Form | undefined, names: readonly string[], outer?: Scope): Closure {
  const scope = new Scope(names, outer)
  const code = { parameters: names.map(() => type), slots: SLOTS, body: compile(body, scope) }
  return { ...code, captures: scope.captures }
}

function compile(form: Form | undefined, scope: Scope): Expression {
  if (form === undefined) return missing()
  if (typeof form === 'string') return atom(form, scope)
  const [head, ...parts] = form
  const special = typeof head === 'string' ? forms[head] : undefined
  if (special !== undefined) return special(parts, scope)
  const args = parts.map((part) => compile(part, scope))
  return { kind: 'application', function: compile(head, scope), arguments: args, types: [] }
}

const constants: Readonly<Record<string, Expression>> = {
  unit: { kind: 'unit' },
  true: { kind: 'bool', value: true },
  false: { kind: 'bool', value: false },
  none: { kind: 'none', type },
  nil: { kind: 'nil', type },
  getTime: { kind: 'getTime' },
}

function atom(text: string, scope: Scope): Expression {
  const found = constants[text] ?? scope.find(text)
  if (found !== undefined) return found
  if (text.startsWith('"')) return { kind: 'text', value: text.slice(1, -1) }
  if (/^-?\d/.test(text)) return { kind: 'int64', value: BigInt(text) }
  const name = [...builtinFunctions.values()].find((each) => each === text)
  return name === undefined ? { kind: 'value', reference: named(text) } : { kind: 'builtin', name }
}

function pattern(form: Form | undefined, scope: Scope): Pattern {
  if (typeof form === 'object') return { kind: 'some', slot: scope.bind(form[1]) }
  if (form === 'true') return { kind: 'bool', value: true }
  return { kind: form === 'none' ? 'none' : 'any' }
}

function caseOf(
  scrutinee: Form | undefined,
  alternatives: readonly (readonly [pattern: Form | undefined, body: Form | undefined])[],
  scope: Scope,
): Expression {
  return {
    kind: 'case',
    scrutinee: compile(scrutinee, scope),
    alternatives: alternatives.map(([left, body]): Alternative => {
      return { pattern: pattern(left, scope), body: compile(body, scope) }
    }),
  }
}

function listOf(front: readonly Form[], tail: Form | undefined, scope: Scope): Expression {
  const elements = front.map((each) => compile(each, scope))
  return { kind: 'cons', type, front: elements, tail: compile(tail, scope) }
}

/** Names and what is bound to them, one after the other, then the last update. */
function block([name, first, ...rest]: readonly Form[], scope: Scope): Expression {
  const within = new Scope([word(name)], scope)
  const then: Binding[] = []
  while (rest.length > 1) {
    const [next, update] = rest.splice(0, 2)
    const bound = compile(update, within)
    then.push({ slot: within.bind(next), type, bound })
  }
  const body = compile(rest[0], within)
  const code = { parameters: [type], slots: SLOTS, body, captures: within.captures }
  return { kind: 'bind', first: compile(first, scope), then, block: code }
}

/** Fields by their names, in the order in which they are evaluated. */
function struct(parts: readonly Form[], scope: Scope): Expression {
  const given = parts.filter((_, at) => at % 2 === 0).map(word)
  const names = given.toSorted()
  return {
    kind: 'struct',
    shape: { names, indexes: new Map(names.map((name, at) => [name, at])) },
    fields: given.map((name, at) => ({
      index: names.indexOf(name),
      value: compile(parts[2 * at + 1], scope),
    })),
  }
}

type Compiled = (parts: readonly Form[], scope: Scope) => Expression

function interfaceForm(
  kind: 'interfaceView' | 'interfaceSignatories' | 'interfaceObservers' | 'interfaceTypeRep',
): Compiled {
  return ([of, value], scope) => {
    return { kind, interface: named(word(of)), value: compile(value, scope) }
  }
}

const template = named('T')

const forms: Readonly<Record<string, Compiled>> = {
  fn: ([names, body], scope) => {
    const parameters = typeof names === 'object' ? names.map(word) : missing()
    return { kind: 'abstraction', typeParameters: [], ...closureOf(body, parameters, scope) }
  },
  if: ([condition, then, otherwise], scope) =>
    caseOf(
      condition,
      [
        ['true', then],
        ['_', otherwise],
      ],
      scope,
    ),
  case: ([scrutinee, ...alternatives], scope) =>
    caseOf(
      scrutinee,
      alternatives.map((each) => [each[0], typeof each === 'object' ? each[1] : '']),
      scope,
    ),
  let: ([name, bound, body], scope) => {
    const value = compile(bound, scope)
    const bindings = [{ slot: scope.bind(name), type, bound: value }]
    return { kind: 'let', bindings, body: compile(body, scope) }
  },
  list: (front, scope) => listOf(front, 'nil', scope),
  cons: (parts, scope) => listOf(parts.slice(0, -1), parts.at(-1), scope),
  some: ([value], scope) => ({ kind: 'some', type, value: compile(value, scope) }),
  record: ([name, ...fields], scope) => {
    const values = fields.map((field) => compile(field, scope))
    return { kind: 'record', type: typeNamed(word(name)), fields: values }
  },
  struct,
  structField: ([field, of], scope) => {
    return { kind: 'structField', field: word(field), struct: compile(of, scope) }
  },
  structUpdate: ([field, of, to], scope) => ({
    kind: 'structUpdate',
    field: word(field),
    struct: compile(of, scope),
    value: compile(to, scope),
  }),
  typeRep: ([name]) => ({ kind: 'typeRep', type: typeNamed(word(name)) }),
  toAny: ([name, value], scope) => {
    return { kind: 'toAny', type: typeNamed(word(name)), value: compile(value, scope) }
  },
  fromAny: ([name, value], scope) => {
    return { kind: 'fromAny', type: typeNamed(word(name)), value: compile(value, scope) }
  },
  throw: ([name]) => {
    return { kind: 'throw', returns: type, type: typeNamed(word(name)), value: { kind: 'unit' } }
  },
  fromException: ([name, value], scope) => {
    return { kind: 'fromAnyException', type: typeNamed(word(name)), value: compile(value, scope) }
  },
  toInterface: ([of, value], scope) => {
    return {
      kind: 'toInterface',
      interface: named(word(of)),
      template,
      value: compile(value, scope),
    }
  },
  fromInterface: ([of, to, value], scope) => ({
    kind: 'fromInterface',
    interface: named(word(of)),
    template: named(word(to)),
    value: compile(value, scope),
  }),
  unsafeFromInterface: ([of, to, contractId, value], scope) => ({
    kind: 'unsafeFromInterface',
    interface: named(word(of)),
    template: named(word(to)),
    contractId: compile(contractId, scope),
    value: compile(value, scope),
  }),
  fromRequiredInterface: ([required, requiring, value], scope) => ({
    kind: 'fromRequiredInterface',
    required: named(word(required)),
    requiring: named(word(requiring)),
    value: compile(value, scope),
  }),
  callInterface: ([of, method, value], scope) => ({
    kind: 'callInterface',
    interface: named(word(of)),
    method: word(method),
    value: compile(value, scope),
  }),
  interfaceView: interfaceForm('interfaceView'),
  interfaceSignatories: interfaceForm('interfaceSignatories'),
  interfaceObservers: interfaceForm('interfaceObservers'),
  interfaceTypeRep: interfaceForm('interfaceTypeRep'),
  before: ([time]) => {
    const value = BigInt(word(time))
    return { kind: 'ledgerTimeLessThan', time: { kind: 'timestamp', value } }
  },
  pure: ([value], scope) => ({ kind: 'pure', type, value: compile(value, scope) }),
  create: ([argument], scope) => {
    return { kind: 'create', template, argument: compile(argument, scope) }
  },
  fetch: ([contractId], scope) => {
    return { kind: 'fetch', template, contractId: compile(contractId, scope) }
  },
  exercise: ([choice, contractId], scope) => ({
    kind: 'exercise',
    template,
    choice: word(choice),
    contractId: compile(contractId, scope),
    argument: { kind: 'unit' },
  }),
  do: block,
  // The handler knows the exception by this name, and answers an optional update.
  try: ([attempt, handler], scope) => ({
    kind: 'tryCatch',
    type,
    attempt: closureOf(attempt, [], scope),
    handler: closureOf(handler, ['exception'], scope),
  }),
}

/** The value of an expression. */
export function valueOf(
  text: string,
  definitions: Definitions = {},
  limits: EvaluationLimits = LIMITS,
): Value {
  const linker = new ProgramLinker(programOf(definitions))
  return new Evaluation(linker, limits).evaluate(codeOf(text), [])
}

/** The result of an update. */
export function resultOf(text: string, host: UpdateHost, definitions: Definitions = {}): Value {
  const linker = new ProgramLinker(programOf(definitions))
  return new Evaluation(linker, LIMITS, host).run(codeOf(text), [])
}

/** What a function of the language answers. */
export function callOf(name: BuiltinFunction, ...args: readonly Value[]): Value {
  const names = args.map((_, at) => `x${at}`)
  const evaluation = new Evaluation(new ProgramLinker(programOf({})), LIMITS)
  return evaluation.evaluate(codeOf(`(${[name, ...names].join(' ')})`, ...names), args)
}
