// A small chart of lines over the last minutes, drawn here: told apart by dashes as well as by
// colour, and with all of it as a table.
import { Card, Group, Stack, Table, Text, Title } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { shownValue } from '../lib/charts.ts'
import type { Line, Unit } from '../lib/charts.ts'
import { t } from '../lib/language.ts'

interface Props {
  readonly title: string
  readonly about: string
  readonly unit: Unit
  readonly lines: readonly Line[]
  /** Beginning and end of the chart; milliseconds. */
  readonly fromMs: number
  readonly toMs: number
}

const WIDTH = 300
const HEIGHT = 90

const COLOURS = ['blue', 'orange', 'teal', 'grape', 'red', 'cyan', 'yellow', 'pink'] as const
const DASHES = ['none', '6 3', '2 3', '8 3 2 3', '12 4'] as const

/** Told apart from what is behind it in both schemes. */
const strokeOf = (
  at: number,
): { readonly strokeDasharray: string; readonly style: CSSProperties } => {
  const colour = COLOURS[at % COLOURS.length] ?? 'blue'
  return {
    strokeDasharray: DASHES[at % DASHES.length] ?? 'none',
    style: {
      stroke: `light-dark(var(--mantine-color-${colour}-8), var(--mantine-color-${colour}-4))`,
    },
  }
}

export function Chart({ title, about, unit, lines, fromMs, toMs }: Props): ReactNode {
  const top = niceTop(Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value))))
  const minutes = Math.max(1, Math.round((toMs - fromMs) / 60_000))
  return (
    <Card withBorder p="sm" component="section" aria-label={title}>
      <Stack gap="xs">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </div>
        <Group justify="space-between" gap="xs">
          <Scale>{shownValue(top, unit)}</Scale>
          <Scale>{t('last {0} min', minutes)}</Scale>
        </Group>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          width="100%"
          height={HEIGHT}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary({ title, unit, lines })}
          overflow="visible"
        >
          <title>{title}</title>
          <path
            d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`}
            stroke="var(--mantine-color-default-border)"
            vectorEffect="non-scaling-stroke"
          />
          {lines.map(({ name, points }, at) => (
            <path
              key={name}
              d={pathOf(points, { top, fromMs, toMs })}
              fill="none"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
              {...strokeOf(at)}
            />
          ))}
        </svg>
        <Legend lines={lines} unit={unit} />
        <details>
          <summary>
            <Text span size="sm">
              {t('Values')}
            </Text>
          </summary>
          <Values title={title} lines={lines} unit={unit} />
        </details>
      </Stack>
    </Card>
  )
}

function Scale({ children }: { readonly children: string }): ReactNode {
  return (
    <Text size="xs" c="dimmed" aria-hidden="true">
      {children}
    </Text>
  )
}

function Legend({ lines, unit }: Pick<Props, 'lines' | 'unit'>): ReactNode {
  return (
    <Group gap="sm" aria-hidden="true">
      {lines.map(({ name, points }, at) => (
        <Group key={name} gap={6} wrap="nowrap">
          <svg width="22" height="8">
            <path d="M0 4H22" strokeWidth="2" {...strokeOf(at)} />
          </svg>
          <Text size="sm">
            {name} <b>{shownValue(points.at(-1)?.value, unit)}</b>
          </Text>
        </Group>
      ))}
    </Group>
  )
}

function Values({ title, lines, unit }: Pick<Props, 'title' | 'lines' | 'unit'>): ReactNode {
  return (
    <Table aria-label={t('{0}: values', title)} fz="sm">
      <Table.Thead>
        <Table.Tr>
          {[t('Line'), t('Now'), t('Least'), t('Most')].map((head) => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ name, points }) => {
          const values = points.map(({ value }) => value)
          const shown = [values.at(-1), Math.min(...values), Math.max(...values)]
          return (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              {shown.map((value, at) => (
                <Table.Td key={at}>{shownValue(value, unit)}</Table.Td>
              ))}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

function summary({ title, unit, lines }: Pick<Props, 'title' | 'unit' | 'lines'>): string {
  return `${title}: ${lines.map(({ name, points }) => `${name} ${shownValue(points.at(-1)?.value, unit)}`).join(', ')}`
}

interface Frame {
  readonly top: number
  readonly fromMs: number
  readonly toMs: number
}

function pathOf(points: Line['points'], { top, fromMs, toMs }: Frame): string {
  const places = points.map(({ atMs, value }) => {
    const x = ((atMs - fromMs) / (toMs - fromMs)) * WIDTH
    return `${x.toFixed(1)} ${(HEIGHT - (value / top) * HEIGHT).toFixed(1)}`
  })
  return places.length === 0 ? '' : `M${places.join('L')}`
}

/** The next of 1, 2, 5, 10, 20, … at or above a value. */
function niceTop(value: number): number {
  if (!(value > 0) || value === Infinity) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
