// Sweeps: when, how much, and what becomes of them. docs/automations.md, "sweeps";
// docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import sweepsPlugin from '../../plugins/automation-sweeps/index.ts'
import { firstUnused } from '../../plugins/automation-sweeps/names.ts'
import { coinToUsd, transferOffer } from '../../runtime/contracts/index.ts'
import { checkOptions } from '../../runtime/host/options.ts'
import { member } from '../../runtime/host/member.ts'
import { formatDecimal, parseDecimal } from '../../runtime/engine/index.ts'
import type { Logger } from '../../runtime/host/log.ts'
import { keepingLog } from '../interfaces/http-fixture.ts'
import { setUpAutomations } from '../support/automations.ts'
import type { TestAutomations } from '../support/automations.ts'
import { eventually } from '../support/eventually.ts'
import { sized } from '../support/test-store.ts'
import { accept, acceptAll, MINUTE, offer, openAmounts, statusOf } from './offer-kit.ts'
import { balance, createWorld, NOTHING, tapCoins } from './world.ts'
import type { World, WorldOptions } from './world.ts'

const TRAFFIC = { baseBurstBytes: 1_000_000_000 }
const decimal = (text: string) => parseDecimal(text) ?? 0n

interface Terms {
  readonly from?: string
  readonly to?: string
  readonly max?: string
  readonly min?: string
  readonly useTransferPreapproval?: boolean
}

async function sweeping(
  place: World | { readonly world: World; readonly log: Logger },
  ...all: readonly Terms[]
): Promise<TestAutomations> {
  const { world, ...log } = 'world' in place ? place : { world: place }
  const senders = await Promise.all(
    all.map(async ({ from = 'alice', to = 'bob', max = '1.0', min = '0.25', ...rest }) => [
      await world.partyOf(from),
      { receiver: await world.partyOf(to), maxBalanceUSD: max, minBalanceUSD: min, ...rest },
    ]),
  )
  return setUpAutomations(world, {
    ...log,
    names: ['sweeps', 'completion', 'expiry'],
    options: { sweeps: { senders: Object.fromEntries(senders) } },
  })
}

const worldOf = (options: WorldOptions = {}) =>
  createWorld({ network: { traffic: TRAFFIC }, ...options })

/** A sweep by offer: at 0.005 USD a coin, 200 coin are the maximum and 50 the minimum. */
describe('by offer', () => {
  test('what is above the maximum, not what reaches it', async () => {
    const world = await worldOf()
    const sweeps = await sweeping(world, {})
    await tapCoins(world, 'alice', 150n, 50n)
    await sweeps.run('sweeps')
    assert.deepEqual(await openAmounts(world), [])
    await tapCoins(world, 'alice', 100n)
    await sweeps.run('sweeps')
    const [made] = await world.economy.reader.all(transferOffer)
    assert.ok(made)
    const { amount, description, expiresAt, receiver, sender, trackingId } = made.payload
    assert.deepEqual(
      { ...amount, amount: formatDecimal(amount.amount) },
      { amount: '250.0000000000', unit: 'CoinUnit' },
    )
    assert.equal(receiver, await world.partyOf('bob'))
    assert.equal(description, `Sweeping wallet funds to receiver ${receiver}.`)
    assert.equal(expiresAt, world.clock.now + 10n * MINUTE)
    assert.equal(sender, await world.partyOf('alice'))
    await acceptAll(world)
    await sweeps.run('completion', 'sweeps')
    assert.equal((await balance(world, 'alice')).unlocked, '50.0000000000', '0.25 USD')
    assert.equal(await statusOf(world, trackingId), 'completed')
    assert.deepEqual(await openAmounts(world), [])
  })

  test('open offers to the receiver count, accepted or not, whoever made them; those to others do not', async () => {
    const world = await worldOf({ users: ['alice', 'bob', 'carol'] })
    const sweeps = await sweeping(world, {})
    await tapCoins(world, 'alice', 300n)
    await offer(world, { to: 'carol', amount: '1000.0', trackingId: 'carol' })
    await sweeps.run('sweeps')
    await sweeps.run('sweeps')
    assert.deepEqual(await openAmounts(world), ['1000.0000000000', '250.0000000000'])
    await tapCoins(world, 'alice', 200n)
    const own = await offer(world, { amount: '50.0', trackingId: 'own' })
    await accept(world, own)
    await sweeps.run('sweeps')
    assert.equal(
      (await openAmounts(world)).length,
      3,
      '500 - 300 are 1 USD, which is no more than the maximum',
    )
    await tapCoins(world, 'alice', 1n)
    await sweeps.run('sweeps')
    assert.deepEqual((await openAmounts(world)).slice(2), ['151.0000000000', '50.0000000000'])
  })

  test('an offer that nobody accepts ends after ten minutes, and another is made', async () => {
    const world = await worldOf()
    const sweeps = await sweeping(world, {})
    await tapCoins(world, 'alice', 300n)
    await sweeps.run('sweeps')
    const [first] = await world.economy.reader.all(transferOffer)
    world.clock.now += 10n * MINUTE
    await sweeps.run('sweeps', 'expiry')
    await sweeps.run('sweeps')
    const [second, ...more] = await world.economy.reader.all(transferOffer)
    assert.ok(first && second)
    assert.equal(more.length, 0)
    assert.notEqual(second.payload.trackingId, first.payload.trackingId)
    assert.equal(second.payload.expiresAt, world.clock.now + 10n * MINUTE)
    assert.equal(await statusOf(world, first.payload.trackingId), 'failed')
  })

  test('a sender without a wallet here is no failure', async () => {
    const world = await worldOf()
    const sweep = {
      receiver: await world.partyOf('bob'),
      maxBalanceUSD: '0.0',
      minBalanceUSD: '0.0',
    }
    const senders = { [world.economy.parties.sv]: sweep }
    await (
      await setUpAutomations(world, { names: ['sweeps'], options: { sweeps: { senders } } })
    ).run()
  })

  test('coins that are locked do not count', async () => {
    const world = await worldOf()
    const sweeps = await sweeping(world, {})
    await tapCoins(world, 'alice', 300n)
    const reply = await world.handlers.createTokenStandardTransfer(
      {
        ...NOTHING,
        body: {
          receiver_party_id: await world.partyOf('bob'),
          amount: '100',
          description: '',
          expires_at: world.clock.now + MINUTE,
          tracking_id: 'x',
        },
      },
      await world.as('alice'),
    )
    assert.equal(reply.status, 200)
    await sweeps.run('sweeps')
    assert.deepEqual(await openAmounts(world), [])
  })

  test('a server that knows nothing of earlier sweeps goes on where they ended', async () => {
    const world = await worldOf()
    for (let n = 1; n <= 5; n++) {
      await tapCoins(world, 'alice', 250n)
      await (await sweeping(world, {})).run('sweeps')
      await acceptAll(world)
      await (await sweeping(world, {})).run('completion')
    }
    assert.equal((await balance(world, 'alice')).unlocked, '50.0000000000')
    assert.equal((await balance(world, 'bob')).unlocked, '1200.0000000000')
  })
})

describe('by preapproval', () => {
  test('moves coins at once, also while an offer to the receiver is open', async () => {
    const world = await worldOf()
    const sweeps = await sweeping(world, { useTransferPreapproval: true })
    await tapCoins(world, 'alice', 300n)
    assert.equal(
      (await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))).status,
      200,
    )
    await offer(world, { amount: '250.0' })
    await sweeps.run('sweeps')
    assert.equal((await balance(world, 'alice')).unlocked, '50.0000000000')
    assert.equal((await balance(world, 'bob')).unlocked, '250.0000000000')
    const [newest] = Array(
      member(
        (
          await world.handlers.listTransactions(
            { ...NOTHING, body: { page_size: 1n } },
            await world.as('bob'),
          )
        ).body,
        'items',
      ),
    ).flat()
    assert.equal(
      member(member(newest, 'transaction_subtype'), 'choice'),
      'TransferPreapproval_Send',
    )
    await sweeps.run('sweeps')
    assert.equal((await balance(world, 'alice')).unlocked, '50.0000000000')
    await tapCoins(world, 'alice', 151n)
    await (await sweeping(world, { useTransferPreapproval: true })).run('sweeps')
    assert.equal(
      (await balance(world, 'bob')).unlocked,
      '401.0000000000',
      'a later sweep, by a server that has just started',
    )
  })

  test('without one nothing moves, the log says why, and other wallets are swept each time', async () => {
    const world = await worldOf({ users: ['alice', 'bob', 'carol'] })
    const logged = keepingLog()
    const sweeps = await sweeping(
      { world, log: logged },
      { useTransferPreapproval: true },
      { from: 'carol' },
    )
    await tapCoins(world, 'alice', 300n)
    for (const due of [1, 2, 3]) {
      await tapCoins(world, 'carol', 300n)
      await sweeps.run('sweeps')
      assert.equal((await openAmounts(world)).length, due)
    }
    assert.equal((await balance(world, 'alice')).unlocked, '300.0000000000')
    const [warning, ...more] = logged.lines
    assert.match(JSON.stringify(warning), /bob.* has no transfer preapproval/)
    assert.equal(more.length, 1, 'it waits for more looks each time')
  })

  test('a preapproval that was missing wakes the sweeps that waited for it', async () => {
    const world = await worldOf()
    const sweeps = await sweeping(world, { useTransferPreapproval: true })
    await tapCoins(world, 'alice', 300n)
    for (let look = 1; look <= 3; look++) await sweeps.run('sweeps')
    sweeps.watch((error) => assert.fail(String(error)))
    const asked = await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))
    assert.equal(asked.status, 200)
    await eventually('250.0000000000', async () => (await balance(world, 'bob')).unlocked)
    await sweeps.stop()
  })
})

test('options that cannot be meant are refused before anything starts', async () => {
  const check = async (some: object) =>
    (
      await checkOptions(
        sweepsPlugin.options,
        {
          senders: {
            'a::1': { receiver: 'b::1', maxBalanceUSD: '10.0', minBalanceUSD: '1.0', ...some },
          },
        },
        'automations.sweeps',
      )
    ).ok
  assert.equal(await check({}), true)
  assert.equal(await check({ minBalanceUSD: '10.0' }), true)
  assert.equal(await check({ minBalanceUSD: '10.0000000001' }), false)
  assert.equal(await check({ minBalanceUSD: '-1.0' }), false)
  assert.equal(await check({ minBalanceUSD: 1 }), false)
  assert.equal(await check({ maxBalanceUSD: '1e3' }), false)
  assert.equal(await check({ receiver: 'a::1' }), false)
  assert.equal(await check({ receiver: 'b/1' }), false)
  assert.equal(await check({ maxBalanceUsd: '1.0' }), false)
})

test('the next number is found whatever is used', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(300), fc.nat(300), async (used, known) => {
      let asked = 0
      const from = 1 + Math.min(known, used)
      const found = await firstUnused(async (n) => ((asked += 1), n <= used), from)
      assert.equal(found, used + 1)
      assert.ok(asked <= 2 * Math.ceil(Math.log2(used - from + 2)) + 2, `${asked} questions`)
    }),
  )
})

const STEPS = fc.oneof(
  fc.bigInt(1n, 5_000n).map((tap) => ({ kind: 'tap', tap }) as const),
  fc
    .constantFrom(...(['sweep', 'accept', 'complete', 'wait'] as const))
    .map((kind) => ({ kind }) as const),
)

/** Invariant 35: never too much, and in the end within the bounds. */
test('whatever happens, what is on its way leaves the minimum, and a swept wallet comes within its bounds', async () => {
  const bound = fc.bigInt(0n, 10n ** 11n)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('0.005', '0.1234567891', '3.3333333333'),
      bound,
      bound,
      fc.array(STEPS, { minLength: 3, maxLength: 12 }),
      async (conversionRate, a, b, steps) => {
        const world = await worldOf({ network: { conversionRate, traffic: TRAFFIC } })
        const [min, max] = a < b ? [a, b] : [b, a]
        const sweeps = await sweeping(world, { min: formatDecimal(min), max: formatDecimal(max) })
        const price = decimal(conversionRate)
        const slack = price + 10n
        const left = async () => {
          const promised = (await openAmounts(world)).reduce(
            (sum, amount) => sum + coinToUsd(decimal(amount), price),
            0n,
          )
          return coinToUsd(decimal((await balance(world, 'alice')).unlocked), price) - promised
        }
        const take = async (kind: 'sweep' | 'accept' | 'complete' | 'wait') => {
          if (kind === 'sweep') {
            const before = await left()
            await sweeps.run('sweeps')
            const swept = await left()
            if (before <= max) assert.equal(swept, before, 'nothing is due')
            else
              assert.ok(
                swept >= min - slack && swept <= min + slack,
                `${swept} is left, ${min} was to be`,
              )
          } else if (kind === 'accept') await acceptAll(world)
          else if (kind === 'complete') await sweeps.run('completion')
          else {
            world.clock.now += 10n * MINUTE
            await sweeps.run('expiry')
          }
        }
        for (const step of steps)
          await (step.kind === 'tap' ? tapCoins(world, 'alice', step.tap) : take(step.kind))
        for (const kind of ['sweep', 'accept', 'complete'] as const) await take(kind)
        assert.ok((await left()) <= max + slack)
      },
    ),
    { numRuns: sized(15, 5) },
  )
})
