// Dashboard and alerts against running servers: under load each query of each panel answers
// something, and each alert fires once what it is for is staged. Prints the table of
// docs/observability.md. `npm run full:watched`
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { alerts } from '../../deploy/watch/alerts.ts'
import { rulesText } from '../../deploy/watch/files.ts'
import { ROWS } from '../../deploy/watch/panels.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startPostgres } from '../support/postgres.ts'
import type { TestPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { damageStore } from '../support/store-file.ts'
import { tempDir } from '../support/temp-dir.ts'
import { setClock, wrongClock } from '../support/wrong-clock.ts'
import { DatabaseWay } from './database-way.ts'
import { startPrometheus, whyNoPrometheus } from './prometheus.ts'
import type { Prometheus } from './prometheus.ts'

const API = '/api/validator/v0'
const FIXTURE = new URL('../automations/fixtures/misbehaving.ts', import.meta.url).pathname
/** A minute of a rule is a second here. */
const SCALE = 1 / 60
const PATIENCE_MS = 60_000
const TMPFS_BYTES = 33_554_432

const config = { storage: { use: 'sqlite' }, ledger: { audit: { everyMs: 1, page: 5, restMs: 1 } } }

/** Requests of alice at a server until it is stopped; what they answer does not matter. */
async function load(service: Service): Promise<() => Promise<void>> {
  const token = await service.token('alice')
  let goes = true
  const ask = (request: string, body?: unknown): Promise<unknown> =>
    call(service.url, request, { token, ...(body === undefined ? {} : { body }) }).catch(() => {})
  const lane = async (): Promise<void> => {
    while (goes) {
      await ask(`POST ${API}/wallet/tap`, { amount: '1.0' })
      await ask(`GET ${API}/wallet/balance`)
      await ask('GET /v2/state/ledger-end')
      await ask('GET /nowhere')
      await sleep(20)
    }
  }
  const lanes = Promise.all([lane(), lane()])
  return async () => {
    goes = false
    await lanes
  }
}

/** The query with Grafana's values. */
function asked(expr: string): string {
  return expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '20s')
}

/** A file system of its own for a data folder, where this user may make one. */
function smallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  return (
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_BYTES}`, 'tmpfs', folder]).status === 0
  )
}

describe('watched', { skip: whyNoPrometheus() ?? false }, () => {
  let postgres: TestPostgres
  let databaseUrl: string
  let way: DatabaseWay
  let dataDir: string
  let hasSmallDisk = false
  const [used, ill, poor]: [Service[], Service[], Service[]] = [[], [], []]
  let onDatabase: Service
  let prometheus: Prometheus
  const ends: (() => Promise<void>)[] = []
  const rows: string[] = []

  before(async () => {
    const folder = await tempDir()
    dataDir = join(folder.path, 'data')
    hasSmallDisk = smallDisk(dataDir)
    mkdirSync(dataDir, { recursive: true })
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    const emptyReplica = await postgres.createStoreDatabase()
    way = await DatabaseWay.to(databaseUrl)
    used.push(await startService({ config, seeded: true }))
    ill.push(
      await startService({
        config: {
          ...config,
          quotas: { submissionsPerSecond: 1, submissionBurst: 1 },
          automations: {
            throws: { use: FIXTURE, way: 'throws', everyMs: 10 },
            spins: { use: FIXTURE, way: 'spins', everyMs: 1_000 },
          },
        },
        dataDir,
        seeded: true,
        env: await wrongClock(dataDir),
      }),
    )
    poor.push(
      await startService({
        config: { ...config, network: { traffic: { baseBurstBytes: 90_000 } } },
      }),
    )
    onDatabase = await startService({
      config: { storage: { use: 'postgres', url: way.url, replicas: { urls: [emptyReplica] } } },
      seeded: true,
    })
    const all = [...used, ...ill, ...poor, onDatabase]
    prometheus = await startPrometheus(
      all.map(({ url }) => new URL(url).host),
      rulesText(alerts(SCALE)),
    )
    ends.push(
      () => prometheus.stop(),
      async () => void (await Promise.all(all.map((one) => one.stop()))),
      () => way.close(),
      () => postgres.stop(),
      async () => void (hasSmallDisk && spawnSync('umount', [dataDir])),
      () => folder.remove(),
    )
    for (const service of [...used, ...ill, onDatabase]) ends.unshift(await load(service))
  })
  after(async () => {
    for (const end of ends) await end().catch(() => {})
    writeFileSync(join(process.cwd(), '.cache', 'watched.md'), `${rows.join('\n')}\n`)
    console.log(rows.join('\n'))
  })

  /** Waits until the alert fires; notes what it says. */
  async function fires(name: string, staged: string): Promise<void> {
    const beganMs = performance.now()
    const said = await retried(async () => {
      const found = (await prometheus.firing()).get(name)
      assert.ok(found !== undefined, `${name} does not fire`)
      return found
    }, PATIENCE_MS)
    const seconds = Math.round((performance.now() - beganMs) / 1_000)
    rows.push(`| \`${name}\` | ${staged} | ${seconds} s | ${said} |`)
  }

  for (const { title: row, panels } of ROWS) {
    for (const { title, queries } of panels) {
      test(`the panel ${row}: ${title} says something under load`, async () => {
        const found: string[] = []
        for (const { expr } of queries) {
          const samples = await retried(async () => {
            const all = await prometheus.query(asked(expr))
            const real = all.filter(({ value }) => !Number.isNaN(value))
            assert.ok(real.length > 0, `nothing: ${asked(expr)}`)
            return real
          }, PATIENCE_MS)
          const values = samples.map(({ value }) => value).toSorted((a, b) => a - b)
          found.push(`${samples.length} (${shown(values[0])} to ${shown(values.at(-1))})`)
        }
        rows.push(`| ${row}: ${title} | ${found.join('; ')} |`)
      })
    }
  }

  test('on a server that is well and used, no alert fires', async () => {
    const own = used.map(({ url }) => new URL(url).host)
    const firing = await prometheus.query(`ALERTS{alertstate="firing",instance="${own.join()}"}`)
    assert.deepEqual(
      // A busy machine is late without anybody's fault.
      firing.filter(({ labels }) => !/ThreadBusy|RequestsSlow/.test(JSON.stringify(labels))),
      [],
    )
  })

  test('every alert fires once its fault is there', async () => {
    await fires('LedgerwrightAutomationFails', 'an automation that throws')
    await fires('LedgerwrightPluginUnwell', 'the same')
    await fires('LedgerwrightReplicaUnused', 'a replica that stays empty')
    await fires('LedgerwrightThreadBusy', 'an automation that spins for 0.4 s')
    await fires('LedgerwrightRequestsThrottled', 'a quota of one submission a second')
    await fires('LedgerwrightTrafficLow', 'a network with 90 kB of traffic')
    if (hasSmallDisk) await fires('LedgerwrightDiskLow', 'a file system of 32 MiB')

    const locker = new pg.Client(databaseUrl)
    await locker.connect()
    await locker.query('begin')
    await locker.query('select * from ledger_end for update')
    await Promise.all([
      fires('LedgerwrightSubmissionsHang', 'a lock that somebody holds on the ledger'),
      fires('LedgerwrightRequestsSlow', 'the same'),
      fires('LedgerwrightSubmissionsFail', 'the same, once the database gives up'),
    ])
    await way.close()
    await Promise.all([
      fires('LedgerwrightRequestsFail', 'a database that was stopped'),
      fires('LedgerwrightStorageDown', 'the same'),
    ])
    await locker.end()
    const status = await call(onDatabase.url, 'GET /readyz')
    assert.equal(status.status, 503)
    await way.open()

    for (const service of ill) {
      await setClock(service, dataDir, { byMs: 5_000 })
      await fires('LedgerwrightClockOff', 'a clock that is 5 s ahead')
      await setClock(service, dataDir, { byMs: 3_600_000 })
      await fires('LedgerwrightInvariantBroken', 'a clock that is an hour ahead')
      await setClock(service, dataDir, { byMs: 0 })
    }
    for (const service of used) {
      const file = join(service.dataDir, 'ledgerwright.sqlite')
      const supply = "update totals set contract_count = contract_count + 1 where name = 'supply'"
      await damageStore({ file }, supply)
      await fires('LedgerwrightTotalsWrong', 'a total that somebody changed')
    }
    for (const service of [...used, ...ill, ...poor, onDatabase]) {
      const token = await service.token('operator')
      const path = `POST ${API}/admin/automations/rounds/pause`
      await call(service.url, path, { token }).catch(() => {})
    }
    await fires('LedgerwrightRoundsStand', 'the automation "rounds" paused everywhere')
    await Promise.all(used.map((service) => service.kill()))
    await fires('LedgerwrightDown', 'a server that was killed')

    const staged = new Set(rows.flatMap((row) => /`(Ledgerwright\w+)`/.exec(row)?.[1] ?? []))
    const left = alerts().flatMap(({ name }) => (staged.has(name) ? [] : [name]))
    assert.deepEqual(left, hasSmallDisk ? [] : ['LedgerwrightDiskLow'])
  })
})

function shown(value: number | undefined): string {
  return value === undefined ? '' : String(Number(value.toPrecision(3)))
}
