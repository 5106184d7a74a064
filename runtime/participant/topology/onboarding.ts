// The shape that the transactions of an onboarding must have together, before any signature is
// looked at. docs/ledger-rules.md, "Topology"
import { fill } from '../../errors/catalogue.ts'
import { nodeSpace } from '../node.ts'
import { decentralizedNamespace } from './hashing.ts'
import type { TopologyNode } from './generate.ts'
import { isRoot } from './party-to-participant.ts'
import type {
  DecentralizedNamespaceDefinition,
  Mapping,
  NamespaceDelegation,
  PartyKey,
  PartyToKeyMapping,
  PartyToParticipant,
  SerialMapping,
  SigningKeys,
} from './party-to-participant.ts'
import { texts } from './texts.ts'
import { parseUniqueIdentifier } from './unique-identifier.ts'

/** Most owners that a decentralized namespace may have. */
export const MAX_OWNERS = 10

/** The mappings of one onboarding, each in its place. */
export interface Onboarding {
  readonly hosting: PartyToParticipant
  readonly keyMapping: PartyToKeyMapping | undefined
  readonly delegations: readonly NamespaceDelegation[]
  readonly definition: DecentralizedNamespaceDefinition | undefined
  /** The namespace that follows the hint in the party's id. */
  readonly namespace: string
  readonly signingKeys: SigningKeys
}

/** The mappings in their places, or the text of the first rule that they break. */
export function readOnboarding(
  transactions: readonly SerialMapping[],
  node: TopologyNode,
): Onboarding | string {
  const places = sort(transactions.map(({ mapping }) => mapping))
  const [hosting] = places.hostings
  const countProblem = repeatedKind(places)
  if (countProblem !== undefined) return countProblem
  if (hosting === undefined) return texts.oneNeeded
  const party = parseUniqueIdentifier(hosting.party)
  if (typeof party === 'string') return party
  const signingKeys = keysOf(hosting, places.keyMappings[0])
  if (typeof signingKeys === 'string') return signingKeys
  const {
    delegations,
    keyMappings: [keyMapping],
    definitions: [definition],
  } = places
  const onboarding = {
    hosting,
    keyMapping,
    delegations,
    definition,
    namespace: party.namespace,
    signingKeys,
  }
  return (
    hostsProblem(hosting, node) ??
    keysProblem(onboarding) ??
    namespaceProblem(onboarding) ??
    foundingProblem(
      onboarding,
      transactions.find(({ mapping }) => mapping === definition),
    ) ??
    onboarding
  )
}

interface Places {
  readonly hostings: PartyToParticipant[]
  readonly keyMappings: PartyToKeyMapping[]
  readonly delegations: NamespaceDelegation[]
  readonly definitions: DecentralizedNamespaceDefinition[]
}

function sort(mappings: readonly Mapping[]): Places {
  const places: Places = { hostings: [], keyMappings: [], delegations: [], definitions: [] }
  for (const mapping of mappings) {
    if (mapping.kind === 'PartyToParticipant') places.hostings.push(mapping)
    else if (mapping.kind === 'PartyToKeyMapping') places.keyMappings.push(mapping)
    else if (mapping.kind === 'NamespaceDelegation') places.delegations.push(mapping)
    else places.definitions.push(mapping)
  }
  return places
}

/** Owners of a decentralized namespace may each bring a delegation; otherwise there is one. */
function repeatedKind({
  hostings,
  keyMappings,
  delegations,
  definitions,
}: Places): string | undefined {
  const single = definitions.length > 0 ? [] : delegations
  const repeated = [hostings, keyMappings, definitions, single].find((list) => list.length > 1)
  return (
    repeated &&
    fill(texts.onlyOne, { kind: repeated[0]?.kind ?? '', count: String(repeated.length) })
  )
}

function keysOf(
  hosting: PartyToParticipant,
  keyMapping: PartyToKeyMapping | undefined,
): SigningKeys | string {
  if (hosting.signingKeys !== undefined && keyMapping !== undefined) return texts.keysTwice
  return hosting.signingKeys ?? keyMapping?.signingKeys ?? texts.keysNowhere
}

function hostsProblem(
  { participants, threshold }: PartyToParticipant,
  node: TopologyNode,
): string | undefined {
  const uids = participants.map((host) => host.participantUid)
  const malformed = uids.map(parseUniqueIdentifier).find((parsed) => typeof parsed === 'string')
  if (typeof malformed === 'string') return malformed
  if (!distinct(uids)) return texts.hostsRepeated
  const submitting = participants.filter(({ permission }) => permission === 'SUBMISSION')
  if (submitting.length > 0) {
    return fill(texts.submissionPermission, {
      uids: submitting.map((host) => host.participantUid).join(', '),
    })
  }
  const confirming = participants.filter(({ permission }) => permission === 'CONFIRMATION')
  return (
    placeProblem(
      uids,
      confirming.map((host) => host.participantUid),
      node.participantUid,
    ) ?? (within(threshold, confirming.length) ? undefined : texts.thresholdProblem)
  )
}

function placeProblem(
  all: readonly string[],
  confirming: readonly string[],
  uid: string,
): string | undefined {
  const alike = all.find((each) => each !== uid && nodeSpace(each) === nodeSpace(uid))
  if (alike !== undefined) return fill(texts.hostOfCopy, { other: alike, uid })
  if (all.length === 1 && confirming[0] !== uid) return fill(texts.singleHost, { uid })
  if (confirming.length === 0) return texts.noConfirming
  return all.includes(uid) ? undefined : fill(texts.notHosted, { uid })
}

function keysProblem({
  hosting,
  keyMapping,
  signingKeys: { keys, threshold },
  namespace,
}: Onboarding): string | undefined {
  if (keyMapping !== undefined && keyMapping.party !== hosting.party) {
    return fill(texts.otherParty, { other: keyMapping.party, party: hosting.party })
  }
  if (!distinct(keys.map(materialOf)) || !within(threshold, keys.length)) return texts.keysProblem
  const silent = keys.find((key) => !key.usages.includes('PROTOCOL'))
  if (silent !== undefined) return fill(texts.protocolUsage, { key: silent.fingerprint })
  return namespaceUsageProblem(keys.filter((key) => key.fingerprint === namespace))
}

/** One key in two formats has two fingerprints, but must not count twice. */
function materialOf({ publicKey }: PartyKey): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
}

function namespaceUsageProblem(keys: readonly PartyKey[]): string | undefined {
  const lacking = keys.find((key) => !key.usages.includes('NAMESPACE'))
  return lacking && fill(texts.namespaceUsage, { key: lacking.fingerprint })
}

function namespaceProblem({
  delegations,
  definition,
  namespace: expected,
}: Onboarding): string | undefined {
  if (!delegations.every(isRoot)) return texts.notRoot
  const namespaces = definition === undefined ? delegations : [definition]
  const foreign = namespaces.find(({ namespace }) => namespace !== expected)
  if (foreign !== undefined)
    return fill(texts.otherNamespace, {
      namespace: foreign.namespace,
      kind: foreign.kind,
      expected,
    })
  return (
    namespaceUsageProblem(delegations.map(({ key }) => key)) ??
    (definition && definitionProblem(definition, delegations))
  )
}

function definitionProblem(
  { owners, threshold }: DecentralizedNamespaceDefinition,
  delegations: readonly NamespaceDelegation[],
): string | undefined {
  const count = String(owners.length)
  if (owners.length > MAX_OWNERS)
    return fill(texts.tooManyOwners, { max: String(MAX_OWNERS), count })
  if (!distinct(owners) || !within(threshold, owners.length)) return texts.ownersProblem
  const repeated = !distinct(delegations.map((delegation) => delegation.namespace))
  return repeated
    ? fill(texts.onlyOne, { kind: 'NamespaceDelegation', count: String(delegations.length) })
    : undefined
}

/** The first owners give the namespace its name; later ones inherit it. */
function foundingProblem(
  { definition, delegations }: Onboarding,
  transaction: { readonly serial: number } | undefined,
): string | undefined {
  if (definition === undefined || transaction?.serial !== 1) return undefined
  const { owners, namespace } = definition
  if (decentralizedNamespace(owners) !== namespace)
    return fill(texts.namespaceOfOwners, { namespace })
  const stranger = delegations.find((delegation) => !owners.includes(delegation.namespace))
  return stranger && fill(texts.notOfOwner, { namespace: stranger.namespace })
}

function distinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

function within(threshold: number, max: number): boolean {
  return threshold >= 1 && threshold <= max
}
