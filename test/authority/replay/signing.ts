// What an external party and the users of a node sign, send or are given, all of which is kept.
import { nodeSpace } from '../../../runtime/participant/node.ts'
import { createPublicKey } from 'node:crypto'
import { eddsa, makeToken, secondsFromNow } from '../../../runtime/testing/auth/tokens.ts'
import { EXECUTE, coinsAt, paymentOf, preparedAt } from '../../nodes/outside-party.ts'
import { EXTERNAL, prepareAccept, propose, readToSign, submissionOf } from '../../external/kit.ts'
import type { External } from '../../external/kit.ts'
import { byOperator } from '../../nodes/kit.ts'
import { hintOf, keep, pastOf, signersOf, WALLET } from './scene.ts'
import type { Scene } from './scene.ts'
import type { Kept } from './kept.ts'
import { MIGHTY } from './ledger.ts'
import type { Ledger, Place } from './ledger.ts'
import type { Owned, Standing } from './owner.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TOKEN_SECONDS = 3_500
const PARTY_USER = 'carl'

/** A party where it is hosted; undefined where it is nowhere. */
export interface Hosted {
  readonly own: Owned
  readonly standing: Standing
  readonly place: Place
}

export function hostedAt(scene: Scene, ledger: Ledger, own: Owned): Hosted | undefined {
  const standing = pastOf(scene, ledger).standings.get(own.party)
  const place = ledger.places.find(({ uid }) => nodeSpace(uid) === nodeSpace(standing?.host ?? ''))
  return standing === undefined || place === undefined ? undefined : { own, standing, place }
}

/** A transaction of the party's that was prepared and signed; not sent. */
export async function signPing(scene: Scene, { own, standing, place }: Hosted): Promise<Kept> {
  const holders = signersOf(standing)
  const now = await place.ledger.now()
  const body = await preparedAt(place, { party: own.party, holders })
  return keepPrepared(scene, { own, standing, place }, { body, what: 'ping', before: now + DAY_MS })
}

/** A payment of the party's, with one of its coins; undefined where it has none. */
export async function signPayment(scene: Scene, hosted: Hosted): Promise<Kept | undefined> {
  const { own, standing, place } = hosted
  const [coin] = await coinsAt(place, own)
  const to = pastOf(scene, place.ledger).wallets.get('bob')
  if (coin === undefined || to === undefined) return undefined
  const now = await place.ledger.now()
  const terms = { to, amount: '1', now, coins: [coin] }
  const what = await paymentOf(place, own, terms)
  const body = await preparedAt(place, { party: own.party, holders: signersOf(standing) }, what)
  return keepPrepared(scene, hosted, {
    body,
    what: 'payment',
    before: now + HOUR_MS,
    inputs: [coin],
  })
}

function keepPrepared(
  scene: Scene,
  { own, standing, place }: Hosted,
  { body, what, ...binds }: Kept['binds'] & { readonly body: object; readonly what: string },
): Kept {
  const { party } = own
  const keys = signersOf(standing).map(({ fingerprint }) => fingerprint)
  return keep(scene, place, {
    what: `${what} of ${hintOf(own)}`,
    binds: { ...binds, signers: { party, keys }, once: { name: scene.fresh() } },
    line: EXECUTE,
    body,
    by: { user: MIGHTY },
  })
}

/** The party's acceptance of the operator's proposal to host it. */
export async function signSetup(scene: Scene, hosted: Hosted): Promise<Kept | undefined> {
  const external = externalOf(hosted)
  if (external === undefined) return undefined
  const asked = byOperator(hosted.place)
  const proposal = await propose(asked, external)
  const prepared = await prepareAccept(asked, external, proposal)
  return keepForOperator(scene, hosted, {
    what: 'setup',
    submit: 'setup-proposal/submit-accept',
    body: submissionOf(external, prepared),
    inputs: [proposal],
  })
}

/** The party's order to pay, by the operator's way; undefined where several keys must sign. */
export async function signOrder(scene: Scene, hosted: Hosted): Promise<Kept | undefined> {
  const external = externalOf(hosted)
  const receiver = pastOf(scene, hosted.place.ledger).wallets.get('bob')
  if (external === undefined || receiver === undefined) return undefined
  const now = await hosted.place.ledger.now()
  const order = {
    sender_party_id: external.party,
    receiver_party_id: receiver,
    amount: '1',
    nonce: 0,
    expires_at: new Date(now + HOUR_MS).toISOString(),
  }
  const line = `POST ${EXTERNAL}/transfer-preapproval/prepare-send`
  const prepared = readToSign(await byOperator(hosted.place).done('operator', line, order))
  return keepForOperator(scene, hosted, {
    what: 'order',
    submit: 'transfer-preapproval/submit-send',
    body: submissionOf(external, prepared),
    inputs: [],
  })
}

/** The external party, if one key is enough. */
function externalOf({
  own: { party },
  standing: { keys, threshold },
}: Hosted): External | undefined {
  const [holder] = keys
  return holder === undefined || threshold > 1 ? undefined : { party, holder }
}

async function keepForOperator(
  scene: Scene,
  { own, standing, place }: Hosted,
  {
    what,
    submit,
    body,
    inputs,
  }: {
    readonly what: string
    readonly submit: string
    readonly body: object
    readonly inputs: readonly string[]
  },
): Promise<Kept> {
  const keys = signersOf(standing).map(({ fingerprint }) => fingerprint)
  const now = await place.ledger.now()
  return keep(scene, place, {
    what: `${what} of ${hintOf(own)}`,
    binds: {
      signers: { party: own.party, keys },
      before: now + DAY_MS,
      inputs,
      once: { name: scene.fresh() },
    },
    line: `POST /api/validator${EXTERNAL}/${submit}`,
    body,
    by: { user: 'operator' },
  })
}

/** A token that the party signs for a user of its own. */
export async function signToken(
  scene: Scene,
  { own: { party }, standing: { keys, threshold }, place }: Hosted,
): Promise<Kept | undefined> {
  const [holder] = keys
  if (holder === undefined || threshold > 1) return undefined
  const sub = `${PARTY_USER}-${hintOf({ party })}`
  const user = {
    id: sub,
    primaryParty: party,
    primaryPartyAuthentication: true,
    identityProviderId: '',
  }
  const rights = [{ kind: { CanActAs: { value: { party } } } }]
  await place.ask(MIGHTY, 'POST /v2/users', { user, rights })
  const { privateKey, fingerprint: kid } = holder
  const claims = {
    iss: party,
    sub,
    aud: [place.uid, place.synchronizer],
    exp: secondsFromNow(TOKEN_SECONDS),
  }
  const pair = { kid, privateKey, publicKey: createPublicKey(privateKey) }
  return keep(scene, place, {
    what: `token of ${hintOf({ party })}`,
    binds: { signers: { party, keys: [kid] }, audience: place.uid },
    line: 'GET /v2/authenticated-user',
    by: { token: makeToken({ alg: 'EdDSA', kid }, claims, eddsa(pair)) },
  })
}

/** Questions of a wallet's user, with the token that it has, by kind. */
export const ASKED = {
  balance: () => ({ line: `GET ${WALLET}/balance` }),
  pay: ({ id, receiver }: Terms) => ({
    line: `POST ${WALLET}/transfer-preapproval/send`,
    body: { receiver_party_id: receiver, amount: '1', deduplication_id: id },
  }),
  offer: ({ id, receiver, now }: Terms) => ({
    line: `POST ${WALLET}/transfer-offers`,
    body: {
      receiver_party_id: receiver,
      amount: '1',
      description: '',
      expires_at: (now + 30 * DAY_MS) * 1_000,
      tracking_id: id,
    },
  }),
  tap: ({ id }: Terms) => ({ line: `POST ${WALLET}/tap`, body: { amount: '1', command_id: id } }),
} as const

interface Terms {
  readonly id: string
  readonly receiver: string
  readonly now: number
}

/** A request of alice's at the first node, with the token that goes with it. */
export async function askWallet(
  scene: Scene,
  ledger: Ledger,
  kind: keyof typeof ASKED,
  receiver = pastOf(scene, ledger).wallets.get('bob') ?? '',
): Promise<Kept> {
  const place = ledger.at(0)
  const id = scene.fresh()
  const asked = ASKED[kind]({ id, receiver, now: await ledger.now() })
  return keep(scene, place, {
    what: `${kind} of alice`,
    binds: {
      issuer: place.name,
      wallet: 'alice',
      ...(kind === 'balance' ? {} : { once: { name: id, renewsMs: renewsOf(kind) } }),
    },
    ...asked,
    by: { token: place.tokenOf('alice') },
  })
}

/** A tracking id is for good. */
function renewsOf(kind: keyof typeof ASKED): number {
  return kind === 'offer' ? Infinity : DAY_MS
}

/** Contracts that a node discloses for a payment; who has them pays with coins of their own. */
export async function disclose(scene: Scene, ledger: Ledger): Promise<Kept> {
  const home = ledger.at(0)
  const answers = new Map<string, unknown>()
  const registry: Registry = {
    done: async (user, line, body) => {
      const answer = answers.get(line) ?? (await home.done(user, line, body))
      answers.set(line, answer)
      return answer
    },
  }
  await paymentOfAlice(scene, home, registry)
  return keep(scene, home, {
    what: 'disclosed contracts',
    binds: { wallet: 'alice', once: { name: scene.fresh(), renewsMs: 0 } },
    line: 'POST /v2/commands/submit-and-wait',
    body: (place: Place) => paymentOfAlice(scene, place, registry),
    by: { user: 'alice' },
  })
}

type Registry = Pick<Place, 'done'>

async function paymentOfAlice(scene: Scene, place: Place, registry: Registry): Promise<object> {
  const party = pastOf(scene, place.ledger).wallets.get('alice')
  if (party === undefined) return {}
  const now = await place.ledger.now()
  const payment = await paymentOf(place, { party }, { to: party, amount: '1', now, registry })
  return { commandId: scene.fresh(), actAs: [party], ...payment }
}
