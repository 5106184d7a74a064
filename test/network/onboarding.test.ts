// Users are taken in and out any number of times, by any number of servers; no party changes hands.
// docs/economy-rules.md, "Onboarding"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mergeDelegationProposal,
  validatorRight,
  walletAppInstall,
} from '../../runtime/contracts/index.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { createOnboarding } from '../../runtime/economy/wallets/onboarding.ts'
import type { OnboardRequest } from '../../runtime/economy/wallets/onboarding.ts'
import { createUserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import { startNetwork, type Network, type NetworkOptions } from './kit.ts'

async function start(options: NetworkOptions = {}) {
  const network = await startNetwork(options)
  const directory = new PrincipalDirectory(network.store, network.clock)
  const { onboardUser, offboardUser } = createOnboarding(
    network.economy,
    createUserKeeper(network.store, directory),
  )
  return {
    ...network,
    offboardUser,
    onboardUser: (request: Partial<OnboardRequest> & Pick<OnboardRequest, 'name'>) =>
      onboardUser({ identityProviderId: '', ...request }),
  }
}

const wallets = async ({ payloads, economy }: Network) =>
  (await payloads(walletAppInstall))
    .filter(({ endUserParty }) => endUserParty !== economy.parties.operator)
    .map(
      ({ endUserName, endUserParty }) =>
        `${endUserName} ${endUserParty.slice(0, endUserParty.indexOf('::'))}`,
    )

test('any number of calls make one wallet, one right, one party', async () => {
  const network = await start()
  const other = await start({ store: network.store, clock: network.clock })
  const calls = [network, other, network, other].map(({ onboardUser }) =>
    onboardUser({ name: 'carol' }),
  )
  const answers = await Promise.all(calls)
  answers.push(await network.onboardUser({ name: 'carol' }))
  assert.equal(new Set(answers.map((answer) => (answer.ok ? answer.partyId : ''))).size, 1)
  assert.deepEqual(await wallets(network), ['carol carol'])
  assert.equal((await network.payloads(validatorRight)).length, 2)
  const party = (await network.store.users.get('carol'))?.primaryParty ?? ''
  assert.deepEqual(await network.store.users.rights('carol'), [{ kind: 'CanActAs', party }])
  assert.ok(!(await network.store.users.rights('operator'))?.some((right) => right.party === party))
})

test("out and in again, the name is another user's, with a party of its own", async () => {
  const network = await start()
  const parties = new Set<string>()
  for (let lives = 1; lives <= 3; lives += 1) {
    const outcome = await network.onboardUser({ name: 'dave' })
    assert.ok(outcome.ok)
    assert.equal(parties.add(outcome.partyId).size, lives)
    assert.equal((await wallets(network)).length, 1)
    assert.equal(await network.offboardUser('dave'), 'offboarded')
    assert.deepEqual(await wallets(network), [])
    assert.equal(await network.store.users.get('dave'), undefined)
    assert.equal((await network.payloads(validatorRight)).length, 1, "the operator's")
    assert.deepEqual(await network.store.wallets.among([outcome.partyId]), [])
  }
  assert.equal(await network.offboardUser('dave'), 'unknown')
  assert.equal(await network.offboardUser('operator'), 'operator')
})

test('a name comes and goes any number of times, with one party too', async () => {
  const network = await start()
  const {
    node: { namespace },
  } = network.economy
  for (const partyId of [undefined, `shared::${namespace}`]) {
    const given = partyId === undefined ? {} : { partyId, createPartyIfMissing: true }
    for (let lives = 1; lives <= 25; lives += 1) {
      const outcome = await network.onboardUser({ name: 'dave', ...given })
      assert.ok(outcome.ok, `life ${lives}`)
      assert.equal(await network.offboardUser('dave'), 'offboarded')
    }
  }
})

test('who was offboarded has the coin again where the operator gives the party', async () => {
  const network = await start()
  const first = await network.onboardUser({ name: 'dave' })
  assert.ok(first.ok)
  await network.offboardUser('dave')
  assert.deepEqual(await network.onboardUser({ name: 'dave', partyId: first.partyId }), first)
  assert.deepEqual(await wallets(network), ['dave dave'])
})

test('a party that others have is not given to a user of that name', async () => {
  const network = await start()
  const {
    economy: { node },
    store,
  } = network
  const taken = `erin::${node.namespace}`
  await store.parties.allocate(
    { party: taken, isLocal: true, identityProviderId: '', annotations: {}, topology: '' },
    undefined,
  )
  const outcome = await network.onboardUser({ name: 'erin' })
  assert.ok(outcome.ok && outcome.partyId !== taken && outcome.partyId.startsWith('erin-'))
  assert.deepEqual(await network.onboardUser({ name: 'erin' }), outcome)
})

test('names that differ only in what a party id cannot hold have parties of their own', async () => {
  const network = await start()
  const names = ['a.b', 'a@b', 'a-b', 'a|b', 'x'.repeat(128)]
  const parties = await Promise.all(names.map((name) => network.onboardUser({ name })))
  assert.equal(new Set(parties.map((each) => (each.ok ? each.partyId : ''))).size, names.length)
})

test("a party that is named must exist, or may be created in this node's namespace", async () => {
  const network = await start()
  const { namespace } = network.economy.node
  const kind = async (request: Parameters<typeof network.onboardUser>[0]) => {
    const outcome = await network.onboardUser(request)
    return outcome.ok ? outcome.partyId : outcome.kind
  }
  assert.equal(await kind({ name: 'frank', partyId: `shared::${namespace}` }), 'unknown-party')
  assert.equal(
    await kind({ name: 'frank', partyId: 'shared::1220ff', createPartyIfMissing: true }),
    'invalid',
  )
  assert.equal(
    await kind({ name: 'frank', partyId: 'no party!', createPartyIfMissing: true }),
    'invalid',
  )
  assert.equal(await kind({ name: 'no user!' }), 'invalid')
  assert.equal(await network.store.users.get('frank'), undefined)
  assert.equal(
    await kind({ name: 'frank', partyId: `shared::${namespace}`, createPartyIfMissing: true }),
    `shared::${namespace}`,
  )
  assert.equal(
    await kind({ name: 'grace', partyId: `shared::${namespace}` }),
    `shared::${namespace}`,
  )
  assert.equal(
    await kind({ name: 'grace', partyId: `else::${namespace}`, createPartyIfMissing: true }),
    'other-party',
  )
  assert.deepEqual((await wallets(network)).sort(), ['frank shared', 'grace shared'])
  assert.equal(await network.offboardUser('frank'), 'offboarded')
  assert.equal((await network.payloads(validatorRight)).length, 2, 'grace still needs it')
})

test("where merging is enabled the operator's call proposes it", async () => {
  const network = await start({ validator: { proposeMergeDelegation: true } })
  const outcome = await network.onboardUser({ name: 'heidi' })
  assert.ok(outcome.ok)
  const { delegation } = (await network.only(mergeDelegationProposal)).payload
  assert.deepEqual(
    [delegation.owner, delegation.operator],
    [outcome.partyId, network.economy.parties.operator],
  )
})
