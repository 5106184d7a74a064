// Holdings: every single one, what binds it, how old it is, and how to make one of many.
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRate } from '../lib/facts.ts'
import { inOrder, useHoldings } from '../lib/holdings.ts'
import type { Holding, Order } from '../lib/holdings.ts'
import { useWallet } from '../lib/wallet.tsx'
import { CoinFigure, Figures } from '../parts/figure.tsx'
import { HoldingRow } from '../parts/holding-row.tsx'
import { MergeNow } from '../parts/merge-now.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import classes from '../parts/holding-row.module.css'

const ROW_HEIGHT = 76

export default function Holdings(): ReactNode {
  const { query, holdings, isWhole, unlocked, locked, showNext, showFirst } = useHoldings()
  return (
    <Page
      title="Holdings"
      about="Your coin lies in single holdings, like notes in a purse. A payment takes some and leaves change."
      aside={<MergeNow holdings={holdings} />}
    >
      <Loaded query={query}>
        {() => (
          <>
            <Totals holdings={holdings} isWhole={isWhole} unlocked={unlocked} locked={locked} />
            <List holdings={holdings} />
            {isWhole ? null : <Paging showNext={showNext} showFirst={showFirst} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type TotalsProps = Pick<
  ReturnType<typeof useHoldings>,
  'holdings' | 'isWhole' | 'unlocked' | 'locked'
>

function Totals({ holdings, isWhole, unlocked = 0n, locked = 0n }: TotalsProps): ReactNode {
  const free = holdings.filter(({ lock }) => lock === undefined).length
  const hint = (count: number): string => (isWhole ? countText(count) : 'Not all are shown')
  return (
    <Stack gap="xs">
      <Figures>
        <CoinFigure label="Unlocked" of={unlocked} hint={hint(free)} />
        <CoinFigure label="Locked" of={locked} hint={hint(holdings.length - free)} />
        <CoinFigure label="Total" of={unlocked + locked} hint={hint(holdings.length)} />
      </Figures>
      {free < 2 ? null : (
        <Text size="sm" c="dimmed">
          Each holding that a payment takes costs extra traffic. Merging makes one of many by a
          transfer to yourself, up to 100 at a time; it costs no coin. Your validator can also{' '}
          <Link href="/merging">merge for you</Link>.
        </Text>
      )}
    </Stack>
  )
}

/** The list is of one page; order and filter are of that. */
function Paging({
  showNext,
  showFirst,
}: Pick<ReturnType<typeof useHoldings>, 'showNext' | 'showFirst'>): ReactNode {
  return (
    <Group>
      <Text size="sm" c="dimmed">
        There are more holdings than can be shown at once. Pages go from the oldest to the newest.
      </Text>
      <Button variant="default" size="xs" disabled={showFirst === undefined} onClick={showFirst}>
        The oldest
      </Button>
      <Button variant="default" size="xs" disabled={showNext === undefined} onClick={showNext}>
        The next
      </Button>
    </Group>
  )
}

function countText(count: number): string {
  return count === 1 ? '1 holding' : `${count} holdings`
}

type Filter = 'all' | 'unlocked' | 'locked'

const ORDERS: readonly { readonly value: Order; readonly label: string }[] = [
  { value: 'largest', label: 'Largest first' },
  { value: 'smallest', label: 'Smallest first' },
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
]
const FILTERS: readonly { readonly value: Filter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unlocked', label: 'Unlocked' },
  { value: 'locked', label: 'Locked' },
]

function List({ holdings }: { readonly holdings: readonly Holding[] }): ReactNode {
  const [filter, setFilter] = useState<Filter>('all')
  const [order, setOrder] = useState<Order>('largest')
  const shown = useMemo(
    () =>
      inOrder(
        holdings.filter((holding) => fits(holding, filter)),
        order,
      ),
    [holdings, filter, order],
  )
  return (
    <Section title="One by one">
      <Group align="end" justify="space-between">
        <SegmentedControl
          aria-label="Which holdings"
          data={[...FILTERS]}
          value={filter}
          onChange={setFilter}
        />
        <Select
          label="Order"
          data={[...ORDERS]}
          value={order}
          allowDeselect={false}
          onChange={(value) => {
            if (value !== null) setOrder(value)
          }}
        />
      </Group>
      {shown.length === 0 ? <Nothing filter={filter} /> : <Lines holdings={shown} />}
    </Section>
  )
}

function fits({ lock }: Holding, filter: Filter): boolean {
  return filter === 'all' || (lock === undefined) === (filter === 'unlocked')
}

function Nothing({ filter }: { readonly filter: Filter }): ReactNode {
  if (filter === 'locked')
    return (
      <Empty>
        Nothing is locked. Coin is locked while a transfer in two steps waits for its receiver.
      </Empty>
    )
  return (
    <Empty>
      There is nothing here yet. Let somebody send you coin: your party, which they need, is on the{' '}
      <Link href="/settings">settings page</Link>.
    </Empty>
  )
}

function Lines({ holdings }: { readonly holdings: readonly Holding[] }): ReactNode {
  const rate = useRate()
  const { coin } = useWallet().configuration
  return (
    <div>
      <div className={classes['head']} aria-hidden="true">
        <span>Amount</span>
        <span>State</span>
        <span>Age</span>
        <span>Contract</span>
      </div>
      <Rows items={holdings} keyOf={({ id }) => id} height={ROW_HEIGHT} label="Holdings">
        {(holding) => <HoldingRow holding={holding} coin={coin} rate={rate} />}
      </Rows>
    </div>
  )
}
