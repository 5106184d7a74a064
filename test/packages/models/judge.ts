// Judges an update by its whole tree, and what single parties see of it: authority of every node,
// who may see what, and that nothing is made or lost.
import { list, path } from '../../interfaces/ledger-kit.ts'
import { CHOICES, CONTRACTS } from './rules.ts'

export type Rule =
  /** The product did not answer as documented. */
  | 'answer'
  /** The rules of the model do not know this. */
  | 'model'
  | 'authority'
  | 'actors'
  | 'stakeholders'
  | 'witnesses'
  | 'spent'
  | 'supply'
  | 'undone'
  /** It was done, or refused, against the rules. */
  | 'refusal'
  | 'effects'
  | 'delta'
  | 'active'
  | 'contract'

export interface Violation {
  readonly rule: Rule
  readonly what: string
}

export interface Held {
  readonly id: string
  readonly name: string
  readonly templateId: string
  readonly payload: unknown
  readonly signatories: readonly string[]
  readonly observers: readonly string[]
}

/** An update as its judge understands it. */
export interface Judged {
  readonly updateId: string
  readonly offset: number
  /** Parties that may see each node. */
  readonly witnesses: readonly ReadonlySet<string>[]
  /** Nodes that change the active contracts, with the contracts' stakeholders. */
  readonly changes: ReadonlyMap<number, ReadonlySet<string>>
  readonly created: readonly Held[]
  readonly archived: readonly string[]
  /** What it made, by instrument, in units of the tenth decimal. */
  readonly made: ReadonlyMap<string, bigint>
  readonly violations: readonly Violation[]
}

interface Frame {
  readonly last: number
  readonly authority: ReadonlySet<string>
  readonly witnesses: ReadonlySet<string>
}

export const nameOf = (templateId: string): string =>
  templateId.slice(templateId.lastIndexOf(':') + 1)

export const textsOf = (value: unknown): readonly string[] => list(value).map(String)

export function stakeholdersOf({ signatories, observers }: Held): ReadonlySet<string> {
  return new Set([...signatories, ...observers])
}

/** A contract by its event, with the stakeholders that the rules say, or those that it names. */
export function heldOf(created: unknown): Held {
  const templateId = String(path(created, 'templateId'))
  const payload = path(created, 'createArgument')
  const rule = CONTRACTS[nameOf(templateId)]
  const said = (name: string): readonly string[] => textsOf(path(created, name))
  const signatories = distinct(rule?.signs(payload) ?? said('signatories'))
  const observers = distinct(rule === undefined ? said('observers') : (rule.sees?.(payload) ?? []))
  return {
    id: String(path(created, 'contractId')),
    name: nameOf(templateId),
    templateId,
    payload,
    signatories,
    observers: observers.filter((party) => !signatories.includes(party)),
  }
}

/** Judges the whole tree of an update on contracts that were active before. */
export function judge(
  transaction: unknown,
  actAs: readonly string[],
  active: ReadonlyMap<string, Held>,
): Judged {
  return new Judge(transaction, active).judged(actAs)
}

class Judge {
  readonly #transaction: unknown
  readonly #before: ReadonlyMap<string, Held>
  readonly #created = new Map<string, Held>()
  readonly #nodeOf = new Map<string, number>()
  readonly #archived = new Set<string>()
  readonly #changes = new Map<number, ReadonlySet<string>>()
  readonly #witnesses: ReadonlySet<string>[] = []
  readonly #made = new Map<string, bigint>()
  readonly #violations: Violation[] = []

  constructor(transaction: unknown, active: ReadonlyMap<string, Held>) {
    this.#transaction = transaction
    this.#before = active
  }

  judged(actAs: readonly string[]): Judged {
    const frames: Frame[] = [{ last: Infinity, authority: new Set(actAs), witnesses: new Set() }]
    for (const [place, event] of list(path(this.#transaction, 'events')).entries()) {
      const [created, exercised] = [path(event, 'CreatedEvent'), path(event, 'ExercisedEvent')]
      const node = created ?? exercised
      this.#demand(path(node, 'nodeId') === place, 'witnesses', `node ${place} is not in the tree`)
      while (place > (frames.at(-1)?.last ?? Infinity)) frames.pop()
      const frame = frames.at(-1)
      if (frame === undefined) throw new Error('the tree has no root')
      if (created !== undefined) this.#create(created, place, frame)
      else frames.push(this.#exercise(exercised, place, frame))
      this.#demand(
        isSame(textsOf(path(node, 'witnessParties')), this.#witnesses[place] ?? []),
        'witnesses',
        `node ${place} is seen by ${String(path(node, 'witnessParties'))}, not ${[...(this.#witnesses[place] ?? [])].join()}`,
      )
    }
    return {
      updateId: String(path(this.#transaction, 'updateId')),
      offset: Number(path(this.#transaction, 'offset')),
      witnesses: this.#witnesses,
      changes: this.#changes,
      created: [...this.#created.values()].filter(({ id }) => !this.#archived.has(id)),
      archived: [...this.#archived],
      made: this.#made,
      violations: this.#violations,
    }
  }

  #demand(holds: boolean, rule: Rule, what: string): void {
    if (!holds) this.#violations.push({ rule, what })
  }

  #create(created: unknown, place: number, { authority, witnesses }: Frame): void {
    const held = heldOf(created)
    const { id, name, signatories, observers } = held
    this.#demand(Object.hasOwn(CONTRACTS, name), 'model', `a ${name} was created`)
    for (const [said, known] of [
      ['signatories', signatories],
      ['observers', observers],
    ] as const)
      this.#demand(
        isSame(textsOf(path(created, said)), known),
        'stakeholders',
        `${said} of a ${name} are ${String(path(created, said))}, not ${known.join()}`,
      )
    this.#authorised(signatories, authority, `create of ${name}`)
    this.#witnesses[place] = new Set([...witnesses, ...signatories, ...observers])
    this.#created.set(id, held)
    this.#nodeOf.set(id, place)
    this.#changes.set(place, stakeholdersOf(held))
    this.#add(held, 1n)
  }

  #exercise(exercised: unknown, place: number, { authority, witnesses }: Frame): Frame {
    const id = String(path(exercised, 'contractId'))
    const choice = String(path(exercised, 'choice'))
    const held = this.#created.get(id) ?? this.#before.get(id)
    const isSpent = this.#archived.has(id)
    this.#demand(held !== undefined && !isSpent, 'spent', `${choice} of ${id}, which is not active`)
    const { payload, signatories = [], observers = [] } = held ?? {}
    const argument = path(exercised, 'choiceArgument')
    const rule = CHOICES[choice]
    this.#demand(rule !== undefined || choice === 'Archive', 'model', `${choice} was exercised`)
    const actors = distinct(rule?.actors(payload, argument) ?? signatories)
    const said = textsOf(path(exercised, 'actingParties'))
    this.#demand(
      isSame(said, actors),
      'actors',
      `${choice} is by ${said.join()}, not ${actors.join()}`,
    )
    this.#authorised(actors, authority, choice)
    const isConsuming = path(exercised, 'consuming') === true
    if (isConsuming && held !== undefined) this.#archive(held, place)
    const seers = [
      ...witnesses,
      ...signatories,
      ...actors,
      ...distinct(rule?.watchers?.(argument) ?? []),
      ...(isConsuming ? observers : []),
    ]
    this.#witnesses[place] = new Set(seers)
    return {
      last: Number(path(exercised, 'lastDescendantNodeId')),
      authority: new Set([...signatories, ...actors]),
      witnesses: new Set(seers),
    }
  }

  #archive(held: Held, place: number): void {
    this.#archived.add(held.id)
    this.#add(held, -1n)
    const born = this.#nodeOf.get(held.id)
    if (born === undefined) this.#changes.set(place, stakeholdersOf(held))
    else this.#changes.delete(born)
  }

  #authorised(needed: readonly string[], authority: ReadonlySet<string>, what: string): void {
    for (const party of needed)
      this.#demand(authority.has(party), 'authority', `${what} without ${party}`)
  }

  #add({ name, payload }: Held, sign: bigint): void {
    const [instrument, amount] = CONTRACTS[name]?.worth?.(payload) ?? []
    if (instrument === undefined) return
    const units = BigInt(String(amount).replace('.', ''))
    this.#made.set(instrument, (this.#made.get(instrument) ?? 0n) + sign * units)
  }
}

export function isSame(some: Iterable<unknown>, others: Iterable<unknown>): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0
}

function distinct(parties: readonly unknown[]): readonly string[] {
  return [...new Set(parties.map(String))]
}
