// What a store must answer, as one slow and obvious model: users and parties are arrays, every rule
// is a search through them.
import type {
  IdentityProviderRecord,
  PartyGrant,
  PartyPage,
  PartyRecord,
  RightRecord,
  UserChange,
  UserPage,
  UserRecord,
} from '../../store/store.ts'
import type { NewParty, NewUser } from './check.ts'

interface ModelUser {
  readonly record: UserRecord
  readonly rights: readonly RightRecord[]
}

export class StoreModel {
  #users: readonly ModelUser[] = []
  #providers: readonly IdentityProviderRecord[] = []
  #parties: readonly PartyRecord[] = []

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

  update(id: string, expected: bigint, change: UserChange): UserRecord | string {
    const found = this.#find(id)
    if (!found) return 'missing'
    if (found.record.resourceVersion !== expected) return 'stale'
    return this.#replace({
      ...found,
      record: { ...found.record, ...change, resourceVersion: expected + 1n },
    }).record
  }

  delete(id: string): string {
    const found = this.#find(id)
    this.#users = this.#users.filter((user) => user !== found)
    return found ? 'deleted' : 'missing'
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
  ): readonly RightRecord[] | string {
    const found = this.#find(id)
    if (!found) return 'missing'
    const fresh = distinct(rights).filter(
      (right) => !found.rights.some((held) => same(held, right)),
    )
    if (found.rights.length + fresh.length > maxRights) return 'too-many'
    this.#replace({ ...found, rights: [...found.rights, ...fresh] })
    return fresh
  }

  revoke(id: string, rights: readonly RightRecord[]): readonly RightRecord[] | string {
    const found = this.#find(id)
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

  updateProvider(provider: IdentityProviderRecord): string {
    if (!this.provider(provider.id)) return 'missing'
    if (this.#issuerTaken(provider)) return 'issuer-exists'
    this.#providers = this.#providers.map((other) => (other.id === provider.id ? provider : other))
    return 'updated'
  }

  deleteProvider(id: string): string {
    if (!this.provider(id)) return 'missing'
    const members = [...this.#users.map((user) => user.record), ...this.#parties]
    if (members.some((member) => member.identityProviderId === id)) return 'in-use'
    this.#providers = this.#providers.filter((provider) => provider.id !== id)
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

  #find(id: string): ModelUser | undefined {
    return this.#users.find((user) => user.record.id === id)
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
