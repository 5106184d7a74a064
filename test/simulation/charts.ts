// The pictures of a simulated run.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ONE } from '../properties/model/arithmetic.ts'
import { lineChart } from './line-chart.ts'
import type { Chart, Line } from './line-chart.ts'
import { MERGE_THRESHOLD } from './setting.ts'
import type { DayReport, Sample } from './simulation.ts'

/** Writes them into the folder, which is made where it is missing; answers their names. */
export async function writeCharts(
  days: readonly DayReport[],
  folder: string,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const samples = days.flatMap((day) => day.samples)
  const all = Object.entries(chartsOf(samples))
  for (const [name, chart] of all) await writeFile(join(folder, `${name}.svg`), lineChart(chart))
  return all.map(([name]) => `${name}.svg`)
}

function chartsOf(samples: readonly Sample[]): Readonly<Record<string, Chart>> {
  const line = (name: string, value: (sample: Sample) => number): Line => ({
    name,
    points: samples.map((sample) => [sample.day, value(sample)] as const),
  })
  const quantile = (name: string, index: 0 | 1 | 2 | 3) =>
    line(name, ({ balances }) => coins(balances[index]))
  return {
    supply: {
      title: 'Coin supply',
      xName: 'day',
      yName: 'coin',
      lines: [line('supply', ({ supply }) => coins(supply))],
    },
    balances: {
      title: 'Balances of users, locked coins included',
      xName: 'day',
      yName: 'coin',
      isLogarithmic: true,
      lines: [
        quantile('largest', 3),
        quantile('90 % below', 2),
        quantile('median', 1),
        quantile('10 % below', 0),
      ],
    },
    utxos: {
      title: 'Holdings of all parties',
      xName: 'day',
      yName: 'holdings',
      lines: [line('holdings', ({ holdings }) => holdings)],
    },
    'utxos-per-owner': {
      title: 'Holdings of the party that has most, most of each round',
      xName: 'day',
      yName: 'holdings',
      lines: [line('most', ({ mostHoldings }) => mostHoldings)],
      level: ['merged above', MERGE_THRESHOLD],
    },
    traffic: {
      title: 'Traffic left, least of each round',
      xName: 'day',
      yName: 'bytes',
      lines: [line('bytes', ({ traffic }) => traffic)],
    },
  }
}

function coins(amount: bigint): number {
  return Number(amount / (ONE / 100n)) / 100
}
