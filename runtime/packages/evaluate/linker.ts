// Definitions of a program as the machine runs them: compiled when they are first used, top-level
// values kept once they are evaluated. docs/decisions/0056-packages-that-run.md
import { ARITHMETIC_ERROR, EvaluationError, illTyped } from '../values/failure.ts'
import { TypeRep } from '../values/type-rep.ts'
import { Rec } from '../values/value.ts'
import { callingFunctions } from './calling.ts'
import { lambdaOf } from './compile/expression.ts'
import { erased } from './compile/flow.ts'
import { UNSET } from './code.ts'
import type { CallingFunction } from '../builtins/index.ts'
import type { Implementation, Program, ReadCode } from '../program/definitions.ts'
import type { Reference, Type } from '../program/types.ts'
import type { Any, Contract } from '../values/value.ts'
import type { Linker, Stakeholders } from './compile/scope.ts'
import type { Definition, Lambda, Machine, Next } from './code.ts'

/** Cells that the values of one program may have taken which are kept. */
const MAX_KEPT_CELLS = 8_000_000

export class ProgramLinker implements Linker {
  readonly program: Program
  readonly #definitions = new Map<Reference, TopLevelValue>()
  readonly #lambdas = new WeakMap<ReadCode, Lambda>()
  readonly #names = new Map<string, TypeRep>()
  readonly #calling = callingFunctions((exception, machine) => this.#messageOf(exception, machine))
  #room: number

  /** @param room cells that the values which are kept may have taken altogether */
  constructor(program: Program, room = MAX_KEPT_CELLS) {
    this.program = program
    this.#room = room
  }

  definition(reference: Reference): Definition {
    const known = this.#definitions.get(reference)
    if (known !== undefined) return known
    const definition = new TopLevelValue(this, reference, this.#definitions.size)
    this.#definitions.set(reference, definition)
    return definition
  }

  /** Code of a template, a choice or an exception, as a function of its parameters. */
  lambda(read: ReadCode): Lambda {
    const known = this.#lambdas.get(read)
    if (known !== undefined) return known
    const lambda = lambdaOf(this, read())
    this.#lambdas.set(read, lambda)
    return lambda
  }

  calling(name: CallingFunction) {
    return this.#calling[name]
  }

  typeRep(type: Type): TypeRep {
    if (type.kind === 'constructor') return this.nameRep(type.reference)
    throw illTyped('a type at run time is one that a package defines')
  }

  nameRep(reference: Reference): TypeRep {
    const known = this.#names.get(reference.text)
    if (known !== undefined) return known
    const rep = new TypeRep(reference)
    this.#names.set(reference.text, rep)
    return rep
  }

  implements(contract: Contract, interfaceName: Reference): boolean {
    if (contract.elsewhere !== undefined) return contract.elsewhere.implements(interfaceName.text)
    return this.program.template(contract.template).implementations.has(interfaceName.text)
  }

  method(contract: Contract, interfaceName: Reference, method: string): Lambda {
    const found = this.#implementation(contract, interfaceName).methods.get(method)
    if (found === undefined) throw illTyped(`${interfaceName.text} has no method ${method}`)
    return this.lambda(found.code)
  }

  view(contract: Contract, interfaceName: Reference): Lambda {
    return this.lambda(this.#implementation(contract, interfaceName).view)
  }

  stakeholders(template: Reference): Stakeholders {
    const { signatories, observers } = this.program.template(template)
    return { signatories: this.lambda(signatories), observers: this.lambda(observers) }
  }

  /** Number of definitions that were met up to now. */
  get definitionCount(): number {
    return this.#definitions.size
  }

  /** Takes room for a value that took so much; false where there is none. */
  takeRoom(cells: number): boolean {
    const hasRoom = cells <= this.#room
    if (hasRoom) this.#room -= cells
    return hasRoom
  }

  #implementation(contract: Contract, interfaceName: Reference): Implementation {
    const { template, elsewhere } = contract
    const implementation =
      elsewhere === undefined
        ? this.program.template(template).implementations.get(interfaceName.text)
        : undefined
    if (implementation !== undefined) return implementation
    throw new EvaluationError({
      kind: 'wrong-template',
      message: `no package has how ${template.text} implements ${interfaceName.text}`,
    })
  }

  #messageOf({ type, value }: Any, machine: Machine): Next {
    if (type.key === ARITHMETIC_ERROR.key && value instanceof Rec) return value.fields[0]
    const { message } = this.program.exception(type.reference)
    machine.push({ resume: (of) => machine.apply(of, [value]) })
    return machine.enter(this.lambda(message), [], [])
  }
}

class TopLevelValue implements Definition {
  readonly #linker: ProgramLinker
  readonly #reference: Reference
  readonly index: number
  value: Definition['value'] = UNSET
  kept: Definition['kept'] = UNSET
  taken: Definition['taken']
  #isFunction: boolean | undefined

  constructor(linker: ProgramLinker, reference: Reference, index: number) {
    this.#linker = linker
    this.#reference = reference
    this.index = index
  }

  get isFunction(): boolean {
    return (this.#isFunction ??= erased(this.#code().body).kind === 'abstraction')
  }

  get lambda(): Lambda {
    return this.#linker.lambda(this.#code)
  }

  get #code(): ReadCode {
    return this.#linker.program.value(this.#reference).code
  }
}
