// The evaluator on programs that are written here, expression by expression: order of evaluation,
// updates, exceptions, interfaces, and programs that would like to hurt whoever runs them.
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError, Thrown } from '../../runtime/packages/values/failure.ts'
import { TypeRep } from '../../runtime/packages/values/type-rep.ts'
import { Any, Contract, listOf, NONE, Rec, some } from '../../runtime/packages/values/value.ts'
import {
  ANY_TYPE,
  apply,
  call,
  captured,
  closureOf,
  readOf,
  int,
  lambda,
  LIMITS,
  local,
  named,
  programOf,
  resultOf,
  textOf,
  top,
  typeNamed,
  valueOf,
} from './programs.ts'
import type { Alternative, Expression } from '../../runtime/packages/program/expressions.ts'
import type { Failure } from '../../runtime/packages/values/failure.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { HostExercise, UpdateHost } from '../../runtime/packages/evaluate/host.ts'
import type { Definitions } from './programs.ts'

const TRUE: Expression = { kind: 'bool', value: true }
const UNIT: Expression = { kind: 'unit' }

function when(condition: Expression, then: Expression, otherwise: Expression): Expression {
  const alternatives: readonly Alternative[] = [
    { pattern: { kind: 'bool', value: true }, body: then },
    { pattern: { kind: 'any' }, body: otherwise },
  ]
  return { kind: 'case', scrutinee: condition, alternatives }
}

function failure(run: () => Value): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof EvaluationError) return error.failure
    throw error
  }
  throw new Error('nothing failed')
}

/** Calls itself without end, each call waiting for the next. */
const deep = {
  values: { deep: lambda(1, call('ADD_INT64', int(1n), apply(top('deep'), local(0)))) },
}

describe('evaluation', () => {
  it('calls functions that call themselves, as deep as the limit lets them', () => {
    const sum = lambda(
      1,
      when(
        call('EQUAL', local(0), int(0n)),
        int(0n),
        call('ADD_INT64', local(0), apply(top('sum'), call('SUB_INT64', local(0), int(1n)))),
      ),
    )
    deepStrictEqual(valueOf(apply(top('sum'), int(20_000n)), { values: { sum } }), 200_010_000n)
  })

  it('loops in constant space where the call is the last thing that a function does', () => {
    const loop = lambda(
      2,
      when(
        call('EQUAL', local(0), int(0n)),
        local(1),
        apply(
          top('loop'),
          call('SUB_INT64', local(0), int(1n)),
          call('ADD_INT64', local(1), int(2n)),
        ),
      ),
    )
    const limits = { steps: 10_000_000, cells: 10_000_000, depth: 10 }
    const expression = apply(top('loop'), int(100_000n), int(0n))
    deepStrictEqual(valueOf(expression, { values: { loop } }, limits), 200_000n)
  })

  it('evaluates the function first, then its arguments from left to right', () => {
    const fails = (message: string) => call('ERROR', textOf(message))
    const add = (a: Expression, b: Expression) => call('ADD_INT64', a, b)
    deepStrictEqual(
      failure(() => valueOf(add(fails('a'), fails('b')))),
      {
        kind: 'error',
        message: 'a',
      },
    )
    deepStrictEqual(
      failure(() => valueOf(apply(fails('f'), fails('b')))),
      {
        kind: 'error',
        message: 'f',
      },
    )
    const called = apply(lambda(1, fails('called')), int(1n))
    const overflows = add(int(2n ** 63n - 1n), int(1n))
    deepStrictEqual(
      failure(() => valueOf(add(called, overflows))),
      {
        kind: 'error',
        message: 'called',
      },
    )
    deepStrictEqual(failure(() => valueOf(add(overflows, called))).kind, 'unhandled')
  })

  it('takes more arguments than a function has, and fewer', () => {
    const three = lambda(1, lambda(2, listExpression([captured(0), local(0), local(1)]), [0]))
    deepStrictEqual(valueOf(apply(three, int(1n), int(2n), int(3n))), listOf([1n, 2n, 3n]))
    const partly = apply(apply(three, int(1n), int(2n)), int(3n))
    deepStrictEqual(valueOf(partly), listOf([1n, 2n, 3n]))
  })

  it('evaluates a top-level value once, and only where it is needed', () => {
    const values = {
      bad: call('ERROR', textOf('not needed')),
      chosen: when(TRUE, int(1n), top('bad')),
      twice: call('ADD_INT64', top('chosen'), top('chosen')),
    }
    deepStrictEqual(valueOf(top('twice'), { values }), 2n)
  })

  it('matches the first pattern that fits, and fails where none does', () => {
    const some1: Expression = { kind: 'some', type: ANY_TYPE, value: int(1n) }
    const onlyNone: Expression = {
      kind: 'case',
      scrutinee: some1,
      alternatives: [{ pattern: { kind: 'none' }, body: int(0n) }],
    }
    deepStrictEqual(
      failure(() => valueOf(onlyNone)),
      { kind: 'error', message: 'match error' },
    )
    const first: Expression = {
      kind: 'case',
      scrutinee: some1,
      alternatives: [
        { pattern: { kind: 'any' }, body: int(2n) },
        { pattern: { kind: 'some', slot: 0 }, body: local(0) },
      ],
    }
    deepStrictEqual(valueOf(first), 2n)
  })

  it('keeps the fields of structs by name, whatever order they are written in', () => {
    const shape = {
      names: ['a', 'b'],
      indexes: new Map([
        ['a', 0],
        ['b', 1],
      ]),
    }
    const struct: Expression = {
      kind: 'struct',
      shape,
      fields: [
        { index: 1, value: int(2n) },
        { index: 0, value: int(1n) },
      ],
    }
    const updated: Expression = { kind: 'structUpdate', field: 'b', struct, value: int(5n) }
    const field = (of: Expression, name: string): Expression => ({
      kind: 'structField',
      field: name,
      struct: of,
    })
    deepStrictEqual(valueOf(field(updated, 'a')), 1n)
    deepStrictEqual(valueOf(field(updated, 'b')), 5n)
  })

  it('tells types apart at run time', () => {
    const any: Expression = { kind: 'toAny', type: typeNamed('A'), value: int(1n) }
    const from = (name: string): Expression => ({
      kind: 'fromAny',
      type: typeNamed(name),
      value: any,
    })
    deepStrictEqual(valueOf(from('A')), some(1n))
    deepStrictEqual(valueOf(from('B')), NONE)
    const less = call(
      'LESS',
      { kind: 'typeRep', type: ANY_TYPE },
      { kind: 'typeRep', type: typeNamed('A') },
    )
    deepStrictEqual(valueOf(less), true)
  })
})

function listExpression(front: readonly Expression[]): Expression {
  return { kind: 'cons', type: ANY_TYPE, front, tail: { kind: 'nil', type: ANY_TYPE } }
}

/** An expression in so many others. */
function around(
  count: number,
  of: (inner: Expression) => Expression,
  inner: Expression,
): Expression {
  return Array.from({ length: count }).reduce((within: Expression) => of(within), inner)
}

describe('a program that goes on without end', () => {
  it('ends at the limit of steps', () => {
    const values = { loop: lambda(1, apply(top('loop'), local(0))) }
    deepStrictEqual(
      failure(() => valueOf(apply(top('loop'), int(0n)), { values })),
      {
        kind: 'limit',
        of: 'steps',
        limit: 4_000_000,
      },
    )
  })

  it('ends at the limit of depth', () => {
    const limits = { steps: 10_000_000, cells: 100_000_000, depth: 50_000 }
    deepStrictEqual(
      failure(() => valueOf(apply(top('deep'), int(0n)), deep, limits)),
      {
        kind: 'limit',
        of: 'depth',
        limit: 50_000,
      },
    )
  })

  it('ends at the limit of depth, whatever is around the call', () => {
    const limits = { steps: 100_000_000, cells: 100_000_000, depth: 20_000 }
    const again = apply(top('f'), local(0))
    const inList = (each: Expression): Expression => listExpression([int(1n), each])
    const inSum = (each: Expression): Expression => call('ADD_INT64', int(1n), each)
    const step = lambda(2, again)
    const bodies = [
      around(100, inSum, again),
      around(400, inSum, again),
      around(100, inList, again),
      inSum(call('FOLDL', step, local(0), listExpression([int(1n)]))),
      inSum(call('FOLDR', step, local(0), listExpression([int(1n)]))),
    ]
    for (const body of bodies) {
      const values = { f: lambda(1, body) }
      deepStrictEqual(
        failure(() => valueOf(apply(top('f'), int(0n)), { values }, limits)),
        { kind: 'limit', of: 'depth', limit: 20_000 },
      )
    }
  })

  it('ends at the limit of cells: a list, a text and a map that grow', () => {
    const grown: readonly Expression[] = [
      { kind: 'cons', type: ANY_TYPE, front: [int(1n), int(1n)], tail: local(0) },
      call('APPEND_TEXT', local(0), local(0)),
      call(
        'TEXTMAP_INSERT',
        call('INT64_TO_TEXT', call('TEXTMAP_SIZE', local(0))),
        int(1n),
        local(0),
      ),
    ]
    const starts: readonly Expression[] = [
      { kind: 'nil', type: ANY_TYPE },
      textOf('0123456789'),
      { kind: 'builtin', name: 'TEXTMAP_EMPTY' },
    ]
    for (const [at, next] of grown.entries()) {
      const values = { grow: lambda(1, apply(top('grow'), next)) }
      const limits = { steps: 100_000_000, cells: 1_000_000, depth: 1_000 }
      const start = starts[at] ?? UNIT
      const { kind, of } = limitOf(() => valueOf(apply(top('grow'), start), { values }, limits))
      deepStrictEqual([kind, of], ['limit', 'cells'])
    }
  })

  it('ends where a top-level value needs itself', () => {
    const values = { a: top('b'), b: call('ADD_INT64', int(1n), top('a')) }
    const { kind } = failure(() => valueOf(top('a'), { values }))
    deepStrictEqual(kind, 'limit')
  })

  it('compares, nests and folds values deeper than the host could', () => {
    const nest = lambda(
      2,
      when(
        call('EQUAL', local(0), int(0n)),
        local(1),
        apply(top('nest'), call('SUB_INT64', local(0), int(1n)), {
          kind: 'some',
          type: ANY_TYPE,
          value: local(1),
        }),
      ),
    )
    const nested = apply(top('nest'), int(50_000n), int(1n))
    const limits = { steps: 10_000_000, cells: 10_000_000, depth: 100 }
    const definitions = { values: { nest } }
    deepStrictEqual(valueOf(call('EQUAL', nested, nested), definitions, limits), true)
    const host = new Ledger()
    const create: Expression = { kind: 'create', template: named('T'), argument: nested }
    deepStrictEqual(
      failure(() => resultOf(create, host, definitions)),
      { kind: 'nesting' },
    )
  })

  it('folds by folds that fold, deeper than the host could', () => {
    const less = call('SUB_INT64', local(0), int(1n))
    const isOver = call('EQUAL', local(0), int(0n))
    const values = {
      folding: lambda(
        1,
        when(isOver, lambda(2, local(0)), call('FOLDL', apply(top('folding'), less))),
      ),
      listed: lambda(1, when(isOver, int(1n), listExpression([apply(top('listed'), less)]))),
    }
    const [fold, elements] = ['folding', 'listed'].map((name) => apply(top(name), int(20_000n)))
    ok(fold !== undefined && elements !== undefined)
    deepStrictEqual(valueOf(apply(fold, int(7n), elements), { values }), 7n)
  })

  it('cannot answer a text a million times over, or a view that shares its parts', () => {
    const evaluation = () => new Evaluation(new ProgramLinker(programOf({})), LIMITS, new Ledger())
    const long = 'x'.repeat(2 ** 16)
    const texts = listOf(Array.from({ length: 16_000 }, () => long))
    const answer = readOf(pure(local(0)), 1)
    equal(limitOf(() => evaluation().runChoice(answer, [texts])).of, 'cells')
    let tree: Value = null
    for (let level = 0; level < 40; level++) tree = new Rec([tree, tree])
    equal(limitOf(() => evaluation().view(readOf(local(0), 1), [tree])).of, 'steps')
  })
})

function limitOf(run: () => Value): Extract<Failure, { readonly kind: 'limit' }> {
  const ended = failure(run)
  ok(ended.kind === 'limit')
  return ended
}

/** A ledger that keeps what happens on it, and undoes it. */
class Ledger implements UpdateHost {
  readonly log: string[] = []
  readonly #contracts = new Map<string, Contract>()
  readonly #choices: Readonly<Record<string, (argument: Value) => Value>>

  constructor(choices: Readonly<Record<string, (argument: Value) => Value>> = {}) {
    this.#choices = choices
  }

  create(template: Contract['template'], payload: Value): string {
    const contractId = `#${this.log.length}`
    this.log.push(`create ${template.name}`)
    this.#contracts.set(contractId, new Contract(template, payload))
    return contractId
  }

  fetch(_: Contract['template'], contractId: string): Value {
    return this.fetchInterface(named('I'), contractId).payload
  }

  fetchInterface(_: Contract['template'], contractId: string): Contract {
    this.log.push(`fetch ${contractId}`)
    const contract = this.#contracts.get(contractId)
    if (contract === undefined) throw new Error('no such contract')
    return contract
  }

  exercise({ choice, argument }: HostExercise): Value {
    this.log.push(`exercise ${choice}`)
    const run = this.#choices[choice]
    if (run === undefined) throw new Error('no such choice')
    return run(argument)
  }

  getTime(): bigint {
    return 1_000n
  }

  ledgerTimeBefore(time: bigint): boolean {
    return 1_000n < time
  }

  savepoint(): { rollBack(): void } {
    const length = this.log.length
    return {
      rollBack: () => {
        this.log.splice(length)
        this.log.push('rolled back')
      },
    }
  }
}

const pure = (value: Expression): Expression => ({ kind: 'pure', type: ANY_TYPE, value })
const create = (argument: Expression): Expression => ({
  kind: 'create',
  template: named('T'),
  argument,
})
const exercise = (choice: string, contractId: Expression): Expression => ({
  kind: 'exercise',
  template: named('T'),
  choice,
  contractId,
  argument: UNIT,
})
const bind = (
  first: Expression,
  body: Expression,
  captures: readonly number[] = [],
): Expression => ({ kind: 'bind', first, then: [], block: closureOf(body, 1, captures) })
const thrown = (name: string): Expression => ({
  kind: 'throw',
  returns: ANY_TYPE,
  type: typeNamed(name),
  value: UNIT,
})
const attempt = (body: Expression, handler: Expression): Expression => ({
  kind: 'tryCatch',
  type: ANY_TYPE,
  attempt: closureOf(body),
  handler: closureOf(handler, 1),
})
const handled = (update: Expression): Expression => ({
  kind: 'some',
  type: ANY_TYPE,
  value: update,
})
const caught = (name: string): Expression => ({
  kind: 'case',
  scrutinee: { kind: 'fromAnyException', type: typeNamed(name), value: local(0) },
  alternatives: [
    { pattern: { kind: 'some', slot: 1 }, body: handled(pure(textOf(`caught ${name}`))) },
    { pattern: { kind: 'any' }, body: { kind: 'none', type: ANY_TYPE } },
  ],
})

const exceptions: Definitions = {
  exceptions: [{ reference: named('E'), message: readOf(lambda(1, textOf('an E'))) }],
}

describe('updates', () => {
  it('run in order, and later ones see the results of earlier ones', () => {
    const host = new Ledger()
    const fetch: Expression = { kind: 'fetch', template: named('T'), contractId: local(0) }
    const update: Expression = {
      kind: 'bind',
      first: create(int(1n)),
      then: [
        { slot: 1, type: ANY_TYPE, bound: fetch },
        { slot: 2, type: ANY_TYPE, bound: create(local(1)) },
      ],
      block: closureOf(pure(listExpression([local(0), local(1), local(2)])), 1),
    }
    deepStrictEqual(resultOf(update, host), listOf(['#0', 1n, '#2']))
    deepStrictEqual(host.log, ['create T', 'fetch #0', 'create T'])
  })

  it('that are evaluated but not run do nothing', () => {
    const host = new Ledger()
    const expression: Expression = {
      kind: 'let',
      bindings: [{ slot: 0, type: ANY_TYPE, bound: create(int(1n)) }],
      body: pure(int(2n)),
    }
    deepStrictEqual(resultOf(expression, host), 2n)
    deepStrictEqual(host.log, [])
  })

  it('come first in each other tens of thousands of times', () => {
    const rest = call('SUB_INT64', local(0), int(1n))
    const longer = bind(local(1), pure(int(2n)))
    const isOver = call('EQUAL', local(0), int(0n))
    const chain = lambda(2, when(isOver, local(1), apply(top('chain'), rest, longer)))
    const update = apply(top('chain'), int(50_000n), pure(int(1n)))
    deepStrictEqual(resultOf(update, new Ledger(), { values: { chain } }), 2n)
  })

  it('are values that functions take and answer', () => {
    const host = new Ledger()
    const twice = lambda(1, bind(local(0), captured(0), [0]))
    deepStrictEqual(resultOf(apply(twice, create(int(1n))), host), '#1')
    deepStrictEqual(host.log, ['create T', 'create T'])
  })

  it('read the time, and compare it', () => {
    const time: Expression = { kind: 'timestamp', value: 1_000n }
    deepStrictEqual(resultOf({ kind: 'getTime' }, new Ledger()), 1_000n)
    deepStrictEqual(resultOf({ kind: 'ledgerTimeLessThan', time }, new Ledger()), false)
  })

  it('of which one fails keep what the handler keeps', () => {
    const host = new Ledger()
    const update = attempt(bind(create(int(1n)), thrown('E')), caught('E'))
    deepStrictEqual(resultOf(bind(create(int(0n)), update), host), 'caught E')
    deepStrictEqual(host.log, ['create T', 'rolled back'])
  })

  it('pass an exception on that a handler does not take', () => {
    const host = new Ledger()
    const inner = attempt(bind(create(int(1n)), thrown('E')), caught('F'))
    deepStrictEqual(resultOf(attempt(inner, caught('E')), host), 'caught E')
    deepStrictEqual(host.log, ['rolled back'])
    deepStrictEqual(
      failure(() => resultOf(inner, new Ledger(), exceptions)),
      { kind: 'unhandled', exception: 'pkg:Main:E', message: 'an E' },
    )
  })

  it('end with an exception whose own message throws', () => {
    const message = readOf(lambda(1, thrown('E')))
    deepStrictEqual(
      failure(() =>
        resultOf(thrown('E'), new Ledger(), { exceptions: [{ reference: named('E'), message }] }),
      ),
      { kind: 'unhandled', exception: 'pkg:Main:E', message: '' },
    )
  })

  it('take exceptions of choices that they exercise, and of arithmetic', () => {
    const fails = () => {
      throw new Thrown(new Any(valueOfType('E'), undefined))
    }
    const host = new Ledger({ Fail: fails })
    const update = attempt(exercise('Fail', textOf('#0')), caught('E'))
    deepStrictEqual(resultOf(update, host), 'caught E')
    deepStrictEqual(host.log, ['rolled back'])
    const divided = attempt(pure(call('DIV_INT64', int(1n), int(0n))), handled(pure(int(7n))))
    deepStrictEqual(resultOf(divided, new Ledger()), 7n)
  })

  it('cannot take failures', () => {
    const update = attempt(pure(call('ERROR', textOf('no'))), handled(pure(int(7n))))
    deepStrictEqual(
      failure(() => resultOf(update, new Ledger())),
      { kind: 'error', message: 'no' },
    )
  })

  it('cannot run where there is no ledger', () => {
    const run = readOf(create(int(1n)))
    const evaluation = new Evaluation(new ProgramLinker(programOf({})), LIMITS)
    deepStrictEqual(failure(() => evaluation.run(run, [])).kind, 'ill-typed')
  })
})

function valueOfType(name: string) {
  const value = valueOf({ kind: 'typeRep', type: typeNamed(name) })
  ok(value instanceof TypeRep)
  return value
}

describe('interfaces', () => {
  const templates: Definitions['templates'] = [
    {
      reference: named('T'),
      precondition: undefined,
      signatories: readOf(listExpression([textOf('alice')]), 1),
      observers: readOf(listExpression([]), 1),
      choices: new Map(),
      implementations: new Map([
        [
          named('I').text,
          {
            interface: named('I'),
            methods: new Map([['next', { code: readOf(call('ADD_INT64', local(0), int(1n)), 1) }]]),
            view: readOf({ kind: 'record', type: typeNamed('V'), fields: [local(0)] }, 1),
          },
        ],
      ]),
    },
  ]
  const contract: Expression = {
    kind: 'toInterface',
    interface: named('I'),
    template: named('T'),
    value: int(4n),
  }

  it('have views and methods that the template implements', () => {
    const definitions = { templates }
    const of = (expression: Expression) => valueOf(expression, definitions)
    const on = { interface: named('I'), value: contract }
    deepStrictEqual(of({ kind: 'interfaceView', ...on }), new Rec([4n]))
    deepStrictEqual(of({ kind: 'callInterface', method: 'next', ...on }), 5n)
    deepStrictEqual(of({ kind: 'interfaceSignatories', ...on }), listOf(['alice']))
    deepStrictEqual(of({ kind: 'interfaceObservers', ...on }), null)
    deepStrictEqual(
      of(
        call(
          'EQUAL',
          { kind: 'interfaceTypeRep', ...on },
          { kind: 'typeRep', type: typeNamed('T') },
        ),
      ),
      true,
    )
  })

  it('lead back to the template, and to no other', () => {
    const of = (template: string) =>
      valueOf(
        {
          kind: 'fromInterface',
          interface: named('I'),
          template: named(template),
          value: contract,
        },
        { templates },
      )
    deepStrictEqual(of('T'), some(4n))
    deepStrictEqual(of('U'), NONE)
    const unsafe: Expression = {
      kind: 'unsafeFromInterface',
      interface: named('I'),
      template: named('U'),
      contractId: textOf('00ab'),
      value: contract,
    }
    deepStrictEqual(
      failure(() => valueOf(unsafe, { templates })),
      {
        kind: 'wrong-template',
        message: 'wrongly typed contract 00ab expected pkg:Main:U got pkg:Main:T',
      },
    )
  })

  it('lead to other interfaces that the template implements', () => {
    const of = (requiring: string) =>
      valueOf(
        {
          kind: 'fromRequiredInterface',
          required: named('J'),
          requiring: named(requiring),
          value: contract,
        },
        { templates },
      )
    deepStrictEqual(of('I'), some(new Contract(named('T'), 4n)))
    deepStrictEqual(of('K'), NONE)
  })
})

describe('lists', () => {
  it('of a hundred thousand elements are folded from both ends', () => {
    const limits = { steps: 10_000_000, cells: 10_000_000, depth: 100 }
    const grow = lambda(2, { kind: 'cons', type: ANY_TYPE, front: [local(1)], tail: local(0) })
    const reversed = call('FOLDL', grow, { kind: 'nil', type: ANY_TYPE }, local(0))
    const build = lambda(
      1,
      call('FOLDR', lambda(2, call('ADD_INT64', local(0), local(1))), int(0n), reversed),
    )
    const count = lambda(
      2,
      when(
        call('EQUAL', local(0), int(0n)),
        apply(build, local(1)),
        apply(top('count'), call('SUB_INT64', local(0), int(1n)), {
          kind: 'cons',
          type: ANY_TYPE,
          front: [local(0)],
          tail: local(1),
        }),
      ),
    )
    const expression = apply(top('count'), int(100_000n), { kind: 'nil', type: ANY_TYPE })
    deepStrictEqual(valueOf(expression, { values: { count } }, limits), 5_000_050_000n)
  })
})
