// Topology that several holders of keys sign piece by piece: namespaces with several owners, keys
// apart from the hosting, any serials. What was made once can be handed in again at any time.
import { member } from '../../runtime/host/member.ts'
import { base64, definitionTransaction, delegationTransaction, hostingTransaction, keyMappingTransaction, namespaceOf, signatureOf, transactionHashOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import { ALLOCATE, executed, letRead, pingOf } from './outside-party.ts'
import { participantOf, synchronizerOf } from './kit.ts'
import type { NodeClient } from './kit.ts'

const CONFIRMATION = 2

/** A transaction as a request carries it, with the signatures of its hash. */
export type Signed = ReturnType<typeof signedBy>

export function signedBy(wrapper: string, holders: readonly Holder[]) {
  const hash = transactionHashOf(wrapper)
  return {
    transaction: base64(wrapper),
    signatures: holders.map((holder) => signatureOf(holder, hash)),
  }
}

/** The id of a party that these own together. */
export function ownedBy(hint: string, owners: readonly Holder[]): string {
  return `${hint}::${namespaceOf(owners.map(({ fingerprint }) => fingerprint))}`
}

interface Definition {
  readonly threshold: number
  readonly owners: readonly Holder[]
  readonly serial?: number
  /** Its owners where absent. */
  readonly by?: readonly Holder[]
}

/** A definition of the owners of a party's namespace. */
export function definitionOf(
  party: string,
  { threshold, owners, serial, by = owners }: Definition,
): Signed {
  const fingerprints = owners.map(({ fingerprint }) => fingerprint)
  const namespace = party.slice(party.indexOf('::') + 2)
  return signedBy(definitionTransaction(namespace, threshold, fingerprints, serial), by)
}

/** Each holder's own namespace. */
export function rootsOf(holders: readonly Holder[]): readonly Signed[] {
  return holders.map((holder) =>
    signedBy(delegationTransaction(holder.fingerprint, holder), [holder]),
  )
}

interface Keys {
  readonly keys: readonly Holder[]
  readonly threshold?: number
  readonly serial?: number
  readonly by: readonly Holder[]
}

/** Keys in a transaction of their own. */
export function keysOf(party: string, { keys, threshold = 1, serial, by }: Keys): Signed {
  return signedBy(keyMappingTransaction(party, threshold, keys, serial), [...keys, ...by])
}

interface Hosting {
  readonly hosts: readonly NodeClient[]
  readonly serial?: number
  /** Absent: they are apart. */
  readonly keys?: readonly Holder[]
  readonly keyThreshold?: number
  readonly by: readonly Holder[]
}

/** A hosting of a party, signed by these and by its keys. */
export async function hostingOf(
  party: string,
  { hosts, serial = 1, keys, keyThreshold, by }: Hosting,
): Promise<Signed> {
  const uids = await Promise.all([...new Set(hosts)].map(participantOf))
  const wrapper = hostingTransaction({
    party,
    threshold: 1,
    hosts: uids.map((uid) => [uid, CONFIRMATION]),
    serial,
    ...(keys === undefined ? {} : { keys }),
    ...(keyThreshold === undefined ? {} : { keyThreshold }),
  })
  return signedBy(wrapper, [...new Set([...(keys ?? []), ...by])])
}

/** Hands transactions in; the status and the text. */
export async function submitted(
  node: NodeClient,
  ...transactions: readonly (Signed | readonly Signed[])[]
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, text } = await node.ask('participant_admin', ALLOCATE, {
    synchronizer: await synchronizerOf(node),
    onboardingTransactions: transactions.flat(),
  })
  return { status, text }
}

/** Whether a node executes what these keys sign for the party. */
export async function signsAt(
  node: NodeClient,
  party: string,
  holders: readonly Holder[],
): Promise<boolean> {
  await letRead(node, party)
  const own = { party, holders }
  const { status, json } = await executed(node, own, [pingOf(own)])
  return status === 200 && typeof member(json, 'updateId') === 'string'
}
