// Expressions of the contract language as code of the machine.
import { illTyped } from '../../values/failure.ts'
import { Numeric } from '../../values/value.ts'
import { Lambda, MAX_DEPTH, Plain, UNSET } from '../code.ts'
import { compileData, constant } from './data.ts'
import { compileDynamic } from './dynamic.ts'
import {
  builtinValue,
  compileAbstraction,
  compileApplication,
  compileCase,
  compileLet,
  erased,
} from './flow.ts'
import { compileInterface } from './interfaces.ts'
import { slotOf, stepOf } from './scope.ts'
import { compileRunOf, compileUpdate, compileUpdateRun } from './updates.ts'
import type { Closure, Code, Expression, Literal, Variable } from '../../program/expressions.ts'
import type { Value } from '../../values/value.ts'
import type { Definition, Evaluate } from '../code.ts'
import type { Captured, Compiled, CompileBody, Linker, Scope } from './scope.ts'

/** The function that code is, with what it captures. `compileRun` where it runs updates. */
export function lambdaOf(
  linker: Linker,
  code: Code | Closure,
  compileRun?: CompileBody,
): Lambda {
  const captures = 'captures' in code ? code.captures.length : 0
  const inner = new Map<Closure, Lambda>()
  const facts = {
    arity: code.parameters.length,
    captureOffset: code.slots,
    runs: compileRun !== undefined,
  }
  return new Lambda(facts, (style) => {
    const isDirect = facts.runs || style === 'direct'
    const scope = new FrameScope({ linker, isDirect, inner }, code.slots, captures)
    const body = compileRun?.(scope, code.body) ?? scope.compileLast(code.body)
    return { body, frameSize: scope.size }
  })
}

interface Surroundings extends Pick<Scope, 'linker' | 'isDirect'> {
  /** Functions in it, which both styles share. */
  readonly inner: Map<Closure, Lambda>
}

/** The frame of a function, as its body is compiled. */
class FrameScope implements Scope {
  readonly linker: Linker
  readonly isDirect: boolean
  readonly #inner: Map<Closure, Lambda>
  readonly #captureOffset: number
  #size: number
  #nesting = 0

  constructor({ linker, isDirect, inner }: Surroundings, slots: number, captures: number) {
    this.linker = linker
    this.isDirect = isDirect
    this.#inner = inner
    this.#captureOffset = slots
    this.#size = slots + captures
  }

  get size(): number {
    return this.#size
  }

  temporary(): number {
    this.#size += 1
    return this.#size - 1
  }

  compile(expression: Expression): Compiled {
    return this.#deeper(() => this.#shallow(this.#compile(erased(expression))))
  }

  compileLast(expression: Expression): Compiled {
    if (!this.isDirect) return this.compile(expression)
    return this.#deeper(() => this.#compileLast(erased(expression)))
  }

  compileRun(expression: Expression): Compiled {
    return this.#deeper(() => this.#compileRun(erased(expression)))
  }

  lambda(closure: Closure, compileBody?: CompileBody): Captured {
    const captures = closure.captures.map((variable) => this.#placeOf(variable))
    const known = this.#inner.get(closure)
    const lambda = known ?? lambdaOf(this.linker, closure, compileBody)
    this.#inner.set(closure, lambda)
    return { lambda, captures }
  }

  /** Expressions within a step are not deep, where the host's stack has no room. */
  #shallow(compiled: Compiled): Compiled {
    return this.isDirect || compiled.depth <= MAX_DEPTH ? compiled : stepOf(compiled)
  }

  /** What is compiled is nested in an archive: it must not make the host's stack deep either. */
  #deeper(compile: () => Compiled): Compiled {
    this.#nesting += 1
    if (this.#nesting > MAX_NESTING) throw illTyped('an expression is nested too deep')
    const compiled = compile()
    this.#nesting -= 1
    return compiled
  }

  #compile(expression: Expression): Compiled {
    switch (expression.kind) {
      case 'local':
      case 'captured':
        return slotOf(this.#placeOf(expression))
      case 'value':
        return reading(this.linker.definition(expression.reference))
      case 'builtin':
        return constant(builtinValue(this, expression.name))
      case 'unit':
      case 'bool':
      case 'int64':
      case 'numeric':
      case 'text':
      case 'date':
      case 'timestamp':
      case 'failureCategory':
        return constant(literal(expression))
      default:
        return this.#compileCompound(expression)
    }
  }

  #compileCompound(expression: Compound): Compiled {
    switch (expression.kind) {
      case 'application':
        return compileApplication(this, expression, false)
      case 'abstraction':
        return compileAbstraction(this, expression)
      case 'case':
        return compileCase(this, expression, (body) => this.compile(body))
      case 'let':
        return compileLet(this, expression, (body) => this.compile(body))
      case 'typeApplication':
        return this.compile(expression.expression)
      case 'typeAbstraction':
        return this.compile(expression.body)
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
        return compileData(this, expression)
      case 'toAny':
      case 'fromAny':
      case 'typeRep':
      case 'toAnyException':
      case 'fromAnyException':
      case 'throw':
        return compileDynamic(this, expression)
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
        return compileInterface(this, expression)
      default:
        return compileUpdate(this, expression)
    }
  }

  #compileLast(expression: Expression): Compiled {
    const last = (body: Expression) => this.compileLast(body)
    switch (expression.kind) {
      case 'application':
        return compileApplication(this, expression, true)
      case 'case':
        return compileCase(this, expression, last)
      case 'let':
        return compileLet(this, expression, last)
      default:
        return this.#compile(expression)
    }
  }

  #compileRun(expression: Expression): Compiled {
    const run = (body: Expression) => this.compileRun(body)
    switch (expression.kind) {
      case 'case':
        return compileCase(this, expression, run)
      case 'let':
        return compileLet(this, expression, run)
      case 'pure':
      case 'bind':
      case 'create':
      case 'createInterface':
      case 'exercise':
      case 'exerciseInterface':
      case 'fetch':
      case 'fetchInterface':
      case 'getTime':
      case 'ledgerTimeLessThan':
      case 'embed':
      case 'tryCatch':
        return compileUpdateRun(this, expression)
      default:
        return compileRunOf(this.#compile(expression))
    }
  }

  #placeOf(variable: Variable): number {
    return variable.kind === 'local' ? variable.slot : this.#captureOffset + variable.index
  }
}

type Compound = Exclude<Expression, Variable | Literal | { readonly kind: 'value' | 'builtin' }>

const MAX_NESTING = 1_000

function reading(definition: Definition): Plain {
  const evaluate: Evaluate = (_, machine) => {
    const { value } = definition
    return value === UNSET ? machine.define(definition) : value
  }
  return new Plain(evaluate, { definition })
}

function literal(expression: Literal): Value {
  switch (expression.kind) {
    case 'unit':
      return undefined
    case 'numeric':
      return new Numeric(expression.value, expression.scale)
    case 'failureCategory':
      return expression.value === 'InvalidIndependentOfSystemState' ? 0 : 1
    default:
      return expression.value
  }
}
