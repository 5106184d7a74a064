// Two servers with the same automations on one store: each job is done once in effect, and who is
// second has nothing to report. docs/economy-rules.md, "Automations" and "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedTransferOffer, coin, transferOffer } from '../../runtime/contracts/index.ts'
import { formatDecimal } from '../../runtime/engine/index.ts'
import { setUpAutomations } from '../support/automations.ts'
import type { TestAutomations } from '../support/automations.ts'
import { acceptAll, accept, MINUTE, offer, openAmounts, statusOf, twoServers } from './offer-kit.ts'
import { balance, NOTHING, tapCoins } from './world.ts'
import type { World } from './world.ts'

const TRAFFIC = { traffic: { baseBurstBytes: 1_000_000_000 } }
const ROUNDS = 6

async function both(
  worlds: readonly World[],
  options: Record<string, object> = {},
): Promise<readonly TestAutomations[]> {
  return Promise.all(
    worlds.map((world) =>
      setUpAutomations(world, {
        names: ['auto-accept', 'completion', 'sweeps', 'expiry'],
        options,
      }),
    ),
  )
}

async function runAll(
  servers: readonly TestAutomations[],
  ...names: readonly string[]
): Promise<void> {
  await Promise.all(servers.map((server) => server.run(...names)))
}

/** All coin that there is. */
async function supply({ economy: { reader } }: World): Promise<string> {
  return formatDecimal(
    (await reader.all(coin)).reduce((sum, { payload }) => sum + payload.amount.initialAmount, 0n),
  )
}

test('an accepted offer is paid once; one that cannot be paid is withdrawn once', async () => {
  const [world, other] = await twoServers({ network: TRAFFIC })
  const servers = await both([world, other])
  await tapCoins(world, 'alice', 100n)
  for (let n = 0; n < ROUNDS; n++) {
    await accept(world, await offer(world, { amount: '10.0', trackingId: `paid ${n}` }))
    await accept(world, await offer(world, { amount: '1000.0', trackingId: `dear ${n}` }))
    await runAll(servers, 'completion')
    await runAll(servers, 'completion')
    assert.equal(await statusOf(world, `paid ${n}`), 'completed')
    assert.equal(await statusOf(world, `dear ${n}`), 'failed')
  }
  assert.equal((await balance(other, 'bob')).unlocked, `${ROUNDS * 10}.0000000000`)
  assert.equal(await supply(world), '100.0000000000')
})

test('an offer is accepted once', async () => {
  const [world, other] = await twoServers({ network: TRAFFIC })
  const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
  const servers = await both([world, other], {
    'auto-accept': { receivers: { [bob]: { fromParties: [alice] } } },
  })
  for (let n = 0; n < ROUNDS; n++) await offer(world, { trackingId: `t${n}` })
  await runAll(servers, 'auto-accept')
  assert.equal((await world.economy.reader.all(transferOffer)).length, 0)
  assert.equal((await world.economy.reader.all(acceptedTransferOffer)).length, ROUNDS)
})

for (const useTransferPreapproval of [false, true]) {
  test(`a wallet is swept once, ${useTransferPreapproval ? 'by preapproval' : 'by offer'}`, async () => {
    const [world, other] = await twoServers({ network: TRAFFIC })
    const [alice, bob] = [await world.partyOf('alice'), await world.partyOf('bob')]
    // 200 and 150 coin: a second sweep of the same coins could be paid.
    const sweep = {
      receiver: bob,
      maxBalanceUSD: '1.0',
      minBalanceUSD: '0.75',
      useTransferPreapproval,
    }
    const servers = await both([world, other], { sweeps: { senders: { [alice]: sweep } } })
    assert.equal(
      (await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))).status,
      200,
    )
    await tapCoins(world, 'alice', 150n)
    for (let n = 1; n <= ROUNDS; n++) {
      await tapCoins(n % 2 === 0 ? world : other, 'alice', 100n)
      // At the other server another sum may be there already.
      const [first, second] = servers
      await Promise.all([
        first?.run('sweeps'),
        tapCoins(other, 'alice', 1n).then(() => second?.run('sweeps')),
      ])
      if (!useTransferPreapproval) {
        assert.equal((await openAmounts(world)).length, 1)
        await acceptAll(world)
        await runAll(servers, 'completion')
      }
      const left = Number((await balance(world, 'alice')).unlocked)
      assert.ok(left >= 150 && left <= 150 + n, `${left} coin are left after sweep ${n}`)
    }
    assert.equal(await supply(world), `${150 + ROUNDS * 101}.0000000000`)
  })
}

test('what is over ends once', async () => {
  const [world, other] = await twoServers({ network: TRAFFIC })
  const servers = await both([world, other])
  for (let n = 0; n < ROUNDS; n++) await offer(world, { trackingId: `t${n}` })
  for (const { clock } of [world, other]) clock.now += 2n * MINUTE
  await runAll(servers, 'expiry')
  assert.deepEqual(await openAmounts(world), [])
  for (let n = 0; n < ROUNDS; n++) assert.equal(await statusOf(other, `t${n}`), 'failed')
})
