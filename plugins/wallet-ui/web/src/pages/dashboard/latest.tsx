// The newest entries of the history.
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRate, useStatus } from '../../lib/facts.ts'
import { t } from '../../lib/language.ts'
import { lineOf } from '../../lib/history-line.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { HistoryRow } from '../../parts/history-row.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import classes from '../../parts/rows.module.css'

const SHOWN = 5n

export function Latest(): ReactNode {
  const query = validator.useQuery('listTransactions', { body: { page_size: SHOWN } })
  return (
    <Section
      title={t('Recent activity')}
      aside={<Link href="/history">{t('See the history')}</Link>}
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{t('Nothing has happened yet.')}</Empty>
          ) : (
            <Entries of={items} />
          )
        }
      </Loaded>
    </Section>
  )
}

type Entries = validator.Data<'listTransactions'>['items']

function Entries({ of }: { readonly of: Entries }): ReactNode {
  const [open, setOpen] = useState<string>()
  const party = useStatus().data?.party_id ?? ''
  const rate = useRate()
  const { coin } = useWallet().configuration
  const toggle = (id: string): void => setOpen(open === id ? undefined : id)
  return (
    <div
      role="list"
      aria-label={t('Recent activity')}
      className={`surface ${classes['list']}`}
      style={{ overflow: 'hidden' }}
    >
      {of
        .map((entry) => lineOf(entry, party))
        .map((line) => (
          <div role="listitem" key={line.id}>
            <HistoryRow
              line={line}
              coin={coin}
              rate={rate}
              isOpen={open === line.id}
              onToggle={toggle}
            />
          </div>
        ))}
    </div>
  )
}
