// External parties of a running service: their keys are in this process, and the operator hands on
// what they sign.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { newHolder, signatureOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'

export const EXTERNAL = '/v0/admin/external-party'
const POLL_MS = 50
const QUIET_LOOKS = 6

/** A party with its one key. */
export interface External {
  readonly party: string
  readonly holder: Holder
}

/** A transaction to sign, as an operation answered it. */
export interface ToSign {
  readonly transaction: string
  readonly tx_hash: string
}

export interface ExternalNetwork {
  readonly service: Service
  token(user: string): string
  party(user: string): string
  /** Asks as a user of the validator interface. */
  ask(user: string, line: string, body?: unknown): Promise<Answer>
  /** Asks like `ask`; answers the JSON of a 200. */
  done(user: string, line: string, body?: unknown): Promise<unknown>
  /** Moves the simulated clock, and waits until the network has done what was due. */
  advance(seconds: number): Promise<void>
  /** The service's time ahead of now, as requests write it. */
  inSeconds(seconds: number): Promise<string>
  /** Offset of the last update. */
  end(): Promise<number>
  stop(): Promise<void>
}

/** The part of a network that making a party needs. */
export type Asked = Pick<ExternalNetwork, 'done'>

const USERS = ['operator', 'alice', 'bob', 'participant_admin']
/** Reads as any party. */
const AUDITOR = 'auditor'

/** A seeded development network whose clock the test moves: nothing happens there by itself. */
export async function startExternal(
  storage: Pick<StorageUnderTest, 'release' | 'section'>,
  validator: object = {},
  {
    seeded = true,
    dataDir,
    ledger = {},
  }: { readonly seeded?: boolean; readonly dataDir?: string; readonly ledger?: object } = {},
): Promise<ExternalNetwork> {
  const config = {
    storage: await storage.section(),
    clock: 'simulated',
    ledger,
    validator: { pollMs: POLL_MS, ...validator },
  }
  const service = await startService({
    config,
    seeded,
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const users = seeded ? USERS : ['operator', 'participant_admin']
  const tokens = new Map(
    await Promise.all(
      users.map(async (user): Promise<[string, string]> => [user, await service.token(user)]),
    ),
  )
  const token = (user: string): string => tokens.get(user) ?? ''
  const ask: ExternalNetwork['ask'] = (user, line, body) => {
    const path = line.includes(' /v2/') ? line : line.replace(' ', ' /api/validator')
    return call(service.url, path, { token: token(user), ...(body === undefined ? {} : { body }) })
  }
  const done: ExternalNetwork['done'] = async (user, line, body) => {
    const answer = await ask(user, line, body)
    assert.equal(answer.status, 200, `${line}: ${answer.text}`)
    return answer.json
  }
  const auditor = {
    user: { id: AUDITOR },
    rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
  }
  // 409 where the data is a copy of another network's.
  const { status } = await ask('participant_admin', 'POST /v2/users', auditor)
  assert.ok(status === 200 || status === 409)
  tokens.set(AUDITOR, await service.token(AUDITOR))
  const parties = new Map<string, string>()
  for (const user of users)
    parties.set(user, String(member(await done(user, 'GET /v0/wallet/user-status'), 'party_id')))
  const end = async (): Promise<number> =>
    Number(member(await done('participant_admin', 'GET /v2/state/ledger-end'), 'offset'))
  return {
    service,
    token,
    ask,
    done,
    end,
    party: (user) => parties.get(user) ?? '',
    advance: async (seconds) => {
      await done('operator', 'POST /v0/admin/clock', { advance_microseconds: seconds * 1_000_000 })
      await quiet(end)
    },
    inSeconds: async (seconds) => {
      const now = Date.parse(String(member(await done('operator', 'GET /v0/admin/clock'), 'now')))
      return new Date(now + seconds * 1_000).toISOString()
    },
    stop: async () => {
      await service.stop()
      await storage.release()
    },
  }
}

/** Waits until nothing was committed for some polls. */
async function quiet(end: () => Promise<number>): Promise<void> {
  let [last, same] = [-1, 0]
  while (same < QUIET_LOOKS) {
    await sleep(POLL_MS)
    const found = await end()
    same = found === last ? same + 1 : 0
    last = found
  }
}

export function newKey(): Holder {
  return newHolder('EC_CURVE25519')
}

/** The raw public key, in hex. */
export function rawKey({ spki }: Holder): string {
  return spki.slice(-64)
}

/** The signature of a hex hash, r and s, in hex. */
export function signHex(holder: Holder, hash: string): string {
  return Buffer.from(signatureOf(holder, hash).signature, 'base64').toString('hex')
}

/** The topology that the interface answers for a new party. */
export async function generate(network: Asked, hint: string, holder: Holder) {
  const answer = await network.done('operator', `POST ${EXTERNAL}/topology/generate`, {
    party_hint: hint,
    public_key: rawKey(holder),
  })
  const all = member(answer, 'topology_txs')
  assert.ok(Array.isArray(all))
  const transactions = all.map((each: unknown) => ({
    topology_tx: String(member(each, 'topology_tx')),
    hash: String(member(each, 'hash')),
  }))
  return { party: String(member(answer, 'party_id')), transactions }
}

export type Generated = Awaited<ReturnType<typeof generate>>

/** The request that brings the topology back, signed. */
export function signedTopology({ transactions }: Generated, holder: Holder) {
  return {
    public_key: rawKey(holder),
    signed_topology_txs: transactions.map(({ topology_tx, hash }) => ({
      topology_tx,
      signed_hash: signHex(holder, hash),
    })),
  }
}

/** A party that is hosted, and nothing more. */
export async function hosted(network: Asked, hint: string): Promise<External> {
  const holder = newKey()
  const generated = await generate(network, hint, holder)
  await network.done(
    'operator',
    `POST ${EXTERNAL}/topology/submit`,
    signedTopology(generated, holder),
  )
  return { party: generated.party, holder }
}

/** The contract id of a new proposal. */
export async function propose(network: Asked, { party }: External): Promise<string> {
  return String(
    member(
      await network.done('operator', `POST ${EXTERNAL}/setup-proposal`, { user_party_id: party }),
      'contract_id',
    ),
  )
}

export function readToSign(answer: unknown): ToSign {
  return {
    transaction: String(member(answer, 'transaction')),
    tx_hash: String(member(answer, 'tx_hash')),
  }
}

export async function prepareAccept(
  network: Asked,
  { party }: External,
  contract_id: string,
): Promise<ToSign> {
  const body = { contract_id, user_party_id: party }
  return readToSign(
    await network.done('operator', `POST ${EXTERNAL}/setup-proposal/prepare-accept`, body),
  )
}

/** The request that brings a transaction back, signed. */
export function submissionOf(
  { party, holder }: External,
  { transaction, tx_hash }: ToSign,
  some: object = {},
) {
  return {
    submission: {
      party_id: party,
      transaction,
      signed_tx_hash: signHex(holder, tx_hash),
      public_key: rawKey(holder),
      ...some,
    },
  }
}

/** A party with a preapproval. */
export async function setUp(network: ExternalNetwork, hint: string): Promise<External> {
  const external = await hosted(network, hint)
  const prepared = await prepareAccept(network, external, await propose(network, external))
  await network.done(
    'operator',
    `POST ${EXTERNAL}/setup-proposal/submit-accept`,
    submissionOf(external, prepared),
  )
  return external
}

let payments = 0

/** Alice pays by way of the party's preapproval. */
export async function fund(
  network: ExternalNetwork,
  { party }: External,
  amount: string,
): Promise<void> {
  payments += 1
  await network.done('alice', 'POST /v0/wallet/transfer-preapproval/send', {
    receiver_party_id: party,
    amount,
    deduplication_id: `payment-${payments}`,
  })
}

/** The party's unlocked coin, by the interface. */
export async function unlockedOf(network: ExternalNetwork, party: string): Promise<string> {
  const answer = await network.done(
    'operator',
    `GET ${EXTERNAL}/balance?party_id=${encodeURIComponent(party)}`,
  )
  return String(member(answer, 'total_unlocked_coin'))
}

export interface Order {
  readonly to: string
  readonly amount?: number | string
  readonly nonce: number
  readonly seconds?: number
  readonly description?: string
}

export async function orderBody(network: ExternalNetwork, { party }: External, terms: Order) {
  const { to, amount = 1, nonce, seconds = 600, description } = terms
  return {
    sender_party_id: party,
    receiver_party_id: to,
    amount,
    nonce,
    expires_at: await network.inSeconds(seconds),
    ...(description === undefined ? {} : { description }),
  }
}

export async function prepareSend(
  network: ExternalNetwork,
  sender: External,
  order: Order,
): Promise<ToSign> {
  return readToSign(
    await network.done(
      'operator',
      `POST ${EXTERNAL}/transfer-preapproval/prepare-send`,
      await orderBody(network, sender, order),
    ),
  )
}

/** Prepares, signs and submits; answers the update. */
export async function order(
  network: ExternalNetwork,
  sender: External,
  terms: Order,
): Promise<string> {
  const prepared = await prepareSend(network, sender, terms)
  const answer = await network.done(
    'operator',
    `POST ${EXTERNAL}/transfer-preapproval/submit-send`,
    submissionOf(sender, prepared),
  )
  return String(member(answer, 'update_id'))
}

/** The statuses of a sender's orders with that nonce, in scan's words. */
export async function statusesOf(
  network: ExternalNetwork,
  { party }: External,
  nonce: number,
): Promise<readonly unknown[]> {
  const line = `GET /api/scan/v0/transfer-command/status?sender=${encodeURIComponent(party)}&nonce=${nonce}`
  const { status, json } = await call(network.service.url, line)
  if (status === 404) return []
  const found = member(json, 'transfer_commands_by_contract_id')
  return Object.values(typeof found === 'object' && found !== null ? found : {}).map(
    (each: unknown) => member(each, 'status'),
  )
}

/** The nonce that is next, by scan; undefined where the party has no counter. */
export async function nextNonce(
  { service }: ExternalNetwork,
  { party }: External,
): Promise<string | undefined> {
  const { status, json } = await call(
    service.url,
    `GET /api/scan/v0/transfer-command-counter/${encodeURIComponent(party)}`,
  )
  if (status === 404) return undefined
  const contract = member(member(json, 'transfer_command_counter'), 'contract')
  return String(member(member(contract, 'payload'), 'nextNonce'))
}

/** Exercises a choice as the party itself, by the ledger interface. */
export async function exerciseAs(
  network: ExternalNetwork,
  { party, holder }: External,
  exercise: object,
): Promise<void> {
  const prepared = await network.done('operator', 'POST /v2/interactive-submission/prepare', {
    commandId: `exercise-${Math.random()}`,
    actAs: [party],
    commands: [{ ExerciseCommand: { choiceArgument: {}, ...exercise } }],
  })
  const hash = Buffer.from(String(member(prepared, 'preparedTransactionHash')), 'base64').toString(
    'hex',
  )
  await network.done('operator', 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: member(prepared, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
    submissionId: 'exercise',
    partySignatures: { signatures: [{ party, signatures: [signatureOf(holder, hash)] }] },
  })
}

/** The refusal that is documented, and nothing came of the request. */
export async function assertRefused(
  network: ExternalNetwork,
  status: number,
  act: () => Promise<Answer>,
  text = /./,
): Promise<void> {
  const before = await network.end()
  const answer = await act()
  assert.equal(answer.status, status, answer.text)
  assert.match(String(member(answer.json, 'error')), text)
  const after = await network.end()
  if (after === before) return
  const [, traceId = ''] = answer.headers.get('traceparent')?.split('-') ?? []
  const updates = await updatesBetween(network, before, after)
  assert.equal(updates.length, after - before)
  assert.ok(
    traceId !== '' && !JSON.stringify(updates).includes(traceId),
    "the keepers' updates only",
  )
}

const EVERYTHING = { eventFormat: { filtersForAnyParty: {} } }

/**
 * All updates after one offset up to another, each with the trace of the request that led to it.
 * docs/ledger-rules.md, "Updates"
 */
async function updatesBetween(
  { done }: ExternalNetwork,
  beginExclusive: number,
  endInclusive: number,
): Promise<readonly unknown[]> {
  const updateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS', ...EVERYTHING },
  }
  const updates = await done(AUDITOR, 'POST /v2/updates', {
    beginExclusive,
    endInclusive,
    updateFormat,
  })
  assert.ok(Array.isArray(updates))
  return updates
}

/** The ids of a network, of which no other has one. */
export interface Ids {
  readonly synchronizer: string
  readonly participant: string
  readonly dso: string
  readonly operator: string
}

export async function idsOf(network: ExternalNetwork): Promise<Ids> {
  const connected = await network.done('participant_admin', 'GET /v2/state/connected-synchronizers')
  const {
    connectedSynchronizers: [first],
  } = Object(connected)
  const participant = await network.done('participant_admin', 'GET /v2/parties/participant-id')
  const { json } = await call(network.service.url, 'GET /api/scan/v0/dso-party-id')
  return {
    synchronizer: first.synchronizerId,
    participant: String(member(participant, 'participantId')),
    dso: String(member(json, 'dso_party_id')),
    operator: network.party('operator'),
  }
}
