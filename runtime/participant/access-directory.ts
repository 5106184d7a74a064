// What auth plugins may look up of the ledger: identity providers, users, keys of parties.
// rulings.md 8
import type { AccessDirectory, HostClock, Lookup, PartyKey } from '../host/plugin.ts'
import type { PartyStore } from '../store/store.ts'
import { tokenKeysOf } from './topology/party-topology.ts'
import { userIdProblem } from '../errors/grammar.ts'
import { parseUniqueIdentifier } from './topology/unique-identifier.ts'
import type { NodeIdentity } from './node.ts'
import type { PrincipalDirectory } from '../access/principal.ts'
import type { ProviderDirectory } from '../access/provider.ts'

/** Parties whose keys are remembered, and for how long. */
const MAX_PARTIES = 1_000
const CACHE_MS = 5_000

interface DirectoryParts {
  readonly parties: PartyStore
  readonly principals: PrincipalDirectory
  readonly providers: ProviderDirectory
  readonly node: Pick<NodeIdentity, 'participantUid' | 'synchronizerId'>
  readonly clock: HostClock
}

/**
 * The directory of a node, over the caches that its guard has. What could be nobody's name is not
 * looked for.
 */
export function accessDirectory({
  parties,
  principals,
  providers,
  node,
  clock,
}: DirectoryParts): AccessDirectory {
  const keys = new PartyKeys(parties, clock)
  return {
    audience: [node.participantUid, node.synchronizerId],
    providerOf: (issuer) => providers.ofIssuer(issuer),
    provider: (id) => providers.get(id),
    user: (id) => (userIdProblem(id) === undefined ? principals.user(id) : undefined),
    partyKeys: (party) => (typeof parseUniqueIdentifier(party) === 'string' ? [] : keys.of(party)),
  }
}

interface Entry {
  readonly keys: readonly PartyKey[]
  readonly expiresMs: number
}

/**
 * Keys by party. Parties without keys are not remembered, so that nobody can fill the memory with
 * names.
 */
class PartyKeys {
  readonly #parties: PartyStore
  readonly #clock: HostClock
  readonly #entries = new Map<string, Entry>()

  constructor(parties: PartyStore, clock: HostClock) {
    this.#parties = parties
    this.#clock = clock
  }

  of(party: string): Lookup<readonly PartyKey[]> {
    const known = this.#entries.get(party)
    return known !== undefined && known.expiresMs > this.#clock.monotonicMs()
      ? known.keys
      : this.#load(party)
  }

  async #load(party: string): Promise<readonly PartyKey[]> {
    const expiresMs = this.#clock.monotonicMs() + CACHE_MS
    const [record] = await this.#parties.get([party])
    const keys = record?.isLocal === true ? tokenKeysOf(record.topology) : []
    this.#entries.delete(party)
    if (keys.length > 0) this.#entries.set(party, { keys, expiresMs })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > MAX_PARTIES && !oldest.done) this.#entries.delete(oldest.value)
    return keys
  }
}
