// The parts of the plugin `jwt` that the suite does not reach: which addresses are fetched from,
// how old keys may become on a clock that is turned, what the options allow, and that a repeated
// token costs no signature check.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addressRule } from '../../plugins/auth-jwt/addresses.ts'
import { fetchText } from '../../plugins/auth-jwt/fetch-keys.ts'
import authJwt from '../../plugins/auth-jwt/index.ts'
import { options } from '../../plugins/auth-jwt/options.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import type { AuthAnswer, AuthService, PluginContext } from '../../runtime/index.ts'
import { KeyServer } from '../../runtime/testing/auth/key-server.ts'
import {
  ecKey,
  eddsa,
  edKey,
  es256,
  hs256,
  jwkOf,
  makeToken,
  rs256,
  rsaKey,
} from '../../runtime/testing/auth/tokens.ts'
import type { Fields } from '../../runtime/testing/auth/tokens.ts'
import { eventually, retried } from '../support/eventually.ts'
import { TurnedClock } from './fixtures/host-kit.ts'

const ISSUER = 'https://issuer.example'
const keyServer = new KeyServer()
const main = rsaKey('main')

before(() => keyServer.start())
after(() => keyServer.stop())

function context(clock: TurnedClock, change: Partial<PluginContext> = {}): PluginContext {
  return {
    name: 'jwt',
    log: silentLog,
    clock,
    profile: 'dev',
    dataDir: '/nowhere',
    documents: [],
    listen: { host: '127.0.0.1', port: 8080 },
    ...change,
  }
}

async function service(
  given: object,
  clock = new TurnedClock(),
  change: Partial<PluginContext> = {},
): Promise<AuthService> {
  return await authJwt.setup(context(clock, change), options.parse(given))
}

const remote = (keys: object = {}): object => ({
  issuers: [{ issuer: ISSUER, jwksUrl: keyServer.url }],
  keys: { allowPrivateAddresses: ['127.0.0.0/8'], ...keys },
})

function token(clock: TurnedClock, claims: Fields = {}): string {
  const exp = Math.floor(clock.ms / 1_000) + 3_600
  return makeToken(
    { alg: 'RS256', kid: 'main' },
    { iss: ISSUER, sub: 'alice', exp, ...claims },
    rs256(main),
  )
}

async function ask(auth: AuthService, text: string): Promise<AuthAnswer> {
  return await auth.authenticate(text, {
    authorization: undefined,
    webSocketProtocol: undefined,
    remoteAddress: '127.0.0.1',
  })
}

async function kindOf(auth: AuthService, text: string): Promise<string> {
  return (await ask(auth, text)).kind
}

describe('addresses that key sets may be fetched from', () => {
  const closed = [
    '127.0.0.1',
    '127.255.0.3',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '::127.0.0.1',
    'example.org',
    '',
    '127.1',
    '1.2.3',
  ]

  it('are public ones', () => {
    const mayReach = addressRule(false)
    assert.deepEqual(closed.filter(mayReach), [])
    const open = [
      '8.8.8.8',
      '172.32.0.1',
      '172.15.255.255',
      '100.63.255.255',
      '::ffff:8.8.8.8',
      '2606:4700::1111',
      '2a00:1450:4001::1',
    ]
    assert.deepEqual(
      open.filter((address) => !mayReach(address)),
      [],
    )
  })

  it('and those that the configuration names, however they are written', () => {
    const mayReach = addressRule(['10.0.0.0/8', 'fd12::/16', '127.0.0.1/32'])
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '127.0.0.1'])
      assert.ok(mayReach(address), address)
    for (const address of ['169.254.169.254', '127.0.0.2', 'fd13::1', '192.168.0.1'])
      assert.ok(!mayReach(address), address)
    assert.throws(() => addressRule(['10.0.0.0/33']))
    assert.ok(addressRule(true)('169.254.169.254'))
  })

  it('are checked for names too, at the one look-up whose answer is connected to', async () => {
    keyServer.serveText('{}')
    const limits = {
      timeoutMs: 20_000,
      maxBytes: 1_000,
      allowHttp: true,
      mayReach: addressRule(false),
    }
    const asked = keyServer.asked.length
    for (const host of [
      'localhost',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0',
    ]) {
      const url = new URL(keyServer.url.replace('127.0.0.1', host))
      await assert.rejects(fetchText(url, limits), /the address is not public/, host)
    }
    assert.equal(keyServer.asked.length, asked)
    const looked: string[] = []
    const open = { ...limits, mayReach: (address: string) => looked.push(address) > 0 }
    assert.equal(
      await fetchText(new URL(keyServer.url.replace('127.0.0.1', 'localhost')), open),
      '{}',
    )
    assert.ok(looked.includes('127.0.0.1'))
  })

  it('are asked by https only, unless plain http is allowed', async () => {
    const limits = {
      timeoutMs: 2_000,
      maxBytes: 1_000,
      allowHttp: false,
      mayReach: addressRule(true),
    }
    await assert.rejects(fetchText(new URL(keyServer.url), limits), /http: is not allowed/)
    await assert.rejects(
      fetchText(new URL('file:///etc/passwd'), { ...limits, allowHttp: true }),
      /file: is not allowed/,
    )
    const clock = new TurnedClock()
    const strict = await service(remote(), clock, { profile: 'production' })
    keyServer.serve(jwkOf(main))
    const answer = await ask(strict, token(clock))
    assert.match(answer.kind === 'refused' ? answer.reason : answer.kind, /http: is not allowed/)
  })
})

describe('keys that were fetched', () => {
  it('are replaced in the background when they are old, and not used when they are too old', async () => {
    const clock = new TurnedClock()
    const auth = await service(
      remote({ refreshMs: 60_000, maxAgeMs: 120_000, cooldownMs: 1_000, retryMs: 1_000 }),
      clock,
    )
    keyServer.serve(jwkOf(main))
    const kept = token(clock)
    assert.equal(await kindOf(auth, kept), 'user')
    keyServer.serveText('gone', 500)
    clock.ms += 61_000
    assert.equal(await kindOf(auth, kept), 'user', 'old keys are good while new ones are fetched')
    await retried(async () =>
      assert.match((await auth.health?.())?.detail ?? '', /127\.0\.0\.1:\d+ answered 500/),
    )
    clock.ms += 60_000
    assert.equal(await kindOf(auth, kept), 'refused')
    keyServer.serve(jwkOf(main))
    clock.ms += 2_000
    assert.equal(await kindOf(auth, kept), 'user')
    assert.equal((await auth.health?.())?.status, 'up')
  })

  it('age by time that passes, whatever somebody sets the clock to', async () => {
    const clock = new TurnedClock()
    const auth = await service(
      remote({ refreshMs: 60_000, maxAgeMs: 120_000, cooldownMs: 1_000 }),
      clock,
    )
    keyServer.serve(jwkOf(main))
    const kept = token(clock)
    assert.equal(await kindOf(auth, kept), 'user')
    keyServer.serveText('gone', 500)
    clock.putBy(1_800_000)
    assert.equal(
      await kindOf(auth, kept),
      'user',
      'keys of a moment ago are good on a clock that was put forward',
    )
    clock.putBy(-3_600_000)
    clock.ms += 121_000
    assert.equal(
      await kindOf(auth, kept),
      'refused',
      'and too old when their time has passed on one that was put back',
    )
  })

  it('that are gone from the set end the tokens that were accepted', async () => {
    const clock = new TurnedClock()
    const auth = await service(
      remote({ refreshMs: 60_000, maxAgeMs: 120_000, cooldownMs: 1_000 }),
      clock,
    )
    keyServer.serve(jwkOf(main))
    const kept = token(clock)
    assert.equal(await kindOf(auth, kept), 'user')
    keyServer.serve({ ...jwkOf(rsaKey('second')), kid: 'main' })
    clock.ms += 61_000
    await eventually('refused', () => kindOf(auth, kept))
  })
})

describe('a token that comes again', () => {
  it('costs no signature check, until it ends', async (context) => {
    const clock = new TurnedClock()
    const auth = await service(remote(), clock)
    keyServer.serve(jwkOf(main))
    const verify = context.mock.method(crypto.subtle, 'verify')
    const text = token(clock)
    for (let n = 0; n < 100; n += 1) assert.equal(await kindOf(auth, text), 'user')
    assert.equal(verify.mock.callCount(), 1)
    assert.ok(
      !(
        auth.authenticate(text, {
          authorization: undefined,
          webSocketProtocol: undefined,
          remoteAddress: '',
        }) instanceof Promise
      ),
    )
    clock.ms += 3_600_000
    assert.equal(await kindOf(auth, text), 'refused')
    assert.equal(verify.mock.callCount(), 1, 'a token that has ended costs none either')
  })

  it('is one of a bounded number', async (context) => {
    const clock = new TurnedClock()
    const auth = await service({ ...remote(), cacheSize: 4 }, clock)
    const verify = context.mock.method(crypto.subtle, 'verify')
    for (const _ of [1, 2])
      for (let n = 0; n < 20; n += 1) await kindOf(auth, token(clock, { jti: `${n}` }))
    assert.equal(verify.mock.callCount(), 40)
  })
})

describe('options', () => {
  it('give issuers fixed keys of three kinds, each for its own algorithm', async () => {
    const clock = new TurnedClock()
    const [elliptic, edwards] = [ecKey('elliptic'), edKey('edwards')]
    const pem = main.publicKey.export({ type: 'spki', format: 'pem' })
    const auth = await service(
      {
        issuers: [
          { issuer: 'rsa', publicKey: pem },
          { issuer: 'ec', jwks: { keys: [jwkOf(elliptic)] }, algorithms: ['ES256'] },
          { issuer: 'ed', jwks: JSON.stringify({ keys: [jwkOf(edwards)] }), algorithms: ['EdDSA'] },
        ],
      },
      clock,
    )
    const make = (alg: string, iss: string, signer: (text: string) => string): string =>
      makeToken({ alg }, { iss, sub: 'alice' }, signer)
    for (const good of [
      make('RS256', 'rsa', rs256(main)),
      make('ES256', 'ec', es256(elliptic)),
      make('EdDSA', 'ed', eddsa(edwards)),
    ]) {
      assert.equal(await kindOf(auth, good), 'user')
    }
    for (const bad of [
      make('ES256', 'rsa', es256(elliptic)),
      make('RS256', 'ec', rs256(main)),
      make('EdDSA', 'ec', eddsa(edwards)),
    ]) {
      assert.equal(await kindOf(auth, bad), 'refused')
    }
    assert.deepEqual(await ask(auth, make('RS256', 'other', rs256(main))), {
      kind: 'not-mine',
      reason: 'nobody here knows the issuer',
    })
  })

  it('leave out all keys of a name that is there twice, whatever they are for', async () => {
    const clock = new TurnedClock()
    const keys = [
      jwkOf(main),
      { ...jwkOf(ecKey('elliptic')), kid: 'main' },
      jwkOf(rsaKey('second')),
    ]
    const auth = await service({ issuers: [{ issuer: ISSUER, jwks: { keys } }] }, clock)
    assert.equal(await kindOf(auth, token(clock)), 'refused')
  })

  it('ask for an end in production, and everywhere if told so', async () => {
    const clock = new TurnedClock()
    const issuers = [{ issuer: ISSUER, jwks: { keys: [jwkOf(main)] } }]
    const endless = token(clock, { exp: undefined })
    assert.equal(await kindOf(await service({ issuers }, clock), endless), 'user')
    assert.equal(
      await kindOf(await service({ issuers, requireExpiry: true }, clock), endless),
      'refused',
    )
    assert.equal(
      await kindOf(await service({ issuers }, clock, { profile: 'production' }), endless),
      'refused',
    )
    assert.equal(
      await kindOf(
        await service({ issuers, requireExpiry: false }, clock, { profile: 'production' }),
        endless,
      ),
      'user',
    )
  })

  it('allow for clocks that differ', async () => {
    const clock = new TurnedClock()
    const auth = await service(
      { issuers: [{ issuer: ISSUER, jwks: { keys: [jwkOf(main)] } }], leewaySeconds: 30 },
      clock,
    )
    const now = Math.floor(clock.ms / 1_000)
    for (const near of [{ exp: now - 29 }, { nbf: now + 30 }])
      assert.equal(await kindOf(auth, token(clock, near)), 'user')
    for (const far of [{ exp: now - 30 }, { nbf: now + 31 }])
      assert.equal(await kindOf(auth, token(clock, far)), 'refused')
  })

  it('ask for a scope, that of an issuer before that of all', async () => {
    const clock = new TurnedClock()
    const jwks = { keys: [jwkOf(main)] }
    const auth = await service(
      {
        scope: 'ledger',
        issuers: [
          { issuer: ISSUER, jwks },
          { issuer: 'own', jwks, scope: 'mine' },
        ],
      },
      clock,
    )
    const good: Fields[] = [
      { scope: 'ledger' },
      { scope: 'a ledger b' },
      { scp: ['x', 'ledger'] },
      { scp: 'x ledger' },
      { iss: 'own', scope: 'mine' },
    ]
    const bad: Fields[] = [
      {},
      { scope: 'ledgerx' },
      { scope: 'LEDGER' },
      { scope: ['ledger'] },
      { scope: 'x', scp: ['ledger'] },
      { iss: 'own', scope: 'ledger' },
    ]
    for (const claims of good)
      assert.equal(await kindOf(auth, token(clock, claims)), 'user', JSON.stringify(claims))
    for (const claims of bad)
      assert.equal(await kindOf(auth, token(clock, claims)), 'refused', JSON.stringify(claims))
  })

  it('are refused where they cannot be served', async () => {
    const jwks = { keys: [jwkOf(main)] }
    const wrong: readonly object[] = [
      { issuer: ISSUER },
      { issuer: ISSUER, jwks, jwksUrl: keyServer.url },
      { issuer: ISSUER, jwksUrl: 'file:///etc/passwd' },
      { issuer: ISSUER, jwksUrl: 'https://ann:swordfish@keys.example/set' },
      { issuer: ISSUER, jwksUrl: 'https://token@keys.example/set' },
      { issuer: ISSUER, jwks, algorithms: ['HS256'] },
      { issuer: ISSUER, jwks, algorithms: [] },
      { issuer: ISSUER, jwks, algorithms: ['none'] },
    ]
    for (const issuer of wrong)
      assert.equal(options.safeParse({ issuers: [issuer] }).success, false, JSON.stringify(issuer))
    await assert.rejects(
      service({ issuers: [{ issuer: ISSUER, publicKey: 'nonsense' }] }),
      /issuers\[0\]\.publicKey: /,
    )
    await assert.rejects(
      service({ issuers: [{ issuer: ISSUER, jwks: '{"keys":[]}' }] }),
      /issuers\[0\]\.jwks has no key/,
    )
    await assert.rejects(
      service({ issuers: [{ issuer: ISSUER, jwks: 'x' }] }),
      /issuers\[0\]\.jwks is not valid JSON/,
    )
    await assert.rejects(
      service({
        issuers: [
          { issuer: ISSUER, jwks },
          { issuer: ISSUER, jwks },
        ],
      }),
      /there twice/,
    )
  })
})

describe('the shared secret', () => {
  const unsafeHmac = { secret: 'a-secret-of-more-than-32-characters' }

  it('serves development on loopback only', async () => {
    await assert.rejects(
      service({ unsafeHmac }, undefined, { profile: 'production' }),
      /refuses the production profile/,
    )
    for (const host of ['0.0.0.0', '::', '192.168.1.2']) {
      await assert.rejects(
        service({ unsafeHmac }, undefined, { listen: { host, port: 1 } }),
        /loopback addresses only/,
      )
    }
    assert.equal(options.safeParse({ unsafeHmac: { secret: '' } }).success, false)
  })

  it('may be short for trials, and says so; not in production', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_fields: object, text: string) => void warnings.push(text) }
    const short = { unsafeHmac: { secret: 'unsafe' } }
    const auth = await service(short, undefined, { log })
    assert.equal(await kindOf(auth, (await auth.issue?.('alice')) ?? ''), 'user')
    await service({ unsafeHmac }, undefined, { log })
    assert.deepEqual(warnings, [
      'the secret of unsafeHmac has fewer than 32 characters: for tests only',
    ])
    await assert.rejects(
      service(short, undefined, { profile: 'production' }),
      /refuses the production profile/,
    )
  })

  it('issues tokens and knows them, and never stands for an issuer', async () => {
    const clock = new TurnedClock()
    const auth = await service(
      { unsafeHmac, issuers: [{ issuer: ISSUER, jwks: { keys: [jwkOf(main)] } }] },
      clock,
    )
    const text = (await auth.issue?.('alice')) ?? ''
    assert.deepEqual(await ask(auth, text), {
      kind: 'user',
      user: { userId: 'alice', identityProviderId: '' },
    })
    const other = await service({ unsafeHmac: { secret: `${unsafeHmac.secret}x` } }, clock)
    assert.equal(await kindOf(other, text), 'not-mine')
    const posing = makeToken(
      { alg: 'HS256' },
      { iss: ISSUER, sub: 'alice' },
      hs256(unsafeHmac.secret),
    )
    assert.equal(await kindOf(auth, posing), 'refused')
    clock.ms += 86_400_000
    assert.equal(await kindOf(auth, text), 'refused')
  })
})
