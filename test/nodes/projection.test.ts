// What each node serves is exactly what its parties see of the one ledger: random transactions of
// parties of three nodes, one of which moves, read back from each over HTTP, against what was
// committed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeUpdate, TRAFFIC } from '../../runtime/engine/index.ts'
import type { LedgerEvent } from '../../runtime/engine/index.ts'
import { member } from '../../runtime/host/member.ts'
import { nodeStore } from '../../runtime/store/node-store.ts'
import { diceOf } from '../drive/dice.ts'
import { list } from '../interfaces/ledger-kit.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { WALLET } from './kit.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import {
  ALLOCATE,
  endOf,
  executed,
  letRead,
  newOutsider,
  pingOf,
  signedHosting,
} from './outside-party.ts'

const STEPS = 50
const USERS = ['u0', 'u1']
const HOUR_MICROS = 3_600_000_000
const PROPOSAL = '#network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'

for (const apart of [false, true]) {
  describe(`the projections of three nodes, ${apart ? 'each with an engine of its own' : 'with one engine'}`, () => {
    let nodes: LocalNodes
    let people: readonly Person[]
    let mover: Mover

    before(async () => {
      nodes = await openNodes(['sv', 'provider', 'user'], { apart })
      people = await everybody(nodes)
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
      console.log(`SEED=${seed}`)
      mover = await moverAt(nodes)
      await play({ people, mover, nodes: nodes.all }, seed)
    })
    after(() => nodes.close())

    test('each node serves what its parties see, and all of it', async () => {
      let completions = 0
      for (const node of nodes.all)
        completions += await assertProjection(nodes, node, { people, mover })
      assert.ok(completions > 0)
    })

    test('only the node that submits uses traffic', async () => {
      const used = async () =>
        Promise.all(
          nodes.all.map(
            async ({ services }) =>
              (await nodes.store.contracts.fact(TRAFFIC, services.economy.parties.member))?.body,
          ),
        )
      const [sv, provider, user] = await used()
      const [payer] = people.filter(({ node }) => node.name === 'provider')
      assert.ok(payer !== undefined)
      await payer.node.done(payer.name, `POST ${WALLET}/tap`, { amount: '1' })
      const [svNow, providerNow, userNow] = await used()
      assert.deepEqual([svNow, userNow], [sv, user])
      assert.notEqual(providerNow, provider)
    })

    test('a party that a node should not host is found', async () => {
      const [leaking] = nodes.all.filter(({ name }) => name === 'user')
      const [victim] = people.filter(({ node }) => node.name === 'provider')
      assert.ok(leaking !== undefined && victim !== undefined)
      await nodeStore(nodes.store, 'user').parties.allocate(
        {
          party: victim.party,
          isLocal: true,
          identityProviderId: '',
          annotations: {},
          topology: '',
        },
        undefined,
      )
      await assert.rejects(
        assertProjection(nodes, leaking, { people, mover }),
        assert.AssertionError,
      )
    })
  })
}

interface Person {
  readonly node: LocalNode
  readonly name: string
  readonly party: string
}

/** A party whose keys say who hosts it, and how often they have. */
interface Mover {
  readonly own: OutsideParty
  serial: number
  hosts: readonly LocalNode[]
  readonly spans: Map<LocalNode, Span[]>
}

/** A span from the state after the first offset until that after the second. */
interface Span {
  readonly from: number
  to: number
}

interface Parties {
  readonly people: readonly Person[]
  readonly mover: Mover
}

/** Users with wallets, and each node's operator. */
async function everybody({ all }: LocalNodes): Promise<readonly Person[]> {
  const found: Person[] = []
  for (const node of all) {
    const { operator } = node.services.economy.parties
    await readAny(node, 'operator')
    found.push({ node, name: 'operator', party: operator })
    for (const name of USERS) {
      const answer = await node.done(name, 'POST /api/validator/v0/register', {})
      await readAny(node, name)
      found.push({ node, name, party: String(member(answer, 'party_id')) })
    }
  }
  return found
}

async function readAny(node: LocalNode, userId: string): Promise<void> {
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }]
  const body = { userId, identityProviderId: '', rights }
  await node.done('participant_admin', `POST /v2/users/${userId}/rights`, body)
}

/** A mover who is at home on all nodes. */
async function moverAt({ all }: LocalNodes): Promise<Mover> {
  const own = newOutsider('mover')
  const { request } = await signedHosting(own, all, 1)
  for (const node of all) await node.done('participant_admin', ALLOCATE, request)
  for (const node of all) await letRead(node, own.party)
  const spans = all.map((node): [LocalNode, Span[]] => [node, [{ from: 0, to: Infinity }]])
  return { own, serial: 1, hosts: all, spans: new Map(spans) }
}

/** Has the party hosted by others from now on; those that it comes to have to agree. */
async function move(mover: Mover, hosts: readonly LocalNode[]): Promise<void> {
  const [first] = hosts
  if (first === undefined) return
  const offset = await endOf(first)
  const { request } = await signedHosting(mover.own, hosts, mover.serial + 1)
  const added = hosts.filter((node) => !mover.hosts.includes(node))
  if (added.length === 0 && hosts.length === mover.hosts.length) return
  for (const node of added.length > 0 ? added : [first])
    await node.done('participant_admin', ALLOCATE, request)
  for (const node of added)
    mover.spans.set(node, [...(mover.spans.get(node) ?? []), { from: offset, to: Infinity }])
  for (const node of mover.hosts.filter((one) => !hosts.includes(one))) {
    const last = mover.spans.get(node)?.at(-1)
    if (last !== undefined) last.to = offset
  }
  mover.hosts = hosts
  mover.serial += 1
}

/** Some of what is tried is refused; that is part of it. */
async function play(
  { people, mover, nodes }: Parties & { readonly nodes: readonly LocalNode[] },
  seed: number,
): Promise<void> {
  const { int: random, pick } = diceOf(seed)
  for (const { node, name } of people) await node.done(name, `POST ${WALLET}/tap`, { amount: '90' })
  const open: { readonly cid: string; readonly kind: string; readonly to: Person }[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const [from, to] = [pick(people), pick(people)]
    const id = `step-${step}`
    const terms = {
      receiver_party_id: to.party,
      amount: String(1 + random(3)),
      description: id,
      tracking_id: id,
      expires_at: Date.now() * 1_000 + HOUR_MICROS,
    }
    const ask = (line: string, body?: object) => from.node.ask(from.name, line, body)
    switch (random(8)) {
      case 0: {
        const { json } = await ask(`POST ${WALLET}/transfer-offers`, terms)
        open.push({ cid: String(member(json, 'offer_contract_id')), kind: 'transfer-offers', to })
        break
      }
      case 1: {
        const { json } = await ask(`POST ${WALLET}/token-standard/transfers`, terms)
        const cid = String(member(member(json, 'output'), 'transfer_instruction_cid'))
        open.push({ cid, kind: 'token-standard/transfers', to })
        break
      }
      case 2: {
        const pending = open.splice(random(Math.max(1, open.length)), 1)[0]
        if (pending === undefined) break
        const end = pick(['accept', 'reject'])
        const { kind, cid, to: receiver } = pending
        await receiver.node.ask(receiver.name, `POST ${WALLET}/${kind}/${cid}/${end}`)
        break
      }
      case 3:
        await ask(`POST ${WALLET}/tap`, { amount: '2', command_id: id })
        break
      case 4:
        await ask(`POST ${WALLET}/transfer-preapproval/send`, { ...terms, deduplication_id: id })
        break
      case 5: {
        const left = random(1 + 2 ** nodes.length)
        await move(
          mover,
          nodes.filter((_node, index) => (left & (1 << index)) !== 0),
        )
        break
      }
      case 6:
        await executed(pick(nodes), mover.own, [pingOf(mover.own)])
        break
      default:
        await ask('POST /v2/commands/submit-and-wait', {
          commandId: id,
          actAs: [from.party],
          commands: [
            {
              CreateCommand: {
                templateId: PROPOSAL,
                createArguments: {
                  receiver: from.party,
                  provider: to.party,
                  expectedDso: from.node.services.economy.parties.dso,
                },
              },
            },
          ],
        })
    }
  }
}

interface Shown {
  readonly contractId: string
  readonly witnesses: readonly string[]
}

/** Answers how many completions it has seen. */
async function assertProjection(
  { store, all }: LocalNodes,
  node: LocalNode,
  { people, mover }: Parties,
): Promise<number> {
  const { dso, sv } = node.services.economy.parties
  const parties = new Set([
    ...people.filter((each) => each.node === node).map(({ party }) => party),
    ...(node === all[0] ? [dso, sv] : []),
  ])
  const spans = mover.spans.get(node) ?? []
  const among = (some: readonly string[], isIn: (span: Span) => boolean) => {
    const isHosted = spans.some(isIn)
    return some
      .filter((party) => parties.has(party) || (isHosted && party === mover.own.party))
      .toSorted()
  }
  const here = (some: readonly string[], offset: number) =>
    among(some, ({ from, to }) => from < offset && offset <= to)
  const committed = (await store.contracts.updatesAfter(0n, 10_000)).map((record) => ({
    offset: Number(record.offset),
    update: decodeUpdate(record.body),
  }))
  const end = committed.at(-1)?.offset ?? 0
  const transactions = committed.flatMap(({ offset, update }) =>
    update.kind === 'transaction' ? [{ offset, ...update.transaction }] : [],
  )

  const effects = transactions.flatMap(({ offset, updateId, events }) => {
    const seen = events
      .map((event) => ({ contractId: idOf(event), witnesses: here(event.witnesses, offset) }))
      .filter(({ witnesses }) => witnesses.length > 0)
    return seen.length === 0 ? [] : [{ offset, updateId, seen }]
  })
  assert.deepEqual(await effectsAt(node, end), effects)

  const active = new Map<string, Shown>()
  for (const { events } of transactions)
    for (const event of events) {
      if (event.kind === 'exercise' && event.consuming) active.delete(event.contractId)
      if (event.kind !== 'create') continue
      const { contractId, signatories, observers } = event.contract
      const stakeholders = [...new Set([...signatories, ...observers])]
      const witnesses = among(stakeholders, ({ from, to }) => from <= end && end <= to)
      if (witnesses.length > 0) active.set(contractId, { contractId, witnesses })
    }
  assert.deepEqual(await activeAt(node, end), [...active.values()].toSorted(byId))

  let completions = 0
  for (const name of ['operator', ...USERS]) {
    const own = transactions.filter(
      ({ userId, actAs, offset }) =>
        userId === storedName(node, name) && here(actAs, offset).length > 0,
    )
    // A user of another node has the same name: the party tells whose command it was.
    const told = await node.done(
      name,
      'POST /v2/commands/completions?limit=1000&stream_idle_timeout_ms=5',
      {
        userId: name,
        parties: people.map(({ party }) => party),
        beginExclusive: 0,
      },
    )
    assert.deepEqual(
      list(told).flatMap((each) => find(each, 'updateId') ?? []),
      own.map(({ updateId }) => updateId),
    )
    completions += own.length
  }
  return completions
}

/** A user's name as it stands in updates. */
function storedName({ services }: LocalNode, name: string): string {
  const { key } = services.economy.node
  return key === '' ? name : `${key}%${name}`
}

const ANYBODY = { filtersForAnyParty: { cumulative: [] }, verbose: true }

async function effectsAt(node: LocalNode, end: number) {
  const shown = await node.done('reader', 'POST /v2/updates?limit=10000', {
    beginExclusive: 0,
    endInclusive: end,
    updateFormat: {
      includeTransactions: {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat: ANYBODY,
      },
    },
  })
  return list(shown).map((item) => {
    const value = member(member(member(item, 'update'), 'Transaction'), 'value')
    const seen = list(member(value, 'events')).map((event) => {
      const inner = member(event, 'CreatedEvent') ?? member(event, 'ExercisedEvent')
      return { contractId: String(member(inner, 'contractId')), witnesses: witnessesOf(inner) }
    })
    const offset = Number(member(value, 'offset'))
    return { offset, updateId: String(member(value, 'updateId')), seen }
  })
}

async function activeAt(node: LocalNode, end: number): Promise<readonly Shown[]> {
  const shown = await node.done('reader', 'POST /v2/state/active-contracts?limit=10000', {
    activeAtOffset: end,
    eventFormat: ANYBODY,
  })
  return list(shown)
    .map((item) => {
      const entry = member(member(item, 'contractEntry'), 'JsActiveContract')
      const created = member(entry, 'createdEvent')
      return { contractId: String(member(created, 'contractId')), witnesses: witnessesOf(created) }
    })
    .toSorted(byId)
}

function idOf(event: LedgerEvent): string {
  return event.kind === 'create' ? event.contract.contractId : event.contractId
}

function witnessesOf(event: unknown): readonly string[] {
  return list(member(event, 'witnessParties')).map(String).toSorted()
}

function byId(one: Shown, other: Shown): number {
  return one.contractId < other.contractId ? -1 : 1
}

/** A member, however deep. */
function find(value: unknown, name: string): string | undefined {
  return new RegExp(`"${name}":"([^"]*)"`).exec(JSON.stringify(value))?.[1]
}
