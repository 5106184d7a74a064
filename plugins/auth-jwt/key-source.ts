// Where the keys of an issuer come from: fixed ones, or a key set that is fetched when it is needed
// and kept for a while. Whatever tokens ask for, one address is asked at most once within its
// pause.
import type { Clock, HostClock, Logger, Lookup } from '../../runtime/index.ts'
import { fetchText } from './fetch-keys.ts'
import type { FetchLimits } from './fetch-keys.ts'
import { readKeySet, selectKey } from './key-set.ts'
import type { KeySet, VerificationKey } from './key-set.ts'

export interface KeySource {
  /** The key that a token names, or why there is none now. */
  find(kid: string | undefined, algorithm: string): Lookup<VerificationKey | string>
  /** Whether a key that was found before is still in use. */
  holds(key: VerificationKey): boolean
  /** The reason why keys could not be fetched the last time; undefined if they could. */
  readonly trouble: string | undefined
}

/** Keys that never change. */
export function fixedKeys(set: KeySet): KeySource {
  return {
    find: (kid, algorithm) => selectKey(set, kid, algorithm),
    holds: () => true,
    trouble: undefined,
  }
}

interface RemoteLimits extends FetchLimits {
  readonly refreshMs: number
  readonly maxAgeMs: number
  readonly cooldownMs: number
  readonly retryMs: number
}

/** Keys of an address. */
export class RemoteKeys implements KeySource {
  readonly #url: URL
  readonly #limits: RemoteLimits
  readonly #clock: HostClock
  readonly #log: Logger
  #set: KeySet = []
  #fetchedMs: number | undefined
  #triedMs: number | undefined
  #underWay: Promise<void> | undefined
  trouble: string | undefined

  constructor(
    url: URL,
    limits: RemoteLimits,
    { clock, log }: { readonly clock: HostClock; readonly log: Logger },
  ) {
    this.#url = url
    this.#limits = limits
    this.#clock = clock
    this.#log = log
  }

  find(kid: string | undefined, algorithm: string): Lookup<VerificationKey | string> {
    const found = this.#select(kid, algorithm)
    if (typeof found === 'string' && this.#mayFetch())
      return this.#fetch().then(() => this.#select(kid, algorithm))
    return found
  }

  holds(key: VerificationKey): boolean {
    return this.#current().some(
      ({ thumbprint, kid }) => thumbprint === key.thumbprint && kid === key.kid,
    )
  }

  #select(kid: string | undefined, algorithm: string): VerificationKey | string {
    const found = selectKey(this.#current(), kid, algorithm)
    return typeof found === 'string' && this.trouble !== undefined
      ? `${found}: the key set ${this.trouble}`
      : found
  }

  /**
   * The keys that may be used now. Old ones are replaced in the background, without making anybody
   * wait.
   */
  #current(): KeySet {
    const ageMs = this.#elapsed(this.#fetchedMs)
    if (ageMs > this.#limits.refreshMs && this.#fetchedMs !== undefined && this.#mayFetch())
      void this.#fetch()
    return ageMs > this.#limits.maxAgeMs ? [] : this.#set
  }

  #mayFetch(): boolean {
    if (this.#underWay !== undefined) return true
    const pauseMs = this.trouble === undefined ? this.#limits.cooldownMs : this.#limits.retryMs
    return this.#elapsed(this.#triedMs) >= pauseMs
  }

  #elapsed(sinceMs: number | undefined): number {
    return sinceMs === undefined ? Infinity : this.#clock.monotonicMs() - sinceMs
  }

  /** Joins a fetch that is under way. Never rejects. */
  #fetch(): Promise<void> {
    this.#underWay ??= this.#replace().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #replace(): Promise<void> {
    this.#triedMs = this.#clock.monotonicMs()
    try {
      const set = readKeySet(await fetchText(this.#url, this.#limits))
      if (typeof set === 'string') throw new Error(`is ${set}`)
      this.#set = set
      this.#fetchedMs = this.#triedMs
      this.trouble = undefined
      this.#log.debug({ host: this.#url.host, keys: set.length }, 'key set fetched')
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : 'cannot be fetched'
      this.#log.warn({ host: this.#url.host, reason: this.trouble }, 'key set cannot be fetched')
    }
  }
}

/** Milliseconds since 1970. */
export function nowMs(clock: Clock): number {
  return Number(clock.nowMicros() / 1_000n)
}
