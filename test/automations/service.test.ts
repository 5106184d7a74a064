// Automations of a running service, as its operator sees them: listed, paused on all servers and
// over restarts, run on demand, measured; and what those that misbehave do to the others and to
// requests, which is nothing.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { member } from '../../runtime/host/member.ts'
import { eventually, eventuallyHolds, retried, withinOnce } from '../support/eventually.ts'
import { METRICS } from '../../runtime/host/metrics.ts'
import { call } from '../support/http.ts'
import { ROOT, startService, type Service } from '../support/service.ts'

const use = fileURLToPath(new URL('fixtures/misbehaving.ts', import.meta.url))
const PATH = '/api/validator/v0/admin/automations'

/** The operator's view of one service. */
async function operatorOf(service: Service) {
  const token = await service.token('operator')
  const ask = (request: string) => call(service.url, request, { token })
  const listed = async (): Promise<readonly unknown[]> => {
    const all = member((await ask(`GET ${PATH}`)).json, 'automations')
    assert.ok(Array.isArray(all))
    return all
  }
  const status = async (name: string) =>
    (await listed()).find((one) => member(one, 'name') === name)
  const runs = async (name: string) => Number(member(await status(name), 'runs'))
  const metrics = async () => (await ask('GET /metrics')).text
  return {
    ask,
    listed,
    status,
    runs,
    metrics,
    stateOf: async (name: string) => member(await status(name), 'state'),
  }
}

/** The value of a series, NaN where it is not there. */
function valueOf(metrics: string, series: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1))
}

describe('automations that misbehave', () => {
  let service: Service
  let operator: Awaited<ReturnType<typeof operatorOf>>
  before(async () => {
    service = await startService({
      config: {
        storage: { use: 'memory' },
        log: { level: 'silent' },
        validator: { pollMs: 100 },
        automations: {
          throws: { use, way: 'throws', everyMs: 100 },
          hangs: { use, way: 'hangs', everyMs: 100 },
          loops: { use, way: 'loops', everyMs: 100 },
          spins: { use, way: 'spins', everyMs: 3_600_000 },
          'command-ids': { everyMs: 100 },
        },
      },
    })
    operator = await operatorOf(service)
  })
  after(() => service.stop())

  test('are seen to, and the others go on', async () => {
    await eventuallyHolds(
      'one that throws is tried again',
      async () => (await operator.runs('throws')) >= 3,
    )
    for (const name of ['hangs', 'loops']) {
      await eventually(
        { state: 'running', failures: 1, error: 'took longer than 1000 ms' },
        async () => {
          const found = await operator.status(name)
          return {
            state: member(found, 'state'),
            failures: member(found, 'failures'),
            error: member(found, 'last_error'),
          }
        },
      )
      assert.equal(await operator.runs(name), 1, 'it is not begun again while it has not ended')
    }
    const before = await operator.runs('command-ids')
    await eventuallyHolds(
      'the others go on',
      async () => (await operator.runs('command-ids')) > before,
    )
    await retried(async () => {
      const text = await operator.metrics()
      assert.ok(
        valueOf(text, 'ledgerwright_automation_consecutive_failures{automation="throws"}') >= 3,
      )
      assert.equal(
        valueOf(text, 'ledgerwright_automation_consecutive_failures{automation="hangs"}'),
        1,
      )
      assert.equal(valueOf(text, 'ledgerwright_automation_running{automation="loops"}'), 1)
      assert.equal(valueOf(text, 'ledgerwright_automation_failures_total{automation="loops"}'), 1)
      assert.equal(
        valueOf(text, 'ledgerwright_plugin_health_ratio{plugin="automation/hangs"}'),
        0.5,
      )
      assert.equal(
        valueOf(text, 'ledgerwright_automation_consecutive_failures{automation="rounds"}'),
        0,
      )
      assert.ok(
        valueOf(
          text,
          'ledgerwright_automation_last_success_timestamp_seconds{automation="rounds"}',
        ) > 1e9,
      )
    })
    assert.equal((await operator.ask('GET /readyz')).status, 200)
  })

  test('hold no request up', async () => {
    // Held up, they would wait for as long as a run may take, a second.
    await withinOnce(200, async () => {
      const times: number[] = []
      for (let count = 0; count < 20; count += 1) {
        const began = performance.now()
        assert.equal((await operator.ask('GET /api/validator/v0/wallet/balance')).status, 200)
        times.push(performance.now() - began)
      }
      return times.toSorted((a, b) => a - b)[10] ?? Infinity
    })
  })

  test('one that does not let go of the thread holds requests up for as long, and no longer', async () => {
    assert.equal((await operator.ask(`POST ${PATH}/spins/run`)).status, 200)
    await eventually({ runs: 1, failures: 0, state: 'waiting' }, async () => {
      const found = await operator.status('spins')
      return {
        runs: member(found, 'runs'),
        failures: member(found, 'failures'),
        state: member(found, 'state'),
      }
    })
  })
})

describe('the operator and automations', () => {
  let service: Service
  let operator: Awaited<ReturnType<typeof operatorOf>>
  before(async () => {
    service = await startService({
      config: {
        storage: { use: 'sqlite' },
        validator: { pollMs: 100 },
        automations: {
          'command-ids': { everyMs: 100 },
          prune: { everyMs: 100, keepUpdates: 1_000_000 },
        },
      },
      seeded: true,
    })
    operator = await operatorOf(service)
  })
  after(() => service.stop())

  test('lists them by name', async () => {
    const names = (await operator.listed()).map((one) => String(member(one, 'name')))
    assert.deepEqual(names, names.toSorted())
    for (const name of ['rounds', 'topup', 'traffic']) assert.ok(names.includes(name), name)
  })

  test('pauses and resumes one, as often as they like, and runs it meanwhile', async () => {
    await eventuallyHolds('it runs', async () => (await operator.runs('command-ids')) > 0)
    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await operator.ask(`POST ${PATH}/command-ids/pause`)
      assert.deepEqual([status, member(json, 'next_run')], [200, undefined])
    }
    await eventually('paused', () => operator.stateOf('command-ids'))
    await eventuallyHolds(
      'metrics say so',
      async () =>
        valueOf(
          await operator.metrics(),
          'ledgerwright_automation_paused{automation="command-ids"}',
        ) === 1,
    )
    const runs = await operator.runs('command-ids')
    const others = await operator.runs('prune')
    await eventuallyHolds('others run', async () => (await operator.runs('prune')) >= others + 3)
    assert.equal(await operator.runs('command-ids'), runs)
    assert.equal((await operator.ask(`POST ${PATH}/command-ids/run`)).status, 200)
    assert.equal(await operator.runs('command-ids'), runs + 1)
    for (let times = 0; times < 2; times += 1)
      assert.equal((await operator.ask(`POST ${PATH}/command-ids/resume`)).status, 200)
    await eventuallyHolds(
      'it runs again',
      async () => (await operator.runs('command-ids')) > runs + 1,
    )
  })

  test('meets 404 for names that are none, 403 as somebody else', async () => {
    const alice = await service.token('alice')
    for (const verb of ['pause', 'resume', 'run']) {
      for (const name of ['nothing', '__proto__', 'constructor', '%00', 'a'.repeat(2_000)]) {
        const { status } = await operator.ask(`POST ${PATH}/${name}/${verb}`)
        assert.ok(status === 404 || status === 400, `${name} ${verb} ${status}`)
      }
      assert.equal(
        (await call(service.url, `POST ${PATH}/traffic/${verb}`, { token: alice })).status,
        403,
      )
    }
  })

  test('sees what was submitted, committed and is left', async () => {
    await retried(async () => {
      const text = await operator.metrics()
      assert.ok(valueOf(text, 'ledgerwright_submissions_total{outcome="ok"}') >= 1)
      assert.ok(valueOf(text, 'ledgerwright_store_commit_duration_seconds_count') >= 1)
      assert.equal(
        valueOf(text, 'ledgerwright_store_commit_duration_seconds_count'),
        valueOf(text, 'ledgerwright_commit_batch_entries_bucket{le="+Inf"}'),
      )
      assert.ok(
        valueOf(text, 'ledgerwright_commit_batch_entries_sum') >=
          valueOf(text, 'ledgerwright_submissions_total{outcome="ok"}'),
      )
      assert.ok(valueOf(text, 'ledgerwright_operator_balance_coins{state="unlocked"}') > 10_000_000)
      assert.ok(valueOf(text, 'ledgerwright_traffic_left_bytes{kind="extra"}') > 900_000_000)
      assert.ok(valueOf(text, 'ledgerwright_traffic_left_bytes{kind="base"}') > 0)
      assert.equal(valueOf(text, 'ledgerwright_traffic_reserved_bytes'), 0)
      assert.equal(valueOf(text, 'ledgerwright_treasury_waiting_operations'), 0)
      assert.ok(valueOf(text, 'ledgerwright_submission_retries_total') >= 0)
      assert.deepEqual(kindsIn(text), kindsInTable())
      assert.ok(
        valueOf(
          text,
          'http_requests_total{interface="validator",operation="listAutomations",status="200"}',
        ) >= 1,
      )
    })
  })

  test('finds every metric explained', async () => {
    const page = await readFile(join(ROOT, 'docs', 'observability.md'), 'utf8')
    const names = [...(await operator.metrics()).matchAll(/^# TYPE (\w+)/gm)].map(
      ([, name = '']) => name,
    )
    assert.ok(names.length > 20)
    const missing = names.filter(
      (name) => !/^(process|nodejs)_/.test(name) && !page.includes(`\`${name}\``),
    )
    assert.deepEqual(missing, [])
  })

  test('finds a pause again after a restart', async () => {
    assert.equal((await operator.ask(`POST ${PATH}/topup/pause`)).status, 200)
    const { dataDir } = service
    await service.stop()
    service = await startService({
      config: {
        storage: { use: 'sqlite' },
        validator: { pollMs: 100 },
        automations: {
          'command-ids': { everyMs: 100 },
          prune: { everyMs: 100, keepUpdates: 1_000_000 },
        },
      },
      dataDir,
      seeded: true,
    })
    operator = await operatorOf(service)
    assert.equal(await operator.stateOf('topup'), 'paused')
    assert.equal((await operator.stateOf('rounds')) === 'paused', false)
  })
})

/** Kinds by name, of all metrics but those of the process. */
function kindsIn(text: string): Readonly<Record<string, string>> {
  const lines = [...text.matchAll(/^# TYPE ((?!process_|nodejs_)\w+) (\w+)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', kind = '']) => [name, kind]))
}

/** Kinds in the table, without those of replicas, of which there are none here. */
function kindsInTable(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(METRICS)
      .filter(([name]) => !name.startsWith('ledgerwright_replica_'))
      .map(([name, { kind }]) => [name, kind]),
  )
}
