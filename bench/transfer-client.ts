// The clients of benchmarks over HTTP as a process: `node transfer-client.ts URL[,URL…] FOLDER
// setup` makes 64 users with coins and preapprovals; `… pay WARMUP COUNT` has each pay the others
// in turn, one payment at a time, and prints what the counted ones took; `… alone WARMUP COUNT` has
// all 64 clients pay for one user, spread over the URLs. FOLDER has the key of the tokens, and is
// where the users are remembered. No client library: its work would be on the service's bill.
import { Agent, request } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { authOf } from './http-product.ts'
import { PARTIES } from './transfer-common.ts'

const [given = '', folder = '', task = '', warmup = '0', count = '0'] = process.argv.slice(2)
const urls = given.split(',')
const usersFile = join(folder, 'bench-users.json')
const agent = new Agent({ keepAlive: true, maxSockets: PARTIES })
const SEND = '/wallet/transfer-preapproval/send'
const TAPS = ['50', '60', '70', '80']
const TRIES = 200
const PAUSE_MS = 20

interface User {
  readonly token: string
  readonly party: string
}

interface Asked {
  readonly path: string
  readonly token: string
  readonly body: object
  readonly url?: string | undefined
}

interface Answer {
  readonly status: number
  readonly body: string
}

async function post({ path, token, body, url = urls[0] }: Asked): Promise<Answer> {
  const sent = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
  }
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/validator/v0${path}`,
      { method: 'POST', agent, headers },
      (answer) => {
        text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, body: said }), reject)
      },
    )
    asked.on('error', reject)
    asked.end(sent)
  })
}

async function must(asked: Asked, allowed: readonly number[] = [200]): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { status, body } = await post(asked)
    if (allowed.includes(status)) return body
    if (![429, 503].includes(status) || tries === TRIES)
      throw new Error(`${asked.path} answered ${status} ${body}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function setUp(): Promise<void> {
  const auth = await authOf(folder)
  const tokenOf = async (user: string): Promise<string> => (await auth.issue?.(user)) ?? ''
  const operator = await tokenOf('operator')
  await must({ path: '/wallet/tap', token: operator, body: { amount: '100000' } })
  const users: User[] = []
  for (let index = 0; index < PARTIES; index++) {
    const name = `payer-${index}`
    const { party_id: party }: { readonly party_id: string } = JSON.parse(
      await must({ path: '/admin/users', token: operator, body: { name } }),
    )
    const token = await tokenOf(name)
    for (const amount of TAPS) await must({ path: '/wallet/tap', token, body: { amount } })
    await must({ path: '/wallet/transfer-preapproval', token, body: {} }, [200, 409])
    users.push({ token, party })
  }
  writeFileSync(usersFile, JSON.stringify(users))
}

async function payAll(users: readonly User[], name: string, payments: number): Promise<void> {
  let left = payments
  await Promise.all(
    users.map(async ({ token }, index) => {
      for (let turn = 1; left > 0; turn++) {
        left -= 1
        const to = users[(index + 1 + (turn % (users.length - 1))) % users.length]
        await must({ path: SEND, token, body: paymentTo(to, '0.25', `${name}-${index}-${turn}`) })
      }
    }),
  )
}

/** All clients have one payer. */
async function payForOne(
  [payer, ...others]: readonly User[],
  name: string,
  payments: number,
): Promise<void> {
  let left = payments
  await Promise.all(
    Array.from({ length: PARTIES }, async (_, index) => {
      for (let turn = 1; left > 0; turn++) {
        left -= 1
        const to = others[(index + turn) % others.length]
        const body = paymentTo(to, '0.01', `${name}-${index}-${turn}`)
        await must({ path: SEND, token: payer?.token ?? '', body, url: urls[index % urls.length] })
      }
    }),
  )
}

function paymentTo(to: User | undefined, amount: string, id: string): object {
  return { receiver_party_id: to?.party, amount, deduplication_id: id, description: 'bench' }
}

async function pay(payWith: typeof payAll): Promise<void> {
  const users: readonly User[] = JSON.parse(readFileSync(usersFile, 'utf8'))
  await payWith(users, `warm-${process.pid}`, Number(warmup))
  console.log('warm')
  const begun = performance.now()
  await payWith(users, `paid-${process.pid}`, Number(count))
  console.log((performance.now() - begun) / 1e3)
}

await (task === 'setup' ? setUp() : pay(task === 'alone' ? payForOne : payAll))
agent.destroy()
