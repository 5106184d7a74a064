// The development fund: what is in it, and the coupons that are the person's own.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../lib/language.ts'
import { parseAmount } from '../../lib/amount.ts'
import { useStatus } from '../../lib/facts.ts'
import { textAt } from '../../lib/payload.ts'
import { scan, validator } from '../../lib/wallet.tsx'
import { Coin, Dollars } from '../../parts/money.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { contractId, DataTable, Listing } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { rich } from '../../parts/rich.tsx'

type Coupon =
  validator.Data<'listActiveDevelopmentFundCoupons'>['active_development_fund_coupons'][number]

const MOST = 10

export function Fund(): ReactNode {
  const unclaimed = scan.useQuery('listUnclaimedDevelopmentFundCoupons')
  const isOnboarded = useStatus().data?.user_onboarded === true
  return (
    <Stack gap="xl">
      <Section title={t('Unclaimed')}>
        <Loaded query={unclaimed}>
          {({ 'unclaimed-development-fund-coupons': coupons }) => (
            <Unclaimed of={coupons.map(({ contract }) => contract)} />
          )}
        </Loaded>
      </Section>
      <Section title={t('Yours')}>
        {isOnboarded ? <Own /> : <Empty>{t('Set up a wallet to see your own coupons.')}</Empty>}
      </Section>
    </Stack>
  )
}

function Unclaimed({ of }: { readonly of: readonly Coupon[] }): ReactNode {
  if (of.length === 0)
    return <Empty>{t('The fund is empty. Each round that starts to issue adds to it.')}</Empty>
  const total = of.reduce(
    (sum, { payload }) => sum + (parseAmount(textAt(payload, 'amount')) ?? 0n),
    0n,
  )
  const newest = of.toSorted((a, b) => (a.created_at > b.created_at ? -1 : 1))
  return (
    <Stack gap="xs">
      <Text component="div">
        <Coin of={total} fw={600} /> <Dollars of={total} />
        {of.length === 1 ? t(' in one coupon') : t(' in {0} coupons', of.length)}
      </Text>
      <DataTable
        label={t('Unclaimed coupons')}
        items={newest.slice(0, MOST)}
        keyOf={contractId}
        columns={UNCLAIMED}
      />
      {newest.length > MOST ? (
        <Text size="sm" c="dimmed">
          {rich('and {0} older ones', newest.length - MOST)}
        </Text>
      ) : null}
    </Stack>
  )
}

const UNCLAIMED: readonly Column<Coupon>[] = [
  { title: t('Amount'), of: ({ payload }) => <Coin of={textAt(payload, 'amount')} /> },
  { title: t('Since'), of: ({ created_at: at }) => <When at={at} /> },
]

function Own(): ReactNode {
  const own = validator.useQuery('listActiveDevelopmentFundCoupons')
  return (
    <Listing
      query={own}
      of={({ active_development_fund_coupons: coupons }) => coupons}
      empty={t(
        'None. A coupon appears here when the fund’s manager gives you one, or when you are the manager and gave one.',
      )}
      label={t('Your coupons')}
      keyOf={contractId}
      columns={OWN}
    />
  )
}

const OWN: readonly Column<Coupon>[] = [
  { title: t('Amount'), of: ({ payload }) => <Coin of={textAt(payload, 'amount')} /> },
  {
    title: t('For'),
    of: ({ payload }) => (
      <PartyName of={textAt(payload, 'beneficiary')} label={t('the beneficiary')} />
    ),
  },
  {
    title: t('Given by'),
    of: ({ payload }) => (
      <PartyName of={textAt(payload, 'fundManager')} label={t('the manager of the fund')} />
    ),
  },
  { title: t('Reason'), of: ({ payload }) => textAt(payload, 'reason') || '–' },
  {
    title: t('Expires'),
    of: ({ payload }) => (
      <>
        <When at={textAt(payload, 'expiresAt')} /> <TimeLeft until={textAt(payload, 'expiresAt')} />
      </>
    ),
  },
]
