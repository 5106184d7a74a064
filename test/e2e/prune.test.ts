// Pruning as an operator does it: the command beside a running service and without one, and the
// automation. Nothing but the test makes updates: background work waits longer than the test lasts.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { MAIN, startService, type Service } from '../support/service.ts'
import { sqlPlaces, type SqlPlace } from '../support/sql-places.ts'
import { run, tempFolder, type Ended } from './cli-kit.ts'

const UPDATES = 25
const KEEP = 10
const QUIET = { validator: { pollMs: 3_600_000 } }
const AUTOMATIONS = { prune: { keepUpdates: KEEP, everyMs: 50 } }

const places = await sqlPlaces()
after(() => places.release())

const STORAGES = [
  { name: 'sqlite', section: ({ childArguments: [file] }: SqlPlace) => ({ use: 'sqlite', file }) },
  {
    name: 'postgres',
    section: ({ childArguments: [url] }: SqlPlace) => ({ use: 'postgres', url }),
  },
] as const

/** Prunes in the folder of a service, which has its configuration. */
const prune = (folder: string, upTo: string): Promise<Ended> =>
  run(MAIN, ['prune', '--up-to', upTo, '--data', folder], { cwd: folder })

function assertSays(ended: Ended, text: string): void {
  assert.deepEqual(ended, { code: 0, stdout: `${text}\n`, stderr: '' })
}

function assertFails(ended: Ended, code: number, line: string | RegExp): void {
  assert.deepEqual(
    [ended.code, ended.stdout, ended.stderr.trimEnd().split('\n').length],
    [code, '', 1],
    ended.stderr,
  )
  assert.match(
    ended.stderr,
    typeof line === 'string' ? new RegExp(`^ledgerwright: ${line}\n$`) : line,
  )
}

async function assertPruned(service: Service, upTo: number): Promise<void> {
  assert.deepEqual(await prunedOffsets(service), {
    participantPrunedUpToInclusive: upTo,
    allDivulgedContractsPrunedUpToInclusive: upTo,
  })
}

async function prunedOffsets(service: Service): Promise<unknown> {
  const answer = await call(service.url, 'GET /v2/state/latest-pruned-offsets', {
    token: await service.token('participant_admin'),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** Makes updates until there are UPDATES: the first is the network's beginning. */
async function makeUpdates(service: Service): Promise<void> {
  const token = await service.token('operator')
  for (let count = 1; count < UPDATES; count += 1) {
    const voted = await call(service.url, 'POST /api/validator/v0/admin/network/price', {
      token,
      body: { coin_price: `0.${count}` },
    })
    assert.equal(voted.status, 200, voted.text)
  }
}

async function offsetsLeft(place: SqlPlace): Promise<number> {
  return (await place.run('select ledger_offset from updates')).length
}

async function assertRefusesWhatCannotBe(folder: string, end: number): Promise<void> {
  assertFails(
    await prune(folder, String(end + 1)),
    1,
    `offset ${end + 1} is after the ledger end ${end}`,
  )
  for (const upTo of ['soon', '-1', '1.5', '9'.repeat(20)])
    assertFails(await prune(folder, upTo), 2, `--up-to must be an offset, not "${upTo}"`)
}

for (const { name, section } of STORAGES) {
  describe(`prune on ${name}`, () => {
    test('of a new ledger nothing is pruned by offset 0, beside a service and without one', async () => {
      const service = await startService({
        config: { storage: section(await places[name]()), ...QUIET },
      })
      assertSays(await prune(service.dataDir, '0'), 'nothing to do: already pruned up to 0')
      await assertRefusesWhatCannotBe(service.dataDir, 1)
      await assertPruned(service, 0)
      await service.stop()
      assertSays(await prune(service.dataDir, '0'), 'nothing to do: already pruned up to 0')
      await assertRefusesWhatCannotBe(service.dataDir, 1)
    })

    test('what is pruned beside a service is gone there at once; what is pruned without one, at its next start', async () => {
      const place = await places[name]()
      const config = { storage: section(place), ...QUIET }
      const service = await startService({ config })
      await makeUpdates(service)
      assertSays(await prune(service.dataDir, '3'), 'pruned up to 3')
      await assertPruned(service, 3)
      assert.equal(await offsetsLeft(place), UPDATES - 3)
      assertSays(await prune(service.dataDir, '2'), 'nothing to do: already pruned up to 3')
      await assertRefusesWhatCannotBe(service.dataDir, UPDATES)
      await service.stop()
      assertSays(await prune(service.dataDir, String(UPDATES)), `pruned up to ${UPDATES}`)
      assert.equal(await offsetsLeft(place), 0)
      const next = await startService({ config, dataDir: service.dataDir })
      await assertPruned(next, UPDATES)
      await next.stop()
    })

    test('the automation leaves a new ledger alone, and of a long one the newest updates', async () => {
      const place = await places[name]()
      const service = await startService({
        config: { storage: section(place), automations: AUTOMATIONS, ...QUIET },
      })
      await sleep(200)
      await assertHealthy(service)
      await assertPruned(service, 0)
      await makeUpdates(service)
      await eventually(KEEP, () => offsetsLeft(place))
      await assertPruned(service, UPDATES - KEEP)
      await assertHealthy(service)
      await service.stop()
    })
  })
}

async function assertHealthy(service: Service): Promise<void> {
  const { text } = await call(service.url, 'GET /metrics')
  assert.match(text, /^ledgerwright_plugin_health_ratio\{plugin="automation\/prune"\} 1$/m)
  assert.match(text, /^ledgerwright_automation_consecutive_failures\{automation="prune"\} 0$/m)
}

describe('prune that cannot work', () => {
  test('memory has nothing that a command could reach', async () => {
    const service = await startService({ config: { storage: { use: 'memory' } } })
    const reason = 'this storage loses its data when the server stops: there is nothing to prune'
    assertFails(await prune(service.dataDir, '0'), 1, reason)
    await service.stop()
    assertFails(await prune(service.dataDir, '0'), 1, reason)
  })

  test('a storage that cannot be opened, and one that does not exist', async () => {
    const { path, remove } = tempFolder({
      'ledgerwright.config.json': '{"storage":{"use":"sqlite","file":"not-a-database"}}',
    })
    await writeFile(join(path, 'not-a-database'), 'x'.repeat(5_000))
    assertFails(
      await prune(path, '0'),
      1,
      /^ledgerwright: plugin storage\/sqlite did not start: .*it is not an SQLite database/,
    )
    await writeFile(join(path, 'ledgerwright.config.json'), '{"storage":{"use":"sqlit"}}')
    assertFails(
      await prune(path, '0'),
      2,
      /^ledgerwright: configuration: storage\.use: .*"sqlit".*did you mean "sqlite"/,
    )
    remove()
  })

  const options = [
    { section: { keepUpdates: -1 }, line: /automations\.prune\.keepUpdates: .*-1/ },
    {
      section: { keepUpdates: 1, keepUpdate: 2 },
      line: /automations\.prune\.keepUpdate: unknown key; did you mean "keepUpdates"\?/,
    },
    { section: {}, line: /automations\.prune\.keepUpdates: .*received nothing/ },
    { section: { keepUpdates: 1, everyMs: 0 }, line: /automations\.prune\.everyMs: .*0/ },
  ]
  for (const { section, line } of options) {
    test(`the automation with ${JSON.stringify(section)}`, async () => {
      const { path, remove } = tempFolder({
        'ledgerwright.config.json': JSON.stringify({ automations: { prune: section } }),
      })
      assertFails(await run(MAIN, ['serve', '--port', '0'], { cwd: path }), 2, line)
      remove()
    })
  }
})
