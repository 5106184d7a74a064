// A running service with alice's and bob's wallets, as a client of the ledger interface sees it,
// and commands for it.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import {
  base64,
  hostingTransaction,
  multiHashOf,
  signatureOf,
} from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'

export interface LedgerUser {
  readonly id: string
  readonly party: string
  readonly token: string
}

export interface LedgerClient {
  readonly service: Service
  readonly alice: LedgerUser
  readonly bob: LedgerUser
  readonly admin: string
  ask(user: LedgerUser, request: string, body?: unknown): Promise<Answer>
  /** Asks like `ask`; fails the test unless it succeeds. */
  done(user: LedgerUser, request: string, body?: unknown): Promise<unknown>
  /** Commits commands of the user's party. */
  submit(user: LedgerUser, ...commands: readonly object[]): Promise<unknown>
  /** Submits like `submit`; answers the transaction. */
  show(user: LedgerUser, ...commands: readonly object[]): Promise<unknown>
  /** The id of a new contract that the user alone signs. */
  create(user: LedgerUser): Promise<string>
  end(): Promise<number>
  stop(): Promise<void>
}

/** `config`: sections besides the storage. */
export async function startLedger(
  storage: StorageUnderTest,
  config: object = {},
  env: NodeJS.ProcessEnv = {},
): Promise<LedgerClient> {
  const service = await startService({
    config: { storage: await storage.section(), ...config },
    env,
    seeded: true,
  })
  const admin = await service.token('participant_admin')
  const ask: LedgerClient['ask'] = (user, request, body) =>
    call(service.url, request, { token: user.token, ...(body === undefined ? {} : { body }) })
  const done: LedgerClient['done'] = async (user, request, body) => {
    const answer = await ask(user, request, body)
    assert.equal(answer.status, 200, `${request}: ${answer.text}`)
    return answer.json
  }
  const show: LedgerClient['show'] = (user, ...commands) =>
    done(user, SHOW, { commands: commandsOf(user, ...commands) })
  const userOf = async (id: string): Promise<LedgerUser> => {
    const { json } = await call(service.url, `GET /v2/users/${id}`, { token: admin })
    return { id, party: String(path(json, 'user', 'primaryParty')), token: await service.token(id) }
  }
  const [alice, bob] = [await userOf('alice'), await userOf('bob')]
  return {
    service,
    alice,
    bob,
    admin,
    ask,
    done,
    submit: (user, ...commands) => done(user, WAIT, commandsOf(user, ...commands)),
    show,
    create: async (user) => createdId(await show(user, createRules(user))),
    end: async () => Number(path(await done(alice, 'GET /v2/state/ledger-end'), 'offset')),
    stop: async () => {
      await service.stop()
      await storage.release()
    },
  }
}

/** A member of a member of parsed JSON. */
export function path(value: unknown, ...names: readonly (string | number)[]): unknown {
  return names.reduce<unknown>((found, name) => member(found, String(name)), value)
}

export function list(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value), JSON.stringify(value))
  return value
}

export const WAIT = 'POST /v2/commands/submit-and-wait'
export const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
export const RULES = '#network-test-token:Network.Test.Token:TestTokenRules'
export const OFFER = '#network-wallet:Network.Wallet.TransferOffer:TransferOffer'

export const createRules = ({ party: admin }: LedgerUser): object => ({
  CreateCommand: { templateId: RULES, createArguments: { admin } },
})

export const mint = (user: LedgerUser, contractId: unknown, amount: string): object => ({
  ExerciseCommand: {
    templateId: RULES,
    contractId,
    choice: 'TestTokenRules_Mint',
    choiceArgument: { owner: user.party, instrumentId: 'Gold', amount },
  },
})

/** The command that exercises a choice. */
export const exercise = (
  templateId: string,
  contractId: string,
  choice: string,
  choiceArgument: object,
): object => ({ ExerciseCommand: { templateId, contractId, choice, choiceArgument } })

/** The command that archives a contract. */
export const archive = (contractId: string, templateId = RULES): object =>
  exercise(templateId, contractId, 'Archive', {})

let commands = 0

/** Commands of one user's party under a command id of their own. */
export function commandsOf(user: Pick<LedgerUser, 'party'>, ...given: readonly object[]) {
  commands += 1
  return { commandId: `command-${commands}`, actAs: [user.party], commands: given }
}

/** The contract that a transaction created first. */
export function createdId(answer: unknown): string {
  const event = list(path(answer, 'transaction', 'events')).find(
    (each) => path(each, 'CreatedEvent') !== undefined,
  )
  return String(path(event, 'CreatedEvent', 'contractId'))
}

/** A party whose keys are outside; the first holder's key is its namespace. */
export interface OutsideParty {
  readonly party: string
  readonly holders: readonly Holder[]
}

/**
 * Allocates a party that `keyThreshold` of its holders sign for; `user` acts as it, which includes
 * preparing and executing.
 */
export async function outsideParty(
  { ask, admin, alice }: LedgerClient,
  hint: string,
  holders: readonly Holder[],
  { keyThreshold = 1, user = 'alice' } = {},
): Promise<OutsideParty> {
  const as = { ...alice, token: admin }
  const participant = String(
    path((await ask(as, 'GET /v2/parties/participant-id')).json, 'participantId'),
  )
  const connected = list(
    path((await ask(as, 'GET /v2/state/connected-synchronizers')).json, 'connectedSynchronizers'),
  )
  const party = `${hint}::${holders[0]?.fingerprint}`
  const wrapper = hostingTransaction({
    party,
    threshold: 1,
    hosts: [[participant, 2]],
    keys: holders,
    keyThreshold,
  })
  const multiHash = multiHashOf([wrapper])
  const allocated = await ask(as, 'POST /v2/parties/external/allocate', {
    synchronizer: path(connected[0], 'synchronizerId'),
    onboardingTransactions: [{ transaction: base64(wrapper) }],
    multiHashSignatures: holders.map((holder) => signatureOf(holder, multiHash)),
    userId: user,
  })
  assert.equal(allocated.status, 200, allocated.text)
  return { party, holders }
}

/** Signatures of `holders` for a party: of the base64 hash that was prepared, or of another. */
export function signaturesOf({ party }: OutsideParty, hash: string, holders: readonly Holder[]) {
  return {
    party,
    signatures: holders.map((holder) =>
      signatureOf(holder, Buffer.from(hash, 'base64').toString('hex')),
    ),
  }
}
