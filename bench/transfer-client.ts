// The clients of bench/transfer.ts over HTTP as a process: `node transfer-client.ts URL FOLDER setup` makes 64 users with coins and
// preapprovals; `… pay WARMUP COUNT` has each pay the others in turn, one payment at a time, and prints what the counted ones took.
// FOLDER has the key of the tokens, and is where the users are remembered. No client library: its work would be on the service's bill.
import { Agent, request } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { authOf } from './http-product.ts'
import { PARTIES } from './transfer-common.ts'

const [url = '', folder = '', task = '', warmup = '0', count = '0'] = process.argv.slice(2)
const VALIDATOR = `${url}/api/validator/v0`
const usersFile = join(folder, 'bench-users.json')
const agent = new Agent({ keepAlive: true, maxSockets: PARTIES })
const TAPS = ['50', '60', '70', '80']
const SETUP_TRIES = 200

interface User {
  readonly token: string
  readonly party: string
}

interface Answer {
  readonly status: number
  readonly body: string
}

async function post(path: string, token: string, body: object): Promise<Answer> {
  const sent = JSON.stringify(body)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
  return new Promise((resolve, reject) => {
    const asked = request(VALIDATOR + path, { method: 'POST', agent, headers }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, body: said }), reject)
    })
    asked.on('error', reject)
    asked.end(sent)
  })
}

async function must(path: string, token: string, body: object, allowed: readonly number[] = [200]): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { status, body: said } = await post(path, token, body)
    if (allowed.includes(status)) return said
    if (status !== 429 || tries === SETUP_TRIES) throw new Error(`${path} answered ${status} ${said}`)
  }
}

async function setUp(): Promise<void> {
  const auth = await authOf(folder)
  const tokenOf = async (user: string): Promise<string> => await auth.issue?.(user) ?? ''
  const operator = await tokenOf('operator')
  await must('/wallet/tap', operator, { amount: '100000' })
  const users: User[] = []
  for (let index = 0; index < PARTIES; index++) {
    const name = `payer-${index}`
    const { party_id: party }: { readonly party_id: string } = JSON.parse(await must('/admin/users', operator, { name }))
    const token = await tokenOf(name)
    for (const amount of TAPS) await must('/wallet/tap', token, { amount })
    await must('/wallet/transfer-preapproval', token, {}, [200, 409])
    users.push({ token, party })
  }
  writeFileSync(usersFile, JSON.stringify(users))
}

async function payAll(users: readonly User[], name: string, payments: number): Promise<void> {
  let left = payments
  await Promise.all(users.map(async ({ token }, index) => {
    for (let turn = 1; left > 0; turn++) {
      left -= 1
      const to = users[(index + 1 + turn % (users.length - 1)) % users.length]
      await must('/wallet/transfer-preapproval/send', token, {
        receiver_party_id: to?.party, amount: '0.25', deduplication_id: `${name}-${index}-${turn}`, description: 'bench',
      })
    }
  }))
}

async function pay(): Promise<void> {
  const users: readonly User[] = JSON.parse(readFileSync(usersFile, 'utf8'))
  await payAll(users, `warm-${process.pid}`, Number(warmup))
  console.log('warm')
  const begun = performance.now()
  await payAll(users, `paid-${process.pid}`, Number(count))
  console.log((performance.now() - begun) / 1e3)
}

await (task === 'setup' ? setUp() : pay())
agent.destroy()
