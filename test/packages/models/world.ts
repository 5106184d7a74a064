// One episode's parties and contracts: submits commands, judges what came of each, and looks at the
// ledger through every party's eyes now and then.
import { list, path } from '../../interfaces/ledger-kit.ts'
import type { Answer } from '../../support/http.ts'
import { heldOf, isSame, judge, stakeholdersOf, textsOf } from './judge.ts'
import type { Held, Judged, Rule, Violation } from './judge.ts'
import type { ModelService } from './service.ts'

export const NAMES = ['admin', 'alice', 'bob', 'venue', 'stranger'] as const
export type Name = (typeof NAMES)[number]

export interface Command {
  readonly what: string
  readonly actAs: readonly string[]
  /** Parties whose contracts it may use besides; absent: everybody's. */
  readonly readAs?: readonly string[]
  readonly command: object
  /** The outcome by the rules; absent where code decides. */
  readonly isDone?: boolean
  /** Units that it makes, by instrument. */
  readonly makes?: readonly (readonly [instrument: string, units: bigint])[]
  /** Contracts that it leaves. */
  readonly leaves?: number
}

const EVERYTHING = { filtersForAnyParty: {}, verbose: true }
const WHOLE = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
const DELTA = 'TRANSACTION_SHAPE_ACS_DELTA'

export class World {
  readonly service: ModelService
  readonly parties: Readonly<Record<Name, string>>
  /** Contracts that are active, by id. */
  readonly active = new Map<string, Held>()
  /** Ids of contracts that are not any more. */
  readonly #gone: Held[] = []
  readonly #token: string
  readonly #unseen: Judged[] = []
  #offset: number
  #seen: number
  #commands = 0

  private constructor(
    service: ModelService,
    token: string,
    { parties, offset }: Pick<World, 'parties'> & { readonly offset: number },
  ) {
    this.service = service
    this.#token = token
    this.parties = parties
    this.#offset = offset
    this.#seen = offset
  }

  /** Fresh parties, for whom one user acts who reads everything. */
  static async open(service: ModelService, name: string): Promise<World> {
    const { done } = service
    const party = async (hint: Name): Promise<string> =>
      String(
        path(
          await done('POST /v2/parties', { partyIdHint: `${name}-${hint}` }),
          'partyDetails',
          'party',
        ),
      )
    const parties = {
      admin: await party('admin'),
      alice: await party('alice'),
      bob: await party('bob'),
      venue: await party('venue'),
      stranger: await party('stranger'),
    }
    const rights = [
      ...Object.values(parties).map((each) => ({ kind: { CanActAs: { value: { party: each } } } })),
      { kind: { CanReadAsAnyParty: { value: {} } } },
    ]
    await done('POST /v2/users', { user: { id: name }, rights })
    const token = await service.tokenOf(name)
    const offset = Number(path(await done('GET /v2/state/ledger-end', undefined, token), 'offset'))
    const world = new World(service, token, { parties, offset })
    for (const held of service.contracts.map(heldOf)) world.active.set(held.id, held)
    return world
  }

  /** Active contracts of this name, oldest first. */
  all(...names: readonly string[]): readonly Held[] {
    return [...this.active.values()].filter(({ name }) => names.includes(name))
  }

  /** Submits a command, and judges it. */
  async do(
    command: Command,
  ): Promise<{ readonly isDone: boolean; readonly found: readonly Violation[] }> {
    const answer = await this.#submit(command)
    const isDone = answer.status === 200
    const updates = await this.#updates()
    const found: Violation[] = []
    const demand = (holds: boolean, rule: Rule, what: string): void => {
      if (!holds) found.push({ rule, what })
    }
    demand([200, 400, 404, 409].includes(answer.status), 'answer', answer.text)
    demand(
      updates.length === (isDone ? 1 : 0),
      'answer',
      `${updates.length} updates: ${answer.text}`,
    )
    demand(
      command.isDone === undefined || command.isDone === isDone,
      'refusal',
      `${isDone ? 'done' : 'refused'}: ${answer.text}`,
    )
    for (const transaction of updates) {
      const judged = judge(transaction, command.actAs, this.active)
      found.push(...judged.violations)
      this.#take(judged)
      const expected = new Map(command.makes)
      for (const instrument of new Set([...judged.made.keys(), ...expected.keys()])) {
        const [made, wanted] = [judged.made.get(instrument) ?? 0n, expected.get(instrument) ?? 0n]
        demand(made === wanted, 'supply', `${made} units of ${instrument} were made, not ${wanted}`)
      }
      const { leaves = judged.created.length } = command
      demand(
        judged.created.length === leaves,
        'undone',
        `it leaves ${judged.created.length} contracts`,
      )
      const shown = list(path(answer.json, 'transaction', 'events'))
      found.push(...this.#misseen(shown, judged, command.actAs, 'effects'))
    }
    return { isDone, found }
  }

  /** Views of all parties of updates since the last look, and of contracts now. */
  async look(
    someOf: (from: readonly Held[], most: number) => readonly Held[],
  ): Promise<readonly Violation[]> {
    const updates = this.#unseen.splice(0)
    const range = { beginExclusive: this.#seen, endInclusive: this.#offset }
    this.#seen = this.#offset
    const contracts = [...someOf([...this.active.values()], 2), ...someOf(this.#gone, 1)]
    const found = await Promise.all(
      Object.values(this.parties).map(async (party) => [
        ...(await this.#lookAtUpdates(party, updates, range)),
        ...(await this.#lookAtActive(party)),
        ...(await Promise.all(contracts.map((held) => this.#lookAtContract(party, held)))).flat(),
      ]),
    )
    return found.flat()
  }

  async #lookAtUpdates(
    party: string,
    updates: readonly Judged[],
    range: object,
  ): Promise<readonly Violation[]> {
    if (updates.length === 0) return []
    const eventFormat = { filtersByParty: { [party]: {} }, verbose: true }
    const shown = async (
      transactionShape: string,
    ): Promise<ReadonlyMap<string, readonly unknown[]>> => {
      const updateFormat = { includeTransactions: { transactionShape, eventFormat } }
      const found = list(await this.#read('updates', { ...range, updateFormat }))
      return new Map(
        found.map((each) => {
          const value = path(each, 'update', 'Transaction', 'value')
          return [String(path(value, 'updateId')), list(path(value, 'events'))]
        }),
      )
    }
    const trees = list(
      await this.#read('updates/trees', {
        ...range,
        filter: { filtersByParty: { [party]: {} } },
        verbose: true,
      }),
    )
    const treeOf = new Map(
      trees.map((each) => {
        const value = path(each, 'update', 'TransactionTree', 'value')
        return [String(path(value, 'updateId')), Object.keys(Object(path(value, 'eventsById')))]
      }),
    )
    const [effects, delta] = [await shown(WHOLE), await shown(DELTA)]
    return updates.flatMap((judged) => {
      const nodes = nodesSeen(judged, [party])
      const inTree = treeOf.get(judged.updateId) ?? []
      return [
        ...this.#misseen(effects.get(judged.updateId) ?? [], judged, [party], 'effects'),
        ...this.#misseen(delta.get(judged.updateId) ?? [], judged, [party], 'delta'),
        ...unless(
          isSame(inTree.map(Number), nodes),
          'effects',
          `${party} sees nodes ${inTree.join()} of a tree, not ${nodes.join()}`,
        ),
      ]
    })
  }

  /** Events as parties see them, where they are not what the rules say. */
  #misseen(
    events: readonly unknown[],
    judged: Judged,
    parties: readonly string[],
    rule: 'effects' | 'delta',
  ): readonly Violation[] {
    const shown = events.map(
      (event) =>
        path(event, 'CreatedEvent') ??
        path(event, 'ExercisedEvent') ??
        path(event, 'ArchivedEvent'),
    )
    const nodes = shown.map((node) => Number(path(node, 'nodeId')))
    const expected = rule === 'effects' ? nodesSeen(judged, parties) : changesSeen(judged, parties)
    const others = shown
      .flatMap((node) => textsOf(path(node, 'witnessParties')))
      .filter((party) => !parties.includes(party))
    return [
      ...unless(
        isSame(nodes, expected),
        rule,
        `${parties.join()} see nodes ${nodes.join()}, not ${expected.join()}`,
      ),
      ...unless(others.length === 0, rule, `${parties.join()} are told of ${others.join()}`),
    ]
  }

  async #lookAtActive(party: string): Promise<readonly Violation[]> {
    const value = { includeCreatedEventBlob: true }
    const filter = { cumulative: [{ identifierFilter: { WildcardFilter: { value } } }] }
    const eventFormat = { filtersByParty: { [party]: filter }, verbose: true }
    const found = list(
      await this.#read('state/active-contracts', { activeAtOffset: this.#offset, eventFormat }),
    ).map((each) => path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'))
    const ids = found.map((event) => String(path(event, 'contractId')))
    const expected = [...this.active.values()].flatMap((held) =>
      stakeholdersOf(held).has(party) ? held.id : [],
    )
    return [
      ...unless(
        isSame(ids, expected),
        'active',
        `${party} has ${ids.length} contracts, not ${expected.length}`,
      ),
      ...unless(
        found.every((event) => path(event, 'createdEventBlob') !== ''),
        'active',
        `${party} gets no blob`,
      ),
    ]
  }

  async #lookAtContract(party: string, held: Held): Promise<readonly Violation[]> {
    const filter = {
      cumulative: [
        { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
      ],
    }
    const asked = [
      ['contracts/contract-by-id', { contractId: held.id, queryingParties: [party] }],
      [
        'events/events-by-contract-id',
        {
          contractId: held.id,
          eventFormat: { filtersByParty: { [party]: filter }, verbose: true },
        },
      ],
    ] as const
    const answers = await Promise.all(
      asked.map(([where, body]) => this.service.ask(`POST /v2/${where}`, body, this.#token)),
    )
    const sees = stakeholdersOf(held).has(party)
    return answers.flatMap(({ status, text }) =>
      unless(
        (status === 200) === sees && status < 500,
        'contract',
        `${party} asks for ${held.name}: ${status} ${text}`,
      ),
    )
  }

  #read(where: string, body: object): Promise<unknown> {
    return this.service.done(`POST /v2/${where}`, body, this.#token)
  }

  #submit({ actAs, readAs, command }: Command): Promise<Answer> {
    this.#commands += 1
    const filtersByParty = Object.fromEntries(actAs.map((party) => [party, {}]))
    const body = {
      commands: {
        commandId: `${this.parties.admin}-${this.#commands}`,
        actAs,
        readAs: readAs ?? [...Object.values(this.parties), this.service.dso],
        commands: [command],
      },
      transactionFormat: {
        transactionShape: WHOLE,
        eventFormat: { filtersByParty, verbose: true },
      },
    }
    return this.service.ask('POST /v2/commands/submit-and-wait-for-transaction', body, this.#token)
  }

  /** Updates since the last look, whole. */
  async #updates(): Promise<readonly unknown[]> {
    const end = path(
      await this.service.done('GET /v2/state/ledger-end', undefined, this.#token),
      'offset',
    )
    const range = { beginExclusive: this.#offset, endInclusive: end }
    this.#offset = Number(end)
    if (range.beginExclusive === end) return []
    const includeTransactions = { transactionShape: WHOLE, eventFormat: EVERYTHING }
    const found = list(
      await this.#read('updates', { ...range, updateFormat: { includeTransactions } }),
    )
    return found.map((each) => path(each, 'update', 'Transaction', 'value'))
  }

  #take(judged: Judged): void {
    this.#unseen.push(judged)
    for (const held of judged.created) this.active.set(held.id, held)
    for (const id of judged.archived) {
      const held = this.active.get(id)
      if (held !== undefined) this.#gone.push(held)
      this.active.delete(id)
    }
  }
}

function nodesSeen({ witnesses }: Judged, parties: readonly string[]): readonly number[] {
  return witnesses.flatMap((seers, node) => (parties.some((party) => seers.has(party)) ? node : []))
}

function changesSeen({ changes }: Judged, parties: readonly string[]): readonly number[] {
  return [...changes].flatMap(([node, seers]) =>
    parties.some((party) => seers.has(party)) ? node : [],
  )
}

function unless(holds: boolean, rule: Rule, what: string): readonly Violation[] {
  return holds ? [] : [{ rule, what }]
}
