// What wakes automations loses nothing: each contract that a server creates is told to every
// server, once, in whatever order they commit and look at the ledger's end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unclaimedReward } from '../../runtime/contracts/index.ts'
import { entityOf } from '../../runtime/economy/changes.ts'
import { submitForNetwork } from '../../runtime/economy/network/commands.ts'
import type { Network } from '../network/kit.ts'
import { startNetwork } from '../network/kit.ts'
import { eventually, retried } from '../support/eventually.ts'
import { newStore, sized } from '../support/test-store.ts'

const REWARD = entityOf(unclaimedReward.type.id)

/** A server of several over one store, and what its automations are told. */
function listening({ services, economy, store }: Network) {
  const told: string[] = []
  let alls = 0
  services.background.world.onChanged([REWARD], (changes) => {
    if (changes === 'all') alls += 1
    else told.push(...changes.map(({ created }) => created?.contractId ?? 'archived'))
  })
  const { watch } = services.ledger.history
  return {
    told,
    alls: () => alls,
    commit: async (): Promise<string> => {
      const { dso } = economy.parties
      const done = await submitForNetwork(economy, {
        actAs: [dso],
        run: (tx) => tx.create(unclaimedReward, { dso, amount: 1n }),
      })
      assert.ok(done !== undefined)
      return done.result
    },
    look: () => watch.check((offset) => store.contracts.history(offset)),
  }
}

async function twoServers() {
  const store = await newStore()
  const first = await startNetwork({ store })
  const second = await startNetwork({ store, clock: first.clock })
  // They look when the test says so.
  for (const { services } of [first, second]) await services.ledger.time.stop()
  return { servers: [listening(first), listening(second)] as const, clock: first.clock, first }
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 20))

test('what any of two servers creates is told to both, once', async () => {
  const { servers } = await twoServers()
  const step = fc.record({
    does: fc.constantFrom('commit', 'commit', 'look', 'wait'),
    who: fc.constantFrom(0, 1),
  } as const)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const before = servers.map(({ told }) => told.length)
      const made: Promise<string>[] = []
      for (const { does, who } of steps) {
        if (does === 'commit') made.push(servers[who].commit())
        else if (does === 'look') await servers[who].look()
        else await settled()
      }
      const created = (await Promise.all(made)).toSorted()
      for (const [index, { look, told }] of servers.entries())
        // A look beside one that still reads leaves the rest to the next.
        await retried(async () => {
          await look()
          await settled()
          assert.deepEqual(told.slice(before[index]).toSorted(), created)
        })
    }),
    { numRuns: sized(40, 8) },
  )
  assert.deepEqual(
    servers.map(({ alls }) => alls()),
    [0, 0],
    'nothing was missed',
  )
})

test('where very many of others were missed, or some are pruned, everything may have changed', async () => {
  const {
    servers: [one, other],
    first: { store },
  } = await twoServers()
  for (let count = 0; count < 250; count += 1) await one.commit()
  await other.look()
  await eventually(1, other.alls)
  await one.commit()
  await one.commit()
  await store.updates.prune((await store.contracts.ledgerEnd()).offset)
  await other.look()
  await eventually(2, other.alls)
  await one.commit()
  await store.updates.prune((await store.contracts.ledgerEnd()).offset)
  await one.commit()
  await other.look()
  await eventually(3, other.alls)
  const id = await one.commit()
  await other.look()
  await eventually([id, 3], () => [other.told.at(-1), other.alls()])
})
