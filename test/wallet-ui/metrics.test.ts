// What the page of metrics reckons from two readings of the server's text: rates, quantiles, and
// the lines of its charts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CHARTS,
  linesOf,
  shownValue,
  withReading,
} from '../../plugins/wallet-ui/web/src/lib/charts.ts'
import type { Seen } from '../../plugins/wallet-ui/web/src/lib/charts.ts'
import {
  parseMetrics,
  quantile,
  rate,
  total,
  valuesOf,
} from '../../plugins/wallet-ui/web/src/lib/prometheus.ts'
import type { Reading } from '../../plugins/wallet-ui/web/src/lib/prometheus.ts'

const reading = (atMs: number, text: string): Reading => ({ atMs, metrics: parseMetrics(text) })

const histogram = (atMs: number, ...counts: readonly number[]): Reading =>
  reading(
    atMs,
    ['0.01', '0.1', '+Inf']
      .map((le, at) => `t_bucket{le="${le}",op="a"} ${counts[at] ?? 0}`)
      .join('\n'),
  )

describe('metrics text', () => {
  it('is read with labels, escapes and values of all kinds; comments and nonsense are left out', () => {
    const metrics = parseMetrics(
      [
        '# HELP a what it is',
        '# TYPE a counter',
        'a{x="1",y="two, \\"three\\" \\\\ {four}\\n"} 1.5e3',
        'a{x="2"} 2 1700000000000',
        'b 0.25',
        'b NaN',
        'c +Inf',
        '',
        'nonsense',
        '{x="1"} 3',
      ].join('\n'),
    )
    assert.deepEqual(metrics.get('a'), [
      { labels: { x: '1', y: 'two, "three" \\ {four}\n' }, value: 1500 },
      { labels: { x: '2' }, value: 2 },
    ])
    assert.deepEqual(
      [metrics.get('b'), metrics.get('c'), metrics.size],
      [[{ labels: {}, value: 0.25 }], [{ labels: {}, value: Infinity }], 3],
    )
    assert.deepEqual(valuesOf(metrics, 'a', 'x'), ['1', '2'])
    assert.deepEqual(
      [total(metrics, 'a'), total(metrics, 'a', ({ x }) => x === '2'), total(metrics, 'none')],
      [1502, 2, undefined],
    )
  })
})

describe('two readings', () => {
  it('make a rate, also where the server began anew or a series is new', () => {
    const [before, now] = [reading(0, 'n{k="a"} 10'), reading(2_000, 'n{k="a"} 16\nn{k="b"} 4')]
    assert.equal(rate(before, now, 'n'), 5)
    assert.equal(
      rate(before, now, 'n', ({ k }) => k === 'b'),
      2,
    )
    assert.equal(rate(before, reading(2_000, 'n{k="a"} 4'), 'n'), 2)
    assert.equal(rate(before, now, 'other'), undefined)
    assert.equal(rate(now, now, 'n'), undefined)
  })

  it('make quantiles of what was counted between them', () => {
    const before = histogram(0, 100, 100, 100)
    assert.equal(quantile(before, histogram(1_000, 110, 110, 110), 't', 0.5), 0.005)
    const mixed = quantile(before, histogram(1_000, 105, 110, 110), 't', 0.75)
    assert.ok(mixed !== undefined && Math.abs(mixed - 0.055) < 1e-12, String(mixed))
    assert.equal(quantile(before, histogram(1_000, 100, 100, 101), 't', 0.5), 0.1)
    assert.equal(quantile(before, before, 't', 0.5), undefined)
    assert.equal(quantile(before, before, 'other', 0.5), undefined)
  })
})

describe('charts', () => {
  const text = (count: number): string =>
    `http_requests_total{interface="ledger",operation="x",status="200"} ${count}\nledgerwright_operator_holdings 3`
  const place = (title: string): number => CHARTS.findIndex((chart) => chart.title === title)

  it('have lines from the second reading on, for what the server measures only', () => {
    const first = withReading({ recent: [], frames: [] }, reading(0, text(0)))
    assert.deepEqual(linesOf(first, place('Requests')), [])
    const second = withReading(first, reading(2_000, text(10)))
    assert.deepEqual(linesOf(second, place('Requests')), [
      { name: 'ledger', points: [{ atMs: 2_000, value: 5 }] },
    ])
    assert.deepEqual(linesOf(second, place('Operator’s holdings')), [
      { name: 'holdings', points: [{ atMs: 2_000, value: 3 }] },
    ])
    assert.deepEqual(
      [linesOf(second, place('Memory')), linesOf(second, place('Request latency'))],
      [[], []],
    )
  })

  it('call their lines what people call them, and what is looked up in logs by its own name', () => {
    const outcomes = (count: number): string =>
      ['ok', 'failed', 'CONTENTION']
        .map((outcome) => `ledgerwright_submissions_total{outcome="${outcome}"} ${count}`)
        .join('\n')
    const seen = withReading(
      withReading({ recent: [], frames: [] }, reading(0, outcomes(0))),
      reading(2_000, outcomes(10)),
    )
    assert.deepEqual(
      linesOf(seen, place('Submissions')).map(({ name }) => name),
      ['CONTENTION', 'failed', 'succeeded'],
    )
  })

  it('keep minutes, not more, and reckon rates over ten seconds', () => {
    let seen: Seen = { recent: [], frames: [] }
    for (let second = 0; second <= 900; second += 2)
      seen = withReading(seen, reading(second * 1_000, text(second === 900 ? 10_000 : 0)))
    const [line] = linesOf(seen, place('Requests'))
    assert.equal(line?.points.length, 150)
    assert.deepEqual(line?.points.at(-1), { atMs: 900_000, value: 1_000 })
    assert.ok(seen.recent.length <= 7)
  })

  it('show as many digits as a person reads', () => {
    const shown = [0, 0.1234, 12.345, 1234.5, undefined, Infinity].map((value) =>
      shownValue(value, 'ms'),
    )
    assert.deepEqual(shown, ['0 ms', '0.12 ms', '12.3 ms', '1,235 ms', '–', '–'])
  })
})
