// The ledger model's rules: runs one submission over contracts in memory and gathers what happens.
// Pure; whatever is thrown inside, even if a choice catches it, ends the whole transaction.
import { ARCHIVE, interfaceChoice } from './bind.ts'
import { Interrupt, invalid, refused, valid, violated } from './interrupt.ts'
import { demandLimits } from './limits.ts'
import { Lookup, notFound } from './lookup.ts'
import { completed, newContract } from './new-contract.ts'
import { DAY_MICROS } from './durations.ts'
import { distinct, meets, union, without } from './parties.ts'
import { TimeBounds } from './time-bounds.ts'
import { unknownVersion } from './unreadable.ts'
import { templateOf } from '../store/rules.ts'
import type { ContractRecord } from '../store/store.ts'
import { entityOf, exerciseEvent } from './exercise.ts'
import { unreadArguments } from './frame.ts'
import { NotedUses } from './noted-uses.ts'
import type { AbortReason } from './rejection.ts'
import type { AnyTemplate, Choice, ChoiceType, Json, New, Template, Tx } from './template.ts'
import type { ExerciseEvent, LedgerEvent } from './transaction.ts'
import type { Exercise } from './exercise.ts'
import type { Frame } from './frame.ts'
import type { Templates } from './template-index.ts'
import type { Viewpoint, World } from './lookup.ts'
import type { TransactionLimits } from './rejection.ts'

const MAX_DEPTH = 100
/** Limits of a submission without limits of its own. */
export const DEFAULT_LIMITS: TransactionLimits = {
  maxTransactionNodes: 10_000,
  maxTransactionBytes: 67_108_864,
}
const UNIT: Json = {}

interface InterpretationInput {
  readonly actAs: readonly string[]
  readonly viewpoint: Viewpoint
  readonly world: World
  readonly templates: Templates
  /** Templates that are always at hand. */
  readonly own: Pick<Templates, 'has'>
  /** Templates that were waited for; absent: all that there are are at hand. */
  readonly awaited?: ReadonlySet<string> | undefined
  /** Contracts that are looked up before it begins. */
  readonly contractIds?: readonly string[] | undefined
  /** Hexadecimal; no other transaction has it. */
  readonly seed: string
  readonly effectiveAt: bigint
  /** The earliest record time that the update can get. */
  readonly earliest: bigint
  /** The latest possible time, if the date is in doubt; else `earliest`. */
  readonly latest?: bigint
  /** The party whose network's contracts can be created; undefined: all. */
  readonly issuer?: string | undefined
  readonly limits?: TransactionLimits
}

export class Interpretation implements Tx {
  readonly bounds: TimeBounds
  readonly lookup: Lookup
  /** Contracts that it created, in order; those that it archived again too. */
  readonly created = new Map<string, ContractRecord>()
  readonly archived = new Set<string>()
  readonly uses: NotedUses
  /** Ids of `archived`, in order. */
  readonly #archivals: string[] = []
  readonly #input: InterpretationInput
  readonly #events: (LedgerEvent | undefined)[] = []
  readonly #limits: TransactionLimits
  /** Nodes that were undone: they count against the limit, and no id is made of one twice. */
  #undone = 0
  #payloadLength = 0
  #frame: Frame
  #failure: unknown
  #isOver = false

  constructor(input: InterpretationInput) {
    this.#input = input
    this.#limits = input.limits ?? DEFAULT_LIMITS
    this.bounds = new TimeBounds(input.earliest, input.latest ?? input.earliest)
    this.lookup = new Lookup(input.world, input.viewpoint)
    this.uses = new NotedUses(input.own)
    this.#frame = {
      authorisers: input.actAs,
      witnesses: [],
      depth: 0,
      argument: null,
      isRead: false,
      parent: undefined,
    }
  }

  /** Runs a part of the root. Throws what ended the transaction, also where `run` caught that. */
  step(run: (tx: Tx) => void): void {
    this.#guard(() => run(this))
  }

  /**
   * Runs the rest of the root, which ends the transaction. Throws what ended it, also where `run`
   * caught that.
   */
  run<R>(run: (tx: Tx) => R): R {
    const result = this.#guard(() => run(this))
    this.#isOver = true
    return result
  }

  /** Events in pre-order. */
  events(): readonly LedgerEvent[] {
    return this.#events.filter((event) => event !== undefined)
  }

  create<T>(template: Template<T>, payload: New<T>): string {
    return this.#guard(() => this.#create(template, completed(template, payload)))
  }

  fetch<T>(template: Template<T>, contractId: string, interfaceId?: string): T {
    return this.#guard(() => {
      const contract = this.#find(contractId, null, template)
      return template.open(this.#read(contract, template.type.id, interfaceId))
    })
  }

  read(contractId: string, interfaceId?: string): ContractRecord {
    return this.#guard(() => {
      const contract = this.#contract(contractId, null)
      return this.#read(contract, contract.templateId, interfaceId)
    })
  }

  exercise<T, A, R>(choice: Choice<T, A, R>, contractId: string, argument: A): R {
    return this.#guard(() => this.#exercise(choice, contractId, argument))
  }

  exerciseInterface<A, R>(choice: ChoiceType<A, R>, contractId: string, argument: A): R {
    return this.#guard(() => {
      const encoded = choice.argument.encode(argument)
      const template = this.#templateOf(contractId, encoded)
      const bound = interfaceChoice(template, choice.name, choice.interfaceId)
      if (bound === undefined) throw invalid(`${contractId} has no choice ${choice.name}`)
      const result = bound.exerciseJson(this, contractId, encoded)
      return valid(() => choice.result.decode(result))
    })
  }

  archive<T>(template: Template<T>, contractId: string): void {
    this.#guard(() => {
      const contract = this.#find(contractId, null, template)
      template.open(contract)
      const controllers = contract.signatories
      this.#perform(
        {
          contract,
          templateId: template.type.id,
          name: ARCHIVE,
          consuming: true,
          controllers,
          observers: [],
          argument: UNIT,
        },
        () => undefined,
        () => UNIT,
        () => undefined,
      )
    })
  }

  templateOf(contractId: string): AnyTemplate {
    return this.#guard(() => this.#templateOf(contractId, null))
  }

  template(id: string): AnyTemplate {
    return this.#guard(() => this.#template(id))
  }

  whenAgain(again: (read: number) => void): void {
    this.uses.whenMet = () => again(0)
    this.lookup.whenAgain(this.#input.contractIds ?? [], again)
  }

  mark(): () => void {
    const frame = this.#frame
    const events = this.#events.length
    const archived = this.#archivals.length
    return () => {
      if (this.#failure instanceof Interrupt) throw this.#failure
      this.#failure = undefined
      this.#frame = frame
      const undone = this.#events.splice(events)
      this.#undone += undone.length
      for (const event of undone)
        if (event?.kind === 'create') this.created.delete(event.contract.contractId)
      for (const contractId of this.#archivals.splice(archived)) this.archived.delete(contractId)
    }
  }

  time(): bigint {
    const { effectiveAt } = this.#input
    this.notBefore(effectiveAt)
    this.until(effectiveAt + DAY_MICROS)
    return effectiveAt
  }

  notBefore(time: bigint): void {
    this.#guard(() => this.bounds.demandNotBefore(time))
  }

  before(time: bigint): void {
    this.#guard(() => this.bounds.demandBefore(time))
  }

  until(time: bigint): void {
    this.#guard(() => this.bounds.demandUntil(time))
  }

  abort(reason: AbortReason): never {
    return this.#guard((): never => {
      throw refused({ kind: 'aborted', reason })
    })
  }

  require(condition: boolean, requirement: string, given?: () => string): asserts condition {
    if (condition) return
    this.#guard(() => {
      const instead = given === undefined ? '' : `; given: ${given()}`
      throw violated(`Requirement not met: ${requirement}${instead}`)
    })
  }

  #create<T>(template: Template<T>, payload: T): string {
    const node = this.#reserve()
    const { seed, effectiveAt: createdAt, issuer } = this.#input
    const birth = { seed, node: node + this.#undone, createdAt, issuer }
    const contract = newContract(template, payload, birth)
    this.#payloadLength += contract.payload.length
    // Characters are at least bytes: what is too large already need not be finished.
    const { maxTransactionBytes: limit } = this.#limits
    if (this.#payloadLength > limit)
      throw refused({ kind: 'too-large', of: 'maxTransactionBytes', limit })
    this.#authorise(contract.signatories, () => `create of ${template.type.name}`)
    this.created.set(contract.contractId, contract)
    const witnesses = union(this.#frame.witnesses, contract.signatories, contract.observers)
    this.uses.note(contract.templateId, witnesses)
    this.#events[node] = { kind: 'create', node, contract, witnesses }
    return contract.contractId
  }

  #exercise<T, A, R>(choice: Choice<T, A, R>, contractId: string, argument: A): R {
    const { template, type, rules } = choice
    // What choices pass on came from an argument at the root or from a contract.
    if (this.#frame.parent === undefined) demandLimits(type.argument, argument, type.name)
    const encoded = type.argument.encode(argument)
    const contract = this.#find(contractId, encoded, template)
    const payload = template.open(contract)
    const exercise: Exercise = {
      contract,
      templateId: template.type.id,
      name: type.name,
      ...(type.interfaceId === undefined ? {} : { interfaceId: type.interfaceId }),
      consuming: type.consuming,
      controllers: distinct(rules.controllers(payload, argument)),
      observers: rules.observers?.(payload, argument) ?? [],
      argument: encoded,
    }
    return this.#perform(
      exercise,
      () => rules.run(this, { id: contractId, payload }, argument),
      (result) => type.result.encode(result),
      (event, result) => choice.remember(event, argument, result),
    )
  }

  #perform<R>(
    exercise: Exercise,
    body: () => R,
    encode: (result: R) => Json,
    done: (event: ExerciseEvent, result: R) => void,
  ): R {
    const { contract, controllers, consuming, argument } = exercise
    if (controllers.length === 0)
      throw refused({
        kind: 'unauthorised',
        missing: [],
        what: `${exercise.name} has no controller`,
      })
    this.#authorise(controllers, () => `exercise of ${exercise.name}`)
    const parent = this.#frame
    if (parent.depth >= MAX_DEPTH)
      throw violated(`A transaction is more than ${MAX_DEPTH} exercises deep`)
    const node = this.#reserve()
    if (consuming) this.archived.add(contract.contractId)
    if (consuming) this.#archivals.push(contract.contractId)
    const witnesses = union(
      parent.witnesses,
      contract.signatories,
      controllers,
      exercise.observers,
      consuming ? contract.observers : [],
    )
    this.uses.note(exercise.templateId, witnesses, exercise.interfaceId)
    const authorisers = union(contract.signatories, controllers)
    const depth = parent.depth + 1
    this.#frame = { authorisers, witnesses, depth, argument, isRead: false, parent }
    const result = body()
    this.#frame = parent
    const last = this.#events.length - 1
    const event = exerciseEvent(exercise, node, last, witnesses, encode(result))
    this.#events[node] = event
    done(event, result)
    return result
  }

  #read(contract: ContractRecord, templateId: string, interfaceId?: string): ContractRecord {
    const { signatories, observers } = contract
    const { authorisers, witnesses } = this.#frame
    this.uses.note(templateId, union(witnesses, signatories), interfaceId)
    if (meets(signatories, authorisers) || meets(observers, authorisers)) return contract
    throw refused({
      kind: 'unauthorised',
      missing: union(signatories, observers),
      what: `fetch of ${entityOf(contract)}`,
    })
  }

  #find<T>(contractId: string, argument: Json, template: Template<T>): ContractRecord {
    const contract = this.#contract(contractId, argument)
    if (!template.isOf(contract))
      throw invalid(`${contractId} is of the template ${contract.templateId}`)
    return contract
  }

  #contract(contractId: string, argument: Json): ContractRecord {
    if (this.archived.has(contractId)) throw notFound(contractId)
    return (
      this.created.get(contractId) ??
      this.lookup.find(contractId, () => unreadArguments(this.#frame, argument))
    )
  }

  #templateOf(contractId: string, argument: Json): AnyTemplate {
    const contract = this.#contract(contractId, argument)
    const { templates } = this.#input
    if (!templates.has(contract.templateId) && templates.has(`#${templateOf(contract)}`))
      throw unknownVersion(contract)
    return this.#template(contract.templateId)
  }

  #template(id: string): AnyTemplate {
    const { templates, awaited } = this.#input
    const template = templates.get(id)
    if (template === undefined && awaited?.has(id) === false)
      throw new Interrupt({ kind: 'unready', templateId: id })
    if (template === undefined) throw invalid(`There is no template ${id}`)
    this.uses.meet(id)
    return template
  }

  #authorise(needed: readonly string[], what: () => string): void {
    const missing = without(needed, this.#frame.authorisers)
    if (missing.length > 0) throw refused({ kind: 'unauthorised', missing, what: what() })
  }

  /** A place for the next node, before those below it take theirs. */
  #reserve(): number {
    const { maxTransactionNodes: limit } = this.#limits
    if (this.#events.length + this.#undone >= limit)
      throw refused({ kind: 'too-large', of: 'maxTransactionNodes', limit })
    return this.#events.push(undefined) - 1
  }

  #guard<R>(operation: () => R): R {
    if (this.#failure !== undefined) throw this.#failure
    // Made only here: an error's stack costs as much as a create.
    if (this.#isOver) throw new Error('A transaction is over')
    try {
      const result = operation()
      if (this.#failure !== undefined) throw this.#failure
      return result
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** What ends it: an exception of uploaded code gives way to what is thrown in its place. */
  #failed(error: unknown): unknown {
    if (!(this.#failure instanceof Interrupt)) this.#failure = error
    return this.#failure
  }
}
