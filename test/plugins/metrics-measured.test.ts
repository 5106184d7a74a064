// Metrics show what was measured and nothing else: a figure that could not be read is absent, not
// zero.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { MeasuredMetrics } from '../../plugins/metrics/measurements.ts'
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
