// The ledger's history as scan tells it: every update once and in order, trees that hang together,
// and nothing that the network's party does not see. spec/scan.yaml; docs/economy-rules.md,
// "Invariants"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  TreeEvent,
  UpdateHistoryItemV2,
  UpdateHistoryTransactionV2,
} from '../../generated/scan/types.gen.ts'
import { openMiningRound } from '../../runtime/contracts/index.ts'
import { decodeUpdate } from '../../runtime/engine/index.ts'
import { timeOf } from '../../runtime/participant/time.ts'
import { bodyOf, startScan, TICK } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

async function busyNetwork(): Promise<ScanNetwork> {
  const network = await startScan()
  for (let ticks = 0; ticks < 4; ticks += 1) {
    network.pass(TICK)
    await network.work('rounds', 'rewards', 'liveness', 'traffic')
  }
  return network
}

async function history(
  { scan }: ScanNetwork,
  pageSize: number,
): Promise<readonly UpdateHistoryItemV2[]> {
  const all: UpdateHistoryItemV2[] = []
  for (;;) {
    const last = all.at(-1)
    const after =
      last === undefined
        ? {}
        : { after: { after_migration_id: 0n, after_record_time: last.record_time } }
    const { transactions } = bodyOf(
      await scan.getUpdateHistoryV2({ body: { page_size: pageSize, ...after } }),
    )
    if (transactions.length === 0) return all
    assert.ok(transactions.length <= pageSize)
    all.push(...transactions)
  }
}

function isTransaction(item: UpdateHistoryItemV2): item is UpdateHistoryTransactionV2 {
  return 'events_by_id' in item
}

/** Events from the roots down, each after what it hangs below. */
function walk({
  root_event_ids: roots,
  events_by_id: events,
}: UpdateHistoryTransactionV2): readonly TreeEvent[] {
  const below = (id: string): readonly TreeEvent[] => {
    const event = events[id]
    assert.ok(event, `${id} is named and not there`)
    assert.equal(event.event_id, id)
    return [
      event,
      ...(event.event_type === 'exercised_event' ? event.child_event_ids.flatMap(below) : []),
    ]
  }
  return roots.flatMap(below)
}

test('pages of any size tell every update once, in the order of record times', async () => {
  const network = await busyNetwork()
  const all = await history(network, 1_000)
  assert.ok(all.length > 15, `${all.length} updates`)
  const times = all.map(({ record_time: text }) => timeOf(text) ?? assert.fail(text))
  assert.deepEqual(
    times,
    times.toSorted((one, other) => (one < other ? -1 : 1)),
  )
  for (const pageSize of [1, 4]) assert.deepEqual(await history(network, pageSize), all)
  for (const update of all) {
    const input = { path: { update_id: update.update_id }, query: {} }
    assert.deepEqual(bodyOf(await network.scan.getUpdateByIdV2(input)), update)
  }
})

test('earlier versions tell the same, with offsets; events tell it, an update each', async () => {
  const { scan } = await busyNetwork()
  const body = { page_size: 10 }
  const input = { body }
  const { transactions: all } = bodyOf(await scan.getUpdateHistoryV2(input))
  const [first] = all
  assert.ok(first)
  const path = { update_id: first.update_id }
  const [v1, v0] = [
    bodyOf(await scan.getUpdateHistoryV1(input)).transactions,
    bodyOf(await scan.getUpdateHistoryV0(input)).transactions,
  ]
  assert.deepEqual(v0, v1)
  const offsets = v1.map(({ offset }) => offset)
  assert.deepEqual([offsets, new Set(offsets).size], [offsets.toSorted(), all.length])
  assert.deepEqual(
    v1.map(({ offset: _, ...update }) => update),
    all,
  )
  const { events } = bodyOf(await scan.getEventHistory(input))
  assert.deepEqual(
    events,
    all.map((update) => ({ update })),
  )
  const asked = { path }
  assert.deepEqual(bodyOf(await scan.getUpdateByIdV1(asked)), v1[0])
  assert.deepEqual(bodyOf(await scan.getUpdateByIdV0(asked)), v1[0])
  assert.deepEqual(bodyOf(await scan.getEventById(asked)), { update: first })
  const lossless = { body: { ...body, lossless: true } }
  assert.equal((await scan.getUpdateHistoryV0(lossless)).status, 400)
})

test('trees are whole: every event hangs at one place', async () => {
  for (const update of (await history(await busyNetwork(), 1_000)).filter(isTransaction)) {
    const ids = walk(update).map(({ event_id: id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(new Set(ids), new Set(Object.keys(update.events_by_id)))
  }
})

test('replaying the history gives what is active, as far as the network sees it', async () => {
  const network = await busyNetwork()
  const { dso } = network.economy.parties
  const active = new Set<string>()
  for (const event of (await history(network, 1_000)).filter(isTransaction).flatMap(walk)) {
    if (event.event_type === 'created_event') active.add(event.contract_id)
    else if (event.consuming) active.delete(event.contract_id)
  }
  const { offset } = await network.store.contracts.ledgerEnd()
  const rows = await network.store.contracts.snapshot({
    offset,
    templates: [],
    parties: [],
    after: 0n,
    limit: 10_000,
  })
  const stakes = rows.filter(({ contract: { signatories, observers } }) =>
    [...signatories, ...observers].includes(dso),
  )
  for (const { contract } of stakes)
    assert.ok(active.delete(contract.contractId), contract.templateId)
  // What is left was created before the network's eyes for others.
  const others = new Set(rows.map(({ contract: { contractId } }) => contractId))
  assert.ok([...active].every((id) => others.has(id)))
})

test("what the network's party does not see is not told", async () => {
  const network = await startScan()
  const { dso } = network.economy.parties
  const stored = (await network.store.contracts.updatesAfter(0n, 1_000)).flatMap(({ body }) => {
    const update = decodeUpdate(body)
    return update.kind === 'transaction'
      ? update.transaction.events.map((event) => ({ event, id: update.transaction.updateId }))
      : []
  })
  const seen = stored
    .filter(({ event }) => event.witnesses.includes(dso))
    .map(({ event, id }) => `${id}:${event.node}`)
  const told = (await history(network, 1_000))
    .filter(isTransaction)
    .flatMap(({ events_by_id: events }) => Object.keys(events))
  assert.deepEqual(new Set(told), new Set(seen))
  assert.ok(seen.length < stored.length, 'wallets are no business of the network')
})

test('moves are told with both sides', async () => {
  const network = await startScan()
  const [round] = await network.economy.reader.all(openMiningRound)
  assert.ok(round)
  const {
    engine,
    node: { synchronizerId },
  } = network.economy
  const [left, came] = [
    await engine.reassign({ contractId: round.id, to: undefined }),
    await engine.reassign({ contractId: round.id, to: synchronizerId }),
  ]
  assert.ok(left.ok && came.ok)
  const moves = (await history(network, 1_000)).flatMap((item) =>
    'event' in item ? [{ id: item.update_id, event: item.event }] : [],
  )
  assert.deepEqual(
    moves.map(({ id }) => id),
    [left.updateId, came.updateId],
  )
  const [unassigned, assigned] = moves.map(({ event }) => event)
  assert.ok(unassigned && 'contract_id' in unassigned && unassigned.contract_id === round.id)
  assert.ok(
    assigned && 'created_event' in assigned && assigned.created_event.contract_id === round.id,
  )
  assert.deepEqual([unassigned.unassign_id, assigned.unassign_id], [left.updateId, left.updateId])
  assert.equal(assigned.source_synchronizer, synchronizerId)
})

test('points that are none are refused, points of other migrations are before or after everything', async () => {
  const network = await startScan()
  const all = await history(network, 1_000)
  const page = async (migration: bigint, time: string) =>
    network.scan.getUpdateHistoryV2({
      body: {
        page_size: 1_000,
        after: { after_migration_id: migration, after_record_time: time },
      },
    })
  assert.deepEqual(bodyOf(await page(-1n, '2030-01-01T00:00:00Z')).transactions, all)
  assert.deepEqual(bodyOf(await page(0n, '1970-01-01T00:00:00Z')).transactions, all)
  assert.deepEqual(bodyOf(await page(0n, '2999-01-01T00:00:00Z')).transactions, [])
  assert.deepEqual(bodyOf(await page(1n, '1970-01-01T00:00:00Z')).transactions, [])
  assert.equal((await page(0n, 'no time')).status, 400)
  const encoded = await network.scan.getUpdateHistoryV2({
    body: { page_size: 1, value_encoding: 'protobuf_json' },
  })
  assert.equal(encoded.status, 400)
  for (const id of ['', 'nothing', '\0', '\ud800', 'x'.repeat(10_000)]) {
    const found = await network.scan.getUpdateByIdV2({ path: { update_id: id }, query: {} })
    assert.equal(found.status, 404)
  }
})
