// A dashboard as Grafana imports and provisions it.
import type { Panel, Row } from './panels.ts'

const WIDTH = 24
const PER_LINE = 4
const HEIGHT = 7
const SOURCE = { type: 'prometheus', uid: '${datasource}' }

/** The dashboard of these rows. */
export function dashboardOf(rows: readonly Row[]): object {
  return {
    uid: 'ledgerwright',
    title: 'Ledgerwright',
    tags: ['ledgerwright'],
    schemaVersion: 39,
    editable: true,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: VARIABLES },
    panels: panelsOf(rows),
  }
}

const VARIABLES = [
  { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
  {
    name: 'instance',
    type: 'query',
    label: 'Server',
    datasource: SOURCE,
    query: 'label_values(ledgerwright_build_info, instance)',
    refresh: 2,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  },
]

function panelsOf(rows: readonly Row[]): readonly object[] {
  const all: object[] = []
  let y = 0
  for (const { title, panels } of rows) {
    all.push({ id: all.length + 1, type: 'row', title, gridPos: { x: 0, y, w: WIDTH, h: 1 } })
    y += 1
    for (const [index, panel] of panels.entries()) {
      const w = WIDTH / PER_LINE
      const gridPos = {
        x: (index % PER_LINE) * w,
        y: y + Math.floor(index / PER_LINE) * HEIGHT,
        w,
        h: HEIGHT,
      }
      all.push({ id: all.length + 1, ...panelOf(panel), gridPos })
    }
    y += Math.ceil(panels.length / PER_LINE) * HEIGHT
  }
  return all
}

function panelOf({ title, about, unit, queries }: Panel): object {
  return {
    type: 'timeseries',
    title,
    description: about,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: unit === 's' ? undefined : 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  }
}
