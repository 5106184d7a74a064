// `npm run full:nodes`: each node in processes of its own on one PostgreSQL, two servers of two of
// them. People pay from node to node at every server, while a party moves back and forth and a
// server that hosts it is killed; afterwards all servers of a node show the same, and every coin is
// where the answers said.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { eventually } from '../support/eventually.ts'
import { startPostgres } from '../support/postgres.ts'
import type { TestPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { nodesConfig, testNode, WALLET } from './kit.ts'
import type { NodeName, TestNode } from './kit.ts'
import {
  ALLOCATE,
  executed,
  known,
  letRead,
  newOutsider,
  pingOf,
  signedHosting,
  updatesAt,
} from './outside-party.ts'

const ADMIN = 'participant_admin'
const PAYMENTS = Number(process.env['PAYMENTS'] ?? 40)
const MOVES = Number(process.env['MOVES'] ?? 12)

interface Server {
  readonly name: NodeName
  readonly service: Service
  readonly node: TestNode
}

let postgres: TestPostgres
let config: object
let servers: Server[] = []

before(async () => {
  postgres = await startPostgres()
  config = {
    ...nodesConfig({ use: 'postgres', url: await postgres.createDatabase() }),
    network: { traffic: { baseBurstBytes: 1_000_000_000_000 } },
  }
  // The first node makes the network that the others join.
  for (const name of ['sv', 'provider', 'user', 'provider', 'user'] as const)
    servers.push(await serverOf(name))
})
after(async () => {
  await Promise.all(servers.map(({ service }) => service.stop()))
  await postgres.stop()
})

test('pays and moves at all servers, and loses nothing when one of them dies', async (t) => {
  const [provider, user, otherProvider, otherUser] = servers.slice(1)
  assert.ok(provider && user && otherProvider && otherUser)
  const wallets = await Promise.all(
    [provider, user].map(({ node }, index) => walletAt(node, index === 0 ? 'alice' : 'bob')),
  )
  const [alice, bob] = wallets
  assert.ok(alice !== undefined && bob !== undefined)
  const mover = newOutsider('mover')
  await user.node.done(ADMIN, ALLOCATE, (await signedHosting(mover, [user.node], 1)).request)
  const payments = [provider, otherProvider, user, otherUser].map(async ({ name, node }, lane) => {
    const isAlice = name === 'provider'
    const [payer, receiver] = isAlice ? ['alice', bob.party] : ['bob', alice.party]
    let paid = 0
    for (let number = 0; number < PAYMENTS; number += 1)
      if (await pays(node, payer, { receiver, id: `lane-${lane}-${number}` })) paid += 1
    return isAlice ? paid : -paid
  })
  const seen = await movesAbout(mover, {
    provider: [provider, otherProvider],
    user: [user, otherUser],
  })
  const paid = (await Promise.all(payments)).reduce((sum, each) => sum + each, 0)

  const wallet = { provider: alice, user: bob }
  const change = { provider: -paid, user: paid }
  for (const { name, node } of servers) {
    if (name === 'sv') continue
    assert.equal((await updatesAt(node, mover.party)).length, seen[name], name)
    assert.equal(await wallet[name].balance(node), wallet[name].began + change[name], name)
  }
  t.diagnostic(`${MOVES} moves, ${PAYMENTS * 4} payments, one server killed and replaced`)
})

type Pairs = Readonly<Record<'provider' | 'user', Server[]>>

/**
 * From node to node, each time asked for at another server of it; a third of the way one that has
 * been asked dies. Answers how many updates of the party each node has to show.
 */
async function movesAbout(
  mover: OutsideParty,
  pairs: Pairs,
): Promise<Record<'provider' | 'user', number>> {
  const seen = { provider: 0, user: 0 }
  for (const pair of Object.values(pairs))
    for (const { node } of pair)
      await node.ask(ADMIN, 'POST /v2/users', { user: { id: 'reader', identityProviderId: '' } })
  for (let move = 0; move < MOVES; move += 1) {
    const name = move % 2 === 0 ? 'provider' : 'user'
    const place = (move >> 1) % 2
    const [asked, other] = [pairs[name][place], pairs[name][1 - place]]
    assert.ok(asked !== undefined && other !== undefined)
    const { request } = await signedHosting(mover, [other.node], move + 2)
    const isLast = move === Math.floor(MOVES / 3)
    const moving = asked.node.ask(ADMIN, ALLOCATE, request).catch(() => undefined)
    if (isLast) {
      await asked.service.kill()
      await moving
      const fresh = await serverOf(name)
      servers = [...servers.filter((server) => server !== asked), fresh]
      pairs[name][place] = fresh
    }
    await moving
    await other.node.done(ADMIN, ALLOCATE, request)
    assert.deepEqual(await known(other.node, mover.party), [true])
    await letRead(other.node, mover.party)
    const { status, text } = await executed(other.node, mover, [pingOf(mover)])
    assert.equal(status, 200, text)
    seen[name] += 1
  }
  return seen
}

async function serverOf(name: NodeName): Promise<Server> {
  const service = await startService({ config, node: name })
  return { name, service, node: testNode(name, service.url) }
}

interface Wallet {
  readonly party: string
  readonly began: number
  /** The balance by a server. */
  balance(node: TestNode): Promise<number>
}

/** A wallet with coin, and a preapproval. */
async function walletAt(node: TestNode, name: string): Promise<Wallet> {
  const operator = `app-${node.name}`
  await node.done(operator, `POST ${WALLET}/tap`, { amount: '1000' })
  const party = await node.register(name)
  await node.done(name, `POST ${WALLET}/tap`, { amount: '1000' })
  await node.done(name, `POST ${WALLET}/transfer-preapproval`)
  const balance = async (server: TestNode) => Number(await server.balance(name))
  await eventually(true, async () => {
    const line = `GET /api/scan/v0/transfer-preapprovals/by-party/${encodeURIComponent(party)}`
    return (await node.ask(name, line)).status === 200
  })
  return { party, began: await balance(node), balance }
}

/** One coin; the same again at another server where one died before it answered. */
async function pays(
  node: TestNode,
  payer: string,
  { receiver, id }: { readonly receiver: string; readonly id: string },
): Promise<boolean> {
  const body = { receiver_party_id: receiver, amount: '1', deduplication_id: id, description: '' }
  const line = `POST ${WALLET}/transfer-preapproval/send`
  const answer = await node.ask(payer, line, body).catch(() => {
    const other = servers.find((server) => server.name === node.name && server.node !== node)
    return other?.node.ask(payer, line, body)
  })
  assert.ok(answer?.status === 200 || answer?.status === 429, answer?.text)
  return answer.status === 200
}
