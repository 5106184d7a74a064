// What a store must answer, as one slow and obvious model. It shares nothing with the memory plugin, so that each is
// held against the other: users are one array, every rule is a search through it.
import type { IdentityProviderRecord, RightRecord, UserChange, UserPage, UserRecord } from '../../store/store.ts'
import type { NewUser } from './check.ts'

interface ModelUser {
  readonly record: UserRecord
  readonly rights: readonly RightRecord[]
}

export class StoreModel {
  #users: readonly ModelUser[] = []
  #providers: readonly IdentityProviderRecord[] = []

  user(id: string): UserRecord | undefined {
    return this.#find(id)?.record
  }

  page({ identityProviderId, after, limit }: UserPage): readonly UserRecord[] {
    const records = this.#users.map((user) => user.record)
    return byId(records.filter((user) => user.identityProviderId === identityProviderId && hex(user.id) > hex(after)))
      .slice(0, limit)
  }

  create(user: NewUser, rights: readonly RightRecord[]): string {
    if (this.#find(user.id)) return 'exists'
    if (!this.#hasProvider(user.identityProviderId)) return 'unknown-provider'
    this.#users = [...this.#users, { record: { ...user, resourceVersion: 0n }, rights: distinct(rights) }]
    return 'created'
  }

  update(id: string, expected: bigint, change: UserChange): UserRecord | string {
    const found = this.#find(id)
    if (!found) return 'missing'
    if (found.record.resourceVersion !== expected) return 'stale'
    return this.#replace({ ...found, record: { ...found.record, ...change, resourceVersion: expected + 1n } }).record
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
    return this.#find(id)?.rights.toSorted((a, b) => sign(hex(a.kind), hex(b.kind)) || sign(hex(a.party), hex(b.party)))
  }

  grant(id: string, rights: readonly RightRecord[], maxRights: number): readonly RightRecord[] | string {
    const found = this.#find(id)
    if (!found) return 'missing'
    const fresh = distinct(rights).filter((right) => !found.rights.some((held) => same(held, right)))
    if (found.rights.length + fresh.length > maxRights) return 'too-many'
    this.#replace({ ...found, rights: [...found.rights, ...fresh] })
    return fresh
  }

  revoke(id: string, rights: readonly RightRecord[]): readonly RightRecord[] | string {
    const found = this.#find(id)
    if (!found) return 'missing'
    this.#replace({ ...found, rights: found.rights.filter((held) => !rights.some((right) => same(held, right))) })
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
    this.#providers = this.#providers.map((other) => other.id === provider.id ? provider : other)
    return 'updated'
  }

  deleteProvider(id: string): string {
    if (!this.provider(id)) return 'missing'
    if (this.#users.some((user) => user.record.identityProviderId === id)) return 'in-use'
    this.#providers = this.#providers.filter((provider) => provider.id !== id)
    return 'deleted'
  }

  #find(id: string): ModelUser | undefined {
    return this.#users.find((user) => user.record.id === id)
  }

  #replace(next: ModelUser): ModelUser {
    this.#users = this.#users.map((user) => user.record.id === next.record.id ? next : user)
    return next
  }

  #hasProvider(id: string): boolean {
    return id === '' || this.provider(id) !== undefined
  }

  #issuerTaken(provider: IdentityProviderRecord): boolean {
    return this.#providers.some((other) => other.id !== provider.id && other.issuer === provider.issuer)
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

/** Two hexadecimal digits a byte: comparing these compares the UTF-8 bytes. */
function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

function sign(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
