// Whether everybody who acts has signed: with as many keys of the stored topology as it asks for.
// docs/ledger-rules.md, "Interactive submission"
import type { PartyStore } from '../../store/store.ts'
import { fill } from '../../errors/catalogue.ts'
import { signersOf } from '../topology/party-topology.ts'
import type { PartySigners } from '../topology/party-topology.ts'
import { signatureProblem } from '../topology/signing-key.ts'
import type { KeySignature } from '../topology/signing-key.ts'

export interface PartySignatures {
  readonly party: string
  readonly signatures: readonly KeySignature[]
}

const texts = {
  repeated: 'there are signatures of the party {party} twice',
  stranger: 'the party {party} does not act in the prepared transaction',
  none: 'the signatures of the party {party} are missing',
  unknownKey: 'the party {party} has no key {key}',
  tooFew: 'the party {party} needs signatures by {threshold} of its keys, {count} are there',
} as const

/** The keys of every party, or the first party that has none outside. */
export async function outsideSigners(
  store: PartyStore,
  parties: readonly string[],
): Promise<{ readonly signers: ReadonlyMap<string, PartySigners> } | { readonly unknown: string }> {
  const known = await store.get(parties)
  const signers = new Map(
    known.flatMap(({ party, isLocal, topology }) => {
      const found = isLocal ? signersOf(topology) : undefined
      return found === undefined ? [] : [[party, found]]
    }),
  )
  const unknown = parties.find((party) => !signers.has(party))
  return unknown === undefined ? { signers } : { unknown }
}

/**
 * Why the signatures do not prove that all parties agree to the message; undefined when they do.
 */
export function partySignaturesProblem(
  signers: ReadonlyMap<string, PartySigners>,
  message: Uint8Array,
  signed: readonly PartySignatures[],
): string | undefined {
  const parties = signed.map(({ party }) => party)
  const repeated = parties.find((party, at) => parties.indexOf(party) !== at)
  if (repeated !== undefined) return fill(texts.repeated, { party: repeated })
  const stranger = parties.find((party) => !signers.has(party))
  if (stranger !== undefined) return fill(texts.stranger, { party: stranger })
  for (const [party, known] of signers) {
    const own = signed.find((each) => each.party === party)
    const problem =
      own === undefined ? fill(texts.none, { party }) : partyProblem(own, known, message)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A signature that does not verify is a problem even where enough others do. */
function partyProblem(
  { party, signatures }: PartySignatures,
  { keys, threshold }: PartySigners,
  message: Uint8Array,
): string | undefined {
  for (const signature of signatures) {
    const key = keys.find(({ fingerprint }) => fingerprint === signature.signedBy)
    if (key === undefined) return fill(texts.unknownKey, { party, key: signature.signedBy })
    const problem = signatureProblem(key, message, signature)
    if (problem !== undefined) return problem
  }
  const count = new Set(signatures.map(({ signedBy }) => signedBy)).size
  if (count >= Math.max(threshold, 1)) return undefined
  return fill(texts.tooFew, { party, threshold: String(threshold), count: String(count) })
}
