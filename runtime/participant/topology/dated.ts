// What a signed topology brings, by the serials that its signers gave it: what decides whether it
// follows the one in force. docs/decisions/0047-topology-is-dated.md
import { signersOf } from './authorization.ts'
import type { MultiSignatures, SignedMapping } from './authorization.ts'
import type { Onboarding } from './onboarding.ts'
import type { PartyKey, SigningKeys } from './party-to-participant.ts'

/** A serial, and what was signed with it: another text where it says something else. */
export interface Dated {
  readonly serial: number
  readonly content: string
}

/** Owners of a namespace, in the order of their fingerprints, and how many of them speak for it. */
export interface NamespaceOwners {
  readonly serial: number
  readonly threshold: number
  readonly owners: readonly string[]
}

/** A namespace's definition with the fingerprints of all keys that have signed it. */
export interface SignedDefinition extends NamespaceOwners {
  readonly signers: ReadonlySet<string>
}

/** The serials of all that an onboarding brings. */
export interface DatedTopology {
  readonly namespace: string
  /** Serial of the hosting, which dates the whole. */
  readonly serial: number
  /** Fingerprints of all keys that have signed the hosting. */
  readonly signers: ReadonlySet<string>
  /** Absent where the hosting holds the keys. */
  readonly keyMapping: Dated | undefined
  readonly definition: SignedDefinition | undefined
  /** Root delegations, by namespace. */
  readonly delegations: ReadonlyMap<string, Dated>
}

/** An onboarding whose signatures have been verified, by its serials. */
export function datedTopology(
  { hosting, keyMapping, definition, delegations, namespace }: Onboarding,
  transactions: readonly SignedMapping[],
  multi: MultiSignatures,
): DatedTopology {
  const brought = new Map(
    transactions.map((transaction) => [
      transaction.mapping,
      { serial: transaction.serial, signers: signersOf(transaction, multi) },
    ]),
  )
  const of = (mapping: SignedMapping['mapping']) =>
    brought.get(mapping) ?? { serial: 0, signers: new Set<string>() }
  return {
    ...of(hosting),
    namespace,
    keyMapping: keyMapping && {
      serial: of(keyMapping).serial,
      content: keysText(keyMapping.signingKeys),
    },
    definition: definition && {
      ...of(definition),
      threshold: definition.threshold,
      owners: definition.owners.toSorted(),
    },
    delegations: new Map(
      delegations.map((one) => [
        one.namespace,
        { serial: of(one).serial, content: usagesOf(one.key) },
      ]),
    ),
  }
}

/** The same key in another format is the same key. */
function keysText({ keys, threshold }: SigningKeys): string {
  const texts = keys.map((key) => `${key.fingerprint} ${usagesOf(key)}`)
  return [String(threshold), ...texts.toSorted()].join('\n')
}

function usagesOf({ usages }: PartyKey): string {
  return [...new Set(usages)].toSorted().join(' ')
}
