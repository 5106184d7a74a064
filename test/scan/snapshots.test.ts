// Snapshots: when they are taken, which one a time means, and that they show what was active,
// whatever came later. docs/economy-rules.md, "Scan"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ActiveContract } from '../../generated/scan/types.gen.ts'
import { coin, lockedCoin } from '../../runtime/contracts/index.ts'
import { holdingOwner } from '../../runtime/economy/holding-owner.ts'
import { formatDecimal } from '../../runtime/engine/index.ts'
import { snapshotHandlers } from '../../runtime/interfaces/scan/history-handlers.ts'
import { firstSlot } from '../../runtime/economy/snapshots/snapshots.ts'
import { timeOf, timeText } from '../../runtime/participant/time.ts'
import { asked, bodyOf, startScan, TICK } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

const HOUR = 3_600_000_000n
const END = '9999-01-01T00:00:00Z'

async function before({ scan }: ScanNetwork, time: string, migrationId = 0n) {
  return scan.getDateOfMostRecentSnapshotBefore({
    query: { before: time, migration_id: migrationId },
  })
}

async function after({ scan }: ScanNetwork, time: string, migrationId = 0n) {
  return scan.getDateOfFirstSnapshotAfter({ query: { after: time, migration_id: migrationId } })
}

async function force({ scan }: ScanNetwork): Promise<string> {
  return bodyOf(await scan.forceAcsSnapshotNow()).record_time
}

type AcsRequest = NonNullable<Parameters<ScanNetwork['scan']['getAcsSnapshotAtV2']>[0]>
type AcsFilter = Partial<AcsRequest['body']>

/** All pages of a snapshot. */
async function contractsAt(
  { scan }: ScanNetwork,
  recordTime: string,
  filter: AcsFilter = {},
): Promise<readonly ActiveContract[]> {
  const all: ActiveContract[] = []
  const body = { migration_id: 0n, record_time: recordTime, page_size: 7, ...filter }
  let token: string | undefined
  do {
    const place = token === undefined ? {} : { after: token }
    const page = bodyOf(await scan.getAcsSnapshotAtV2({ body: { ...body, ...place } }))
    assert.ok(page.created_events.length <= body.page_size)
    all.push(...page.created_events)
    token = page.next_page_token
  } while (token !== undefined)
  return all
}

/** Contracts that are active now and seen by the network's party, from the store. */
async function activeNow({
  store,
  economy: {
    parties: { dso },
  },
}: ScanNetwork) {
  const { offset } = await store.contracts.ledgerEnd()
  const rows = await store.contracts.snapshot({
    offset,
    templates: [],
    parties: [],
    after: 0n,
    limit: 10_000,
  })
  return rows
    .filter(({ contract }) => [...contract.signatories, ...contract.observers].includes(dso))
    .map(({ contract }) => contract)
}

test('the first slot is the first multiple of the period after the hour of the first update', () => {
  const at = (text: string) => timeOf(text) ?? assert.fail(text)
  const cases: readonly (readonly [string, bigint, string])[] = [
    ['2027-01-15T00:00:00Z', 3n, '2027-01-15T03:00:00Z'],
    ['2027-01-15T02:59:59Z', 3n, '2027-01-15T03:00:00Z'],
    ['2027-01-15T03:00:00Z', 3n, '2027-01-15T06:00:00Z'],
    ['2027-01-15T22:00:01Z', 3n, '2027-01-16T00:00:00Z'],
    ['2027-01-15T21:30:00Z', 5n, '2027-01-16T00:00:00Z'],
    ['2027-01-15T10:30:00Z', 24n, '2027-01-16T00:00:00Z'],
    ['2027-12-31T23:30:00Z', 1n, '2028-01-01T00:00:00Z'],
  ]
  for (const [update, hours, slot] of cases)
    assert.equal(timeText(firstSlot(at(update), hours * HOUR)), slot, update)
})

test('snapshots are taken once their time has come and an update is later than that', async () => {
  const network = await startScan()
  await network.work('snapshots')
  assert.equal((await before(network, END)).status, 404)
  const slot = firstSlot(network.clock.nowMicros(), 3n * HOUR)
  const genesisEnd = (await network.store.contracts.ledgerEnd()).recordTime
  network.pass(slot - network.clock.nowMicros())
  await network.work('snapshots')
  assert.equal(
    (await before(network, END)).status,
    404,
    'an update before the slot may still be under way',
  )
  network.pass(1n)
  await network.work('rounds', 'snapshots')
  assert.equal(bodyOf(await before(network, END)).record_time, timeText(genesisEnd))
  for (const text of [timeText(slot), timeText(genesisEnd)]) {
    assert.ok(
      (await contractsAt(network, text)).length > 0,
      'named by its slot and by its last update',
    )
  }
  network.pass(40n * HOUR)
  await network.work('rounds', 'snapshots')
  const second = bodyOf(await after(network, timeText(genesisEnd))).record_time
  assert.ok((timeOf(second) ?? 0n) > slot)
  network.pass(5n * HOUR)
  await network.work('rounds', 'snapshots')
  assert.equal((await after(network, second)).status, 200)
  assert.equal(
    (await network.store.contracts.facts('acs-snapshot.0', '', 100)).length,
    3,
    'slots without updates are passed over',
  )
})

test('two servers take the same snapshots', async () => {
  const one = await startScan()
  const other = await startScan({ store: one.store, clock: one.clock })
  for (let days = 0; days < 3; days += 1) {
    one.pass(24n * HOUR)
    await one.work('rounds')
    await Promise.all([one.work('snapshots'), other.work('snapshots')])
  }
  const [earliest, latest] = await Promise.all(
    ['acs-snapshot.0', 'acs-snapshot-latest.0'].map((kind) =>
      one.store.contracts.facts(kind, '', 100),
    ),
  )
  assert.equal(earliest?.length, 3)
  assert.deepEqual(
    latest?.map(({ body }) => body).toReversed(),
    earliest.map(({ body }) => body),
  )
})

test('bounds are exclusive, the migration must be the same', async () => {
  const network = await startScan()
  const first = await force(network)
  network.pass(TICK)
  await network.work('rounds')
  const second = await force(network)
  const near = (text: string, micros: bigint) => timeText((timeOf(text) ?? 0n) + micros)
  assert.equal((await before(network, first)).status, 404)
  assert.equal(bodyOf(await before(network, near(first, 1n))).record_time, first)
  assert.equal(bodyOf(await before(network, second)).record_time, first)
  assert.equal(bodyOf(await before(network, near(second, 1n))).record_time, second)
  assert.equal(bodyOf(await after(network, near(first, -1n))).record_time, first)
  assert.equal(bodyOf(await after(network, first)).record_time, second)
  assert.equal((await after(network, second)).status, 404)
  for (const migration of [1n, -1n, 2n ** 63n - 1n])
    assert.equal((await before(network, END, migration)).status, 404)
  assert.equal((await after(network, near(first, -1n), 1n)).status, 404)
  for (const text of ['1969-12-31T23:00:00Z', 'yesterday'])
    assert.equal((await before(network, text)).status, 400)
})

test('a snapshot shows what was active, whatever happens later', async () => {
  const network = await startScan()
  const then = await activeNow(network)
  const recordTime = await force(network)
  for (let ticks = 0; ticks < 4; ticks += 1) {
    network.pass(TICK)
    await network.work('rounds', 'rewards', 'liveness')
  }
  const shown = await contractsAt(network, recordTime)
  assert.deepEqual(
    shown.map(({ contract_id: id }) => id),
    then.map(({ contractId }) => contractId),
  )
  assert.deepEqual(
    shown.map(({ create_arguments: payload }) => payload),
    then.map(({ payload }) => JSON.parse(payload)),
  )
  for (const { created_in_update_id: updateId = '' } of shown)
    assert.ok(await network.store.updates.byId(updateId))
  const later = await activeNow(network)
  assert.notDeepEqual(
    later.map(({ contractId }) => contractId),
    then.map(({ contractId }) => contractId),
  )
  const [exact, latest] = await Promise.all(
    (['exact', 'at_or_before'] as const).map((match) =>
      network.scan.getAcsSnapshotAtV2({
        body: { migration_id: 0n, record_time: END, record_time_match: match, page_size: 1 },
      }),
    ),
  )
  assert.equal(exact?.status, 404)
  assert.equal(latest === undefined ? '' : bodyOf(latest).record_time, recordTime)
})

test('templates and parties choose, in any combination and page size', async () => {
  const network = await startScan()
  const parties = [
    await network.partyOf('alice'),
    network.economy.parties.operator,
    network.economy.parties.dso,
    'nobody::12',
  ]
  const names = [
    'network-coin:Network.Coin:Coin',
    'network-coin:Network.Round:OpenMiningRound',
    'network-coin:Network.Coin:Nothing',
  ]
  const recordTime = await force(network)
  const all = await activeNow(network)
  const filter = fc.record({
    party_ids: fc.subarray(parties),
    templates: fc.subarray(names),
    page_size: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(filter, async (chosen) => {
      const expected = all.filter(({ packageName, templateId, signatories, observers }) => {
        const name = `${packageName}:${templateId.slice(templateId.indexOf(':') + 1)}`
        const isOfParty =
          chosen.party_ids.length === 0 ||
          chosen.party_ids.some((party) => [...signatories, ...observers].includes(party))
        return isOfParty && (chosen.templates.length === 0 || chosen.templates.includes(name))
      })
      const shown = await contractsAt(network, recordTime, chosen)
      assert.deepEqual(
        shown.map(({ contract_id: id }) => id),
        expected.map(({ contractId }) => contractId),
      )
    }),
    { numRuns: 40 },
  )
})

test('holdings of a snapshot: each of them, and their sums, as they were', async () => {
  const network = await startScan()
  const {
    scan,
    economy: {
      reader,
      parties: { operator, dso },
    },
  } = network
  const alice = await network.partyOf('alice')
  const recordTime = await force(network)
  const query = {
    migration_id: 0n,
    record_time: recordTime,
    owner_party_ids: [alice, operator, dso],
  }
  const sums = await Promise.all(
    [alice, operator].map(async (party) => ({
      party_id: party,
      total_unlocked_coin: formatDecimal((await reader.total('unlocked', party)).amount),
      total_locked_coin: formatDecimal((await reader.total('locked', party)).amount),
    })),
  )
  const coins = (await activeNow(network)).filter(({ templateId }) =>
    [coin.type.id, lockedCoin.type.id].includes(templateId),
  )
  network.pass(TICK)
  await network.work()
  const summary = bodyOf(await scan.getHoldingsSummaryAtV1({ body: query }))
  assert.deepEqual(
    new Set(summary.summaries),
    new Set(sums.map((each) => ({ ...each, total_coin_holdings: each.total_unlocked_coin }))),
  )
  const withFees = bodyOf(await scan.getHoldingsSummaryAt({ body: { ...query, as_of_round: 10n } }))
  assert.equal(withFees.computed_as_of_round, 10n)
  const ofAlice = withFees.summaries.find(({ party_id: party }) => party === alice)
  assert.equal(
    ofAlice?.accumulated_holding_fees_unlocked,
    '0.0380518000',
    'ten rounds at 200 x 0.0000190259',
  )
  assert.equal(ofAlice?.total_available_coin, '20000.0000000000', 'fees are shown, not deducted')
  const ids: string[] = []
  let token: bigint | undefined
  do {
    const body = { ...query, page_size: 1, ...(token === undefined ? {} : { after: token }) }
    const page = bodyOf(await scan.getHoldingsStateAtV1({ body }))
    ids.push(...page.created_events.map(({ contract_id: id }) => id))
    token = page.next_page_token
  } while (token !== undefined)
  const owned = coins.filter((held) => [alice, operator].includes(holdingOwner(held)))
  assert.deepEqual(
    ids,
    owned.map(({ contractId }) => contractId),
  )
  const second = bodyOf(await scan.getHoldingsStateAtV2({ body: { ...query, page_size: 100 } }))
  assert.deepEqual(
    second.created_events.map(({ contract_id: id }) => id),
    ids,
  )
})

test('contracts of one update read it once', async () => {
  const network = await startScan()
  const { economy, store } = network
  const recordTime = await force(network)
  const read: string[] = []
  const byId = (id: string) => {
    read.push(id)
    return store.updates.byId(id)
  }
  const updates = { ...store.updates, byId }
  const scan = asked(snapshotHandlers({ ...economy, store: { ...store, updates } }))
  const body = { migration_id: 0n, record_time: recordTime, page_size: 1_000 }
  const whole = bodyOf(await scan.getAcsSnapshotAt({ body })).created_events
  const named = bodyOf(await scan.getAcsSnapshotAtV2({ body })).created_events
  const ids = named.map(({ created_in_update_id: id }) => id)
  assert.ok(new Set(ids).size < ids.length, 'some contracts share an update')
  assert.deepEqual(read, [...new Set(ids)])
  for (const [index, { event_id: id, contract_id: contractId }] of whole.entries()) {
    assert.equal(contractId, named[index]?.contract_id)
    assert.match(id, new RegExp(`^${ids[index]}:\\d+$`))
  }
})

test('a snapshot that is pruned while it is read is not found', async () => {
  const network = await startScan()
  const recordTime = await force(network)
  const { economy, store } = network
  network.pass(40n * HOUR)
  await network.work('rounds')
  const contracts = new Proxy(store.contracts, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      if (name !== 'snapshot') return own.bind(target)
      return async (query: Parameters<typeof target.snapshot>[0]) => {
        await store.updates.prune((await target.ledgerEnd()).offset)
        return target.snapshot(query)
      }
    },
  })
  const scan = asked(snapshotHandlers({ ...economy, store: { ...store, contracts } }))
  const body = { migration_id: 0n, record_time: recordTime, page_size: 7 }
  const page = await scan.getAcsSnapshotAtV2({ body })
  assert.equal(page.status, 404)
})

test('a production network takes no snapshot on demand', async () => {
  const network = await startScan({ network: { isDevNet: false } })
  assert.equal((await network.scan.forceAcsSnapshotNow()).status, 400)
})
