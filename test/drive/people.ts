// Who acts in a network of this process, without HTTP in between.
import type { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { coinRulesDevNetFeatureApp } from '../../runtime/contracts/index.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import type { HostClock } from '../../runtime/host/plugin.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import type { Context } from '../../runtime/interfaces/reply.ts'

/** A user as a guard hands it on; throws where there is none. */
export async function contextOf(
  directory: PrincipalDirectory,
  userId: string,
  clock: HostClock,
): Promise<Context> {
  const principal = await directory.findSubject({ userId, identityProviderId: '' })
  if (principal === undefined) throw new Error(`there is no user ${userId}`)
  return {
    identity: { kind: 'principal', principal },
    principal,
    log: silentLog,
    traceId: '0'.repeat(32),
    traceparent: '',
    tracestate: undefined,
    network: '127.0.0.1',
    signal: new AbortController().signal,
    clock,
  }
}

/** Makes a party a featured provider, whose payments bring it coupons. */
export async function feature({ engine, network }: Economy, provider: string): Promise<void> {
  const rules = await network.coinRules()
  const done = await engine.submit({
    actAs: [provider],
    userId: '',
    disclosedContracts: [rules.record],
    run: (tx) => tx.exercise(coinRulesDevNetFeatureApp, rules.id, { provider }),
  })
  if (!done.ok) throw new Error(`${provider} was not featured: ${done.kind}`)
}
