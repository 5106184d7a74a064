// A client process: payments in every way, taps and purchases of traffic under way at once, each
// lane without pause, until the service is gone. What was acknowledged is on the disk before the
// next request: a JSON line each in the file that it is given. Where there are several servers a
// request without an answer is sent again, to the next one, and SIGTERM ends it all.
import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import type { Answer } from './http.ts'
import { ask, offerBody, sendBody } from './wallet-client.ts'
import type { Payment, PaymentKind, WalletUser } from './wallet-client.ts'

export interface WriterTask {
  readonly url: string
  /** A file with the addresses of the servers as JSON, read again whenever one is gone. */
  readonly serversFile?: string
  readonly file: string
  readonly round: number
  readonly users: readonly [WalletUser, WalletUser]
  readonly kinds: readonly PaymentKind[]
  readonly traffic: { readonly receiver: string; readonly synchronizerId: string }
}

/** The service's acknowledgements. `user` is the index of who asked. */
export type Acknowledged =
  | {
      readonly what: 'offer' | 'accept' | 'traffic'
      readonly user: number
      readonly id: string
      readonly contractId: string
    }
  | {
      readonly what: 'tap'
      readonly user: number
      readonly id: string
      readonly contractId: string
    }
  | { readonly what: 'send'; readonly user: number; readonly id: string; readonly contractId: '' }
  | {
      readonly what: 'token' | 'token-accept'
      readonly user: number
      readonly id: string
      readonly contractId: string
    }

export type WriterLine =
  | { readonly state: 'acknowledged'; readonly done: Acknowledged }
  | { readonly state: 'refused'; readonly answer: string }
  /** The ids of requests that had no answer when the service was gone. */
  | { readonly state: 'gone'; readonly inFlight: readonly string[] }

const SMALL = '0.25'
/** An amount beyond what either user has. */
const DEAR = '90000000'

const task: WriterTask = JSON.parse(process.argv[2] ?? '')
const file = openSync(task.file, 'a')
const inFlight = new Set<string>()
let gone = false
let requests = 0

function record(line: WriterLine): void {
  writeSync(file, `${JSON.stringify(line)}\n`)
  fsyncSync(file)
}

/** One request; its answer where the service did what it was asked to. */
async function send(
  id: string,
  request: (url: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  inFlight.add(id)
  const answer = await answered(request)
  inFlight.delete(id)
  if (answer.status === 200) return answer
  record({ state: 'refused', answer: `${id}: ${answer.status} ${answer.text}` })
  return undefined
}

async function answered(request: (url: string) => Promise<Answer>): Promise<Answer> {
  if (task.serversFile === undefined) return request(task.url)
  for (let turn = (requests += 1); ; turn += 1) {
    const urls: string[] = JSON.parse(readFileSync(task.serversFile, 'utf8'))
    try {
      return await request(urls[turn % urls.length] ?? task.url)
    } catch (error) {
      if (gone) throw error
      await sleep(50)
    }
  }
}

function acknowledge(what: Acknowledged['what'], user: number, id: string, contractId = ''): void {
  record({
    state: 'acknowledged',
    done: what === 'send' ? { what, user, id, contractId: '' } : { what, user, id, contractId },
  })
}

const textAt = (answer: Answer, name: string): string => String(member(answer.json, name))

function paymentOf(kind: PaymentKind, user: number, id: string, amount: string): Payment {
  const [from, to] = user === 0 ? task.users : [task.users[1], task.users[0]]
  return { kind, from, to, amount, id }
}

async function offer(user: number, id: string, amount: string): Promise<void> {
  const payment = paymentOf('offer', user, id, amount)
  const body = offerBody(payment)
  const offered = await send(`offer ${id}`, (url) =>
    ask(url, payment.from, 'POST /transfer-offers', body),
  )
  if (offered === undefined) return
  const cid = textAt(offered, 'offer_contract_id')
  acknowledge('offer', user, id, cid)
  const accepted = await send(`accept ${id}`, (url) =>
    ask(url, payment.to, `POST /transfer-offers/${cid}/accept`),
  )
  if (accepted !== undefined)
    acknowledge('accept', user, id, textAt(accepted, 'accepted_offer_contract_id'))
}

async function tap(user: number, id: string): Promise<void> {
  const tapped = await send(`tap ${id}`, (url) =>
    ask(url, task.users[user] ?? task.users[0], 'POST /tap', { amount: SMALL, command_id: id }),
  )
  if (tapped !== undefined) acknowledge('tap', user, id, textAt(tapped, 'contract_id'))
}

async function buyTraffic(user: number, id: string): Promise<void> {
  const body = {
    receiving_validator_party_id: task.traffic.receiver,
    domain_id: task.traffic.synchronizerId,
    traffic_amount: 200_000,
    tracking_id: id,
    expires_at: (Date.now() + 600_000) * 1000,
  }
  const asked = await send(`traffic ${id}`, (url) =>
    ask(url, task.users[user] ?? task.users[0], 'POST /buy-traffic-requests', body),
  )
  if (asked !== undefined) acknowledge('traffic', user, id, textAt(asked, 'request_contract_id'))
}

async function oneStep(user: number, id: string): Promise<void> {
  const payment = paymentOf('send', user, id, SMALL)
  const sent = await send(`send ${id}`, (url) =>
    ask(url, payment.from, 'POST /transfer-preapproval/send', sendBody(payment)),
  )
  if (sent !== undefined) acknowledge('send', user, id)
}

async function twoStep(user: number, id: string): Promise<void> {
  const payment = paymentOf('token', user, id, SMALL)
  const body = offerBody(payment)
  const sent = await send(`token ${id}`, (url) =>
    ask(url, payment.from, 'POST /token-standard/transfers', body),
  )
  const cid = member(member(sent?.json, 'output'), 'transfer_instruction_cid')
  if (sent !== undefined) acknowledge('token', user, id, String(cid ?? ''))
  if (cid === undefined) return
  const accepted = await send(`token-accept ${id}`, (url) =>
    ask(url, payment.to, `POST /token-standard/transfers/${String(cid)}/accept`),
  )
  if (accepted !== undefined) acknowledge('token-accept', user, id, String(cid))
}

/** Makes one change after the other, until the service no longer answers. */
async function lane(name: string, change: (id: string) => Promise<void>): Promise<void> {
  for (let step = 0; !gone; step += 1) {
    try {
      await change(`r${task.round}-${name}-${step}`)
    } catch {
      gone = true
    }
  }
}

process.once('SIGTERM', () => {
  gone = true
})

const both = [0, 1] as const
await Promise.all([
  ...both.flatMap((user) =>
    ['a', 'b', 'c'].map((name) => lane(`offer${user}${name}`, (id) => offer(user, id, SMALL))),
  ),
  lane('dear', (id) => offer(0, id, DEAR)),
  ...both.map((user) => lane(`tap${user}`, (id) => tap(user, id))),
  lane('traffic', (id) => buyTraffic(1, id)),
  ...(task.kinds.includes('send') ? [lane('send', (id) => oneStep(0, id))] : []),
  ...(task.kinds.includes('token')
    ? both.map((user) => lane(`token${user}`, (id) => twoStep(user, id)))
    : []),
])
record({ state: 'gone', inFlight: [...inFlight] })
