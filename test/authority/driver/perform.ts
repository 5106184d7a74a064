// Does an operation over HTTP. Where it takes a signature it is two requests or more, and the first
// that is refused is the answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../../runtime/host/member.ts'
import {
  base64,
  delegationTransaction,
  hostingTransaction,
  keyMappingTransaction,
  multiHashOf,
  signatureOf,
  transactionHashOf,
} from '../../support/topology-reference.ts'
import type { Holder } from '../../support/topology-reference.ts'
import type { Answer, Ask, Op } from '../model/ops.ts'
import type { By } from '../model/rules.ts'
import type { Reply } from './client.ts'
import { listOf } from './feed.ts'
import { PARTY_KEYS } from './keys.ts'
import type { Stage } from './stage.ts'
import { VALIDATOR, amountText, commandOf, eventFormatOf, sentOf } from './wire.ts'

type Of<Name extends Ask['op']> = Extract<Ask, { readonly op: Name }>

const EXTERNAL = `${VALIDATOR}/admin/external-party`
/** SUBMISSION 1, CONFIRMATION 2. */
const CONFIRMATION = 2
const TASK_LOOKS = 400
const HOUR_MS = 3_600_000

/** The answer, with what it names. */
export async function perform(stage: Stage, op: Op): Promise<Answer> {
  const { status, text, json } = await send(stage, op)
  return { status, text, named: status === 200 ? namedIn(json) : '' }
}

function send(stage: Stage, op: Op): Promise<Reply> {
  switch (op.op) {
    case 'allocate-external':
      return allocateExternal(stage, op)
    case 'host':
      return host(stage, op)
    case 'accept-setup':
      return acceptSetup(stage, op)
    case 'order':
      return order(stage, op)
    case 'run-task':
      return runTask(stage, op)
    case 'submit':
      return submit(stage, op)
    case 'sign':
      return sign(stage, op)
    case 'read':
      return read(stage, op)
    default: {
      const sent = sentOf(op, stage.names)
      if (sent === undefined) throw new RangeError(`nothing is known of ${op.op}`)
      return stage.ask(op.by, sent.line, sent.body)
    }
  }
}

/** The party or contract that an answer of any operation names. */
function namedIn(json: unknown): string {
  const [event] = listOf(member(member(json, 'transaction'), 'events'))
  const places = [
    member(json, 'party_id'),
    member(json, 'partyId'),
    member(member(json, 'partyDetails'), 'party'),
    member(json, 'offer_contract_id'),
    member(member(json, 'output'), 'transfer_instruction_cid'),
    member(member(event, 'CreatedEvent'), 'contractId'),
    member(json, 'contract_id'),
  ]
  const found = places.find((place) => typeof place === 'string')
  return typeof found === 'string' ? found : ''
}

/** The topology is put together here, as holders of keys could. */
function allocateExternal(
  { keys, synchronizer, participant, ask }: Stage,
  op: Of<'allocate-external'> & { readonly by: By },
): Promise<Reply> {
  const signers = op.signers.map(keys.holderOf)
  const party = `${op.hint}::${keys.holderOf(op.keys[0] ?? '').fingerprint}`
  const own = op.isForged ? signers : op.keys.map(keys.holderOf)
  const transaction = hostingTransaction({
    party,
    threshold: 1,
    hosts: [[participant, CONFIRMATION]],
    keys: own,
    keyThreshold: own.length,
  })
  const hash = multiHashOf([transaction])
  return ask(op.by, 'POST /v2/parties/external/allocate', {
    synchronizer,
    identityProviderId: op.provider,
    userId: op.userId,
    onboardingTransactions: [{ transaction: base64(transaction) }],
    multiHashSignatures: signers.map((signer) => signatureOf(signer, hash)),
  })
}

function host(
  { keys, participant, ask }: Stage,
  op: Of<'host'> & { readonly by: By },
): Promise<Reply> {
  const [key, signer] = [keys.holderOf(op.key), keys.holderOf(op.signer)]
  const party = `${op.hint}::${key.fingerprint}`
  const own = op.isForged ? signer : key
  const transactions = [
    delegationTransaction(own.fingerprint, own),
    hostingTransaction({ party, threshold: 1, hosts: [[participant, CONFIRMATION]] }),
    keyMappingTransaction(party, 1, [own]),
  ]
  return ask(op.by, `POST ${EXTERNAL}/topology/submit`, {
    public_key: signer.spki.slice(-64),
    signed_topology_txs: transactions.map((each) => ({
      topology_tx: base64(each),
      signed_hash: hexSignature(signer, transactionHashOf(each)),
    })),
  })
}

function hexSignature(holder: Holder, hash: string): string {
  return Buffer.from(signatureOf(holder, hash).signature, 'base64').toString('hex')
}

async function acceptSetup(
  stage: Stage,
  op: Of<'accept-setup'> & { readonly by: By },
): Promise<Reply> {
  const proposal = [...stage.feed.active.values()].findLast(
    ({ entity, payload }) =>
      entity === 'ExternalPartySetupProposal' && member(payload, 'user') === op.party,
  )
  const body = { contract_id: proposal?.id ?? '00', user_party_id: op.party }
  return signedByParty(stage, op, {
    prepare: 'setup-proposal/prepare-accept',
    submit: 'setup-proposal/submit-accept',
    body,
  })
}

async function order(stage: Stage, op: Of<'order'> & { readonly by: By }): Promise<Reply> {
  const body = {
    sender_party_id: op.party,
    receiver_party_id: op.to,
    amount: amountText(op.amount),
    nonce: stage.world.orders.get(op.party) ?? 0,
    expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
  }
  return signedByParty(stage, op, {
    prepare: 'transfer-preapproval/prepare-send',
    submit: 'transfer-preapproval/submit-send',
    body,
  })
}

interface Signed {
  readonly party: string
  readonly signer: string
  readonly by: By
}

async function signedByParty(
  { keys, ask }: Stage,
  { party, signer, by }: Signed,
  step: { readonly prepare: string; readonly submit: string; readonly body: object },
): Promise<Reply> {
  const prepared = await ask(by, `POST ${EXTERNAL}/${step.prepare}`, step.body)
  if (prepared.status !== 200) return prepared
  const holder = keys.holderOf(signer)
  const submission = {
    party_id: party,
    transaction: member(prepared.json, 'transaction'),
    public_key: holder.spki.slice(-64),
    signed_tx_hash: hexSignature(holder, String(member(prepared.json, 'tx_hash'))),
  }
  return ask(by, `POST ${EXTERNAL}/${step.submit}`, { submission })
}

/** Runs the task to its end. */
async function runTask(
  { ask }: Stage,
  { by, task }: Of<'run-task'> & { readonly by: By },
): Promise<Reply> {
  const started = await ask(by, `POST ${VALIDATOR}/admin/automations/${task}/run`)
  if (started.status !== 200) return started
  for (let look = 0; look < TASK_LOOKS; look += 1) {
    const { json } = await ask(by, `GET ${VALIDATOR}/admin/automations`)
    const found = listOf(member(json, 'automations')).find((each) => member(each, 'name') === task)
    if (member(found, 'state') !== 'running') return started
    await sleep(5)
  }
  throw new Error(`the task ${task} does not end`)
}

function submit(
  { ask, names }: Stage,
  { by, actAs, readAs, deed }: Of<'submit'> & { readonly by: By },
): Promise<Reply> {
  const commands = { commandId: names.fresh(), actAs, readAs, commands: [commandOf(deed, names)] }
  return ask(by, 'POST /v2/commands/submit-and-wait-for-transaction', { commands })
}

async function sign(stage: Stage, op: Of<'sign'> & { readonly by: By }): Promise<Reply> {
  const { names, ask, synchronizer } = stage
  const { party } = op.deed
  const prepared = await ask(op.by, 'POST /v2/interactive-submission/prepare', {
    commandId: names.fresh(),
    actAs: [party],
    commands: [commandOf(op.deed, names)],
    synchronizerId: synchronizer,
    packageIdSelectionPreference: [],
  })
  if (prepared.status !== 200) return prepared
  const hash = Buffer.from(
    String(member(prepared.json, 'preparedTransactionHash')),
    'base64',
  ).toString('hex')
  return ask(op.executor, 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: member(prepared.json, 'preparedTransaction'),
    hashingSchemeVersion: member(prepared.json, 'hashingSchemeVersion'),
    submissionId: names.fresh(),
    partySignatures: { signatures: signaturesFor(stage, op, hash) },
  })
}

function signaturesFor(
  { world, keys, names }: Stage,
  { deed: { party }, signing }: Of<'sign'>,
  hash: string,
): readonly object[] {
  const own = world.parties.get(party)?.keys ?? []
  const others = PARTY_KEYS.filter((name) => !own.includes(name))
  const by = (signers: readonly string[]): readonly object[] =>
    signers.map((name) => signatureOf(keys.holderOf(name), hash))
  switch (signing) {
    case 'none':
      return []
    case 'right':
      return [{ party, signatures: by(own) }]
    case 'too-few':
      return [{ party, signatures: by(own.slice(1)) }]
    case 'wrong-key':
      return [{ party, signatures: by(others.slice(0, own.length)) }]
    case 'for-another':
      return [{ party: names.operatorParty, signatures: by(own) }]
  }
}

/** The lists and the single updates of the ledger interface. */
async function read(
  { ask, feed }: Stage,
  { by, how, parties, any }: Of<'read'> & { readonly by: By },
): Promise<Reply> {
  const { offset } = feed
  const eventFormat = eventFormatOf(parties, any)
  const updateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat },
  }
  switch (how) {
    case 'active':
      return ask(by, 'POST /v2/state/active-contracts', { activeAtOffset: offset, eventFormat })
    case 'updates':
      return ask(by, 'POST /v2/updates', { beginExclusive: 0, endInclusive: offset, updateFormat })
    case 'completions':
      return ask(by, 'POST /v2/commands/completions?limit=50&stream_idle_timeout_ms=1', {
        userId: '',
        parties,
        beginExclusive: 0,
      })
    case 'by-offset':
      return ask(by, 'POST /v2/updates/update-by-offset', { offset, updateFormat })
    case 'tree': {
      const query = parties.map((party) => `parties=${encodeURIComponent(party)}`).join('&')
      return ask(
        by,
        `GET /v2/updates/transaction-tree-by-offset/${offset}${query === '' ? '' : `?${query}`}`,
      )
    }
  }
}
