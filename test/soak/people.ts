// Who uses the server in a soak: people who pay each other in every way, and one plain user who
// does her worst with what she may do.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import type { Service } from '../support/service.ts'
import { kindsOf } from '../support/economy-load.ts'
import { ask, pay } from '../support/wallet-client.ts'
import type { PaymentEnd, WalletUser } from '../support/wallet-client.ts'

const REGISTER = 'POST /api/validator/v0/register'
const AT_ONCE = 3
const PAUSE_MS = 100
const OFFER = '#network-wallet:Network.Wallet.TransferOffer:TransferOffer'

export interface Tally {
  /** Milliseconds that payments took, since somebody last took them. */
  readonly paidMs: number[]
  readonly statuses: Map<string, number>
  /** Answers that no document explains. */
  readonly surprises: string[]
}

/** A wallet for a name, with some coin. */
export async function newcomer(service: Service, name: string): Promise<WalletUser> {
  const token = await service.token(name)
  // On a busy machine a service that has just started may ask to come again.
  const party = await retried(async () => {
    const registering = { token, body: {} }
    const { status, text, json } = await call(service.url, REGISTER, registering)
    assert.equal(status, 200, text)
    return String(member(json, 'party_id'))
  })
  const user = { token, party }
  await ask(service.url, user, 'POST /tap', { amount: '1000' })
  return user
}

/** Each pays another one, and another one, until the signal. */
export async function live(
  service: Service,
  users: readonly WalletUser[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const [first, ...others] = users
  if (first === undefined) throw new RangeError('nobody is there')
  const kinds = await kindsOf(service, first, first)
  for (const other of others) await kindsOf(service, first, other)
  let number = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, lane) => {
      while (!signal.aborted) {
        number += 1
        const [from, to] = [
          users[(number + lane) % users.length],
          users[(number * 7 + lane + 1) % users.length],
        ]
        const kind = kinds[number % kinds.length]
        if (from === undefined || to === undefined || kind === undefined || from === to) continue
        const began = performance.now()
        const paid = { kind, from, to, amount: '0.01', id: `s${number}` }
        const end = await pay(service.url, paid).catch(unanswered)
        if (end.end === 'paid') tally.paidMs.push(performance.now() - began)
        count(tally, `pay ${end.end}`)
        if (end.end === 'unclear') note(tally, signal, `${kind}: ${end.why}`)
        if (number % 200 === 0) await ask(service.url, from, 'POST /tap', { amount: '5' })
        await sleep(PAUSE_MS)
      }
    }),
  )
}

/**
 * Floods, long texts, repeated ids, raw commands, unreadable bodies; one after the other without a
 * pause, until the signal.
 */
export async function harass(
  service: Service,
  mallory: WalletUser,
  victim: WalletUser,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const { url } = service
  const expires = () => (Date.now() + 60_000) * 1_000
  const raw = (description: string, many: number) =>
    call(url, 'POST /v2/commands/submit-and-wait', {
      token: mallory.token,
      body: {
        commandId: `m${Math.random()}`,
        actAs: [mallory.party],
        commands: Array.from({ length: many }, () => ({
          CreateCommand: {
            templateId: OFFER,
            createArguments: {
              sender: mallory.party,
              receiver: victim.party,
              dso: mallory.party,
              amount: { amount: '1.0', unit: 'CoinUnit' },
              description,
              expiresAt: new Date(Date.now() + 60_000).toISOString(),
              trackingId: `m${Math.random()}`,
            },
          },
        })),
      },
    })
  const offer = (trackingId: string, description: string) =>
    ask(url, mallory, 'POST /transfer-offers', {
      receiver_party_id: victim.party,
      amount: '1',
      description,
      tracking_id: trackingId,
      expires_at: expires(),
    })
  const tricks: readonly (() => Promise<readonly Answer[]>)[] = [
    () =>
      Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          ask(url, mallory, 'POST /tap', { amount: '0.01', command_id: `same-${n % 3}` }),
        ),
      ),
    async () => [await offer(`o${Math.random()}`, 'x'.repeat(100_000))],
    async () => [await offer('same', 'once'), await offer('same', `again ${Math.random()}`)],
    () => Promise.all([raw('r', 1), raw('r', 200), raw('x'.repeat(200_000), 3)]),
    () => Promise.all(Array.from({ length: 20 }, () => offer(`o${Math.random()}`, 'flood'))),
    async () => [await call(url, 'POST /api/scan/v2/updates', { body: { page_size: 100 } })],
    async () => [
      await call(url, 'POST /v2/commands/submit-and-wait', {
        token: mallory.token,
        body: { commands: 'x'.repeat(900_000) },
      }),
    ],
  ]
  for (let number = 0; !signal.aborted; number += 1) {
    const answers = await tricks[number % tricks.length]?.().catch((error: unknown) => {
      note(tally, signal, unanswered(error).why)
      return []
    })
    for (const { status, text } of answers ?? []) {
      count(tally, `hostile ${status}`)
      if (status >= 500) note(tally, signal, `${status} ${text.slice(0, 200)}`)
    }
  }
}

/** A connection that broke is told of at the end, and the day goes on. */
function unanswered(error: unknown): PaymentEnd & { readonly end: 'unclear' } {
  return { end: 'unclear', why: inspect(error) }
}

function count({ statuses }: Tally, what: string): void {
  statuses.set(what, (statuses.get(what) ?? 0) + 1)
}

/** Notes a surprise, unless the end of the soak cut it off. */
function note({ surprises }: Tally, signal: AbortSignal, what: string): void {
  if (!signal.aborted && surprises.length < 100) surprises.push(what)
}
