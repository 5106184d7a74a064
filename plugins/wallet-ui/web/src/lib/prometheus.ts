// Metrics in Prometheus' text, read into samples, and what can be reckoned from two readings.
// Nothing here counts coins.

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** All samples by the name of their metric. */
type Metrics = ReadonlyMap<string, readonly Sample[]>

/** A reading at a time, in milliseconds of this machine. */
export interface Reading {
  readonly atMs: number
  readonly metrics: Metrics
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/u
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/gu

/** Lines that are none are left out. */
export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', written = ''] = LINE.exec(line) ?? []
    const value = valueOf(written)
    if (name === undefined || Number.isNaN(value)) continue
    const samples = metrics.get(name) ?? []
    samples.push({ labels: labelsOf(labels), value })
    metrics.set(name, samples)
  }
  return metrics
}

function valueOf(text: string): number {
  if (text === '+Inf' || text === '-Inf') return text === '+Inf' ? Infinity : -Infinity
  return text === '' ? NaN : Number(text)
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(LABEL)]
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\[n"\\]/gu, (escape) => ESCAPES[escape] ?? escape),
    ]),
  )
}

export type Where = (labels: Sample['labels']) => boolean

const every: Where = () => true

/** The sum of the samples of a metric; undefined where there is none. */
export function total(metrics: Metrics, name: string, where: Where = every): number | undefined {
  const samples = metrics.get(name)
  if (samples === undefined) return undefined
  return samples.reduce((sum, { labels, value }) => (where(labels) ? sum + value : sum), 0)
}

/** The values that a label of a metric has, in the order of code units. */
export function valuesOf(metrics: Metrics, name: string, label: string): readonly string[] {
  const values = (metrics.get(name) ?? []).flatMap(({ labels }) => labels[label] ?? [])
  return [...new Set(values)].toSorted()
}

/**
 * How much a counter grew in a second; undefined where it is not there or no time has passed. A
 * server that was started anew counts from nothing.
 */
export function rate(
  before: Reading,
  now: Reading,
  name: string,
  where: Where = every,
): number | undefined {
  const seconds = (now.atMs - before.atMs) / 1_000
  const end = total(now.metrics, name, where)
  if (end === undefined || seconds <= 0) return undefined
  const start = total(before.metrics, name, where) ?? 0
  return (end < start ? end : end - start) / seconds
}

/**
 * The value that a share (0 to 1) of what a histogram counted between two readings does not exceed,
 * straight within its bucket; undefined where nothing was counted.
 */
export function quantile(
  before: Reading,
  now: Reading,
  name: string,
  share: number,
): number | undefined {
  const counts = bucketsBetween(before, now, `${name}_bucket`)
  const wanted = (counts.at(-1)?.count ?? 0) * share
  if (wanted <= 0) return undefined
  const at = counts.findIndex(({ count }) => count >= wanted)
  const bucket = counts[at]
  const below = counts[at - 1] ?? { bound: 0, count: 0 }
  if (bucket === undefined) return undefined
  if (bucket.bound === Infinity) return below.bound
  const inside = bucket.count - below.count
  return (
    below.bound +
    (bucket.bound - below.bound) * (inside === 0 ? 1 : (wanted - below.count) / inside)
  )
}

interface Bucket {
  /** Upper. */
  readonly bound: number
  /** Count of all values up to it. */
  readonly count: number
}

function bucketsBetween(before: Reading, now: Reading, name: string): readonly Bucket[] {
  const [start, end] = [countsByBound(before.metrics, name), countsByBound(now.metrics, name)]
  return [...end]
    .toSorted(([a], [b]) => a - b)
    .map(([bound, count]) => {
      const earlier = start.get(bound) ?? 0
      return { bound, count: count < earlier ? count : count - earlier }
    })
}

function countsByBound(metrics: Metrics, name: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { labels, value } of metrics.get(name) ?? []) {
    const bound = valueOf(labels['le'] ?? '')
    if (!Number.isNaN(bound)) counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  return counts
}
