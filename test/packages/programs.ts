// Small programs of the contract language, made of expressions, for tests of the evaluator.
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { Budget } from '../../runtime/packages/archive/message.ts'
import { Types } from '../../runtime/packages/program/type-table.ts'
import type { UpdateHost } from '../../runtime/packages/evaluate/host.ts'
import type { BuiltinFunction } from '../../runtime/packages/program/builtin-functions.ts'
import type {
  ExceptionDefinition,
  Program,
  ReadCode,
  TemplateDefinition,
  ValueDefinition,
} from '../../runtime/packages/program/definitions.ts'
import type { Closure, Code, Expression } from '../../runtime/packages/program/expressions.ts'
import type { ConstructorType, Reference, Type } from '../../runtime/packages/program/types.ts'
import type { EvaluationLimits } from '../../runtime/packages/values/failure.ts'
import type { Value } from '../../runtime/packages/values/value.ts'

export const LIMITS: EvaluationLimits = { steps: 4_000_000, cells: 40_000_000, depth: 100_000 }

const types = new Types(new Budget(Infinity))

/** A type where the evaluator does not look at it. */
export const ANY_TYPE: Type = types.builtin('Unit')

export function named(name: string): Reference {
  return known.get(name) ?? remember(name)
}

const known = new Map<string, Reference>()

function remember(name: string): Reference {
  const reference = { packageId: 'pkg', module: 'Main', name, text: `pkg:Main:${name}` }
  known.set(name, reference)
  return reference
}

export function typeNamed(name: string): ConstructorType {
  return types.constructorType(named(name))
}

export interface Definitions {
  readonly values?: Readonly<Record<string, Expression>>
  readonly templates?: readonly TemplateDefinition[]
  readonly exceptions?: readonly ExceptionDefinition[]
}

/** A program of one module; code may use slots up to 20. */
export function programOf({ values = {}, templates = [], exceptions = [] }: Definitions): Program {
  const definitions = new Map(
    Object.entries(values).map(([name, body]): [string, ValueDefinition] => [
      name,
      { reference: named(name), type: ANY_TYPE, code: readOf(body) },
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

const SLOTS = 20

function codeOf(body: Expression, parameters = 0): Code {
  return { parameters: Array.from({ length: parameters }, () => ANY_TYPE), slots: SLOTS, body }
}

export function readOf(body: Expression, parameters = 0): ReadCode {
  return () => codeOf(body, parameters)
}

/** Code that captures these slots of the function around it. */
export function closureOf(body: Expression, parameters = 0, captures: readonly number[] = []) {
  const variables = captures.map((slot) => ({ kind: 'local', slot }) as const)
  const closure: Closure = { ...codeOf(body, parameters), captures: variables }
  return closure
}

export function lambda(parameters: number, body: Expression, captures: readonly number[] = []) {
  const closure = closureOf(body, parameters, captures)
  return { kind: 'abstraction', typeParameters: [], ...closure } as const
}

export function local(slot: number): Expression {
  return { kind: 'local', slot }
}

export function captured(index: number): Expression {
  return { kind: 'captured', index }
}

export function int(value: bigint): Expression {
  return { kind: 'int64', value }
}

export function textOf(value: string): Expression {
  return { kind: 'text', value }
}

export function top(name: string): Expression {
  return { kind: 'value', reference: named(name) }
}

export function apply(of: Expression, ...args: readonly Expression[]): Expression {
  return { kind: 'application', function: of, arguments: args, types: [] }
}

export function call(name: BuiltinFunction, ...args: readonly Expression[]): Expression {
  return apply({ kind: 'builtin', name }, ...args)
}

/** The value of an expression. */
export function valueOf(
  expression: Expression,
  definitions: Definitions = {},
  limits: EvaluationLimits = LIMITS,
): Value {
  const linker = new ProgramLinker(programOf(definitions))
  return new Evaluation(linker, limits).evaluate(readOf(expression), [])
}

/** The result of an update. */
export function resultOf(
  update: Expression,
  host: UpdateHost,
  definitions: Definitions = {},
): Value {
  const linker = new ProgramLinker(programOf(definitions))
  return new Evaluation(linker, LIMITS, host).run(readOf(update), [])
}
