// What a wallet's client does over HTTP to pay somebody, in each of the ways that there are; for
// client processes of tests.
import { PATIENCE_MS } from './eventually.ts'
import { member } from '../../runtime/host/member.ts'
import { call } from './http.ts'
import type { Answer } from './http.ts'

export const WALLET = '/api/validator/v0/wallet'

/** A user of the service: the token and the party of its wallet. */
export interface WalletUser {
  readonly token: string
  readonly party: string
}

/**
 * An offer that the receiver accepts; a transfer to a party with a preapproval; one of the token
 * standard that the receiver accepts.
 */
export type PaymentKind = 'offer' | 'send' | 'token'

export interface Payment {
  readonly kind: PaymentKind
  readonly from: WalletUser
  readonly to: WalletUser
  readonly amount: string
  /** Tracking or deduplication id. */
  readonly id: string
}

/** `unclear`: something that no document speaks of. */
export type PaymentEnd =
  { readonly end: 'paid' } | { readonly end: 'refused' | 'unclear'; readonly why: string }

const LIFETIME_MS = 600_000
const POLL_MS = 40
const OUT_OF_FUNDS = /out of funds|insufficient/i
const BUSY = /in flight/
/** Somebody else was faster, again and again. */
const LOST = /is not active|use the same contracts/

export function ask(
  url: string,
  user: WalletUser,
  request: string,
  body?: unknown,
): Promise<Answer> {
  return call(url, request.replace(' ', ` ${WALLET}`), {
    token: user.token,
    ...(body === undefined ? {} : { body }),
  })
}

/** The body of an offer and of a token-standard transfer. */
export function offerBody({ to, amount, id }: Payment): object {
  return {
    receiver_party_id: to.party,
    amount,
    description: id,
    tracking_id: id,
    expires_at: (Date.now() + LIFETIME_MS) * 1000,
  }
}

/** Pays and waits for the end. */
export async function pay(url: string, payment: Payment): Promise<PaymentEnd> {
  switch (payment.kind) {
    case 'offer':
      return payByOffer(url, payment)
    case 'send':
      return sendTo(url, payment)
    case 'token':
      return transferToken(url, payment)
  }
}

export function sendBody({ to, amount, id }: Payment): object {
  return { receiver_party_id: to.party, amount, deduplication_id: id, description: id }
}

async function payByOffer(url: string, payment: Payment): Promise<PaymentEnd> {
  const offered = await ask(url, payment.from, 'POST /transfer-offers', offerBody(payment))
  if (offered.status !== 200) return endOf(offered)
  const accepted = await ask(
    url,
    payment.to,
    `POST /transfer-offers/${String(member(offered.json, 'offer_contract_id'))}/accept`,
  )
  return accepted.status === 200 ? offerEnd(url, payment) : endOf(accepted)
}

/** Waits for the end of an accepted offer. */
export async function offerEnd(
  url: string,
  { from, id }: Pick<Payment, 'from' | 'id'>,
): Promise<PaymentEnd> {
  for (const deadline = performance.now() + PATIENCE_MS; ;) {
    const { json, text } = await ask(url, from, `POST /transfer-offers/${id}/status`)
    const status = member(json, 'status')
    if (status === 'completed') return { end: 'paid' }
    if (status === 'failed')
      return failedOffer(member(json, 'failure_kind'), member(json, 'withdrawn_reason'))
    if (performance.now() > deadline) return { end: 'unclear', why: text }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function failedOffer(kind: unknown, reason: unknown): PaymentEnd {
  const why = `${String(kind)} ${String(reason)}`
  return { end: kind === 'withdrawn' && OUT_OF_FUNDS.test(why) ? 'refused' : 'unclear', why }
}

async function sendTo(url: string, payment: Payment): Promise<PaymentEnd> {
  return endOf(await ask(url, payment.from, 'POST /transfer-preapproval/send', sendBody(payment)))
}

async function transferToken(url: string, payment: Payment): Promise<PaymentEnd> {
  const sent = await ask(url, payment.from, 'POST /token-standard/transfers', offerBody(payment))
  const cid = member(member(sent.json, 'output'), 'transfer_instruction_cid')
  if (sent.status !== 200 || cid === undefined) return endOf(sent)
  return endOf(await ask(url, payment.to, `POST /token-standard/transfers/${String(cid)}/accept`))
}

function endOf({ status, text }: Answer): PaymentEnd {
  if (status === 200) return { end: 'paid' }
  const why = `${status} ${text}`
  const isDocumented =
    (status === 400 && OUT_OF_FUNDS.test(text)) ||
    (status === 429 && BUSY.test(text)) ||
    (status === 409 && LOST.test(text))
  return { end: isDocumented ? 'refused' : 'unclear', why }
}

/** Whether the service serves an operation, by asking for it without anything that it needs. */
export async function isServed(url: string, user: WalletUser, request: string): Promise<boolean> {
  const { status, text } = await ask(url, user, request, {})
  return status !== 404 || !text.includes('The requested resource could not be found.')
}
