// The evaluator on programs that are written here, expression by expression: order of evaluation,
// updates, exceptions, interfaces, and programs that would like to hurt whoever runs them.
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError, Thrown } from '../../runtime/packages/values/failure.ts'
import { TypeRep } from '../../runtime/packages/values/type-rep.ts'
import { Any, Contract, listOf, NONE, Rec, some } from '../../runtime/packages/values/value.ts'
import { codeOf, LIMITS, named, programOf, resultOf, valueOf } from './programs.ts'
import type { Failure } from '../../runtime/packages/values/failure.ts'
import type { Value } from '../../runtime/packages/values/value.ts'
import type { HostExercise, UpdateHost } from '../../runtime/packages/evaluate/host.ts'
import type { Definitions } from './programs.ts'

function failure(run: () => Value): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof EvaluationError) return error.failure
    throw error
  }
  throw new Error('nothing failed')
}

/** Limits of which only that of depth, and perhaps of cells, matters. */
const withDepth = (depth: number, cells = 100_000_000) => ({ steps: 100_000_000, cells, depth })

type Answer = readonly [
  what: string,
  program: string,
  answer: Value | Failure,
  values?: Definitions['values'],
  limits?: typeof LIMITS,
]

const error = (message: string): Failure => ({ kind: 'error', message })
const limit = (of: 'steps' | 'cells' | 'depth', at: number): Failure => {
  return { kind: 'limit', of, limit: at }
}

/** Tests whose programs answer this, or fail so. */
function answer(cases: readonly Answer[], templates: Definitions['templates'] = []): void {
  for (const [what, program, expected, values = {}, limits] of cases)
    it(what, () => {
      const run = () => valueOf(program, { values, templates }, limits)
      if (isFailure(expected)) deepStrictEqual(failure(run), expected)
      else deepStrictEqual(run(), expected)
    })
}

function isFailure(expected: Value | Failure): expected is Failure {
  return typeof expected === 'object' && expected !== null && 'kind' in expected
}

const overflow = '(ADD_INT64 9223372036854775807 1)'
const apart = '(fn (a) (fn (b c) (list a b c)))'
const structs = '(structUpdate b (struct b 2 a 1) 5)'
/** Counts down from `n`, taking `x` along. */
const counting = (then: string, next: string) =>
  `(fn (n x) (if (EQUAL n 0) ${then} (again (SUB_INT64 n 1) ${next})))`

describe('evaluation', () => {
  answer([
    [
      'calls functions that call themselves, as deep as the limit lets them',
      '(sum 20000)',
      200_010_000n,
      { sum: '(fn (n) (if (EQUAL n 0) 0 (ADD_INT64 n (sum (SUB_INT64 n 1)))))' },
    ],
    [
      'loops in constant space where the call is the last thing that a function does',
      '(again 100000 0)',
      200_000n,
      { again: counting('x', '(ADD_INT64 x 2)') },
      withDepth(10, 10_000_000),
    ],
    ['evaluates arguments from left to right', '(ADD_INT64 (ERROR "a") (ERROR "b"))', error('a')],
    ['evaluates the function before them', '((ERROR "f") (ERROR "b"))', error('f')],
    [
      'runs what an argument calls before the next',
      `(ADD_INT64 ((fn (x) (ERROR "called")) 1) ${overflow})`,
      error('called'),
    ],
    ['takes more arguments than a function has', `(${apart} 1 2 3)`, listOf([1n, 2n, 3n])],
    ['takes fewer, and the rest later', `((${apart} 1 2) 3)`, listOf([1n, 2n, 3n])],
    [
      'evaluates a top-level value only where it is needed',
      'twice',
      2n,
      {
        bad: '(ERROR "not needed")',
        chosen: '(if true 1 bad)',
        twice: '(ADD_INT64 chosen chosen)',
      },
    ],
    ['fails where no pattern fits', '(case (some 1) (none 0))', error('match error')],
    ['matches the first pattern that fits', '(case (some 1) (_ 2) ((some x) x))', 2n],
    ['keeps the fields of structs by name', `(structField a ${structs})`, 1n],
    ['whatever order they are written in', `(structField b ${structs})`, 5n],
    ['tells types apart at run time', '(fromAny A (toAny A 1))', some(1n)],
    ['also where they differ', '(fromAny B (toAny A 1))', NONE],
    ['orders types', '(LESS (typeRep A) (typeRep B))', true],
  ])

  it('evaluates the first of two that fail', () => {
    const program = `(ADD_INT64 ${overflow} ((fn (x) (ERROR "called")) 1))`
    equal(failure(() => valueOf(program)).kind, 'unhandled')
  })
})

describe('a program that goes on without end', () => {
  const sums = (count: number) => `${'(ADD_INT64 1 '.repeat(count)}(f x)${')'.repeat(count)}`
  const bodies = {
    'itself in a hundred sums': sums(100),
    'itself in four hundred sums': sums(400),
    'itself in a hundred lists': `${'(list 1 '.repeat(100)}(f x)${')'.repeat(100)}`,
    'itself in a fold from the left': '(ADD_INT64 1 (FOLDL (fn (a b) (f a)) x (list 1)))',
    'itself in a fold from the right': '(ADD_INT64 1 (FOLDR (fn (a b) (f a)) x (list 1)))',
  }
  answer([
    ['ends at the limit of steps', '(f 0)', limit('steps', 4_000_000), { f: '(fn (x) (f x))' }],
    [
      'ends at the limit of depth',
      '(f 0)',
      limit('depth', 50_000),
      { f: '(fn (x) (ADD_INT64 1 (f x)))' },
      withDepth(50_000),
    ],
    ...Object.entries(bodies).map(([what, body]): Answer => [
      `ends at the limit of depth: ${what}`,
      '(f 0)',
      limit('depth', 20_000),
      { f: `(fn (x) ${body})` },
      withDepth(20_000),
    ]),
    [
      'compares what is nested deeper than the host could',
      '(EQUAL (again 50000 1) (again 50000 1))',
      true,
      { again: counting('x', '(some x)') },
      withDepth(100, 10_000_000),
    ],
    [
      'folds by folds that fold, deeper than the host could',
      '((folding 20000) 7 (listed 20000))',
      7n,
      {
        folding: '(fn (n) (if (EQUAL n 0) (fn (a b) a) (FOLDL (folding (SUB_INT64 n 1)))))',
        listed: '(fn (n) (if (EQUAL n 0) 1 (list (listed (SUB_INT64 n 1)))))',
      },
    ],
  ])

  for (const [what, start, next] of [
    ['a list', 'nil', '(cons 1 1 x)'],
    ['a text', '"0123456789"', '(APPEND_TEXT x x)'],
    ['a map', 'TEXTMAP_EMPTY', '(TEXTMAP_INSERT (INT64_TO_TEXT (TEXTMAP_SIZE x)) 1 x)'],
  ])
    it(`ends at the limit of cells: ${what} that grows`, () => {
      const values = { grow: `(fn (x) (grow ${next}))` }
      const run = () => valueOf(`(grow ${start})`, { values }, withDepth(1_000, 1_000_000))
      equal(limitOf(run), 'cells')
    })

  it('ends where a top-level value needs itself', () => {
    const values = { a: 'b', b: '(ADD_INT64 1 a)' }
    ok(limitOf(() => valueOf('a', { values })))
  })

  it('puts nothing on the ledger that is nested deeper than may be', () => {
    const values = { again: counting('x', '(some x)') }
    const run = () => resultOf('(create (again 50000 1))', new Ledger(), { values })
    deepStrictEqual(failure(run), { kind: 'nesting' })
  })

  it('counts what is read to begin again', () => {
    const evaluation = new Evaluation(new ProgramLinker(programOf({})), LIMITS)
    evaluation.again(6_400)
    equal(evaluation.used.steps, 100)
    const run = (): Value => {
      for (;;) evaluation.again(64 * 1_000)
    }
    ok(['steps', 'repeated steps'].includes(limitOf(run)))
  })

  it('cannot answer a text a million times over, or a view that shares its parts', () => {
    const evaluation = () => new Evaluation(new ProgramLinker(programOf({})), LIMITS, new Ledger())
    const long = 'x'.repeat(2 ** 16)
    const texts = listOf(Array.from({ length: 16_000 }, () => long))
    equal(
      limitOf(() => evaluation().runChoice(codeOf('(pure x)', 'x'), [texts])),
      'cells',
    )
    let tree: Value = null
    for (let level = 0; level < 40; level++) tree = new Rec([tree, tree])
    equal(
      limitOf(() => evaluation().view(codeOf('x', 'x'), [tree])),
      'steps',
    )
  })
})

function limitOf(run: () => Value): string {
  const ended = failure(run)
  ok(ended.kind === 'limit')
  return ended.of
}

/** A ledger that keeps what happens on it, and undoes it. */
class Ledger implements UpdateHost {
  readonly log: string[] = []
  readonly #contracts = new Map<string, Contract>()

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

  /** The one choice there is fails. */
  exercise({ choice }: HostExercise): Value {
    this.log.push(`exercise ${choice}`)
    const type = valueOf('(typeRep E)')
    ok(type instanceof TypeRep)
    throw new Thrown(new Any(type, undefined))
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

const caught = (name: string) =>
  `(case (fromException ${name} exception) ((some x) (some (pure "caught ${name}"))) (_ none))`
const failing = `(try (do a (create 1) (throw E)) ${caught('F')})`

/** The text of a top-level value, which may need those of lower numbers, or itself. */
function bodies(at: number): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    { arbitrary: fc.integer({ min: -9, max: 9 }).map(String), weight: 3 },
    { arbitrary: fc.nat({ max: at }).map((each) => `v${each}`), weight: 5 },
    { arbitrary: fc.constant('(DIV_INT64 1 0)'), weight: 1 },
  )
  const { body } = fc.letrec<{ body: string; pair: readonly [string, string] }>((tie) => ({
    pair: fc.tuple(tie('body'), tie('body')),
    body: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie('pair').map(([a, b]) => `(ADD_INT64 ${a} ${b})`),
      tie('pair').map(([a, b]) => `(if (LESS ${a} ${b}) ${a} ${b})`),
      tie('pair').map(([a, b]) => `(plus ${a} ${b})`),
      tie('body').map((a) => `${'(ADD_INT64 1 '.repeat(60)}${a}${')'.repeat(60)}`),
      tie('body').map((a) => `(FOLDL plus ${a} (list ${a} 2))`),
    ),
  }))
  return body
}

const COUNT = 12
const programs = fc
  .tuple(...Array.from({ length: COUNT }, (_, at) => bodies(at)))
  .map((each): Definitions => {
    const values = Object.fromEntries(each.map((body, at) => [`v${at}`, body]))
    return { values: { ...values, plus: '(fn (a b) (ADD_INT64 a b))' } }
  })
const uses = fc.array(fc.nat({ max: COUNT - 1 }), { maxLength: 6 })

/** What the values come to in one evaluation, and what that takes. */
function used(linker: ProgramLinker, values: readonly number[], limits = LIMITS) {
  const evaluation = new Evaluation(linker, limits)
  const results = values.map((at) => {
    try {
      return evaluation.value(named(`v${at}`))
    } catch (error) {
      if (error instanceof EvaluationError) return error.failure.kind
      throw error
    }
  })
  return { results, ...evaluation.used }
}

describe('top-level values', () => {
  it('count alike, whatever a server has kept of earlier evaluations', () => {
    fc.assert(
      fc.property(programs, fc.array(uses, { maxLength: 4 }), uses, (definitions, earlier, now) => {
        const program = programOf(definitions)
        const cold = used(new ProgramLinker(program), now)
        for (const room of [0, 150, 1_000_000]) {
          const warm = new ProgramLinker(program, room)
          for (const each of earlier) used(warm, each)
          deepStrictEqual(used(warm, now), cold, `with room for ${room} cells`)
          deepStrictEqual(used(warm, now), cold, 'and once more')
          const short = { ...LIMITS, steps: Math.max(1, cold.steps - 1) }
          const [here, elsewhere] = [warm, new ProgramLinker(program)].map((linker) =>
            used(linker, now, short).results.includes('limit'),
          )
          equal(here, elsewhere, 'the limit is reached on all servers or on none')
        }
      }),
      { numRuns: 200 },
    )
  })

  it('may need each other without end of the host’s stack', () => {
    const values: Record<string, string> = { n0: '0' }
    for (let at = 1; at <= 20_000; at += 1) values[`n${at}`] = `(ADD_INT64 1 n${at - 1})`
    equal(valueOf('n20000', { values }), 20_000n)
  })
})

describe('updates', () => {
  const values = {
    chain: '(fn (n u) (if (EQUAL n 0) u (chain (SUB_INT64 n 1) (do x u (pure 2)))))',
  }
  const cases: readonly (readonly [string, string, Value, ...string[]])[] = [
    [
      'run in order, and later ones see the results of earlier ones',
      '(do a (create 1) b (fetch a) c (create b) (pure (list a b c)))',
      listOf(['#0', 1n, '#2']),
      ...['create T', 'fetch #0', 'create T'],
    ],
    ['that are evaluated but not run do nothing', '(let x (create 1) (pure 2))', 2n],
    ['come first in each other tens of thousands of times', '(chain 50000 (pure 1))', 2n],
    [
      'are values that functions take and answer',
      '((fn (u) (do x u u)) (create 1))',
      '#1',
      ...['create T', 'create T'],
    ],
    ['read the time', 'getTime', 1_000n],
    ['compare the time', '(before 1000)', false],
    [
      'of which one fails keep what the handler keeps',
      `(do a (create 0) (try (do b (create 1) (throw E)) ${caught('E')}))`,
      'caught E',
      ...['create T', 'rolled back'],
    ],
    [
      'pass an exception on that a handler does not take',
      `(try ${failing} ${caught('E')})`,
      'caught E',
      'rolled back',
    ],
    [
      'take exceptions of choices that they exercise',
      `(try (exercise Fail "#0") ${caught('E')})`,
      'caught E',
      'rolled back',
    ],
    [
      'take exceptions of arithmetic',
      '(try (pure (DIV_INT64 1 0)) (some (pure 7)))',
      7n,
      'rolled back',
    ],
  ]
  for (const [what, program, expected, ...log] of cases)
    it(what, () => {
      const host = new Ledger()
      deepStrictEqual([resultOf(program, host, { values }), host.log], [expected, log])
    })

  const failures: readonly (readonly [string, string, string, Failure])[] = [
    [
      'end with an exception that no handler takes',
      failing,
      '(fn (e) "an E")',
      { kind: 'unhandled', exception: 'pkg:Main:E', message: 'an E' },
    ],
    [
      'end with an exception whose own message throws',
      '(throw E)',
      '(fn (e) (throw E))',
      { kind: 'unhandled', exception: 'pkg:Main:E', message: '' },
    ],
    ['cannot take failures', '(try (pure (ERROR "no")) (some (pure 7)))', 'unit', error('no')],
  ]
  for (const [what, program, message, expected] of failures)
    it(what, () => {
      const exceptions = [{ reference: named('E'), message: codeOf(message) }]
      deepStrictEqual(
        failure(() => resultOf(program, new Ledger(), { exceptions })),
        expected,
      )
    })

  it('cannot run where there is no ledger', () => {
    const evaluation = new Evaluation(new ProgramLinker(programOf({})), LIMITS)
    equal(failure(() => evaluation.run(codeOf('(create 1)'), [])).kind, 'ill-typed')
  })
})

describe('interfaces', () => {
  const templates: Definitions['templates'] = [
    {
      reference: named('T'),
      precondition: undefined,
      signatories: codeOf('(list "alice")', 'this'),
      observers: codeOf('nil', 'this'),
      choices: new Map(),
      implementations: new Map([
        [
          named('I').text,
          {
            interface: named('I'),
            methods: new Map([['next', { code: codeOf('(ADD_INT64 this 1)', 'this') }]]),
            view: codeOf('(record V this)', 'this'),
          },
        ],
      ]),
    },
  ]
  const contract = '(toInterface I 4)'
  answer(
    [
      ['have views', `(interfaceView I ${contract})`, new Rec([4n])],
      ['have methods that the template implements', `(callInterface I next ${contract})`, 5n],
      ['have signatories', `(interfaceSignatories I ${contract})`, listOf(['alice'])],
      ['have observers', `(interfaceObservers I ${contract})`, null],
      ['know their type', `(EQUAL (interfaceTypeRep I ${contract}) (typeRep T))`, true],
      ['lead back to the template', `(fromInterface I T ${contract})`, some(4n)],
      ['lead back to no other', `(fromInterface I U ${contract})`, NONE],
      [
        'fail where they must lead to another',
        `(unsafeFromInterface I U "00ab" ${contract})`,
        {
          kind: 'wrong-template',
          message: 'wrongly typed contract 00ab expected pkg:Main:U got pkg:Main:T',
        },
      ],
      [
        'lead to other interfaces that the template implements',
        `(fromRequiredInterface J I ${contract})`,
        some(new Contract(named('T'), 4n)),
      ],
      ['lead to none of what it does not', `(fromRequiredInterface J K ${contract})`, NONE],
    ],
    templates,
  )
})

describe('lists', () => {
  answer([
    [
      'of a hundred thousand elements are folded from both ends',
      '(again 100000 nil)',
      5_000_050_000n,
      {
        again: counting('(build x)', '(cons n x)'),
        build: '(fn (l) (FOLDR (fn (a b) (ADD_INT64 a b)) 0 (FOLDL (fn (a b) (cons b a)) nil l)))',
      },
      withDepth(100, 10_000_000),
    ],
  ])
})
