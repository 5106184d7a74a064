// Whose token is it: the issuers of the configuration come first, then the ledger's identity
// providers, parties, the secret.
import type { AccessDirectory, PluginContext } from '../../runtime/index.ts'
import { addressRule } from './addresses.ts'
import type { ClaimRules } from './claims.ts'
import { providerIssuer, verifyIssued } from './issuer.ts'
import type { Issuer } from './issuer.ts'
import { fixedKeys, RemoteKeys } from './key-source.ts'
import type { KeySource } from './key-source.ts'
import { readKeySet, readPem } from './key-set.ts'
import type { KeySet } from './key-set.ts'
import type { IssuerOptions, KeyOptions, Options } from './options.ts'
import { isPartyId, verifyParty } from './party.ts'
import { sharedSecret } from './shared-secret.ts'
import type { SharedSecret } from './shared-secret.ts'
import { readToken } from './token.ts'
import type { Token } from './token.ts'
import { refused } from './verified.ts'
import type { Outcome } from './verified.ts'

/** There are at most 16 providers; addresses of former ones are forgotten. */
const MAX_SOURCES = 64

/** Checks tokens without remembering any. */
export class Verifier {
  readonly #host: PluginContext
  readonly #options: Options
  readonly #rules: ClaimRules
  readonly #static: ReadonlyMap<string, Issuer>
  readonly #secret: SharedSecret | undefined
  readonly #sources = new Map<string, RemoteKeys>()
  directory: AccessDirectory | undefined

  /** Throws an Error with one line where the options cannot be served. */
  constructor(host: PluginContext, options: Options) {
    this.#host = host
    this.#options = options
    const {
      leewaySeconds,
      scope,
      requireExpiry = host.profile === 'production',
      unsafeHmac,
    } = options
    this.#rules = { leewaySeconds, requireExpiry, scope, audiences: undefined }
    this.#secret = unsafeHmac && sharedSecret(unsafeHmac, this.#rules, host)
    this.#static = new Map(
      options.issuers.map((one, index) => [
        one.issuer,
        this.#staticIssuer(one, `issuers[${index}]`),
      ]),
    )
    if (this.#static.size < options.issuers.length)
      throw new Error('issuers: one of them is there twice')
  }

  async verify(text: string): Promise<Outcome> {
    const token = readToken(text)
    if (typeof token === 'string') return { kind: 'not-mine', reason: token }
    const issuer = await this.#issuerOf(token)
    if (typeof issuer === 'string') return refused(issuer)
    if (issuer !== undefined) return verifyIssued(token, issuer, this.#host.clock)
    const { directory } = this
    if (this.#options.partyTokens && directory !== undefined && isPartyId(token.issuer)) {
      return verifyParty(token, token.issuer, {
        directory,
        clock: this.#host.clock,
        leewaySeconds: this.#options.leewaySeconds,
      })
    }
    if (this.#secret?.algorithm === token.algorithm) return this.#secret.verify(token)
    return { kind: 'not-mine', reason: 'nobody here knows the issuer' }
  }

  get issue(): SharedSecret['issue'] | undefined {
    return this.#secret?.issue
  }

  /** Current faults of key sets, by host. */
  get troubles(): readonly string[] {
    return [...this.#sources].flatMap(([url, { trouble }]) =>
      trouble === undefined ? [] : `${new URL(url).host} ${trouble}`,
    )
  }

  async #issuerOf({ issuer }: Token): Promise<Issuer | string | undefined> {
    if (issuer === undefined) return undefined
    const known = this.#static.get(issuer)
    const { directory } = this
    if (known !== undefined || directory === undefined || !this.#options.providers) return known
    return providerIssuer(issuer, {
      directory,
      rules: this.#rules,
      keysOf: (url) => this.#remote(url),
    })
  }

  #staticIssuer(options: IssuerOptions, path: string): Issuer {
    const { algorithms, audience, scope = this.#rules.scope } = options
    const audiences = typeof audience === 'string' ? [audience] : audience
    const keys =
      options.jwksUrl === undefined
        ? fixedKeys(fixedSet(options, path))
        : this.#remote(options.jwksUrl)
    return {
      identityProviderId: '',
      algorithms,
      rules: { ...this.#rules, audiences, scope },
      keys,
      isCurrent: () => true,
    }
  }

  #remote(address: string): KeySource {
    const known = this.#sources.get(address)
    if (known !== undefined) return known
    const keys = new RemoteKeys(
      new URL(address),
      remoteLimits(this.#options.keys, this.#host),
      this.#host,
    )
    const oldest = this.#sources.keys().next()
    if (this.#sources.size >= MAX_SOURCES && !oldest.done) this.#sources.delete(oldest.value)
    this.#sources.set(address, keys)
    return keys
  }
}

/** Limits of fetching key sets in this profile. */
export function remoteLimits(
  { allowHttp, allowPrivateAddresses, ...limits }: KeyOptions,
  { profile }: Pick<PluginContext, 'profile'>,
) {
  return {
    ...limits,
    allowHttp: allowHttp ?? profile === 'dev',
    mayReach: addressRule(allowPrivateAddresses),
  }
}

function fixedSet({ jwks, publicKey = '' }: IssuerOptions, path: string): KeySet {
  if (jwks === undefined) return pemSet(publicKey, `${path}.publicKey`)
  const set = readKeySet(typeof jwks === 'string' ? jwks : JSON.stringify(jwks))
  if (typeof set === 'string') throw new Error(`${path}.jwks is ${set}`)
  if (set.length === 0) throw new Error(`${path}.jwks has no key that could be used`)
  return set
}

function pemSet(publicKey: string, path: string): KeySet {
  try {
    return readPem(publicKey)
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'no public key'}`, {
      cause: error,
    })
  }
}
