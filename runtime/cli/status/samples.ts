// Reads metrics in Prometheus' text format, limited to the parts that our own server writes.
import { printable } from '../../host/printable.ts'
import type { MetricLabel, MetricName } from '../../host/metrics.ts'

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The numbers of one reading. */
export class Samples {
  readonly #byName = new Map<string, Sample[]>()

  /** @param text lines that are no samples, or whose value is no finite number, are left out */
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, labels = '', value] = LINE.exec(line) ?? []
      if (name === undefined || !Number.isFinite(Number(value))) continue
      const samples = this.#byName.get(name) ?? []
      this.#byName.set(name, samples)
      samples.push({ labels: labelsOf(labels), value: Number(value) })
    }
  }

  /** The value of a metric without labels, or of its first sample. */
  one(name: MetricName | 'process_start_time_seconds'): number | undefined {
    return this.#byName.get(name)?.[0]?.value
  }

  /** Labels of each sample. */
  labels(name: MetricName): readonly Sample['labels'][] {
    return (this.#byName.get(name) ?? []).map(({ labels }) => labels)
  }

  /** Values by those of a label. */
  by<N extends MetricName>(name: N, label: MetricLabel<N>): ReadonlyMap<string, number> {
    const samples = this.#byName.get(name) ?? []
    return new Map(samples.map(({ labels, value }) => [labels[label] ?? '', value]))
  }
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
/** One after the other, without a gap: what is none ends the list, and is looked at once. */
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)",?/gy
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Sample['labels'] {
  const found = [...text.matchAll(LABEL)]
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [
      name,
      printable(value.replaceAll(/\\[n"\\]/g, (escape) => ESCAPES[escape] ?? escape)),
    ]),
  )
}
