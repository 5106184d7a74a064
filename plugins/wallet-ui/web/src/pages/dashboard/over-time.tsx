// How the balance came to be: a chart of the latest entries, and income and spending by month.
import { Card } from '@mantine/core'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { parseAmount, roundedAmount } from '../../lib/amount.ts'
import { ledgerNow } from '../../lib/clock.ts'
import { useStatus } from '../../lib/facts.ts'
import { lineOf } from '../../lib/history-line.ts'
import { localeTag, t } from '../../lib/language.ts'
import { balanceOverTime, byMonth } from '../../lib/over-time.ts'
import type { Month } from '../../lib/over-time.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { AreaChart } from '../../parts/area-chart.tsx'
import { Section } from '../../parts/page.tsx'
import classes from '../../parts/table.module.css'

/** Entries that are looked back on; older ones are in the history's files. */
const ENTRIES = 200n
const MONTHS = 6
const SELDOM_MS = 10_000

/** Nothing before there are two moments to draw a line between. */
export function OverTime(): ReactNode {
  const party = useStatus().data?.party_id ?? ''
  const { coin } = useWallet().configuration
  const balance = parseAmount(validator.useQuery('getBalance').data?.effective_unlocked_qty ?? '')
  const { data } = validator.useQuery(
    'listTransactions',
    { body: { page_size: ENTRIES } },
    { refetchInterval: SELDOM_MS },
  )
  const lines = useMemo(() => data?.items.map((entry) => lineOf(entry, party)), [data, party])
  if (lines === undefined || balance === undefined || lines.length === 0) return null
  return (
    <>
      <Section title={t('Over time')}>
        <Card withBorder p="lg">
          <AreaChart
            label={t('Available')}
            points={balanceOverTime(lines, balance, ledgerNow())}
            coin={coin}
          />
        </Card>
      </Section>
      <Section title={t('By month')}>
        <Months of={byMonth(lines).slice(0, MONTHS)} coin={coin} />
      </Section>
    </>
  )
}

function Months({ of, coin }: { readonly of: readonly Month[]; readonly coin: string }): ReactNode {
  const name = new Intl.DateTimeFormat(localeTag(), { month: 'long', year: 'numeric' })
  return (
    <div className={`surface ${classes['plain'] ?? ''}`}>
      <table
        aria-label={t('By month')}
        className={`${classes['table'] ?? ''} ${classes['numbers'] ?? ''}`}
      >
        <thead>
          <tr>
            <th scope="col">{t('Month')}</th>
            <th scope="col">{t('Income')}</th>
            <th scope="col">{t('Spending')}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ first, income, spending }) => (
            <tr key={first.getTime()}>
              <th scope="row">{name.format(first)}</th>
              <td>{`${roundedAmount(income)} ${coin}`}</td>
              <td>{`${roundedAmount(spending)} ${coin}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
