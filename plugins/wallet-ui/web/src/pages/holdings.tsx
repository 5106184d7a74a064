// Holdings: every single one, what binds it, how old it is, and how to make one of many.
import { Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
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
import { t } from '../lib/language.ts'
import { rich } from '../parts/rich.tsx'

const ROW_HEIGHT = 76

export default function Holdings(): ReactNode {
  const { query, holdings, isWhole, unlocked, locked, showNext, showFirst } = useHoldings()
  return (
    <Page
      title={t('Holdings')}
      about={t(
        'Your coin is kept as separate holdings, like banknotes. A payment uses some and returns change.',
      )}
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
  const hint = (count: number): string => (isWhole ? countText(count) : t('Not all are shown'))
  return (
    <Stack gap="xs">
      <Figures>
        <CoinFigure label={t('Unlocked')} of={unlocked} hint={hint(free)} />
        <CoinFigure label={t('Locked')} of={locked} hint={hint(holdings.length - free)} />
        <CoinFigure label={t('Total')} of={unlocked + locked} hint={hint(holdings.length)} />
      </Figures>
      {free < 2 ? null : (
        <Text size="sm" c="dimmed">
          {rich(
            'Each holding in a payment costs extra traffic. Merging combines up to 100 holdings into one, by a transfer to yourself; it costs no coin. Your validator can also {0}.',
            <Link href="/merging">{t('merge for you')}</Link>,
          )}
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
        {t(
          'There are more holdings than can be shown at once. Pages go from the oldest to the newest.',
        )}
      </Text>
      <Button variant="default" size="xs" disabled={showFirst === undefined} onClick={showFirst}>
        {t('The oldest')}
      </Button>
      <Button variant="default" size="xs" disabled={showNext === undefined} onClick={showNext}>
        {t('The next')}
      </Button>
    </Group>
  )
}

function countText(count: number): string {
  return count === 1 ? t('1 holding') : t('{0} holdings', count)
}

type Filter = 'all' | 'unlocked' | 'locked'

const ORDERS: readonly { readonly value: Order; readonly label: string }[] = [
  { value: 'largest', label: t('Largest first') },
  { value: 'smallest', label: t('Smallest first') },
  { value: 'newest', label: t('Newest first') },
  { value: 'oldest', label: t('Oldest first') },
]
const FILTERS: readonly { readonly value: Filter; readonly label: string }[] = [
  { value: 'all', label: t('All') },
  { value: 'unlocked', label: t('Unlocked') },
  { value: 'locked', label: t('Locked') },
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
    <Section title={t('All holdings')}>
      <Group align="end" justify="space-between">
        <SegmentedControl
          aria-label={t('Which holdings')}
          data={[...FILTERS]}
          value={filter}
          onChange={setFilter}
        />
        <NativeSelect
          label={t('Order')}
          data={ORDERS}
          value={order}
          onChange={({ currentTarget: { value } }) =>
            setOrder(ORDERS.find((one) => one.value === value)?.value ?? order)
          }
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
        {t(
          'Nothing is locked. Coin is locked while a transfer in two steps waits for its receiver.',
        )}
      </Empty>
    )
  return (
    <Empty>
      {rich(
        'There is nothing here yet. Share {0} to be paid.',
        <Link href="/settings">{t('your payment link')}</Link>,
      )}
    </Empty>
  )
}

function Lines({ holdings }: { readonly holdings: readonly Holding[] }): ReactNode {
  const rate = useRate()
  const { coin } = useWallet().configuration
  return (
    <div>
      <div className={classes['head']} aria-hidden="true">
        <span>{t('Amount')}</span>
        <span>{t('State')}</span>
        <span>{t('Created')}</span>
        <span>{t('Contract')}</span>
      </div>
      <Rows
        items={holdings}
        keyOf={({ id }) => id}
        height={ROW_HEIGHT}
        label={t('Holdings')}
        isReused
      >
        {(holding) => <HoldingRow holding={holding} coin={coin} rate={rate} />}
      </Rows>
    </div>
  )
}
