// Minting delegations of hosted parties: listed in pages, accepted in place of an older one,
// rejected, withdrawn. docs/economy-rules.md, "Minting delegations"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  installChoices,
  mintingDelegation,
  mintingDelegationProposal,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import { assertUnchanged, byId, DAY, FORGED, MINUTE } from './token-kit.ts'
import { createWorld, NOTHING } from './world.ts'
import type { World } from './world.ts'

const USERS = ['alice', 'bob', 'carol'] as const

async function proposed(
  world: World,
  beneficiary = 'alice',
  delegate = 'bob',
  lifetime = DAY,
): Promise<string> {
  const party = await world.partyOf(beneficiary)
  const install = await world.treasury.installOf(party)
  assert.ok(install)
  const terms = {
    delegate: await world.partyOf(delegate),
    expiresAt: world.clock.now + lifetime,
    coinMergeLimit: 10n,
  }
  const done = await world.economy.engine.submit({
    actAs: [world.economy.parties.operator],
    readAs: [party],
    userId: '',
    run: (tx) =>
      tx.exercise(
        installChoices.WalletAppInstall_MintingDelegationProposal_Create,
        install.id,
        terms,
      ).proposalCid,
  })
  assert.ok(done.ok)
  return done.result
}

interface Page {
  readonly ids: readonly string[]
  readonly hosted: readonly unknown[]
  readonly next: bigint | undefined
}

async function page(
  world: World,
  userId: string,
  what: 'proposals' | 'delegations',
  query: { after?: bigint; limit?: number } = {},
): Promise<Page> {
  const input = { ...NOTHING, query: { limit: 1000, ...query } }
  const context = await world.as(userId)
  const reply =
    what === 'proposals'
      ? await world.handlers.listMintingDelegationProposals(input, context)
      : await world.handlers.listMintingDelegations(input, context)
  assert.equal(reply.status, 200)
  const entries = member(reply.body, what)
  assert.ok(Array.isArray(entries))
  const next = member(reply.body, 'next_page_token')
  return {
    ids: entries.map((entry) => String(member(member(entry, 'contract'), 'contract_id'))),
    hosted: entries.map((entry) => member(entry, 'beneficiary_hosted')),
    next: typeof next === 'bigint' ? next : undefined,
  }
}

test('accepting takes the place of the delegation that the two have', async () => {
  const world = await createWorld({ users: USERS })
  const accept = async (id: string) =>
    world.handlers.acceptMintingDelegationProposal(byId(id), await world.as('bob'))
  const first = await accept(await proposed(world))
  assert.equal(first.status, 200)
  assert.equal((await accept(await proposed(world, 'carol'))).status, 200)
  const second = await accept(await proposed(world))
  const { ids, hosted } = await page(world, 'bob', 'delegations')
  assert.equal(ids.length, 2)
  assert.ok(
    ids.includes(String(member(second.body, 'contract_id'))) &&
      !ids.includes(String(member(first.body, 'contract_id'))),
  )
  assert.deepEqual(hosted, [true, true])
  assert.deepEqual((await page(world, 'bob', 'proposals')).ids, [])
})

test('proposals and delegations end by whom they may: delegate or beneficiary', async () => {
  const world = await createWorld({ users: USERS })
  const [alice, bob, carol] = [
    await world.as('alice'),
    await world.as('bob'),
    await world.as('carol'),
  ]
  const { acceptMintingDelegationProposal: accept, rejectMintingDelegationProposal: reject } =
    world.handlers
  const { withdrawMintingDelegationProposal: withdraw, rejectMintingDelegation: end } =
    world.handlers
  const [kept, rejected, withdrawn] = [
    await proposed(world),
    await proposed(world),
    await proposed(world),
  ]
  await assertUnchanged(world, async () => {
    for (const act of [accept, reject]) assert.equal((await act(byId(kept), alice)).status, 400)
    assert.equal((await withdraw(byId(kept), bob)).status, 400)
    for (const act of [accept, reject, withdraw, end]) {
      assert.equal((await act(byId(kept), carol)).status, 404)
      for (const id of FORGED) assert.equal((await act(byId(id), bob)).status, 404, id)
    }
  })
  assert.equal((await reject(byId(rejected), bob)).status, 200)
  assert.equal((await withdraw(byId(withdrawn), alice)).status, 200)
  for (const gone of [rejected, withdrawn])
    assert.equal((await accept(byId(gone), bob)).status, 404)
  const delegation = String(member((await accept(byId(kept), bob)).body, 'contract_id'))
  assert.deepEqual(
    [(await end(byId(delegation), carol)).status, (await end(byId(delegation), alice)).status],
    [404, 400],
  )
  assert.equal((await end(byId(delegation), bob)).status, 200)
  assert.equal((await end(byId(delegation), bob)).status, 404)
  assert.equal((await world.economy.reader.all(mintingDelegation)).length, 0)
})

test('a proposal that has expired cannot be accepted', async () => {
  const world = await createWorld()
  const id = await proposed(world, 'alice', 'bob', MINUTE)
  world.clock.now += 2n * MINUTE
  await assertUnchanged(world, async () => {
    assert.equal(
      (await world.handlers.acceptMintingDelegationProposal(byId(id), await world.as('bob')))
        .status,
      409,
    )
  })
})

test('of many acceptances at once each replaces what was there, and one delegation is left', async () => {
  const world = await createWorld()
  const ids = [await proposed(world), await proposed(world), await proposed(world)]
  const bob = await world.as('bob')
  const replies = await Promise.all(
    [...ids, ...ids].map((id) => world.handlers.acceptMintingDelegationProposal(byId(id), bob)),
  )
  assert.ok(
    replies.every(({ status }) => [200, 404, 409].includes(status)),
    String(replies.map(({ status }) => status)),
  )
  assert.ok(replies.some(({ status }) => status === 200))
  assert.equal((await world.economy.reader.all(mintingDelegation)).length, 1)
})

test('pages come in order, each contract once, for both sides', async () => {
  const world = await createWorld()
  const all: string[] = []
  for (let count = 0; count < 7; count++)
    all.push(
      await proposed(world, count % 2 === 0 ? 'alice' : 'bob', count % 2 === 0 ? 'bob' : 'alice'),
    )
  const seen: string[] = []
  let after: bigint | undefined
  do {
    const { ids, next } = await page(world, 'bob', 'proposals', {
      limit: 3,
      ...(after === undefined ? {} : { after }),
    })
    seen.push(...ids)
    after = next
  } while (after !== undefined)
  assert.deepEqual(seen, all)
  for (const after of [-(2n ** 63n), -1n])
    assert.deepEqual((await page(world, 'bob', 'proposals', { after })).ids, all)
  assert.deepEqual((await page(world, 'bob', 'proposals', { after: 2n ** 63n - 1n })).ids, [])
})

test('a beneficiary that nobody here hosts is said to be so', async () => {
  const world = await createWorld()
  const {
    engine,
    parties: { dso },
  } = world.economy
  const delegation = {
    beneficiary: 'elsewhere::1220',
    delegate: await world.partyOf('bob'),
    dso,
    expiresAt: world.clock.now + DAY,
    coinMergeLimit: 1n,
  }
  const done = await engine.submit({
    actAs: ['elsewhere::1220'],
    userId: '',
    run: (tx) => tx.create(mintingDelegationProposal, { delegation }),
  })
  assert.ok(done.ok)
  assert.deepEqual((await page(world, 'bob', 'proposals')).hosted, [false])
})
