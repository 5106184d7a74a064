// Parties that keep their keys to themselves: they are hosted, get a preapproval, and pay by orders
// that they sign.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import {
  mintingDelegationProposal,
  transferCommand,
  transferCommandCounter,
} from '../../runtime/contracts/index.ts'
import { isoOf } from '../../runtime/host/clock.ts'
import { prepareSend, submitSend } from '../../runtime/interfaces/validator/external-party/send.ts'
import {
  prepareAccept,
  proposeSetup,
  submitAccept,
} from '../../runtime/interfaces/validator/external-party/setup.ts'
import {
  generateTopology,
  submitTopology,
} from '../../runtime/interfaces/validator/external-party/topology.ts'
import { PlainError } from '../../runtime/economy/errors.ts'
import { hostingTransaction, transactionHashOf } from '../support/topology-reference.ts'
import type { Dice } from '../drive/dice.ts'
import type { Server } from './network.ts'
import { DAY } from './setting.ts'

export interface Outsider {
  readonly party: string
  readonly publicKey: string
  readonly privateKey: KeyObject
  /** Serial of the hosting that it signed last. */
  serial: number
}

/** A host's permission. */
const CONFIRMATION = 2

/** Head of an ed25519 key, before its 32 bytes. RFC 8410 */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Hosts a party whose key the seed gives. */
export async function hostOutsider(
  { economy, cohosting }: Server,
  name: string,
  dice: Dice,
): Promise<Outsider> {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, dice.bytes(32)]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
    .export({ type: 'spki', format: 'der' })
    .toString('hex')
    .slice(-64)
  const { topology_txs } = made(
    generateTopology(economy, { party_hint: name, public_key: publicKey }),
  )
  const signed_topology_txs = topology_txs.map(({ topology_tx, hash }) => ({
    topology_tx,
    signed_hash: signed(privateKey, hash),
  }))
  const party = made(
    await submitTopology({ economy, cohosting }, { public_key: publicKey, signed_topology_txs }),
  )
  return { party, publicKey, privateKey, serial: 1 }
}

/** Leaves whoever hosts the party, for this node. */
export async function moveOutsider(
  { economy, cohosting }: Server,
  outsider: Outsider,
): Promise<void> {
  const { party, publicKey, privateKey, serial } = outsider
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex')
  const hosting = hostingTransaction({
    party,
    threshold: 1,
    hosts: [[economy.node.participantUid, CONFIRMATION]],
    keys: [{ spec: 'EC_CURVE25519', spki }],
    serial: serial + 1,
  })
  const topology_tx = Buffer.from(hosting, 'hex').toString('base64')
  const signed_hash = signed(privateKey, transactionHashOf(hosting))
  const signed_topology_txs = [{ topology_tx, signed_hash }]
  made(await submitTopology({ economy, cohosting }, { public_key: publicKey, signed_topology_txs }))
  outsider.serial += 1
}

/** Gives a hosted party its preapproval, and the operator the delegation to merge. */
export async function setUpOutsider(
  server: Server,
  { party, publicKey, privateKey }: Outsider,
): Promise<void> {
  const contract_id = made(await proposeSetup(server.economy, server.treasury, party))
  const { transaction, tx_hash } = made(
    await prepareAccept(server, { contract_id, user_party_id: party }),
  )
  const signature = { signed_tx_hash: signed(privateKey, tx_hash), public_key: publicKey }
  made(await submitAccept(server, { party_id: party, transaction, ...signature }))
}

/**
 * Proposes that the operator mint and merge for the party, down to so many coins; answers the
 * proposal's id.
 */
export async function proposeMinting(
  { economy }: Server,
  { party }: Outsider,
  coinMergeLimit: bigint,
): Promise<string> {
  const {
    engine,
    clock,
    parties: { dso, operator: delegate },
  } = economy
  const delegation = {
    beneficiary: party,
    delegate,
    dso,
    expiresAt: clock.nowMicros() + 365n * DAY,
    coinMergeLimit,
  }
  const done = await engine.submit({
    actAs: [party],
    userId: '',
    run: (tx) => tx.create(mintingDelegationProposal, { delegation }),
  })
  if (!done.ok) throw new Error(`no proposal of a minting delegation: ${done.kind}`)
  return done.result
}

export interface Order {
  readonly receiver: string
  readonly amount: string
  readonly expiresAt: bigint
}

/**
 * Signs an order to pay; undefined where an earlier one still waits, which has the only nonce that
 * can be used.
 */
export async function sendOrder(
  server: Server,
  { party, publicKey, privateKey }: Outsider,
  order: Order,
): Promise<PlainError | 'sent' | undefined> {
  const {
    economy: { reader },
  } = server
  const [waiting] = await reader.active(transferCommand, { sender: party }, { limit: 1 })
  if (waiting !== undefined) return undefined
  const [counter] = await reader.active(transferCommandCounter, { sender: party }, { limit: 1 })
  const prepared = await prepareSend(server, {
    sender_party_id: party,
    receiver_party_id: order.receiver,
    amount: order.amount,
    expires_at: isoOf(Number(order.expiresAt / 1_000n)),
    nonce: counter?.payload.nextNonce ?? 0n,
    verbose_hashing: false,
  })
  if (prepared instanceof PlainError) return prepared
  const { transaction, tx_hash } = prepared
  const done = await submitSend(server, {
    party_id: party,
    transaction,
    signed_tx_hash: signed(privateKey, tx_hash),
    public_key: publicKey,
  })
  return done instanceof PlainError ? done : 'sent'
}

function signed(privateKey: KeyObject, hash: string): string {
  return sign(null, Buffer.from(hash, 'hex'), privateKey).toString('hex')
}

function made<T>(outcome: T | PlainError): T {
  if (outcome instanceof PlainError) throw new Error(`${outcome.status}: ${outcome.message}`)
  return outcome
}
