// Debian's Prometheus, scraping servers of a test. One whose database hangs takes a second to say
// so.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'

export interface Prometheus {
  /** Labels and value of each sample that a query answers. */
  query(expr: string): Promise<readonly Sample[]>
  /** Names of the alerts that fire now, each with the values that its expression has. */
  firing(): Promise<ReadonlyMap<string, string>>
  stop(): Promise<void>
}

export interface Sample {
  readonly labels: object
  readonly value: number
}

/** The reason why it cannot be run here; undefined if it can. */
export function whyNoPrometheus(): string | undefined {
  const isThere = spawnSync('prometheus', ['--version']).status === 0
  return isThere ? undefined : 'there is no prometheus here: apt-get install prometheus'
}

/** Scrapes `targets` (`host:port`), with these rules. */
export async function startPrometheus(
  targets: readonly string[],
  rules: string,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'lw-prometheus-'))
  writeFileSync(join(folder, 'alerts.yml'), rules)
  writeFileSync(join(folder, 'prometheus.yml'), stringify(configOf(targets)))
  const origin = `http://127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(origin).host}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const problems: string[] = []
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${origin}/api/v1/${path}`)
    const json: unknown = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(json))
    return member(json, 'data')
  }
  await retried(async () => {
    assert.equal(child.exitCode, null, problems.join(''))
    const ready = await fetch(`${origin}/-/ready`).catch(() => undefined)
    assert.equal(ready?.status, 200)
  })
  return {
    query: async (expr) =>
      listIn(await ask(`query?query=${encodeURIComponent(expr)}`), 'result').map(sampleOf),
    firing: async () =>
      new Map(
        listIn(await ask('alerts'), 'alerts')
          .filter((alert) => member(alert, 'state') === 'firing')
          .map((alert) => [
            String(member(member(alert, 'labels'), 'alertname')),
            String(member(member(alert, 'annotations'), 'summary')),
          ]),
      ),
    stop: async () => {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf(targets: readonly string[]): object {
  return {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'ledgerwright', static_configs: [{ targets }] }],
  }
}

function listIn(data: unknown, name: string): readonly unknown[] {
  const list = member(data, name)
  return Array.isArray(list) ? list : assert.fail(JSON.stringify(data))
}

function sampleOf(result: unknown): Sample {
  const labels = member(result, 'metric')
  const value = member(member(result, 'value'), 1)
  assert.ok(typeof labels === 'object' && labels !== null)
  return { labels, value: Number(value) }
}
