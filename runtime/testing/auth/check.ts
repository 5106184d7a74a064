// What one check of the auth suite is, and what it works with: a key server, a directory, and the
// plugin's service.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  AccessDirectory,
  AuthAnswer,
  AuthenticatedUser,
  AuthService,
  HostClock,
  PartyKey,
  PluginContext,
} from '../../host/plugin.ts'
import type { Logger } from '../../host/log.ts'
import type { Credentials } from '../../host/credentials.ts'
import type { IdentityProviderRecord, UserRecord } from '../../store/store.ts'
import { KeyServer } from './key-server.ts'
import { jwkOf, makeToken, rs256, rsaKey, secondsFromNow } from './tokens.ts'
import type { Fields, Signer } from './tokens.ts'

const CLOCK: HostClock = {
  nowMicros: () => BigInt(Date.now()) * 1_000n,
  monotonicMs: () => performance.now(),
}

/** The configuration of the plugin. */
export interface AuthSetup {
  /**
   * Tokens of exactly this issuer, signed with RS256 by a key of the set at `jwksUrl`, name their
   * subject as the user.
   */
  readonly issuer: string
  /** The address on loopback, by plain http. */
  readonly jwksUrl: string
  /** Must be in `aud`. */
  readonly audience: string
  /** Whether the plugin may fetch from loopback; where not, its key set is out of reach. */
  readonly allowPrivateAddresses: boolean
  /**
   * Limits of fetching key sets: how long, how much, and the pause between fetches for keys that
   * are not in the set.
   */
  readonly keys: {
    readonly timeoutMs: number
    readonly maxBytes: number
    readonly cooldownMs: number
  }
  /** The context for the plugin's `setup`. Tokens need an end: its profile is `production`. */
  readonly context: PluginContext
}

/** Features of a plugin besides verifying tokens of one issuer. */
export interface AuthFeatures {
  /** Tokens of the identity providers of the directory. */
  readonly providers: boolean
  /** Tokens that parties of the directory sign. */
  readonly partyTokens: boolean
}

export interface Check {
  readonly name: string
  /** The feature without which the check is skipped. */
  readonly needs?: keyof AuthFeatures
  run(kit: Kit): Promise<void>
}

interface KitOptions {
  create(setup: AuthSetup): Promise<AuthService> | AuthService
  readonly fuzzRuns: number
}

export const ISSUER = 'https://issuer.example/realm'
const AUDIENCE = 'https://ledger.example/'
/** Plenty for an answer on a busy machine; what must be quick is held against it. */
const ANSWER_MS = 10_000
const KEY_LIMITS = { timeoutMs: 1_000, maxBytes: 65_536, cooldownMs: 150 } as const

/** A directory that a check fills and changes as it goes. */
class TestDirectory implements AccessDirectory {
  readonly audience = ['participant::1220ab', 'synchronizer::1220cd']
  readonly providers = new Map<string, IdentityProviderRecord>()
  readonly users = new Map<string, UserRecord>()
  readonly parties = new Map<string, readonly PartyKey[]>()

  providerOf(issuer: string): IdentityProviderRecord | undefined {
    return [...this.providers.values()].find((provider) => provider.issuer === issuer)
  }

  provider(id: string): IdentityProviderRecord | undefined {
    return this.providers.get(id)
  }

  async user(id: string): Promise<UserRecord | undefined> {
    return this.users.get(id)
  }

  async partyKeys(party: string): Promise<readonly PartyKey[]> {
    return this.parties.get(party) ?? []
  }
}

/** One plugin under test with all around it. */
export class Kit {
  readonly keyServer = new KeyServer()
  readonly directory = new TestDirectory()
  readonly fuzzRuns: number
  readonly mainKey = rsaKey('main')
  readonly #create: KitOptions['create']
  readonly #log: string[] = []
  readonly #services: AuthService[] = []
  #folder = ''
  #service: AuthService | undefined

  constructor({ create, fuzzRuns }: KitOptions) {
    this.#create = create
    this.fuzzRuns = fuzzRuns
  }

  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'auth-suite-'))
    this.keyServer.serve(jwkOf(this.mainKey))
    await this.keyServer.start()
    this.#service = await this.another(true)
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.stop?.()
    await this.keyServer.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** One more service over the same key server and directory. */
  async another(allowPrivateAddresses: boolean): Promise<AuthService> {
    const service = await this.#create({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: this.keyServer.url,
      keys: KEY_LIMITS,
      allowPrivateAddresses,
      context: this.#context(),
    })
    service.connect?.(this.directory)
    await service.start?.()
    this.#services.push(service)
    return service
  }

  get limits(): AuthSetup['keys'] {
    return KEY_LIMITS
  }

  /** Claims of a good token of alice, changed by `change`; undefined takes one away. */
  claims(change: Fields = {}): Fields {
    return {
      iss: ISSUER,
      sub: 'alice',
      aud: AUDIENCE,
      exp: secondsFromNow(600),
      iat: secondsFromNow(-10),
      ...change,
    }
  }

  /** A good token, changed. */
  token(change: Fields = {}, header: Fields = {}, signer: Signer = rs256(this.mainKey)): string {
    return makeToken(
      { alg: 'RS256', typ: 'JWT', kid: this.mainKey.kid, ...header },
      this.claims(change),
      signer,
    )
  }

  async ask(token: string, service = this.#service): Promise<AuthAnswer> {
    assert.ok(service)
    const credentials: Credentials = {
      authorization: `Bearer ${token}`,
      webSocketProtocol: undefined,
      remoteAddress: '127.0.0.1',
    }
    const startMs = performance.now()
    const answer = await service.authenticate(token, credentials)
    const tookMs = performance.now() - startMs
    assert.ok(tookMs < ANSWER_MS, `answered after ${Math.round(tookMs)} ms`)
    this.#tellsNothing(token, answer)
    return answer
  }

  async accepts(token: string, user: Partial<AuthenticatedUser> = {}): Promise<void> {
    const answer = await this.ask(token)
    assert.deepEqual(answer, {
      kind: 'user',
      user: { userId: 'alice', identityProviderId: '', ...user },
    })
  }

  /** Neither accepted nor an error. */
  async refuses(token: string, service?: AuthService): Promise<void> {
    const answer = await this.ask(token, service)
    assert.ok(
      answer.kind === 'refused' || answer.kind === 'not-mine',
      `accepted: ${token.slice(0, 400)}`,
    )
  }

  /** Accepts within a while: what was fetched too early may be fetched again. */
  async acceptsSoon(token: () => string, user: Partial<AuthenticatedUser> = {}): Promise<void> {
    const deadline = performance.now() + ANSWER_MS
    while ((await this.ask(token())).kind !== 'user' && performance.now() < deadline)
      await pause(50)
    await this.accepts(token(), user)
  }

  async refusesSoon(token: string): Promise<void> {
    const deadline = performance.now() + ANSWER_MS
    while ((await this.ask(token)).kind === 'user' && performance.now() < deadline) await pause(50)
    await this.refuses(token)
  }

  /** Reasons and the log may say why, but must not hold what lets somebody in. */
  #tellsNothing(token: string, answer: AuthAnswer): void {
    const signature = token.split('.')[2] ?? ''
    const said = [answer.kind === 'refused' ? answer.reason : '', ...this.#log.splice(0)]
    const parts = [token, signature].filter((part) => part.length > 20)
    assert.ok(
      said.every((line) => parts.every((part) => !line.includes(part))),
      'the log holds the token',
    )
  }

  #context(): PluginContext {
    return {
      name: 'under-test',
      log: this.#logger(),
      clock: CLOCK,
      profile: 'production',
      dataDir: this.#folder,
      listen: { host: '127.0.0.1', port: 0 },
      documents: [],
    }
  }

  #logger(): Logger {
    const write = (fields: object, message: string): void =>
      void this.#log.push(`${JSON.stringify(fields)} ${message}`)
    return { debug: write, info: write, warn: write, error: write, child: () => this.#logger() }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * A check of tokens that must be refused, with a good one before and after: nothing else is the
 * reason.
 */
export function attack(name: string, tokens: (kit: Kit) => string | readonly string[]): Check {
  return {
    name,
    run: async (kit) => {
      await kit.accepts(kit.token())
      for (const token of [tokens(kit)].flat()) await kit.refuses(token)
      await kit.accepts(kit.token({ jti: 'after' }))
    },
  }
}
