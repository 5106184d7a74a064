// Alice of bench/neighbour: `node neighbour-alice.ts FOLDER ATTACK` does one thing as much as she
// can, until the message `stop`, and then says what she was answered, by status. All she has is her
// own party.
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { openStream } from '../test/interfaces/stream-client.ts'
import { call } from '../test/support/http.ts'
import { ATTACKS, readScene } from './neighbour-client.ts'
import type { CallOptions } from '../test/support/http.ts'
import type { Attack } from './neighbour-client.ts'

const {
  positionals: [folder = '', wanted = ''],
} = parseArgs({ allowPositionals: true })
const { url, alice, operator, dso, factory } = readScene(folder)
const [DAY_MS, TOGETHER, MANY, LANES] = [86_400_000, 100, 400, 4]
/** Small things that are sent at once. */
const CROWDS: Partial<Record<Attack, number>> = {
  'small commands': 64,
  'anonymous requests': 128,
  pages: 32,
}
const WAIT = 'POST /v2/commands/submit-and-wait'
const OFFER = '#network-wallet:Network.Wallet.TransferOffer:TransferOffer'
const PROPOSAL = '#network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'
const DELEGATION = '#network-wallet:Network.Wallet.MintingDelegation:MintingDelegationProposal'
const FACTORY = '#network-coin:Network.ExternalPartyCoinRules:ExternalPartyCoinRules'
const TOKEN = '#network-test-token:Network.Test.Token:TestTokenRules'
/** A text as long as a body may be, less the rest of it. */
const LONG_TEXT = 'x'.repeat(1_000_000)
/** Connections that are not read from at once. */
const READERS = 100
const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
const statuses = new Map<string, number>()
let isOver = false
let commands = 0
let readers = 0

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const note = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
const times = (count: number, command: object): readonly object[] =>
  Array.from({ length: count }, () => command)
const create = (templateId: string, createArguments: object): object => ({
  CreateCommand: { templateId, createArguments },
})

function offer(): object {
  const amount = { amount: '1', unit: 'CoinUnit' }
  return create(OFFER, {
    sender: alice.party,
    receiver: operator.party,
    dso,
    amount,
    description: 'x',
    expiresAt,
    trackingId: `a-${commands}`,
  })
}

function order(description: string | null = null): object {
  const choiceArgument = {
    sender: alice.party,
    receiver: operator.party,
    delegate: operator.party,
    amount: '1000000',
    expiresAt,
    nonce: '0',
    description,
    expectedDso: dso,
  }
  return {
    ExerciseCommand: {
      templateId: FACTORY,
      contractId: factory.contractId,
      choice: 'ExternalPartyCoinRules_CreateTransferCommand',
      choiceArgument,
    },
  }
}

function delegation(): object {
  const createArguments = {
    delegation: {
      beneficiary: alice.party,
      delegate: alice.party,
      dso,
      expiresAt,
      coinMergeLimit: '1',
    },
  }
  return {
    CreateAndExerciseCommand: {
      templateId: DELEGATION,
      createArguments,
      choice: 'MintingDelegationProposal_Accept',
      choiceArgument: { existingDelegationCid: null },
    },
  }
}

async function submit(...given: readonly object[]): Promise<void> {
  commands += 1
  const disclosedContracts = [{ createdEventBlob: factory.blob }]
  const body = {
    commandId: `alice-${process.pid}-${commands}`,
    actAs: [alice.party],
    commands: given,
    disclosedContracts,
  }
  const { status, text } = await call(url, WAIT, { token: alice.token, body })
  if (status === 400 && !statuses.has('400')) console.error(text.slice(0, 300))
  note(String(status))
}

async function ask(request: string, options: CallOptions = {}): Promise<void> {
  note(String((await call(url, request, options)).status))
}

/** Asks for as much as there is, and reads nothing of it. */
async function readSlowly(): Promise<void> {
  if (readers >= READERS) return pause(50)
  readers += 1
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.once('close', () => (readers -= 1))
  socket.on('error', () => undefined).pause()
  const body = '{"page_size":1000}'
  socket.write(
    `POST /api/scan/v2/updates HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  note('unread')
  return pause(50)
}

const WITH_BLOBS = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
}

/** @param isRead false for a client that takes nothing from the wire */
async function openMany(isRead: boolean): Promise<void> {
  const format = {
    eventFormat: { filtersByParty: { [alice.party]: isRead ? {} : WITH_BLOBS } },
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  }
  const opened = await openStream(
    url,
    '/v2/updates',
    { beginExclusive: 0, updateFormat: { includeTransactions: format } },
    { token: alice.token },
  )
  note('status' in opened ? String(opened.status) : 'open')
  if ('status' in opened) await pause(10)
  else if (!isRead) opened.socket.pause()
}

const WORK: Readonly<Record<Attack, () => Promise<void>>> = {
  texts: () => submit(order(LONG_TEXT)),
  offers: () => submit(...times(TOGETHER, offer())),
  orders: () => submit(...times(TOGETHER, order())),
  proposals: () =>
    submit(
      ...times(
        TOGETHER,
        create(PROPOSAL, { receiver: alice.party, provider: operator.party, expectedDso: dso }),
      ),
    ),
  delegations: () => submit(...times(TOGETHER, delegation())),
  'large commands': () => submit(...times(MANY, create(TOKEN, { admin: alice.party }))),
  'refused commands': () =>
    submit({
      ExerciseCommand: {
        templateId: TOKEN,
        contractId: `00${'ab'.repeat(48)}`,
        choice: 'Archive',
        choiceArgument: {},
      },
    }),
  'slow readers': readSlowly,
  streams: () => openMany(true),
  'silent streams': () => openMany(false),
  'small commands': () => submit(create(TOKEN, { admin: alice.party })),
  'anonymous requests': () => ask('GET /api/scan/v0/dso-party-id'),
  pages: () =>
    ask('POST /api/validator/v0/wallet/transactions', {
      token: alice.token,
      body: { page_size: 100 },
    }),
}

async function repeat(work: () => Promise<void>): Promise<void> {
  while (!isOver) await work().catch(() => note('failed'))
}

process.on('message', () => {
  isOver = true
  process.send?.(Object.fromEntries(statuses))
  process.disconnect()
  setTimeout(() => process.exit(), 100)
})
process.send?.('ready')
const attack = ATTACKS.find((name) => name === wanted)
if (attack === undefined) throw new Error(`no attack ${wanted}`)
await Promise.all(Array.from({ length: CROWDS[attack] ?? LANES }, () => repeat(WORK[attack])))
