// The operations of a wallet that take an id for what is to happen once, as tests of repetitions
// ask for them over HTTP: what makes another request of one, and how its effects are counted.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const ISSUER = 'https://login.example/realm'
const HOUR_MS = 3_600_000
const USERS = ['operator', 'alice', 'bob', 'carol'] as const

export type User = (typeof USERS)[number]

export interface Place {
  readonly service: Service
  readonly synchronizerId: string
  party(user: User): string
  ask(user: User, request: string, body?: object): Promise<Answer>
  /** Killed, and started again on the same data. */
  restarted(): Promise<Place>
}

/**
 * A service with funds for alice, and bob's and carol's preapprovals; the production profile with
 * tokens of an issuer of its own.
 */
export async function startPlace(profile: 'dev' | 'production', storage: object): Promise<Place> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const token = (user: string): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256' })
      .setSubject(user)
      .setIssuer(ISSUER)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const auth = [{ use: 'jwt', issuers: [{ issuer: ISSUER, publicKey: pem }] }]
  const network = { isDevNet: true, traffic: { baseBurstBytes: 1_000_000_000 } }
  // After a kill, payments wait for what the dead server holds.
  const validator = { treasury: { leaseMs: 500 } }
  const config = {
    profile,
    storage,
    network,
    validator,
    ...(profile === 'production' ? { auth } : {}),
  }
  const service = await startService({ config, seeded: false })
  const tokens = new Map<string, string>()
  for (const user of USERS)
    tokens.set(user, await (profile === 'production' ? token(user) : service.token(user)))
  const place = placeOf(service, config, tokens)
  for (const name of ['alice', 'bob', 'carol'])
    await answered(place.ask('operator', 'POST /v0/admin/users', { name }))
  const opened = await openPlace(place)
  await answered(opened.ask('operator', 'POST /v0/wallet/tap', { amount: '1000' }))
  await answered(opened.ask('alice', 'POST /v0/wallet/tap', { amount: '100' }))
  for (const user of ['bob', 'carol'] as const)
    await answered(opened.ask(user, 'POST /v0/wallet/transfer-preapproval'))
  return opened
}

function placeOf(
  service: Service,
  config: object,
  tokens: ReadonlyMap<string, string>,
  known: Partial<Place> = {},
): Place {
  return {
    service,
    synchronizerId: '',
    party: (user) => user,
    ...known,
    ask: (user, request, body) => {
      const path = request.replace(' /v0', ' /api/validator/v0')
      return call(service.url, path, {
        token: tokens.get(user) ?? '',
        ...(body === undefined ? {} : { body }),
      })
    },
    restarted: async () => {
      await service.kill()
      const next = await startService({ config, dataDir: service.dataDir, seeded: false })
      return openPlace(placeOf(next, config, tokens))
    },
  }
}

/** The place with the names by which others call the users and the synchronizer. */
async function openPlace(place: Place): Promise<Place> {
  const { json } = await answered(place.ask('operator', 'GET /v2/state/connected-synchronizers'))
  const [connected] = Array.from(Object(member(json, 'connectedSynchronizers')))
  const parties = new Map<User, string>()
  for (const user of USERS) {
    parties.set(
      user,
      String(
        member((await answered(place.ask(user, 'GET /v0/wallet/user-status'))).json, 'party_id'),
      ),
    )
  }
  return {
    ...place,
    synchronizerId: String(member(connected, 'synchronizerId')),
    party: (user) => parties.get(user) ?? user,
  }
}

/** The answer of a request, asserted to be done. */
export async function answered(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer
  assert.equal(given.status, 200, given.text)
  return given
}

const SOON_MICROS = (Date.now() + HOUR_MS) * 1_000

export interface Repeatable {
  readonly name: string
  readonly path: string
  /** The request of an id. */
  body(place: Place, id: string): object
  /** The same request in other words. */
  readonly same: readonly object[]
  /** Each makes another request of it. */
  others(place: Place): readonly object[]
}

const offerTerms = ({ party }: Place, tracking_id: string) => ({
  receiver_party_id: party('operator'),
  amount: '1.5',
  description: 'x',
  expires_at: SOON_MICROS,
  tracking_id,
})
const otherTerms = ({ party }: Place): readonly object[] => [
  { amount: '1.5000000001' },
  { receiver_party_id: party('bob') },
  { description: '' },
  { expires_at: SOON_MICROS + 1 },
]
const SAME_AMOUNT = [{ amount: '1.5000000000' }, { amount: '01.50' }]

/** All operations of a wallet that take such an id. */
export const REPEATABLE: readonly Repeatable[] = [
  {
    name: 'a transfer offer',
    path: '/transfer-offers',
    body: offerTerms,
    same: SAME_AMOUNT,
    others: otherTerms,
  },
  {
    name: 'a token-standard transfer',
    path: '/token-standard/transfers',
    body: offerTerms,
    same: SAME_AMOUNT,
    others: otherTerms,
  },
  {
    name: 'a payment by preapproval',
    path: '/transfer-preapproval/send',
    same: SAME_AMOUNT,
    body: ({ party }, deduplication_id) => ({
      receiver_party_id: party('bob'),
      amount: '1.5',
      description: 'x',
      deduplication_id,
    }),
    others: ({ party }) => [
      { amount: '1.5000000001' },
      { receiver_party_id: party('carol') },
      { description: 'y' },
      { description: undefined },
    ],
  },
  {
    name: 'a tap',
    path: '/tap',
    same: SAME_AMOUNT,
    body: (_place, command_id) => ({ amount: '1.5', command_id }),
    others: () => [{ amount: '1.5000000001' }],
  },
  {
    name: 'a purchase of traffic',
    path: '/buy-traffic-requests',
    same: [],
    body: ({ party, synchronizerId: domain_id }, tracking_id) => ({
      receiving_validator_party_id: party('operator'),
      domain_id,
      traffic_amount: 200_000,
      expires_at: SOON_MICROS,
      tracking_id,
    }),
    others: ({ party }) => [
      { traffic_amount: 200_001 },
      { receiving_validator_party_id: party('bob') },
      { domain_id: 'elsewhere::1220' },
      { expires_at: SOON_MICROS + 1 },
    ],
  },
]

/** Asks as alice. */
export function repeat(
  place: Place,
  { path, body }: Repeatable,
  id: string,
  change: object = {},
): Promise<Answer> {
  return place.ask('alice', `POST /v0/wallet${path}`, { ...body(place, id), ...change })
}
