// The files that are made, by their paths in the repository.
import { stringify } from 'yaml'
import { METRICS } from '../../runtime/host/metrics.ts'
import { alerts } from './alerts.ts'
import type { Alert } from './alerts.ts'
import { dashboardOf } from './grafana.ts'
import { ROWS } from './panels.ts'

const MADE = '# Made by `npm run -s make:dashboards`; changes belong into deploy/watch.\n'
const NO_FOLDING = { lineWidth: 0 }

/** Each file's text. */
export function madeFiles(): Readonly<Record<string, string>> {
  return {
    'deploy/grafana/ledgerwright.json': `${JSON.stringify(dashboardOf(ROWS), null, 2)}\n`,
    'deploy/prometheus/prometheus.yml': MADE + stringify(PROMETHEUS, NO_FOLDING),
    'deploy/prometheus/alerts.yml': rulesText(alerts()),
  }
}

/** Scrapes all servers that compose.yaml gives this name; elsewhere, name yours in its place. */
const PROMETHEUS = {
  global: { scrape_interval: '15s', evaluation_interval: '15s' },
  rule_files: ['alerts.yml'],
  scrape_configs: [
    {
      job_name: 'ledgerwright',
      dns_sd_configs: [{ names: ['ledgerwright'], type: 'A', port: 9464, refresh_interval: '15s' }],
    },
  ],
}

/** Rules as Prometheus reads them. */
export function rulesText(all: readonly Alert[]): string {
  const rules = all.map(({ name, severity, expr, forSeconds, summary, advice }) => ({
    alert: name,
    expr,
    for: `${forSeconds}s`,
    labels: { severity },
    annotations: { summary, description: advice },
  }))
  return MADE + stringify({ groups: [{ name: 'ledgerwright', rules }] }, NO_FOLDING)
}

/** The table of docs/observability.md, by the name that stands where it goes. */
export function madeTables(): Readonly<Record<string, string>> {
  return {
    metrics: table(
      ['metric', 'kind', 'labels', 'what it says'],
      Object.entries(METRICS).map(([name, { kind, help, labels }]) => [
        `\`${name}\``,
        kind,
        labels.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    ),
  }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return line(head) + `|${'---|'.repeat(head.length)}\n` + rows.map(line).join('')
}
