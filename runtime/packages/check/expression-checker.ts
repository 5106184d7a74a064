// The type of an expression, by the rules of the language. It recurses as deep as expressions are
// nested, which their reader bounds. docs/decisions/0056
import type { Budget } from '../archive/message.ts'
import { builtinFunctionTypes } from '../program/builtin-functions.ts'
import type { BuiltinFunction } from '../program/builtin-functions.ts'
import type { Program } from '../program/definitions.ts'
import type { Closure, Code, Expression, Literal, Variable } from '../program/expressions.ts'
import type { Types } from '../program/type-table.ts'
import { describeType, parseType } from '../program/type-text.ts'
import type { Type } from '../program/types.ts'
import { BrokenRule } from '../program/malformed-definition.ts'
import type { Where } from '../program/malformed-definition.ts'
import type { Checking } from './checking.ts'
import { typeOfData, typeOfDynamic } from './data-rules.ts'
import { areEquivalent } from './equivalence.ts'
import { typeOfFlow } from './flow-rules.ts'
import { typeOfInterface } from './interface-rules.ts'
import { Kinds } from './kinds.ts'
import { typeOfUpdate } from './update-rules.ts'

/** The types of variables while a function is checked. */
interface Frame {
  readonly slots: Type[]
  readonly captured: readonly Type[]
}

export class ExpressionChecker implements Checking {
  readonly program: Program
  readonly kinds: Kinds
  readonly #work: Budget
  readonly #builtins = new Map<BuiltinFunction, Type>()
  #where: Where = { module: '', name: '' }
  #frame: Frame = { slots: [], captured: [] }

  constructor(program: Program, work: Budget) {
    this.program = program
    this.#work = work
    this.kinds = new Kinds(program, (rule, problem) => this.fail(rule, problem))
  }

  get types(): Types {
    return this.program.types
  }

  /** Names the definition that is refused from now on. */
  enter(where: Where): void {
    this.#where = where
  }

  /** Refuses code whose result is of another type. */
  code(code: Code, type: Type, rule: string): void {
    for (const parameter of code.parameters) this.kinds.requireStar(parameter)
    this.#frame = { slots: [...code.parameters], captured: [] }
    this.require(code.body, type, rule)
  }

  require(expression: Expression, type: Type, rule: string): void {
    this.requireEqual(this.typeOf(expression), type, rule)
  }

  requireEqual(found: Type, type: Type, rule: string): void {
    if (!areEquivalent(found, type, this.#work))
      this.fail(rule, `It is of type ${describeType(found)} and not ${describeType(type)}`)
  }

  bind(slot: number, type: Type): void {
    this.#frame.slots[slot] = type
  }

  inClosure<T>(closure: Closure, work: () => T): T {
    const outer = this.#frame
    const captured = closure.captures.map((variable) => this.#variable(variable))
    this.#frame = { slots: [...closure.parameters], captured }
    const done = work()
    this.#frame = outer
    return done
  }

  fail(rule: string, problem: string): never {
    throw new BrokenRule(this.#where, rule, problem)
  }

  typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'local':
      case 'captured':
        return this.#variable(expression)
      case 'value':
        return this.program.value(expression.reference).type
      case 'builtin':
        return this.#builtin(expression.name)
      case 'unit':
      case 'bool':
      case 'int64':
      case 'numeric':
      case 'text':
      case 'date':
      case 'timestamp':
      case 'failureCategory':
        return this.#literal(expression)
      case 'record':
      case 'recordField':
      case 'recordUpdate':
      case 'variant':
      case 'enum':
      case 'struct':
      case 'structField':
      case 'structUpdate':
      case 'nil':
      case 'cons':
      case 'none':
      case 'some':
        return typeOfData(this, expression)
      case 'application':
      case 'typeApplication':
      case 'abstraction':
      case 'typeAbstraction':
      case 'case':
      case 'let':
        return typeOfFlow(this, expression)
      case 'toAny':
      case 'fromAny':
      case 'typeRep':
      case 'toAnyException':
      case 'fromAnyException':
      case 'throw':
        return typeOfDynamic(this, expression)
      case 'toInterface':
      case 'fromInterface':
      case 'unsafeFromInterface':
      case 'toRequiredInterface':
      case 'fromRequiredInterface':
      case 'unsafeFromRequiredInterface':
      case 'callInterface':
      case 'interfaceView':
      case 'interfaceSignatories':
      case 'interfaceObservers':
      case 'interfaceTypeRep':
        return typeOfInterface(this, expression)
      default:
        return typeOfUpdate(this, expression)
    }
  }

  #variable(variable: Variable): Type {
    const type =
      variable.kind === 'local'
        ? this.#frame.slots[variable.slot]
        : this.#frame.captured[variable.index]
    return type ?? this.fail('ExpDefVar', 'Nothing binds a variable')
  }

  #builtin(name: BuiltinFunction): Type {
    const known = this.#builtins.get(name)
    if (known !== undefined) return known
    const type = parseType(this.types, builtinFunctionTypes.get(name) ?? '')
    this.#builtins.set(name, type)
    return type
  }

  #literal(literal: Literal): Type {
    switch (literal.kind) {
      case 'unit':
        return this.types.builtin('Unit')
      case 'bool':
        return this.types.builtin('Bool')
      case 'int64':
        return this.types.builtin('Int64')
      case 'numeric':
        return this.types.builtin('Numeric', this.types.nat(literal.scale))
      case 'text':
        return this.types.builtin('Text')
      case 'date':
        return this.types.builtin('Date')
      case 'timestamp':
        return this.types.builtin('Timestamp')
      case 'failureCategory':
        return this.types.builtin('FailureCategory')
    }
  }
}
