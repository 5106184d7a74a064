// Metrics: what the server says of itself at /metrics, drawn over the last minutes. It is asked
// only while this page is open.
import { Alert, SimpleGrid } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CHARTS, linesOf, withReading } from '../lib/charts.ts'
import type { Seen } from '../lib/charts.ts'
import { parseMetrics } from '../lib/prometheus.ts'
import type { Reading } from '../lib/prometheus.ts'
import { Chart } from '../parts/chart.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { t } from '../lib/language.ts'

const EVERY_MS = 2_000
const KEY = ['metrics'] as const
const NOTHING: Seen = { recent: [], frames: [] }

export default function Metrics(): ReactNode {
  const query = useSeen()
  return (
    <Page
      title={t('Metrics')}
      about={t('Live metrics of the server that answers, from the moment this page was opened.')}
    >
      <Loaded query={query}>{(seen) => (seen === 'off' ? <Off /> : <Charts seen={seen} />)}</Loaded>
    </Page>
  )
}

/** Adds what is read to what was seen before. */
function useSeen(): UseQueryResult<Seen | 'off'> {
  const queries = useQueryClient()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const now = await readMetrics(signal)
      if (now === undefined) return 'off'
      const known = queries.getQueryData<Seen | 'off'>(KEY)
      return withReading(known === undefined || known === 'off' ? NOTHING : known, now)
    },
    refetchInterval: EVERY_MS,
  })
}

/** Undefined where the server has no metrics. */
async function readMetrics(signal: AbortSignal): Promise<Reading | undefined> {
  const answer = await fetch('/metrics', { signal })
  if (answer.status === 404) return undefined
  if (!answer.ok)
    throw new Error(t('The server has no metrics to show: it answered {0}.', answer.status))
  return { atMs: Date.now(), metrics: parseMetrics(await answer.text()) }
}

function Off(): ReactNode {
  return (
    <Alert title={t('Metrics are off on this server')}>
      {t(
        'Add the extension to the configuration, "extensions": { "metrics": {} }, and restart the server. Metrics served on their own port are not shown here.',
      )}
    </Alert>
  )
}

function Charts({ seen }: { readonly seen: Seen }): ReactNode {
  const toMs = seen.frames.at(-1)?.atMs
  if (toMs === undefined)
    return <Empty>{t('The first reading is in. Lines start with the next one.')}</Empty>
  const fromMs = Math.min(seen.frames[0]?.atMs ?? toMs, toMs - 60_000)
  const drawn = CHARTS.map((chart, place) => ({ ...chart, lines: linesOf(seen, place) })).filter(
    ({ lines }) => lines.length > 0,
  )
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {drawn.map((chart) => (
        <Chart key={chart.title} {...chart} fromMs={fromMs} toMs={toMs} />
      ))}
    </SimpleGrid>
  )
}
