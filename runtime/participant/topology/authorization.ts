// Who must sign the transactions of an onboarding, and whether they have. Every given signature
// must verify: an invalid one is a problem even if enough others are valid. docs/ledger-rules.md,
// "Topology"
import { fill } from '../../errors/catalogue.ts'
import type { Onboarding } from './onboarding.ts'
import type { Mapping, PartyKey, SerialMapping } from './party-to-participant.ts'
import { signatureProblem } from './signing-key.ts'
import type { KeySignature } from './signing-key.ts'
import { texts } from './texts.ts'

/** One transaction with what was signed of it. */
export interface SignedMapping extends SerialMapping {
  /** 34 bytes. */
  readonly hash: Uint8Array
  readonly signatures: readonly KeySignature[]
}

/** The hash over all transactions and the signatures of it; they count for each transaction. */
export interface MultiSignatures {
  readonly multiHash: Uint8Array
  readonly signatures: readonly KeySignature[]
}

/**
 * Why the signatures do not authorize the onboarding, or undefined when they do. A hosting without
 * any signature passes as a proposal when the party is hosted by several participants.
 */
export function authorizationProblem(
  onboarding: Onboarding,
  transactions: readonly SignedMapping[],
  multi: MultiSignatures,
): string | undefined {
  const keys = knownKeys(onboarding)
  for (const transaction of transactions) {
    const signed = effectiveSignatures(transaction, multi)
    const problem = firstProblem(signed, keys) ?? signersProblem(onboarding, transaction, signed)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Whether nobody has signed the hosting, so that it only proposes the party. */
export function isProposal(
  transactions: readonly SignedMapping[],
  multi: MultiSignatures,
): boolean {
  const hosting = transactions.find(({ mapping }) => mapping.kind === 'PartyToParticipant')
  return hosting !== undefined && effectiveSignatures(hosting, multi).length === 0
}

/** Fingerprints of the keys whose signatures count for a transaction. */
export function signersOf(transaction: SignedMapping, multi: MultiSignatures): ReadonlySet<string> {
  return new Set(effectiveSignatures(transaction, multi).map(({ signature }) => signature.signedBy))
}

interface MadeSignature {
  readonly signature: KeySignature
  readonly message: Uint8Array
}

/**
 * One signature per key: the first, and those of the transaction itself before those of all.
 * A root is signed by its key alone.
 */
function effectiveSignatures(
  { mapping, hash, signatures }: SignedMapping,
  multi: MultiSignatures,
): MadeSignature[] {
  const byKey = new Map<string, MadeSignature>()
  const made = [
    ...signatures.map((signature) => ({ signature, message: hash })),
    ...multi.signatures.map((signature) => ({ signature, message: multi.multiHash })),
  ]
  for (const one of made)
    if (!byKey.has(one.signature.signedBy)) byKey.set(one.signature.signedBy, one)
  const all = [...byKey.values()]
  if (mapping.kind !== 'NamespaceDelegation') return all
  return all.filter(({ signature }) => signature.signedBy === mapping.namespace)
}

function knownKeys({ signingKeys, delegations }: Onboarding): ReadonlyMap<string, PartyKey> {
  const keys = [...signingKeys.keys, ...delegations.map(({ key }) => key)]
  return new Map(keys.map((key) => [key.fingerprint, key]))
}

function firstProblem(
  signed: readonly MadeSignature[],
  keys: ReadonlyMap<string, PartyKey>,
): string | undefined {
  for (const { signature, message } of signed) {
    const key = keys.get(signature.signedBy)
    if (key === undefined) return fill(texts.signerUnknown, { key: signature.signedBy })
    const problem = signatureProblem(key, message, signature)
    if (problem !== undefined) return problem
  }
  return undefined
}

function signersProblem(
  onboarding: Onboarding,
  { mapping, serial }: SignedMapping,
  signed: readonly MadeSignature[],
): string | undefined {
  const signers = new Set(signed.map(({ signature }) => signature.signedBy))
  if (signers.size === 0)
    return mayBeUnsigned(mapping) ? undefined : fill(texts.unsigned, { kind: mapping.kind })
  if (mapping.kind === 'NamespaceDelegation')
    return missingProblem(mapping, [mapping.namespace], signers)
  // The one in force says whose signatures a later definition takes: participant/succession.ts
  if (mapping.kind === 'DecentralizedNamespaceDefinition')
    return serial === 1 ? missingProblem(mapping, mapping.owners, signers) : undefined
  const own = mapping.signingKeys?.keys.map((key) => key.fingerprint) ?? []
  return missingProblem(mapping, own, signers) ?? namespaceProblem(onboarding, mapping, signers)
}

function mayBeUnsigned(mapping: Mapping): boolean {
  return mapping.kind === 'PartyToParticipant' && mapping.participants.length > 1
}

function missingProblem(
  { kind }: Mapping,
  keys: readonly string[],
  signers: ReadonlySet<string>,
): string | undefined {
  const key = keys.find((one) => !signers.has(one))
  return key === undefined ? undefined : fill(texts.signatureMissing, { kind, key })
}

/**
 * The namespace speaks through its key, or through as many of its owners as its definition asks
 * for.
 */
function namespaceProblem(
  onboarding: Onboarding,
  mapping: Mapping,
  signers: ReadonlySet<string>,
): string | undefined {
  const { definition, namespace } = onboarding
  const holders = namespaceKeys(onboarding)
  if (definition === undefined) {
    if (!holders.has(namespace)) return fill(texts.namespaceUnproven, { namespace })
    return missingProblem(mapping, [namespace], signers)
  }
  const count = definition.owners.filter((owner) => holders.has(owner) && signers.has(owner)).length
  const facts = {
    kind: mapping.kind,
    count: String(count),
    threshold: String(definition.threshold),
  }
  return count < definition.threshold ? fill(texts.tooFewOwners, facts) : undefined
}

/**
 * Keys that are roots of their own namespace: delegated ones, and those within the hosting that
 * sign for it.
 */
function namespaceKeys({ hosting, delegations }: Onboarding): ReadonlySet<string> {
  const embedded = hosting.signingKeys?.keys.filter((key) => key.usages.includes('NAMESPACE')) ?? []
  return new Set([...delegations.map(({ key }) => key), ...embedded].map((key) => key.fingerprint))
}
