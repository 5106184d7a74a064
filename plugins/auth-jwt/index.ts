// Authentication by JWT: issuers of the configuration, the ledger's identity providers, parties. A
// token whose signature was checked is remembered, so that it costs a hash from then on; time,
// provider, key and user are checked at every use.
import { hash } from 'node:crypto'
import type {
  AccessDirectory,
  AuthAnswer,
  AuthService,
  Finding,
  HealthReport,
  Logger,
  Lookup,
  OptionProblem,
  PluginContext,
  PluginSurroundings,
} from '../../runtime/index.ts'
import { definePlugin, Recent } from '../../runtime/index.ts'
import { nowMs, RemoteKeys } from './key-source.ts'
import { options } from './options.ts'
import type { Options } from './options.ts'
import { MAX_TOKEN_LENGTH } from './token.ts'
import type { Verified } from './verified.ts'
import { andThen } from './verified.ts'
import { addressProblem } from './fetch-keys.ts'
import { remoteLimits, Verifier } from './verifier.ts'

const TOO_LONG: AuthAnswer = {
  kind: 'refused',
  reason: `a token longer than ${MAX_TOKEN_LENGTH} characters`,
}

interface Remembered {
  readonly answer: AuthAnswer
  readonly verified: Verified
}

/**
 * Takes tokens of configured issuers, identity providers and parties. Its options:
 * docs/authentication.md
 */
export default definePlugin({
  kind: 'auth',
  name: 'jwt',
  options,
  check: addressProblems,
  examine: examineKeySets,
  setup: (host, settings) => authService(host, settings),
})

/** Key sets that could never be fetched: every token of their issuers would be refused. */
function addressProblems(
  { issuers, keys }: Options,
  surroundings: PluginSurroundings,
): readonly OptionProblem[] {
  const limits = remoteLimits(keys, surroundings)
  return issuers.flatMap(({ jwksUrl }, index) => {
    const problem = jwksUrl === undefined ? undefined : addressProblem(new URL(jwksUrl), limits)
    if (problem === undefined) return []
    const message = `${problem}: no token of this issuer would be taken (see keys.allowHttp and keys.allowPrivateAddresses)`
    return [{ path: ['issuers', index, 'jwksUrl'], message }]
  })
}

/** Fetches each key set that the configuration names, as the first token of its issuer would. */
async function examineKeySets(
  host: PluginContext,
  { issuers, keys }: Options,
): Promise<readonly Finding[]> {
  const limits = remoteLimits(keys, host)
  const addresses = issuers.flatMap(({ jwksUrl }) => jwksUrl ?? [])
  return await Promise.all(
    addresses.map((address) => examineKeySet(new URL(address), host, limits)),
  )
}

async function examineKeySet(
  url: URL,
  host: PluginContext,
  limits: ReturnType<typeof remoteLimits>,
): Promise<Finding> {
  const keys = new RemoteKeys(url, limits, host)
  await keys.find(undefined, 'RS256')
  const { trouble } = keys
  if (trouble === undefined) return { outcome: 'ok', text: `key set of ${url.host} can be fetched` }
  return {
    outcome: 'fault',
    text: `key set of ${url.host} ${trouble}`,
    advice: `see that this machine reaches ${url.host}; until then every token of this issuer gets 401`,
  }
}

function authService(host: PluginContext, settings: Options): AuthService {
  const verifier = new Verifier(host, settings)
  const recent = new Recent<Remembered>(settings.cacheSize)
  const fresh = async (token: string, digest: string): Promise<AuthAnswer> => {
    const outcome = await verifier.verify(token)
    if (outcome.kind !== 'verified') return outcome
    const answer: AuthAnswer = { kind: 'user', user: outcome.user }
    recent.set(digest, { answer, verified: outcome })
    return answer
  }
  return {
    authenticate: (token): Lookup<AuthAnswer> => {
      if (token.length > MAX_TOKEN_LENGTH) return TOO_LONG
      const digest = hash('sha256', token, 'base64')
      const known = recent.get(digest)
      if (known === undefined || known.verified.untilMs <= nowMs(host.clock))
        return fresh(token, digest)
      return andThen(known.verified.stillGood(), (good): Lookup<AuthAnswer> =>
        good ? known.answer : fresh(token, digest),
      )
    },
    issuers: settings.issuers.map(({ issuer }) => issuer),
    connect: (directory) => {
      verifier.directory = directory
      for (const { issuer } of settings.issuers) void warnOfProvider(issuer, directory, host.log)
    },
    health: () => healthOf(verifier),
    ...(verifier.issue === undefined ? {} : { issue: verifier.issue }),
    issuesBeyondLoopback: settings.unsafeHmac?.allowNonLoopback === true,
  }
}

/** One that was made before the configuration had its issuer. */
async function warnOfProvider(
  issuer: string,
  directory: AccessDirectory,
  log: Logger,
): Promise<void> {
  try {
    const provider = await directory.providerOf(issuer)
    if (provider === undefined) return
    log.warn(
      { provider: provider.id, issuer },
      'the configuration has the same issuer as this identity provider; the provider is not used, so its users are rejected',
    )
  } catch (error) {
    log.debug({ err: error }, 'identity providers cannot be read')
  }
}

/** Key sets that cannot be fetched keep out those who need them, and nobody else. */
function healthOf({ troubles }: Verifier): HealthReport {
  return troubles.length === 0
    ? { status: 'up' }
    : { status: 'degraded', detail: `key sets: ${troubles.join('; ')}` }
}
