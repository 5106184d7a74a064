// The identity providers as tokens need them: all of them, at most `CACHE_MS` old. Changes made on
// this server are seen at once, those of other servers within CACHE_MS. There are few, so they are
// read together. docs/ledger-rules.md, "Identity providers"
import type { HostClock, Lookup } from '../host/plugin.ts'
import type { IdentityProviderRecord, IdentityProviderStore } from '../store/store.ts'

const CACHE_MS = 5_000

interface Reading {
  readonly byId: ReadonlyMap<string, IdentityProviderRecord>
  readonly byIssuer: ReadonlyMap<string, IdentityProviderRecord>
  readonly expiresMs: number
}

/** Looks identity providers up and forgets them when somebody changes one here. */
export class ProviderDirectory {
  readonly #store: IdentityProviderStore
  readonly #clock: HostClock
  #reading: Reading | undefined
  #changes = 0

  constructor(store: IdentityProviderStore, clock: HostClock) {
    this.#store = store
    this.#clock = clock
  }

  get(id: string): Lookup<IdentityProviderRecord | undefined> {
    const reading = this.#fresh()
    return reading === undefined
      ? this.#load().then(({ byId }) => byId.get(id))
      : reading.byId.get(id)
  }

  ofIssuer(issuer: string): Lookup<IdentityProviderRecord | undefined> {
    const reading = this.#fresh()
    return reading === undefined
      ? this.#load().then(({ byIssuer }) => byIssuer.get(issuer))
      : reading.byIssuer.get(issuer)
  }

  /** Forgets the providers; call it after each change of one on this server. */
  forget(): void {
    this.#changes += 1
    this.#reading = undefined
  }

  #fresh(): Reading | undefined {
    const reading = this.#reading
    return reading !== undefined && reading.expiresMs > this.#clock.monotonicMs()
      ? reading
      : undefined
  }

  async #load(): Promise<Reading> {
    const changesBefore = this.#changes
    const expiresMs = this.#clock.monotonicMs() + CACHE_MS
    const providers = await this.#store.list()
    const reading = {
      byId: new Map(providers.map((one) => [one.id, one])),
      byIssuer: new Map(providers.map((one) => [one.issuer, one])),
      expiresMs,
    }
    // A change that came in between may or may not be in what was read: such a reading is used
    // once, not kept.
    if (changesBefore === this.#changes) this.#reading = reading
    return reading
  }
}
