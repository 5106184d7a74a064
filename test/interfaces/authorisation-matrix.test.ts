// Every operation of the four documents by every kind of caller: refused as nobody (401), refused
// as who may not (403), or let in, as `x-access` says. Made from the documents and the route
// tables; what is expected is worked out by test/support/access-oracle.ts. docs/ledger-rules.md,
// "Rights" and "Errors"; docs/authority.md; docs/configuration.md
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { wire as ledger } from '../../generated/ledger/routes.gen.ts'
import { wire as registry } from '../../generated/registry/routes.gen.ts'
import { wire as scan } from '../../generated/scan/routes.gen.ts'
import { wire as validator } from '../../generated/validator/routes.gen.ts'
import { member } from '../../runtime/host/member.ts'
import type { WireInterface, WireOperation } from '../../runtime/http/index.ts'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
import {
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
  secondsFromNow,
} from '../../runtime/testing/auth/tokens.ts'
import { effectiveProvider, listOf, valuesAt, verdict } from '../support/access-oracle.ts'
import type { AskedFor, KnownUser, Verdict, Who } from '../support/access-oracle.ts'
import { exampleRequest, operationEntry } from '../support/examples.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import type { StorageUnderTest } from '../support/storages.ts'

const ISSUERS = { '': 'https://home.example', 'own-idp': 'https://provider.example' } as const
type Provider = keyof typeof ISSUERS

const key = rsaKey('matrix')
const keyServer = new KeyServer()
let service: Service
let operatorParty = ''
let unique = 0
const parties = { alice: '', bob: '' }
const users = new Map<string, KnownUser>()

/**
 * A token of its own kind each time it is asked for, so that who registers is a stranger the next
 * time.
 */
interface Caller {
  readonly name: string
  readonly who: () => Who
  readonly token: () => string | undefined
}

function tokenOf(sub: string, provider: Provider = ''): string {
  const claims = { iss: ISSUERS[provider], sub, exp: secondsFromNow(900), aud: 'us' }
  return makeToken({ alg: 'RS256', kid: key.kid }, claims, rs256(key))
}

interface Made {
  readonly provider?: Provider
  readonly primaryParty?: string
  readonly isDeactivated?: boolean
  readonly rights: readonly (readonly [kind: string, party?: string])[]
}

/** Callers besides those of the development network: alice, bob, operator and participant_admin. */
function madeUsers(): Readonly<Record<string, Made>> {
  const { alice } = parties
  const hers = { primaryParty: alice }
  return {
    deactivated: {
      ...hers,
      isDeactivated: true,
      rights: [['CanActAs', alice], ['ParticipantAdmin']],
    },
    rightless: { rights: [] },
    reader: { ...hers, rights: [['CanReadAs', alice]] },
    executor: { rights: [['CanExecuteAs', alice]] },
    actor: { ...hers, rights: [['CanActAs', alice]] },
    'reader-of-any': { ...hers, rights: [['CanReadAsAnyParty']] },
    'executor-of-any': { rights: [['CanExecuteAsAnyParty']] },
    'provider-admin': { provider: 'own-idp', rights: [['IdentityProviderAdmin']] },
    'provider-user': { provider: 'own-idp', ...hers, rights: [['CanActAs', alice]] },
    'admin-of-provider': { provider: 'own-idp', rights: [['ParticipantAdmin']] },
    'idle-provider-admin': { rights: [['IdentityProviderAdmin']] },
    'admin-with-party': {
      ...hers,
      rights: [['ParticipantAdmin'], ['CanActAs', alice], ['CanActAs', operatorParty]],
    },
    'powerless-operator': {
      primaryParty: operatorParty,
      rights: [['ParticipantAdmin'], ['CanReadAs', operatorParty]],
    },
    'operator-without-admin': {
      primaryParty: operatorParty,
      rights: [['CanActAs', operatorParty]],
    },
  }
}

async function asAdmin(line: string, body?: unknown): Promise<unknown> {
  const answer = await call(service.url, line, { token: tokenOf('participant_admin'), body })
  assert.equal(answer.status, 200, `${line} ${answer.text}`)
  return answer.json
}

async function makeUser(id: string, { provider = '', rights, ...rest }: Made): Promise<void> {
  await asAdmin('POST /v2/users', {
    user: { id, identityProviderId: provider, ...rest },
    rights: rights.map(([kind, party]) => ({
      kind: { [kind]: { value: party === undefined ? {} : { party } } },
    })),
  })
  users.set(id, {
    id,
    provider,
    primaryParty: rest.primaryParty ?? '',
    isDeactivated: rest.isDeactivated ?? false,
    rights: new Set(rights.map((right) => right.join(' '))),
  })
}

/** The service's account of a user that it made itself. */
async function learnUser(id: string): Promise<KnownUser> {
  const found = member(await asAdmin(`GET /v2/users/${id}`), 'user')
  const rights = listOf(member(await asAdmin(`GET /v2/users/${id}/rights`), 'rights')).map(
    (right) => {
      const [[kind, value] = ['', '']] = Object.entries(Object(member(right, 'kind')))
      return [kind, member(member(value, 'value'), 'party')]
        .filter((part) => part !== undefined)
        .join(' ')
    },
  )
  const user = {
    id,
    provider: '',
    primaryParty: String(member(found, 'primaryParty')),
    isDeactivated: false,
    rights: new Set(rights),
  }
  users.set(id, user)
  return user
}

/** The service's account of a user with a wallet on its primary party. */
async function learnWallet(id: string): Promise<KnownUser> {
  const user = await learnUser(id)
  users.set(id, { ...user, walletParty: user.primaryParty })
  return user
}

/** A user with a wallet on alice's party, who may no more than read as her. */
async function makeWalletReader(): Promise<void> {
  const id = 'wallet-reader'
  const operator = tokenOf('operator')
  const given = await call(service.url, 'POST /api/validator/v0/admin/users', {
    token: operator,
    body: { name: id, party_id: parties.alice },
  })
  assert.equal(given.status, 200, given.text)
  const right = (kind: string) => ({ kind: { [kind]: { value: { party: parties.alice } } } })
  await asAdmin(`PATCH /v2/users/${id}/rights`, { userId: id, rights: [right('CanActAs')] })
  await asAdmin(`POST /v2/users/${id}/rights`, { userId: id, rights: [right('CanReadAs')] })
  await learnWallet(id)
}

async function start(storage: StorageUnderTest): Promise<void> {
  users.clear()
  await keyServer.start()
  keyServer.answer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwkOf(key)] }))
  })
  const auth = {
    use: 'jwt',
    keys: { allowPrivateAddresses: ['127.0.0.0/8'] },
    issuers: [{ issuer: ISSUERS[''], jwksUrl: keyServer.url }],
  }
  const config = {
    storage: await storage.section(),
    auth: [auth],
    ledger: { maxSelfAllocatedParties: 1_000 },
    log: { level: 'fatal' },
  }
  service = await startService({ config, seeded: true })
  parties.alice = (await learnWallet('alice')).primaryParty
  parties.bob = (await learnWallet('bob')).primaryParty
  operatorParty = (await learnWallet('operator')).primaryParty
  await makeWalletReader()
  await learnUser('participant_admin')
  for (const [identityProviderId, issuer] of [
    ['own-idp', ISSUERS['own-idp']],
    ['other-idp', 'https://other.example'],
  ]) {
    await asAdmin('POST /v2/idps', {
      identityProviderConfig: {
        identityProviderId,
        issuer,
        jwksUrl: keyServer.url,
        audience: 'us',
      },
    })
  }
  for (const [id, made] of Object.entries(madeUsers())) await makeUser(id, made)
}

function callers(): Caller[] {
  const known = [...users.values()].map((user): Caller => ({
    name: user.id,
    who: () => user,
    token: () => tokenOf(user.id, user.provider === '' ? '' : 'own-idp'),
  }))
  const nobody = (name: string, token: string | undefined): Caller => ({
    name,
    who: () => 'nobody',
    token: () => token,
  })
  const stranger = (name: string, token: () => string): Caller => ({
    name,
    who: () => 'stranger',
    token,
  })
  return [
    nobody('no token', undefined),
    nobody('garbage', 'garbage'),
    nobody('a forged token', `${tokenOf('participant_admin').slice(0, -8)}AAAAAAAA`),
    stranger('unknown', () => tokenOf(`stranger-${(unique += 1)}`)),
    stranger('unknown to the provider', () => tokenOf(`stranger-${(unique += 1)}`, 'own-idp')),
    ...known,
  ]
}

/**
 * Nobody is harmed by requests that succeed: what would change a caller names a user who is none.
 */
const HARMLESS: Readonly<
  Record<string, { readonly parameters?: Readonly<Record<string, string>>; readonly body?: object }>
> = {
  deleteUser: { parameters: { 'user-id': 'ghost' } },
  updateUser: { parameters: { 'user-id': 'ghost' }, body: { user: { id: 'ghost' } } },
  updateUserIdentityProviderId: { parameters: { 'user-id': 'ghost' }, body: { userId: 'ghost' } },
  revokeUserRights: { parameters: { 'user-id': 'ghost' }, body: { userId: 'ghost' } },
  grantUserRights: { parameters: { 'user-id': 'ghost' }, body: { userId: 'ghost' } },
  offboardUser: { parameters: { username: 'ghost' } },
  onboardUser: { body: { name: 'onboarded' } },
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  'user-id': 'alice',
  'idp-id': 'idp-1',
  offset: '1',
  'package-id': '00',
}

/**
 * Of these the service refuses participant admins with 403 what belongs to another provider than
 * the request means. docs/ledger-rules.md, "Users"
 */
const PROVIDER_OF_ANSWER: Readonly<Record<string, (who: KnownUser) => string>> = {
  getAuthenticatedUser: ({ provider }) => provider,
  getUser: () => '',
  listUserRights: () => '',
  updatePartyDetails: () => '',
}

interface Variant {
  readonly name: string
  readonly request: AskedFor
}

/** The example of an operation, asked for alice's party, without parameters that say nothing. */
function plainRequest(operation: WireOperation, document: unknown): AskedFor {
  const { parameters, body } = exampleRequest(operation, document)
  const harmless = HARMLESS[operation.operationId] ?? {}
  const inPath = new Set([...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))
  const values = Object.entries({ ...parameters, ...harmless.parameters }).flatMap(
    ([name, value]): [string, string][] => {
      if (value !== 'x') return [[name, value]]
      return inPath.has(name) ? [[name, PLACEHOLDERS[name] ?? parties.alice]] : []
    },
  )
  const request = {
    path: Object.fromEntries(values.filter(([name]) => inPath.has(name))),
    query: Object.fromEntries(values.filter(([name]) => !inPath.has(name))),
    body: body === undefined ? undefined : { ...body, ...harmless.body },
  }
  return renamed(request, parties.alice)
}

/** Everybody's party in the request is this one. */
function renamed(request: AskedFor, party: string): AskedFor {
  return JSON.parse(
    JSON.stringify(request).replaceAll(/"\w+::1220[0-9a-f]*"/g, JSON.stringify(party)),
  )
}

const KINDS = [
  'ParticipantAdmin',
  'CanReadAsAnyParty',
  'CanExecuteAsAnyParty',
  'IdentityProviderAdmin',
]

/** The request, and one more for each thing that a rule of the operation looks at. */
function variants(access: unknown, plain: AskedFor): Variant[] {
  const rules = [...listOf(member(access, 'anyOf')), ...listOf(member(access, 'allOf'))].flatMap(
    (rule) => (typeof rule === 'string' ? [] : Object.entries(Object(rule))),
  )
  const named = (name: string, place: string, value: unknown): Variant => ({
    name: `${name} ${place}`,
    request: withValue(plain, place, value),
  })
  const provider = String(member(access, 'provider'))
  return [
    { name: 'example', request: plain },
    ...(provider.includes('.')
      ? [named('own provider', provider, 'own-idp'), named('other provider', provider, 'other-idp')]
      : []),
    ...(member(access, 'elevated') === undefined
      ? []
      : KINDS.map((kind) => named(kind, 'body.rights', [{ kind: { [kind]: { value: {} } } }]))),
    ...rules.flatMap(([rule, places]) =>
      listOf(places)
        .map(String)
        .flatMap((place) => variantsOfRule(rule, place, plain, named)),
    ),
    ...(rules.length === 0 ? [] : [{ name: "bob's", request: renamed(plain, parties.bob) }]),
  ]
}

type Named = (name: string, place: string, value: unknown) => Variant

function variantsOfRule(rule: string, place: string, plain: AskedFor, named: Named): Variant[] {
  if (rule === 'read-format') return [{ name: 'any party', request: ofAnyParty(plain) }]
  if (place.startsWith('path') || place.includes('signatures')) return []
  if (rule === 'self' || rule === 'named-self')
    return ['alice', 'provider-user'].map((id) => named(id, place, id))
  // One party where the example has one, else a list.
  const isOne = typeof valuesAt(place, plain)[0] === 'string'
  const valueOf = (party: string): unknown => (place.startsWith('body') && !isOne ? [party] : party)
  return [
    named('of alice', place, valueOf(parties.alice)),
    named('of bob', place, valueOf(parties.bob)),
  ]
}

function ofAnyParty(request: AskedFor): AskedFor {
  return JSON.parse(
    JSON.stringify(request).replaceAll(
      '"filtersByParty":',
      '"filtersForAnyParty":{},"filtersByParty":',
    ),
  )
}

function withValue(value: AskedFor, place: string, put: unknown): AskedFor {
  const [part = '', ...names] = place.split('.')
  const path = part === 'body' ? names : [names.join('.')]
  return { ...value, [part]: replaced(member(value, part), path, put) }
}

function replaced(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  return name === undefined
    ? put
    : { ...Object(value), [name]: replaced(member(value, name), rest, put) }
}

function lineOf(
  { mount }: WireInterface,
  { method, path }: WireOperation,
  request: AskedFor,
): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(request.path[name] ?? 'x'),
  )
  const query = new URLSearchParams(request.query).toString()
  return `${method} ${mount}${filled}${query === '' ? '' : `?${query}`}`
}

async function answered(
  line: string,
  { body }: AskedFor,
  caller: Caller,
): Promise<readonly [Verdict, string]> {
  const token = caller.token()
  const { status, text } = await call(service.url, line, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body: fresh(body) }),
  })
  assert.ok(status < 500 || status === 503, `${line} as ${caller.name}: ${status} ${text}`)
  return [status === 401 || status === 403 ? status : 'open', `${status} ${text.slice(0, 120)}`]
}

/** New users get new ids, so that creating one is not refused for who has it. */
function fresh(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    name === 'id' && value === 'bob' ? `new-${(unique += 1)}` : value,
  )
}

for (const storage of storesFor('authorisation matrix')) {
  describe(`the authorisation matrix on ${storage.name}`, { concurrency: false }, () => {
    let [cells, refused] = [0, 0]

    before(() => start(storage))
    after(async () => {
      await service.stop()
      await keyServer.stop()
      await storage.release()
    })

    for (const wire of [ledger, scan, registry, validator]) {
      test(`every operation of the ${wire.name}`, async (t) => {
        const document: unknown = JSON.parse(
          await readFile(
            new URL(`../../generated/${wire.name}/openapi.json`, import.meta.url),
            'utf8',
          ),
        )
        // Who registers may get rights: last.
        const operations = wire.operations.toSorted(
          (a, b) => Number(a.operationId === 'register') - Number(b.operationId === 'register'),
        )
        for (const operation of operations) {
          await t.test(operation.operationId, async () => {
            const access = member(operationEntry(operation, document), 'x-access')
            assert.deepEqual(operation.access, access, 'the table says what the document says')
            await tryOut(wire, operation, access, plainRequest(operation, document))
          })
        }
      })
    }

    async function tryOut(
      wire: WireInterface,
      operation: WireOperation,
      access: unknown,
      plain: AskedFor,
    ): Promise<void> {
      const wallets = [parties.alice, parties.bob, operatorParty]
      const rules = { access, isLedger: wire.name === 'ledger', operatorParty, wallets }
      const problems: string[] = []
      const expect = (who: Who, request: AskedFor): Verdict => {
        const found = verdict(rules, who, request)
        const providerOf = PROVIDER_OF_ANSWER[operation.operationId]
        if (found !== 'open' || typeof who === 'string' || providerOf === undefined) return found
        // Others do not learn that there is anything: for them it is not found.
        const isTold =
          operation.operationId === 'getAuthenticatedUser' || who.rights.has('ParticipantAdmin')
        return !isTold || effectiveProvider(access, who, request) === providerOf(who) ? 'open' : 403
      }
      for (const { name, request } of variants(access, plain)) {
        const line = lineOf(wire, operation, request)
        await Promise.all(
          callers().map(async (caller) => {
            const expected = expect(caller.who(), request)
            const [found, text] = await answered(line, request, caller)
            cells += 1
            refused += expected === 'open' ? 0 : 1
            if (found !== expected)
              problems.push(`${name} as ${caller.name}: ${expected} expected, found ${text}`)
          }),
        )
      }
      assert.deepEqual(problems, [], `${operation.method} ${operation.path}`)
    }

    test('both kinds of answers came often', () => {
      console.log(`${cells} requests, ${refused} of them to be refused`)
      assert.ok(refused > 1_000 && cells - refused > 1_000)
    })
  })
}

test('a deployment may close the scan proxy, and nothing else with it', async () => {
  const closed = await startService({
    config: { storage: { use: 'memory' }, validator: { scanProxyToken: true } },
  })
  try {
    const statusOf = async (path: string, token?: string): Promise<number> =>
      (await call(closed.url, `GET ${path}`, token === undefined ? {} : { token })).status
    const [proxied, token] = [
      '/api/validator/v0/scan-proxy/dso-party-id',
      await closed.token('operator'),
    ]
    const stranger = await closed.token('stranger')
    const shown = [undefined, 'garbage', token, stranger]
    assert.deepEqual(
      await Promise.all(shown.map((one) => statusOf(proxied, one))),
      [401, 401, 200, 200],
      'who is no user yet may become one',
    )
    assert.equal(await statusOf('/api/validator/v0/validator-user', stranger), 200)
    assert.equal(await statusOf('/api/scan/v0/dso-party-id'), 200)
  } finally {
    await closed.stop()
  }
})
