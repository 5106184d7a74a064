// A service that real tokens of several issuers reach: the default provider's and those of two
// identity providers, each with an admin; alice and the operator have wallets, and alice has coin.
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
import {
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
  secondsFromNow,
} from '../../runtime/testing/auth/tokens.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'

export type Profile = 'dev' | 'production'

/** '' is the default provider, whose issuer is in the configuration. */
const ISSUERS = {
  '': 'https://home.example',
  p: 'https://p.example',
  q: 'https://q.example',
} as const
export type Provider = keyof typeof ISSUERS

/** A caller: a user id, and behind @ its provider: `eve@p`. */
export type Subject = string

export interface Authority {
  readonly service: Service
  ask(who: Subject, line: string, body?: unknown): Promise<Answer>
  /** Asks as `ask` does; the JSON of a 200. */
  done(who: Subject, line: string, body?: unknown): Promise<unknown>
  /** Rights of a user as `CanActAs party`, or undefined where there is no such user. */
  rightsOf(user: string): Promise<readonly string[] | undefined>
  /** The party that `register` or onboarding answers. */
  register(who: Subject): Promise<string>
  /** Coins of a wallet, as the wallet says. */
  balanceOf(who: Subject): Promise<string>
  readonly alice: string
  readonly operator: string
  stop(): Promise<void>
}

export const WALLET = '/api/validator/v0/wallet'
export const ADMIN = '/api/validator/v0/admin'
export const REGISTER = 'POST /api/validator/v0/register'
const key = rsaKey('authority')

export function tokenOf(who: Subject): string {
  const at = who.lastIndexOf('@')
  const [sub, provider] = at === -1 ? [who, ''] : [who.slice(0, at), who.slice(at + 1)]
  const iss = provider === 'p' || provider === 'q' ? ISSUERS[provider] : ISSUERS['']
  return makeToken(
    { alg: 'RS256', kid: key.kid },
    { iss, sub, exp: secondsFromNow(900) },
    rs256(key),
  )
}

/** `more`: sections besides, or in place of its own. */
export async function startAuthority(
  storage: StorageUnderTest,
  profile: Profile,
  more: object = {},
): Promise<Authority> {
  const keyServer = new KeyServer()
  await keyServer.start()
  keyServer.serve(jwkOf(key))
  const service = await startService({
    config: {
      profile,
      storage: await storage.section(),
      network: { isDevNet: true },
      log: { level: 'fatal' },
      auth: [
        {
          use: 'jwt',
          keys: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
          issuers: [{ issuer: ISSUERS[''], jwks: { keys: [jwkOf(key)] } }],
        },
      ],
      ...more,
    },
  })
  const clients = clientsOf(service)
  const { done } = clients
  for (const provider of ['p', 'q'] as const) {
    await done('participant_admin', 'POST /v2/idps', {
      identityProviderConfig: {
        identityProviderId: provider,
        issuer: ISSUERS[provider],
        jwksUrl: keyServer.url,
      },
    })
    await done('participant_admin', 'POST /v2/users', {
      user: { id: `admin-${provider}`, identityProviderId: provider },
      rights: [{ kind: { IdentityProviderAdmin: { value: {} } } }],
    })
  }
  const alice = await clients.register('alice')
  await done('alice', `POST ${WALLET}/tap`, { amount: '100' })
  const operator = String(
    member(await done('operator', 'GET /api/validator/v0/wallet/user-status'), 'party_id'),
  )
  return {
    ...clients,
    service,
    alice,
    operator,
    stop: async () => {
      await service.stop()
      await keyServer.stop()
    },
  }
}

function clientsOf(
  service: Service,
): Pick<Authority, 'ask' | 'done' | 'rightsOf' | 'register' | 'balanceOf'> {
  const ask: Authority['ask'] = (who, line, body) =>
    call(service.url, line, { token: tokenOf(who), ...(body === undefined ? {} : { body }) })
  const done: Authority['done'] = async (who, line, body) => {
    const answer = await ask(who, line, body)
    assert.equal(answer.status, 200, `${who}: ${line}: ${answer.text}`)
    return answer.json
  }
  return {
    ask,
    done,
    rightsOf: async (user) => {
      // Each admin sees the users of its own provider.
      for (const admin of ['participant_admin', 'admin-p@p', 'admin-q@q']) {
        const answer = await ask(admin, `GET /v2/users/${user}/rights`)
        const rights = member(answer.json, 'rights')
        if (answer.status === 200 && Array.isArray(rights)) return rights.map(textOf).sort()
      }
      return undefined
    },
    register: async (who) => String(member(await done(who, REGISTER, {}), 'party_id')),
    balanceOf: async (who) =>
      String(member(await done(who, `GET ${WALLET}/balance`), 'effective_unlocked_qty')),
  }
}

function textOf(right: unknown): string {
  const [[kind, value] = ['', '']] = Object.entries(Object(member(right, 'kind')))
  return [kind, member(member(value, 'value'), 'party')]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** A right as requests write it. */
export function right(kind: string, party?: string): object {
  return { kind: { [kind]: { value: party === undefined ? {} : { party } } } }
}

/** Tests of a service of their own, on each store. */
export function onEachStore(
  what: string,
  profile: Profile,
  tests: (world: () => Authority) => void,
  more: object = {},
): void {
  for (const storage of storesFor('authority')) {
    describe(`${what} on ${storage.name}`, () => {
      let world: Authority
      before(async () => {
        world = await startAuthority(storage, profile, more)
      })
      after(async () => {
        await world.stop()
        await storage.release()
      })
      tests(() => world)
    })
  }
}
