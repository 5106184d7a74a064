// History: everything that changed the person's coins, newest first, as far back as one cares to
// scroll; searched, and saved as a table.
import { Alert, Button, Group, Loader, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { csvText } from '../lib/csv.ts'
import { useRate } from '../lib/facts.ts'
import { historyJson, historyTable } from '../lib/history-csv.ts'
import { EVERYTHING, filtered, isBefore, isEverything } from '../lib/history-filter.ts'
import type { HistoryFilter } from '../lib/history-filter.ts'
import type { HistoryLine } from '../lib/history-line.ts'
import { useHistory } from '../lib/history-pages.ts'
import type { History } from '../lib/history-pages.ts'
import { GROUPS } from '../lib/history-words.ts'
import { localeTag, t } from '../lib/language.ts'
import { PERIODS, periodOf } from '../lib/periods.ts'
import { problemText } from '../lib/problem.ts'
import { saveText } from '../lib/save-text.ts'
import { useWallet } from '../lib/wallet.tsx'
import { ActionButton } from '../parts/action.tsx'
import { HistoryRow } from '../parts/history-row.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import classes from './history.module.css'

const ROW = 72

export default function HistoryPage(): ReactNode {
  const [filter, setFilter] = useState(EVERYTHING)
  const history = useHistory(!isEverything(filter))
  return (
    <Page
      title={t('History')}
      about={t('Everything that changed your balance, newest first.')}
      aside={
        <Download
          isReady={history.lines !== undefined}
          readAll={useLatest(history.readAll)}
          filter={filter}
        />
      }
    >
      <FilterFields filter={filter} onChange={setFilter} />
      <Lines history={history} filter={filter} onReset={() => setFilter(EVERYTHING)} />
    </Page>
  )
}

/** A function that stays the same and calls the newest of those given. */
function useLatest<A extends readonly unknown[], R>(given: (...args: A) => R): (...args: A) => R {
  const latest = useRef(given)
  useLayoutEffect(() => {
    latest.current = given
  })
  return useCallback((...args: A) => latest.current(...args), [])
}

interface DownloadProps extends Pick<History, 'readAll'> {
  readonly isReady: boolean
  readonly filter: HistoryFilter
}

// Drawn again for what they say alone, not for each page that is read: fields are dear.
const Download = memo(({ isReady, readAll, filter }: DownloadProps): ReactNode => {
  const { session } = useWallet()
  const save = async (kind: 'csv' | 'json'): Promise<void> => {
    const since = filter.from === '' ? '' : new Date(`${filter.from}T00:00:00`).toISOString()
    const lines = filtered(await readAll(since), filter)
    const period = [filter.from, filter.to].filter((day) => day !== '').join('-to-')
    const name = ['history', session.user, period].filter((part) => part !== '').join('-')
    if (kind === 'csv') saveText(`${name}.csv`, csvText(historyTable(lines)), 'text/csv')
    else saveText(`${name}.json`, historyJson(lines), 'application/json')
  }
  const blocked = isReady ? undefined : t('Nothing has been read yet.')
  return (
    <Group gap="xs">
      <ActionButton variant="default" act={() => save('csv')} blocked={blocked}>
        {t('Save as CSV')}
      </ActionButton>
      <ActionButton variant="default" act={() => save('json')} blocked={blocked}>
        {t('Save as JSON')}
      </ActionButton>
    </Group>
  )
})

interface FilterProps {
  readonly filter: HistoryFilter
  readonly onChange: (filter: HistoryFilter) => void
}

const KINDS = [
  { value: 'any', label: t('All kinds') },
  ...Object.entries(GROUPS).map(([value, label]) => ({ value, label })),
]

const DIRECTIONS = [
  { value: 'any', label: t('In and out') },
  { value: 'in', label: t('Coin in') },
  { value: 'out', label: t('Coin out') },
  { value: 'none', label: t('No change') },
]

const PERIOD_NAMES = PERIODS.map(({ value, label }) => ({ value, label }))
const OWN_DATES = { value: '', label: t('Own dates') }

/** Filter fields; on a phone the search alone, and the rest on demand. */
const FilterFields = memo(({ filter, onChange }: FilterProps): ReactNode => {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <div className={classes['filter']} role="search" aria-label={t('Filter the history')}>
      <TextInput
        label={t('Search')}
        placeholder={t('party, text, amount, id')}
        value={filter.text}
        className={classes['search'] ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ ...filter, text: value })}
      />
      {isNarrow ? (
        <Button variant="default" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t('Fewer filters') : t('More filters')}
        </Button>
      ) : null}
      {isNarrow && !isOpen ? null : <MoreFilters filter={filter} onChange={onChange} />}
    </div>
  )
})

function MoreFilters({ filter, onChange }: FilterProps): ReactNode {
  const set = (change: Partial<HistoryFilter>): void => onChange({ ...filter, ...change })
  const period = periodOf(filter)
  return (
    <>
      <NativeSelect
        label={t('Kind')}
        data={KINDS}
        value={filter.group}
        onChange={({ currentTarget: { value } }) => set({ group: groupOf(value) })}
      />
      <NativeSelect
        label={t('Direction')}
        data={DIRECTIONS}
        value={filter.direction}
        onChange={({ currentTarget: { value } }) =>
          set({ direction: value === 'in' || value === 'out' || value === 'none' ? value : 'any' })
        }
      />
      <NativeSelect
        label={t('Period')}
        data={period === null ? [OWN_DATES, ...PERIOD_NAMES] : PERIOD_NAMES}
        value={period ?? OWN_DATES.value}
        onChange={({ currentTarget: { value } }) =>
          set(PERIODS.find((one) => one.value === value)?.days() ?? {})
        }
      />
      <TextInput
        type="date"
        label={t('From')}
        value={filter.from}
        max={filter.to}
        onChange={({ currentTarget: { value } }) => set({ from: value })}
      />
      <TextInput
        type="date"
        label={t('Until')}
        value={filter.to}
        min={filter.from}
        onChange={({ currentTarget: { value } }) => set({ to: value })}
      />
    </>
  )
}

function groupOf(value: string): HistoryFilter['group'] {
  return isGroup(value) ? value : 'any'
}

function isGroup(value: string): value is keyof typeof GROUPS {
  return Object.hasOwn(GROUPS, value)
}

interface LinesProps {
  readonly history: History
  readonly filter: HistoryFilter
  readonly onReset: () => void
}

function Lines({ history, filter, onReset }: LinesProps): ReactNode {
  const { lines, readMore, error } = history
  const wanted = useMemo(() => filtered(lines ?? [], filter), [lines, filter])
  const isWhole = history.isWhole || isBefore(filter, lines?.at(-1))
  const first = useFirstOfDay(wanted)
  const render = useLine(first)
  // A new function once a page has come: where none of it was wanted, the end is still in sight and
  // more is to be read.
  const onEnd = useCallback(() => {
    if (!isWhole && error === null) readMore()
  }, [lines, isWhole, error, readMore])
  return (
    <div>
      {isEverything(filter) || lines === undefined ? null : (
        <Found count={wanted.length} isWhole={isWhole} onReset={onReset} />
      )}
      {isWhole && lines?.length === 0 ? (
        <Empty>
          {t('Nothing has happened yet. What you send, receive or buy will be listed here.')}
        </Empty>
      ) : null}
      <Rows
        items={wanted}
        keyOf={keyOf}
        height={ROW}
        label={t('History')}
        onEnd={lines === undefined ? undefined : onEnd}
        isReused
      >
        {render}
      </Rows>
      <Ending history={history} isWhole={isWhole} count={wanted.length} />
    </div>
  )
}

function keyOf({ id }: HistoryLine): string {
  return id
}

const DAY = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'full' })

interface Days {
  readonly lines: readonly HistoryLine[]
  /** Id of the last line. */
  readonly last: string
  readonly names: ReadonlyMap<string, string>
}

/** The days' names by the id of each day's newest line. */
function useFirstOfDay(lines: readonly HistoryLine[]): ReadonlyMap<string, string> {
  const known = useRef<Days>({ lines: [], last: '', names: new Map() })
  return useMemo(() => (known.current = daysOf(lines, known.current)).names, [lines])
}

/** Goes on from the days before where older lines were added to theirs. */
function daysOf(lines: readonly HistoryLine[], before: Days): Days {
  const read = before.lines.length
  const isMore =
    read > 0 && lines[0] === before.lines[0] && lines[read - 1] === before.lines[read - 1]
  let last = isMore ? before.last : ''
  const names = new Map(isMore ? before.names : [])
  for (const { id, at } of isMore ? lines.slice(read) : lines) {
    const date = new Date(at)
    const day = date.toDateString()
    if (day !== last) names.set(id, DAY.format(date))
    last = day
  }
  return { lines, last, names }
}

/** Draws a line; which are open outlives their being drawn. */
function useLine(days: ReadonlyMap<string, string>): (line: HistoryLine) => ReactNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const {
    configuration: { coin },
  } = useWallet()
  const rate = useRate()
  const toggle = useCallback(
    (id: string) => setOpen((before) => before.symmetricDifference(new Set([id]))),
    [],
  )
  return (line) => (
    <HistoryRow
      line={line}
      coin={coin}
      rate={rate}
      isOpen={open.has(line.id)}
      day={days.get(line.id)}
      isByDay
      onToggle={toggle}
    />
  )
}

function Found({
  count,
  isWhole,
  onReset,
}: {
  readonly count: number
  readonly isWhole: boolean
  readonly onReset: () => void
}): ReactNode {
  const text =
    count === 0 && isWhole
      ? t('Nothing matches.')
      : count === 1
        ? t(isWhole ? '1 entry matches.' : '1 entry matches so far.')
        : t(isWhole ? '{0} entries match.' : '{0} entries match so far.', count)
  return (
    <Group mb="xs">
      <Text size="sm" role="status">
        {text}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onReset}>
        {t('Show everything')}
      </Button>
    </Group>
  )
}

function Ending({
  history,
  isWhole,
  count,
}: {
  readonly history: History
  readonly isWhole: boolean
  readonly count: number
}): ReactNode {
  const { error, readMore, lines } = history
  if (error !== null) {
    return (
      <Alert color="red" role="alert" mt="md">
        <Group>
          {problemText(error)}
          {lines === undefined ? null : (
            <Button size="xs" onClick={readMore}>
              {t('Try again')}
            </Button>
          )}
        </Group>
      </Alert>
    )
  }
  if (!isWhole)
    return (
      <Group py="md">
        <Loader size="sm" aria-label={t('Loading')} />
        <Text size="sm" c="dimmed">
          {t('Reading older entries…')}
        </Text>
      </Group>
    )
  return count === 0 ? null : (
    <Text size="sm" c="dimmed" py="md">
      {t('No older entries.')}
    </Text>
  )
}
