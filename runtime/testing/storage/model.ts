// What a store must answer, as one slow and obvious model: users and parties are arrays, every rule
// is a search through them.
import { isDeepStrictEqual } from 'node:util'
import { aUser } from './check.ts'
import type {
  IdentityProviderRecord,
  NoteKey,
  PartyGrant,
  PartyPage,
  PartyRecord,
  RightRecord,
  UserChange,
  UserGuard,
  UserPage,
  UserRecord,
  WalletOpening,
} from '../../store/store.ts'
import type { NewParty, NewUser } from './check.ts'

interface ModelUser {
  readonly record: UserRecord
  readonly rights: readonly RightRecord[]
  readonly wallet?: string
}

interface ModelNote extends NoteKey {
  readonly text: string
}

export class StoreModel {
  #users: readonly ModelUser[] = []
  #providers: readonly IdentityProviderRecord[] = []
  #parties: readonly PartyRecord[] = []
  #notes: readonly ModelNote[] = []

  user(id: string): UserRecord | undefined {
    return this.#find(id)?.record
  }

  page({ identityProviderId, after, limit }: UserPage): readonly UserRecord[] {
    const records = this.#users.map((user) => user.record)
    return byId(
      records.filter(
        (user) => user.identityProviderId === identityProviderId && hex(user.id) > hex(after),
      ),
    ).slice(0, limit)
  }

  create(user: NewUser, rights: readonly RightRecord[]): string {
    if (this.#find(user.id)) return 'exists'
    if (!this.#hasProvider(user.identityProviderId)) return 'unknown-provider'
    this.#users = [
      ...this.#users,
      { record: { ...user, resourceVersion: 0n }, rights: distinct(rights) },
    ]
    return 'created'
  }

  update(id: string, expected: bigint, change: UserChange, guard?: UserGuard): UserRecord | string {
    const found = this.#find(id, guard?.inProvider)
    if (!found) return 'missing'
    if (found.record.resourceVersion !== expected) return 'stale'
    if (guard?.rights && !sameSet(guard.rights, found.rights)) return 'stale'
    return this.#replace({
      ...found,
      record: { ...found.record, ...change, resourceVersion: expected + 1n },
    }).record
  }

  delete(id: string, inProvider?: string): string {
    const found = this.#find(id, inProvider)
    if (!found) return 'missing'
    this.#users = this.#users.filter((user) => user !== found)
    this.#notes = this.#notes.filter(({ userId }) => userId !== id)
    return 'deleted'
  }

  move(id: string, from: string, to: string): string {
    const found = this.#find(id)
    if (!found) return 'missing'
    if (found.record.identityProviderId !== from) return 'elsewhere'
    if (!this.#hasProvider(to)) return 'unknown-provider'
    this.#replace({ ...found, record: { ...found.record, identityProviderId: to } })
    return 'moved'
  }

  rights(id: string): readonly RightRecord[] | undefined {
    return this.#find(id)?.rights.toSorted(
      (a, b) => sign(hex(a.kind), hex(b.kind)) || sign(hex(a.party), hex(b.party)),
    )
  }

  grant(
    id: string,
    rights: readonly RightRecord[],
    maxRights: number,
    inProvider?: string,
  ): readonly RightRecord[] | string {
    const found = this.#find(id, inProvider)
    if (!found) return 'missing'
    const fresh = distinct(rights).filter(
      (right) => !found.rights.some((held) => same(held, right)),
    )
    if (found.rights.length + fresh.length > maxRights) return 'too-many'
    this.#replace({ ...found, rights: [...found.rights, ...fresh] })
    return fresh
  }

  revoke(
    id: string,
    rights: readonly RightRecord[],
    inProvider?: string,
  ): readonly RightRecord[] | string {
    const found = this.#find(id, inProvider)
    if (!found) return 'missing'
    this.#replace({
      ...found,
      rights: found.rights.filter((held) => !rights.some((right) => same(held, right))),
    })
    return distinct(rights).filter((right) => found.rights.some((held) => same(held, right)))
  }

  provider(id: string): IdentityProviderRecord | undefined {
    return this.#providers.find((provider) => provider.id === id)
  }

  providers(): readonly IdentityProviderRecord[] {
    return byId(this.#providers)
  }

  createProvider(provider: IdentityProviderRecord, maxProviders: number): string {
    if (this.#hasProvider(provider.id)) return 'exists'
    if (this.#issuerTaken(provider)) return 'issuer-exists'
    if (this.#providers.length + 1 > maxProviders) return 'too-many'
    this.#providers = [...this.#providers, provider]
    return 'created'
  }

  updateProvider(provider: IdentityProviderRecord, expected?: IdentityProviderRecord): string {
    const found = this.provider(provider.id)
    if (!found) return 'missing'
    if (expected && !isDeepStrictEqual(found, expected)) return 'stale'
    if (this.#issuerTaken(provider)) return 'issuer-exists'
    this.#providers = this.#providers.map((other) => (other.id === provider.id ? provider : other))
    return 'updated'
  }

  deleteProvider(id: string): string {
    if (!this.provider(id)) return 'missing'
    const members = [...this.#users.map((user) => user.record), ...this.#parties]
    if (members.some((member) => member.identityProviderId === id)) return 'in-use'
    this.#providers = this.#providers.filter((provider) => provider.id !== id)
    this.#notes = this.#notes.filter(({ identityProviderId }) => identityProviderId !== id)
    return 'deleted'
  }

  parties(ids: readonly string[]): readonly PartyRecord[] {
    return byParty(this.#parties.filter(({ party }) => ids.includes(party)))
  }

  partyPage({ identityProviderId, prefix, after, limit }: PartyPage): readonly PartyRecord[] {
    const members = this.#parties.filter((party) => party.identityProviderId === identityProviderId)
    return byParty(
      members.filter(({ party }) => hex(party).startsWith(hex(prefix)) && hex(party) > hex(after)),
    ).slice(0, limit)
  }

  allocate(party: NewParty, grantTo: PartyGrant | undefined): string {
    if (this.parties([party.party]).length > 0) return 'exists'
    if (!this.#hasProvider(party.identityProviderId)) return 'unknown-provider'
    if (grantTo !== undefined) {
      const granted = this.grant(
        grantTo.userId,
        [{ kind: 'CanActAs', party: party.party }],
        grantTo.maxRights,
        grantTo.inProvider,
      )
      if (granted === 'missing') return 'unknown-user'
      if (granted === 'too-many') return granted
    }
    this.#parties = [...this.#parties, { ...party, resourceVersion: 0n }]
    return 'created'
  }

  updateParty(
    id: string,
    expected: bigint,
    annotations: PartyRecord['annotations'],
  ): PartyRecord | string {
    const [found] = this.parties([id])
    if (!found) return 'missing'
    if (found.resourceVersion !== expected) return 'stale'
    const next = { ...found, annotations, resourceVersion: expected + 1n }
    this.#parties = this.#parties.map((party) => (party.party === id ? next : party))
    return next
  }

  wallet(id: string): string | undefined {
    return this.#find(id)?.wallet
  }

  walletsAmong(parties: readonly string[]): readonly string[] {
    const found = this.#users.flatMap(({ wallet }) => wallet ?? [])
    return [...new Set(found)].filter((party) => parties.includes(party))
  }

  open(opening: WalletOpening): string {
    const { userId, identityProviderId, createsUser, grantsActAs, maxRights } = opening
    const user = aUser(userId, { identityProviderId })
    const brought: ModelUser = { record: { ...user, resourceVersion: 0n }, rights: [] }
    const isNew = createsUser && !this.#find(userId)
    const owner = isNew ? brought : this.#find(userId, identityProviderId)
    if (!owner) return 'unknown-user'
    if (owner.wallet !== undefined) return 'has-wallet'
    const problem = this.#partyProblem(opening)
    if (problem !== undefined) return problem
    if (!this.#hasProvider(identityProviderId)) return 'unknown-provider'
    const fresh = 'fresh' in opening.party ? [opening.party.fresh] : []
    const wallet = 'fresh' in opening.party ? opening.party.fresh.party : opening.party.given
    const wanted = grantsActAs ? [{ kind: 'CanActAs', party: wallet }] : []
    const rights = distinct([...owner.rights, ...wanted])
    if (rights.length > maxRights) return 'too-many'
    this.#parties = [...this.#parties, ...fresh.map((party) => ({ ...party, resourceVersion: 0n }))]
    if (isNew) this.#users = [...this.#users, owner]
    const { record } = owner
    const primaryParty = record.primaryParty || wallet
    const resourceVersion = record.resourceVersion + (record.primaryParty === '' ? 1n : 0n)
    this.#replace({ record: { ...record, primaryParty, resourceVersion }, rights, wallet })
    return 'opened'
  }

  note({ userId, identityProviderId, name }: NoteKey): string {
    const found = this.#notes.find(
      (note) =>
        note.userId === userId &&
        note.identityProviderId === identityProviderId &&
        note.name === name,
    )
    return found?.text ?? ''
  }

  writeNote(key: NoteKey, expected: string, text: string): string {
    if (!this.#find(key.userId, key.identityProviderId)) return 'missing'
    if (this.note(key) !== expected) return 'stale'
    this.#notes = [{ ...key, text }, ...this.#notes]
    return 'written'
  }

  #partyProblem({ party }: WalletOpening): string | undefined {
    if ('given' in party) {
      const [found] = this.parties([party.given])
      const { isLocal = false, topology = '', identityProviderId = '' } = found ?? {}
      return isLocal && topology === '' && identityProviderId === '' ? undefined : 'party-unfit'
    }
    const { party: id, identityProviderId } = party.fresh
    const named = this.#users.flatMap(({ rights }) => rights.map((right) => right.party))
    if ([...named, ...this.#parties.map((each) => each.party)].includes(id)) return 'party-taken'
    return this.#hasProvider(identityProviderId) ? undefined : 'unknown-provider'
  }

  #find(id: string, inProvider?: string): ModelUser | undefined {
    return this.#users.find(
      ({ record }) =>
        record.id === id && (inProvider === undefined || record.identityProviderId === inProvider),
    )
  }

  #replace(next: ModelUser): ModelUser {
    this.#users = this.#users.map((user) => (user.record.id === next.record.id ? next : user))
    return next
  }

  #hasProvider(id: string): boolean {
    return id === '' || this.provider(id) !== undefined
  }

  #issuerTaken(provider: IdentityProviderRecord): boolean {
    return this.#providers.some(
      (other) => other.id !== provider.id && other.issuer === provider.issuer,
    )
  }
}

function same(a: RightRecord, b: RightRecord): boolean {
  return a.kind === b.kind && a.party === b.party
}

function sameSet(one: readonly RightRecord[], other: readonly RightRecord[]): boolean {
  return one.length === other.length && one.every((a) => other.some((b) => same(a, b)))
}

function distinct(rights: readonly RightRecord[]): readonly RightRecord[] {
  return rights.filter((right, index) => rights.findIndex((other) => same(other, right)) === index)
}

function byId<R extends { readonly id: string }>(records: readonly R[]): readonly R[] {
  return records.toSorted((a, b) => sign(hex(a.id), hex(b.id)))
}

function byParty(parties: readonly PartyRecord[]): readonly PartyRecord[] {
  return parties.toSorted((a, b) => sign(hex(a.party), hex(b.party)))
}

/** Two hexadecimal digits a byte: comparing these compares the UTF-8 bytes. */
function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

function sign(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
