// A ledger that runs the templates of a program and nothing else: whoever acts may. For comparing
// what packages say with what ours say.
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import type { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { parseNumeric } from '../../runtime/packages/builtins/numeric.ts'
import { EMPTY_MAP, insert } from '../../runtime/packages/values/map.ts'
import { Meter } from '../../runtime/packages/values/meter.ts'
import { Contract, listOf, NONE, Rec, some, Variant } from '../../runtime/packages/values/value.ts'
import type { HostExercise, UpdateHost } from '../../runtime/packages/evaluate/host.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import type { Reference, Type } from '../../runtime/packages/program/types.ts'
import type { EvaluationLimits } from '../../runtime/packages/values/failure.ts'
import type { Value } from '../../runtime/packages/values/value.ts'

const LIMITS: EvaluationLimits = { steps: 20_000_000, cells: 100_000_000, depth: 200_000 }

/**
 * A value as a test writes it: decimals as texts, variants as an object of one member, lists and
 * maps as arrays; optional fields may be absent.
 */
export type Written =
  | undefined
  | null
  | boolean
  | bigint
  | string
  | readonly Written[]
  | { readonly [name: string]: Written }

interface Held {
  readonly template: Reference
  readonly payload: Value
}

export class ProgramLedger implements UpdateHost {
  readonly program: Packages
  readonly #linker: ProgramLinker
  #evaluation: Evaluation
  readonly #contracts = new Map<string, Held>()
  readonly #archived = new Set<string>()
  readonly #now: bigint

  constructor(program: Packages, linker: ProgramLinker, now: bigint) {
    this.program = program
    this.#linker = linker
    this.#evaluation = new Evaluation(linker, LIMITS, this)
    this.#now = now
  }

  /** Begins a transaction, which has an evaluation of its own. */
  begin(): void {
    this.#evaluation = new Evaluation(this.#linker, LIMITS, this)
  }

  create(template: Reference, payload: Value): string {
    const { precondition, signatories, observers } = this.program.template(template)
    if (precondition !== undefined && this.#evaluation.evaluate(precondition, [payload]) !== true)
      throw new Error(`the precondition of ${template.name} does not hold`)
    for (const code of [signatories, observers]) this.#evaluation.parties(code, [payload])
    const contractId = `00${String(this.#contracts.size).padStart(64, '0')}`
    this.#contracts.set(contractId, { template, payload })
    return contractId
  }

  fetch(_: Reference, contractId: string): Value {
    return this.held(contractId).payload
  }

  fetchInterface(_: Reference, contractId: string): Contract {
    const { template, payload } = this.held(contractId)
    return new Contract(template, payload)
  }

  exercise({ on, isInterface, choice, contractId, argument }: HostExercise): Value {
    const { template, payload } = this.held(contractId)
    const { choices } = isInterface ? this.program.interface(on) : this.program.template(template)
    const definition = choices.get(choice)
    if (definition === undefined) throw new Error(`there is no choice ${choice}`)
    const self = isInterface ? new Contract(template, payload) : payload
    for (const code of [definition.controllers, definition.observers])
      this.#evaluation.parties(code, [self, argument])
    if (definition.consuming) this.#archived.add(contractId)
    return this.#evaluation.runChoice(definition.update, [self, argument, contractId])
  }

  getTime(): bigint {
    return this.#now
  }

  ledgerTimeBefore(time: bigint): boolean {
    return this.#now < time
  }

  savepoint(): { rollBack(): void } {
    return { rollBack: () => undefined }
  }

  /** An active contract. */
  held(contractId: string): Held {
    const held = this.#contracts.get(contractId)
    if (held === undefined || this.#archived.has(contractId))
      throw new Error(`${contractId} is not active`)
    return held
  }

  /** A type of the program by its name, which begins with its module's last name. */
  type(qualified: string): Reference {
    const [module = '', name = ''] = qualified.split(':')
    for (const { packageId, modules } of this.program.packages.values())
      for (const { name: full, dataTypes } of modules.values())
        if (full.endsWith(`.${module}`) && dataTypes.has(name))
          return this.program.reference(packageId, full, name)
    throw new Error(`there is no type ${qualified}`)
  }

  /** A value of a type of the program. */
  value(of: Reference, written: Written): Value {
    return this.#read(this.program.types.constructorType(of), written)
  }

  /** A field of a record. */
  field(of: Reference, value: Value, name: string): Value {
    const { shape } = this.program.dataType(of)
    const index = 'indexes' in shape ? shape.indexes.get(name) : undefined
    if (!(value instanceof Rec) || index === undefined) throw new Error(`no field ${name}`)
    return value.fields[index]
  }

  #read(type: Type, written: Written): Value {
    if (type.kind === 'constructor')
      return this.#readDefined(type.reference, type.arguments, written)
    const [first, second] = type.kind === 'builtin' ? type.arguments : []
    const name = type.kind === 'builtin' ? type.name : ''
    if (name === 'Optional')
      return written === undefined || written === null || first === undefined
        ? NONE
        : some(this.#read(first, written))
    if (name === 'Numeric' && first?.kind === 'nat' && typeof written === 'string')
      return parseNumeric(written, first.value)
    if (!Array.isArray(written)) return primitive(written)
    if (first === undefined) throw new Error(`${name} has no elements`)
    if (second === undefined) return listOf(written.map((each) => this.#read(first, each)))
    return written.reduce((map, [key, value]) => {
      return insert(map, this.#read(first, key), this.#read(second, value), new Meter(LIMITS))
    }, EMPTY_MAP)
  }

  #readDefined(reference: Reference, args: readonly Type[], written: Written): Value {
    const { shape, parameters } = this.program.dataType(reference)
    const by = new Map(parameters.flatMap(({ name }, at) => pairs(name, args[at])))
    const of = (type: Type) => this.program.types.substitute(type, by)
    const members: readonly (readonly [string, Written])[] = Object.entries(
      isMembers(written) ? written : {},
    )
    if (shape.kind === 'record')
      return new Rec(
        shape.fields.map(({ name, type }) => this.#read(of(type), member(members, name))),
      )
    const [[tag, argument] = ['', undefined]] = members
    if (shape.kind !== 'variant') throw new Error(`${reference.name} is neither record nor variant`)
    const rank = shape.indexes.get(tag) ?? -1
    const chosen = shape.constructors[rank]
    if (chosen === undefined) throw new Error(`${reference.name} has no ${tag}`)
    return new Variant(rank, this.#read(of(chosen.type), argument))
  }
}

function pairs(name: string, type: Type | undefined): readonly (readonly [string, Type])[] {
  return type === undefined ? [] : [[name, type]]
}

function isMembers(written: Written): written is { readonly [name: string]: Written } {
  return typeof written === 'object' && written !== null && !Array.isArray(written)
}

function member(members: readonly (readonly [string, Written])[], name: string): Written {
  return members.find(([key]) => key === name)?.[1]
}

function primitive(written: Written): Value {
  if (written === null || typeof written === 'object') throw new Error('no such value')
  return written
}
