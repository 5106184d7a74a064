// The rounds as a client keeps them: whatever it held, after an answer it holds what is active, and
// it asks again in time. docs/economy-rules.md, "Scan"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Contract, MaybeCachedContractWithStateMap } from '../../generated/scan/types.gen.ts'
import { issuingMiningRound, openMiningRound } from '../../runtime/contracts/index.ts'
import { earliestAvailableRound } from '../../runtime/interfaces/scan/rounds.ts'
import { PlainError } from '../../runtime/economy/errors.ts'
import { bodyOf, SECOND, startScan, TICK } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

type Cache = ReadonlyMap<string, Contract>

interface Rounds {
  readonly open: Cache
  readonly issuing: Cache
}

const EMPTY: Rounds = { open: new Map(), issuing: new Map() }

async function ask({ scan }: ScanNetwork, held: Rounds) {
  return bodyOf(
    await scan.getOpenAndIssuingMiningRounds({
      body: {
        cached_open_mining_round_contract_ids: [...held.open.keys()],
        cached_issuing_round_contract_ids: [...held.issuing.keys()].map((contractId) => ({
          contractId,
        })),
      },
    }),
  )
}

/**
 * As a client does it: what has no key is gone, what has a key without contract is what was held.
 */
function merged(held: Cache, answer: MaybeCachedContractWithStateMap): Cache {
  return new Map(
    Object.entries(answer).map(([id, { contract }]) => {
      const known = contract ?? held.get(id)
      assert.ok(known, `${id} is neither held nor told`)
      assert.equal(known.contract_id, id)
      return [id, known]
    }),
  )
}

async function refreshed(
  network: ScanNetwork,
  held: Rounds,
): Promise<Rounds & { readonly timeToLive: bigint }> {
  const answer = await ask(network, held)
  return {
    open: merged(held.open, answer.open_mining_rounds),
    issuing: merged(held.issuing, answer.issuing_mining_rounds),
    timeToLive: BigInt(answer.time_to_live_in_microseconds),
  }
}

async function advance(network: ScanNetwork, micros = TICK): Promise<void> {
  network.pass(micros)
  await network.work('rounds')
}

test('after any answer a client holds exactly what is active, whatever it held before', async () => {
  const network = await startScan()
  const seen: Rounds[] = []
  for (let ticks = 0; ticks < 6; ticks += 1) {
    seen.push(await refreshed(network, EMPTY))
    await advance(network)
  }
  const all = {
    open: seen.flatMap(({ open }) => [...open]),
    issuing: seen.flatMap(({ issuing }) => [...issuing]),
  }
  const current = await refreshed(network, EMPTY)
  assert.equal(current.open.size, 3)
  assert.ok(current.issuing.size > 0 && all.open.length > 3)
  const held = fc.record({
    open: fc.subarray([...all.open, ...current.open]),
    issuing: fc.subarray([...all.issuing, ...current.issuing]),
  })
  await fc.assert(
    fc.asyncProperty(held, async ({ open, issuing }) => {
      const before = { open: new Map(open), issuing: new Map(issuing) }
      const answer = await ask(network, before)
      for (const [kind, map] of [
        ['open', answer.open_mining_rounds],
        ['issuing', answer.issuing_mining_rounds],
      ] as const) {
        assert.deepEqual(merged(before[kind], map), current[kind])
        for (const [id, { contract, domain_id: domain }] of Object.entries(map)) {
          assert.equal(
            contract === undefined,
            before[kind].has(id),
            'content is told to who does not hold it',
          )
          assert.equal(domain, network.economy.node.synchronizerId)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('who asks again when the answer expires knows every round before it opens', async () => {
  const network = await startScan()
  let held = await refreshed(network, EMPTY)
  let expires = network.clock.nowMicros() + held.timeToLive
  for (let steps = 0; steps < 120; steps += 1) {
    network.pass(97n * SECOND)
    await network.work('rounds')
    const now = network.clock.nowMicros()
    if (now >= expires) {
      held = await refreshed(network, held)
      expires = now + held.timeToLive
    }
    const opened = (await network.economy.reader.all(openMiningRound)).filter(
      ({ payload }) => payload.opensAt <= now,
    )
    for (const { id, payload } of opened)
      assert.ok(held.open.has(id), `round ${payload.round} opened unknown`)
  }
})

test('a round in flight stays a key without synchronizer', async () => {
  const network = await startScan()
  const held = await refreshed(network, EMPTY)
  const [id = ''] = held.open.keys()
  const { engine, network: state, node } = network.economy
  await state.openRounds()
  for (const to of [undefined, node.synchronizerId]) {
    assert.ok((await engine.reassign({ contractId: id, to })).ok)
    await engine.recordFacts([], () => [
      { kind: 'network-state', key: '', body: JSON.stringify(String(to)) },
    ])
    assert.deepEqual(
      (await ask(network, held)).open_mining_rounds[id],
      to === undefined ? {} : { domain_id: to },
    )
  }
})

test('ids that nobody can have are no ids of a cache', async () => {
  const { scan } = await startScan()
  const answer = bodyOf(
    await scan.getOpenAndIssuingMiningRounds({
      body: {
        cached_open_mining_round_contract_ids: ['', '__proto__', '\0', 'x'.repeat(5_000)],
        cached_issuing_round_contract_ids: [{ contract_id: 'no' }],
      },
    }),
  )
  assert.equal(Object.keys(answer.open_mining_rounds).length, 3)
  assert.ok(
    Object.values(answer.open_mining_rounds).every(({ contract }) => contract !== undefined),
  )
})

test('the first round has complete records as soon as it is no longer open', async () => {
  const network = await startScan({ network: { initialRound: 5 } })
  assert.ok((await earliestAvailableRound(network.economy)) instanceof PlainError)
  await advance(network)
  assert.equal(await earliestAvailableRound(network.economy), 5n)
  for (let ticks = 0; ticks < 4; ticks += 1) await advance(network)
  assert.equal(await earliestAvailableRound(network.economy), 5n)
  assert.ok((await network.payloads(issuingMiningRound)).length > 0)
})
