// Where scenes play: parties, for all of whom one user acts, and commands over HTTP. It counts what
// was done and refused of each template, and lets a stranger try everything first.
import assert from 'node:assert/strict'
import { member } from '../../../runtime/host/member.ts'
import { call } from '../../support/http.ts'
import type { Answer } from '../../support/http.ts'
import { exercise, list, path, SHOW } from '../../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../../interfaces/ledger-kit.ts'
import { create } from '../kit.ts'
import { faultsOf, witnesses } from './authority.ts'
import { CREATE, interfaceAction } from './catalogue.ts'

export const NAMES = ['admin', 'alice', 'bob', 'bank', 'venue', 'stranger'] as const
export type Name = (typeof NAMES)[number]
export type Parties = Readonly<Record<Name, string>>

export const PAST = '2020-01-01T00:00:00Z'
export const PASSED = '2020-01-02T00:00:00Z'
export const FUTURE = '2090-01-01T00:00:00Z'
export const LATER = '2091-01-01T00:00:00Z'

/** Both outcomes of an action. */
interface Outcomes {
  isDone: boolean
  isRefused: boolean
}

/** What an exercise did. */
export interface Done {
  readonly result: unknown
  /** Contracts by the last names of their templates, in their order. */
  readonly created: readonly { readonly name: string; readonly id: string }[]
}

export class Stage {
  readonly parties: Parties
  /** Contracts that commands come with. */
  disclosed: readonly unknown[] = []
  readonly #ledger: LedgerClient
  readonly #token: string
  /** Templates of contracts by their ids. */
  readonly #templates = new Map<string, string>()
  readonly #signatories = new Map<string, readonly string[]>()
  readonly #outcomes = new Map<string, Outcomes>()
  #commands = 0

  private constructor(ledger: LedgerClient, token: string, parties: Parties) {
    this.#ledger = ledger
    this.#token = token
    this.parties = parties
  }

  /** Parties that are not `given` are allocated. */
  static async open(ledger: LedgerClient, given: Partial<Parties> = {}): Promise<Stage> {
    const { service, admin } = ledger
    const ask = async (request: string, body: object): Promise<unknown> => {
      const answer = await call(service.url, request, { token: admin, body })
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const userId = 'stage'
    await ask('POST /v2/users', { user: { id: userId } })
    const partyOf = async (name: Name): Promise<string> => {
      const party = given[name]
      if (party === undefined) {
        const made = await ask('POST /v2/parties', { partyIdHint: `stage-${name}`, userId })
        return String(path(made, 'partyDetails', 'party'))
      }
      const rights = [{ kind: { CanActAs: { value: { party } } } }]
      await ask(`POST /v2/users/${userId}/rights`, { userId, rights })
      return party
    }
    const parties = {
      admin: await partyOf('admin'),
      alice: await partyOf('alice'),
      bob: await partyOf('bob'),
      bank: await partyOf('bank'),
      venue: await partyOf('venue'),
      stranger: await partyOf('stranger'),
    }
    return new Stage(ledger, await service.token(userId), parties)
  }

  /** The same stage on which another party is the admin. */
  administeredBy(name: Name): Stage {
    const parties = { ...this.parties, admin: this.parties[name] }
    return new Stage(this.#ledger, this.#token, parties)
  }

  /** The outcomes of an action of a template. */
  outcomesOf(templateId: string, action: string): Readonly<Outcomes> {
    return this.#entry(templateId, action)
  }

  /** The id of a new contract. */
  async create(by: readonly Name[], templateId: string, payload: object): Promise<string> {
    await this.#refusedTo('stranger', templateId, CREATE, create(templateId, payload))
    const { created } = await this.#done(by, create(templateId, payload))
    return created[0]?.id ?? ''
  }

  /** Lets a creation be refused by the template's code. */
  async refuseCreate(
    by: readonly Name[],
    templateId: string,
    payload: object,
    cause = /does not hold|precondition/i,
  ): Promise<void> {
    await this.#refused(by, templateId, CREATE, create(templateId, payload), cause)
  }

  async exercise(
    by: readonly Name[],
    on: string,
    contractId: string,
    choice: string,
    argument: object,
  ): Promise<Done> {
    const command = exercise(on, contractId, choice, argument)
    const { templateId, action } = this.#named(on, contractId, choice)
    await this.#refusedTo('stranger', templateId, action, command)
    return this.#done(by, command)
  }

  /** Lets an exercise be refused by the choice's code. */
  async refuse(
    by: readonly Name[],
    on: string,
    contractId: string,
    choice: string,
    argument: object,
    cause: RegExp,
  ): Promise<void> {
    const { templateId, action } = this.#named(on, contractId, choice)
    await this.#refused(by, templateId, action, exercise(on, contractId, choice, argument), cause)
  }

  #named(on: string, contractId: string, choice: string) {
    const templateId = this.#templates.get(contractId) ?? on
    const isOwn = templateId.slice(templateId.indexOf(':')) === on.slice(on.indexOf(':'))
    return { templateId, action: isOwn ? choice : interfaceAction(on, choice) }
  }

  #entry(templateId: string, action: string): Outcomes {
    const key = `${templateId} ${action}`
    const known = this.#outcomes.get(key) ?? { isDone: false, isRefused: false }
    this.#outcomes.set(key, known)
    return known
  }

  async #done(by: readonly Name[], command: object): Promise<Done> {
    const answer = await this.#ask(by, command)
    assert.equal(answer.status, 200, `${JSON.stringify(command)}: ${answer.text}`)
    const events = list(path(answer.json, 'transaction', 'events'))
    const actAs = by.map((name) => this.parties[name])
    assert.deepEqual(faultsOf(events, actAs, this.#signatories), [], JSON.stringify(command))
    assert.ok(!witnesses(events).has(this.parties.stranger), 'a stranger sees nothing')
    const created = events.flatMap((event) => {
      const made = path(event, 'CreatedEvent')
      if (made === undefined) return []
      const [id, templateId] = [String(path(made, 'contractId')), String(path(made, 'templateId'))]
      this.#templates.set(id, templateId)
      this.#entry(templateId, CREATE).isDone = true
      return [{ name: templateId.slice(templateId.lastIndexOf(':') + 1), id }]
    })
    const exercised = events.flatMap((event) => path(event, 'ExercisedEvent') ?? [])
    for (const each of exercised) {
      const [templateId, on] = [path(each, 'templateId'), path(each, 'interfaceId')]
      const choice = String(path(each, 'choice'))
      const action = typeof on === 'string' ? interfaceAction(on, choice) : choice
      this.#entry(String(templateId), action).isDone = true
    }
    return { result: path(exercised[0], 'exerciseResult'), created }
  }

  /** Everything must be refused to who has no part in it; tried once. */
  async #refusedTo(who: Name, templateId: string, action: string, command: object): Promise<void> {
    if (this.#entry(templateId, action).isDone) return
    const answer = await this.#ask([who], command)
    const said = `${who}: ${JSON.stringify(command)}: ${answer.text}`
    assert.equal(member(answer.json, 'code'), 'AUTHORIZATION_ERROR', said)
  }

  async #refused(
    by: readonly Name[],
    templateId: string,
    action: string,
    command: object,
    cause: RegExp,
  ): Promise<void> {
    const answer = await this.#ask(by, command)
    const said = `${JSON.stringify(command)}: ${answer.text}`
    assert.equal(answer.status, 400, said)
    assert.equal(member(answer.json, 'code'), 'INTERPRETATION_USER_ERROR', said)
    assert.match(String(member(answer.json, 'cause')), cause, said)
    this.#entry(templateId, action).isRefused = true
  }

  #ask(by: readonly Name[], command: object): Promise<Answer> {
    this.#commands += 1
    const all = Object.values(this.parties)
    const body = {
      commands: {
        commandId: `${this.parties.admin}-${this.#commands}`,
        actAs: by.map((name) => this.parties[name]),
        readAs: all,
        commands: [command],
        disclosedContracts: this.disclosed,
      },
      transactionFormat: {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat: {
          filtersByParty: Object.fromEntries(all.map((party) => [party, {}])),
          verbose: true,
        },
      },
    }
    return call(this.#ledger.service.url, SHOW, { token: this.#token, body })
  }
}

/** The contract of this template that an exercise created last. */
export function madeOf({ created }: Done, name: string): string {
  const found = created.findLast((each) => each.name === name)
  assert.ok(found, `no ${name} was created, but ${created.map((each) => each.name).join(', ')}`)
  return found.id
}
