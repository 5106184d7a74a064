// Parties with keys of their own on several nodes: what their keys sign of who hosts them, and what
// they do through a node.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { list, path, signaturesOf } from '../interfaces/ledger-kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import type { Answer } from '../support/http.ts'
import {
  base64,
  hostingTransaction,
  multiHashOf,
  newHolder,
  publicKeyOf,
} from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import { participantOf, synchronizerOf } from './kit.ts'
import type { NodeClient } from './kit.ts'

export const ALLOCATE = 'POST /v2/parties/external/allocate'
export const EXECUTE = 'POST /v2/interactive-submission/executeAndWait'
const PING = '#network-builtin-ping:Network.Internal.Ping:Ping'
const FACTORY = '#network-api-token-transfer-instruction-v1:Network.Api.Token.TransferInstructionV1'
const HOUR_MS = 3_600_000
const CONFIRMATION = 2
const NO_META = { values: {} }

/** A party, and what its keys have signed. */
export interface Made extends OutsideParty {
  readonly synchronizer: string
  /** The request for `allocate`, at any of the nodes that it names. */
  readonly request: object
}

/** A topology that the party has signed, generated at a node. */
export async function signedParty(
  node: NodeClient,
  partyHint: string,
  hosts: object = {},
  [holder = newHolder('EC_CURVE25519')]: readonly Holder[] = [],
): Promise<Made> {
  const synchronizer = await synchronizerOf(node)
  const made = await node.done('participant_admin', 'POST /v2/parties/external/generate-topology', {
    synchronizer,
    partyHint,
    publicKey: publicKeyOf(holder),
    confirmationThreshold: 1,
    ...hosts,
  })
  const own = { party: String(member(made, 'partyId')), holders: [holder] }
  const transactions = list(member(made, 'topologyTransactions'))
  return madeOf(own, synchronizer, transactions, String(member(made, 'multiHash')))
}

/** The hosting that a party's keys sign by themselves, with any serial. */
export async function signedHosting(
  { party, holders }: OutsideParty,
  hosts: readonly NodeClient[],
  serial: number,
): Promise<Made> {
  const uids = await Promise.all(hosts.map(participantOf))
  const wrapper = hostingTransaction({
    party,
    threshold: 1,
    hosts: uids.map((uid) => [uid, CONFIRMATION]),
    keys: holders,
    serial,
  })
  const [first] = hosts
  const synchronizer = first === undefined ? '' : await synchronizerOf(first)
  const multiHash = base64(multiHashOf([wrapper]))
  return madeOf({ party, holders }, synchronizer, [base64(wrapper)], multiHash)
}

function madeOf(
  own: OutsideParty,
  synchronizer: string,
  transactions: readonly unknown[],
  multiHash: string,
): Made {
  const { signatures } = signaturesOf(own, multiHash, own.holders)
  const onboardingTransactions = transactions.map((transaction) => ({ transaction }))
  const request = { synchronizer, onboardingTransactions, multiHashSignatures: signatures }
  return { ...own, synchronizer, request }
}

/** The key holder of a party that is nowhere yet. */
export function newOutsider(hint: string): OutsideParty {
  const holder = newHolder('EC_CURVE25519')
  return { party: `${hint}::${holder.fingerprint}`, holders: [holder] }
}

/** A node's knowledge of a party: nothing, or whether it hosts it. */
export async function known(node: NodeClient, party: string): Promise<readonly unknown[]> {
  const line = `GET /v2/parties/${encodeURIComponent(party)}`
  const answer = await node.done('participant_admin', line)
  return list(member(answer, 'partyDetails')).map((details) => member(details, 'isLocal'))
}

/** The user `reader` may act as the party at a node. */
export async function letRead(node: NodeClient, party: string): Promise<void> {
  await node.done('participant_admin', 'POST /v2/users/reader/rights', {
    userId: 'reader',
    identityProviderId: '',
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  })
}

let submissions = 0

/** Prepared by `reader` at a node, signed by the party, and executed there. */
export async function executed(
  node: NodeClient,
  own: OutsideParty,
  commands: readonly object[],
  disclosedContracts: unknown = [],
): Promise<Answer> {
  const prepared = await prepare(node, own, { commands, disclosedContracts })
  return prepared.status === 200
    ? node.ask('reader', EXECUTE, signedPrepared(own, prepared.json))
    : prepared
}

/** The request for `EXECUTE`: commands that the party has signed, a ping by default. */
export async function preparedAt(
  node: NodeClient,
  own: OutsideParty,
  what: Prepared = { commands: [pingOf(own)], disclosedContracts: [] },
): Promise<object> {
  const { status, text, json } = await prepare(node, own, what)
  assert.equal(status, 200, text)
  return signedPrepared(own, json)
}

/** Commands, with the contracts that they need. */
export interface Prepared {
  readonly commands: readonly object[]
  readonly disclosedContracts: unknown
}

async function prepare(node: NodeClient, own: OutsideParty, what: Prepared): Promise<Answer> {
  submissions += 1
  return node.ask('reader', 'POST /v2/interactive-submission/prepare', {
    commandId: `outside-${submissions}`,
    actAs: [own.party],
    synchronizerId: await synchronizerOf(node),
    packageIdSelectionPreference: [],
    ...what,
  })
}

function signedPrepared(own: OutsideParty, prepared: unknown): object {
  submissions += 1
  const hash = String(member(prepared, 'preparedTransactionHash'))
  return {
    preparedTransaction: member(prepared, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
    submissionId: `outside-${submissions}`,
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [signaturesOf(own, hash, own.holders)] },
  }
}

/** A contract of the party alone. */
export function pingOf({ party }: OutsideParty): object {
  const createArguments = { id: 'ping', initiator: party, responder: party }
  return { CreateCommand: { templateId: PING, createArguments } }
}

/** Pays with coins that the node shows, by what its registry says. */
export async function paid(node: NodeClient, own: OutsideParty, terms: Terms): Promise<Answer> {
  const { commands, disclosedContracts } = await paymentOf(node, own, terms)
  return executed(node, own, commands, disclosedContracts)
}

interface Terms {
  readonly to: string
  readonly amount: string
  /** The ledger's time, milliseconds. */
  readonly now?: number
  /** The coins to pay with, where not all. */
  readonly coins?: readonly string[]
  /** The registry that is asked, if it is not the node's own. */
  readonly registry?: Pick<NodeClient, 'done'>
}

/** The commands of a payment with coins that the node shows, by what its registry says. */
export async function paymentOf(
  node: NodeClient,
  own: Pick<OutsideParty, 'party'>,
  { to, amount, now = Date.now(), coins, registry = node }: Terms,
): Promise<Prepared> {
  const info = await registry.done('reader', 'GET /registry/metadata/v1/info')
  const admin = String(member(info, 'adminId'))
  const choiceArguments = {
    expectedAdmin: admin,
    transfer: {
      sender: own.party,
      receiver: to,
      amount,
      instrumentId: { admin, id: 'Coin' },
      requestedAt: new Date(now - 1_000).toISOString(),
      executeBefore: new Date(now + HOUR_MS).toISOString(),
      inputHoldingCids: coins ?? (await coinsAt(node, own)),
      meta: NO_META,
    },
    extraArgs: { context: { values: {} }, meta: NO_META },
  }
  const line = 'POST /registry/transfer-instruction/v1/transfer-factory'
  const factory = await registry.done('reader', line, { choiceArguments })
  const context = path(factory, 'choiceContext', 'choiceContextData')
  const command = {
    ExerciseCommand: {
      templateId: `${FACTORY}:TransferFactory`,
      contractId: member(factory, 'factoryId'),
      choice: 'TransferFactory_Transfer',
      choiceArgument: { ...choiceArguments, extraArgs: { context, meta: NO_META } },
    },
  }
  return {
    commands: [command],
    disclosedContracts: path(factory, 'choiceContext', 'disclosedContracts'),
  }
}

/** Contract ids of the party's coins, as the node shows them after an offset, or now. */
export async function coinsAt(
  node: NodeClient,
  { party }: Pick<OutsideParty, 'party'>,
  offset?: number,
): Promise<readonly string[]> {
  const shown = await node.done('reader', 'POST /v2/state/active-contracts', {
    activeAtOffset: offset ?? (await endOf(node)),
    eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
  })
  return list(shown).flatMap((item) => {
    const created = path(item, 'contractEntry', 'JsActiveContract', 'createdEvent')
    const isCoin = String(path(created, 'templateId')).endsWith(':Coin')
    return isCoin ? [String(path(created, 'contractId'))] : []
  })
}

/** Ids of the updates that a node shows for a party. */
export async function updatesAt(node: NodeClient, party: string): Promise<readonly string[]> {
  const shown = await node.done('reader', 'POST /v2/updates?limit=1000', {
    beginExclusive: 0,
    endInclusive: await endOf(node),
    updateFormat: ledgerEffectsOf(party),
  })
  return list(shown).map((item) => String(path(item, 'update', 'Transaction', 'value', 'updateId')))
}

export function updateAt(node: NodeClient, updateId: string, party: string): Promise<Answer> {
  const updateFormat = ledgerEffectsOf(party)
  return node.ask('reader', 'POST /v2/updates/update-by-id', { updateId, updateFormat })
}

function ledgerEffectsOf(party: string): object {
  return {
    includeTransactions: {
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
    },
  }
}

/** Ids of the updates that `reader` is told of as its own, for a party. */
export async function completionsAt(node: NodeClient, party: string): Promise<readonly string[]> {
  const line = 'POST /v2/commands/completions?limit=99&stream_idle_timeout_ms=5'
  const body = { userId: 'reader', parties: [party], beginExclusive: 0 }
  return list(await node.done('reader', line, body)).flatMap((each) => {
    const id = path(each, 'completionResponse', 'Completion', 'value', 'updateId')
    return id === undefined ? [] : [String(id)]
  })
}

export async function endOf(node: NodeClient): Promise<number> {
  return Number(member(await node.done('reader', 'GET /v2/state/ledger-end'), 'offset'))
}
