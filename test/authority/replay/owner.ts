// Owners of external parties: what they sign of who hosts a party, which keys sign for it, and how
// many owners of its namespace must agree. Each transaction carries signatures of its own, so that
// it can be put together with others later.
import {
  base64,
  definitionTransaction,
  delegationTransaction,
  hostingTransaction,
  keyMappingTransaction,
  namespaceOf,
  newHolder,
  signatureOf,
  transactionHashOf,
} from '../../support/topology-reference.ts'
import type { Holder } from '../../support/topology-reference.ts'

const CONFIRMATION = 2

/** A party and those that its namespace is named after: one, or several that own it together. */
export interface Owned {
  readonly party: string
  readonly founders: readonly Holder[]
}

/** The content of a party's topology. */
export interface Standing {
  readonly serial: number
  readonly keys: readonly Holder[]
  /** How many of the keys must sign. */
  readonly threshold: number
  /** Serial of the last keys that were apart from a hosting. */
  readonly mapping: number
  /** Uid of the node. */
  readonly host: string
  readonly owners: Owners
}

/** Owners of the namespace, how many of them must sign the next topology, and since when. */
interface Owners {
  readonly serial: number
  readonly holders: readonly Holder[]
  readonly needed: number
}

/** Whether they say the same: signed twice, it is one topology. */
export function isSame(one: Standing | undefined, other: Standing | undefined): boolean {
  return (
    one === other || (one !== undefined && other !== undefined && textOf(one) === textOf(other))
  )
}

function textOf({ keys, owners, ...rest }: Standing): string {
  return JSON.stringify([rest, printsOf(keys), { ...owners, holders: printsOf(owners.holders) }])
}

export interface SignedTransaction {
  readonly transaction: string
  readonly signatures: readonly object[]
}

/** Signed pieces for one standing. */
export interface Topology {
  readonly own: Owned
  readonly standing: Standing
  /** The owners' own namespaces. */
  readonly roots: readonly SignedTransaction[]
  /** None where one owns the namespace. */
  readonly definition: readonly SignedTransaction[]
  readonly hosting: SignedTransaction
  /** None where the hosting has them. */
  readonly keys: readonly SignedTransaction[]
}

const SERIALS_OF_A_COPY = 4_096

/** The addition of a ledger's copy to serials. docs/decisions/0048-copies.md */
export function baseOf(synchronizer: string): number {
  const drawn = Number.parseInt(/::1220(.{8})/.exec(synchronizer)?.[1] ?? '', 16)
  return ((drawn % 524_287) + 1) * SERIALS_OF_A_COPY
}

/** The serial after this one, on a ledger of that base; of none yet it is 1. */
export function serialAfter(serial: number, base: number): number {
  const isOwn =
    base === 0 ||
    serial === 0 ||
    Math.floor(serial / SERIALS_OF_A_COPY) * SERIALS_OF_A_COPY === base
  return (isOwn ? serial : base) + 1
}

export function newHolders(count: number): readonly Holder[] {
  return Array.from({ length: count }, () => newHolder('EC_CURVE25519'))
}

export function ownedBy(hint: string, founders: readonly Holder[]): Owned {
  const prints = printsOf(founders)
  return { party: `${hint}::${founders.length === 1 ? prints[0] : namespaceOf(prints)}`, founders }
}

/** Signed by all who have to: these owners, who are in force until then, and all who are new. */
export function topologyOf(
  own: Owned,
  standing: Standing,
  owners: readonly Holder[],
  apart = false,
): Topology {
  const { keys } = standing
  return {
    own,
    standing,
    roots: rootsOf([...new Set([...owners, ...standing.owners.holders])]),
    definition: own.founders.length === 1 ? [] : [definitionOf(own, standing.owners, owners)],
    hosting: hostingOf(own, standing, { signers: apart ? owners : [...owners, ...keys], apart }),
    keys: apart ? [keysOf(own, standing, owners)] : [],
  }
}

/** Transactions as a request carries them. */
export function transactionsOf({
  roots,
  definition,
  hosting,
  keys,
}: Topology): readonly SignedTransaction[] {
  return [...roots, ...definition, hosting, ...keys]
}

/** The hosting of a party, and its keys unless these are apart. */
export function hostingOf(
  { party }: Owned,
  { serial, keys, threshold, host }: Standing,
  { signers, apart = false }: { readonly signers: readonly Holder[]; readonly apart?: boolean },
): SignedTransaction {
  const transaction = hostingTransaction({
    party,
    threshold: 1,
    hosts: [[host, CONFIRMATION]],
    serial,
    ...(apart ? {} : { keys, keyThreshold: threshold }),
  })
  return signed(transaction, signers)
}

export function rootsOf(owners: readonly Holder[]): readonly SignedTransaction[] {
  return owners.map((owner) => signed(delegationTransaction(owner.fingerprint, owner), [owner]))
}

function definitionOf(
  { party }: Owned,
  { needed, holders, serial }: Owners,
  signers: readonly Holder[],
): SignedTransaction {
  const namespace = party.split('::')[1] ?? ''
  const transaction = definitionTransaction(namespace, needed, printsOf(holders), serial)
  return signed(transaction, [...signers, ...holders])
}

function keysOf(
  { party }: Owned,
  { keys, threshold, mapping }: Standing,
  owners: readonly Holder[],
): SignedTransaction {
  return signed(keyMappingTransaction(party, threshold, keys, mapping), [...owners, ...keys])
}

function printsOf(holders: readonly Holder[]): readonly string[] {
  return holders.map(({ fingerprint }) => fingerprint)
}

function signed(transaction: string, holders: readonly Holder[]): SignedTransaction {
  const hash = transactionHashOf(transaction)
  return {
    transaction: base64(transaction),
    signatures: [...new Set(holders)].map((holder) => signatureOf(holder, hash)),
  }
}
