// Metrics show what was measured and nothing else: a figure that could not be read is absent, not
// zero. Requests are counted under the bounds that Prometheus knows: at most so long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { MeasuredMetrics } from '../../plugins/metrics/measurements.ts'
import { RequestMetrics } from '../../plugins/metrics/requests.ts'
import type { Measurement } from '../../runtime/index.ts'

function gauge(name: string, labels: Readonly<Record<string, string>>, value: number): Measurement {
  return { kind: 'gauge', name, help: name, samples: [{ labels, value }] }
}

test('a gauge that was not measured this time is not shown, with labels or without, until it is measured again', async () => {
  const registry = new Registry()
  const metrics = new MeasuredMetrics(registry)
  const shown = async (measured: readonly Measurement[]): Promise<readonly string[]> => {
    metrics.show(measured)
    return (await registry.metrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
  }
  const all = [gauge('holdings', {}, 3), gauge('balance', { state: 'locked' }, 0.5)]
  assert.deepEqual(await shown(all), ['holdings 3', 'balance{state="locked"} 0.5'])
  assert.deepEqual(await shown([]), [])
  assert.deepEqual(await shown(all), ['holdings 3', 'balance{state="locked"} 0.5'])
})

test('requests are counted by operation and status, each in the buckets that are at least as long as it took', async () => {
  const registry = new Registry()
  const requests = new RequestMetrics(registry, [1, 10])
  const took = (durationMs: number, status = 200): void =>
    requests.record({ interfaceName: 'i', operationId: 'o', method: 'GET', status, durationMs })
  const shown = async (): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => /^http.*"200"/.test(line))
  const labels = 'interface="i",operation="o",status="200"'
  const lines = ([first, second, all]: readonly number[], seconds: number): readonly string[] => [
    `http_request_duration_seconds_bucket{le="0.001",${labels}} ${first}`,
    `http_request_duration_seconds_bucket{le="0.01",${labels}} ${second}`,
    `http_request_duration_seconds_bucket{le="+Inf",${labels}} ${all}`,
    `http_request_duration_seconds_sum{${labels}} ${seconds}`,
    `http_request_duration_seconds_count{${labels}} ${all}`,
    `http_requests_total{${labels}} ${all}`,
  ]
  for (const durationMs of [0.5, 1, 1.5, 10, 11]) took(durationMs)
  took(3, 404)
  assert.deepEqual(await shown(), lines([2, 4, 5], 0.024))
  took(0.5)
  assert.deepEqual(await shown(), lines([3, 5, 6], 0.0245), 'nothing is counted twice')
})
