// The development fund: what is in it, and the coupons that are the person's own.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { parseAmount } from '../../lib/amount.ts'
import { useStatus } from '../../lib/facts.ts'
import { textAt } from '../../lib/payload.ts'
import { scan, validator } from '../../lib/wallet.tsx'
import { Coin, Dollars } from '../../parts/money.tsx'
import { Empty, Loaded, Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { DataTable } from '../../parts/table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'

type Coupon =
  validator.Data<'listActiveDevelopmentFundCoupons'>['active_development_fund_coupons'][number]

const MOST = 10

export function Fund(): ReactNode {
  const unclaimed = scan.useQuery('listUnclaimedDevelopmentFundCoupons')
  const isOnboarded = useStatus().data?.user_onboarded === true
  return (
    <Stack gap="xl">
      <Section title="Unclaimed">
        <Loaded query={unclaimed}>
          {({ 'unclaimed-development-fund-coupons': coupons }) => (
            <Unclaimed of={coupons.map(({ contract }) => contract)} />
          )}
        </Loaded>
      </Section>
      <Section title="Yours">
        {isOnboarded ? <Own /> : <Empty>Whoever has a wallet here sees their own coupons.</Empty>}
      </Section>
    </Stack>
  )
}

function Unclaimed({ of }: { readonly of: readonly Coupon[] }): ReactNode {
  if (of.length === 0)
    return <Empty>The fund is empty. Each round that starts to issue adds to it.</Empty>
  const total = of.reduce(
    (sum, { payload }) => sum + (parseAmount(textAt(payload, 'amount')) ?? 0n),
    0n,
  )
  const newest = of.toSorted((a, b) => (a.created_at > b.created_at ? -1 : 1))
  return (
    <Stack gap="xs">
      <Text component="div">
        <Coin of={total} fw={600} /> <Dollars of={total} /> in {of.length}{' '}
        {of.length === 1 ? 'coupon' : 'coupons'}
      </Text>
      <DataTable
        label="Unclaimed coupons"
        items={newest.slice(0, MOST)}
        keyOf={({ contract_id: id }) => id}
        columns={UNCLAIMED}
      />
      {newest.length > MOST ? (
        <Text size="sm" c="dimmed">
          and {newest.length - MOST} older ones
        </Text>
      ) : null}
    </Stack>
  )
}

const UNCLAIMED: readonly Column<Coupon>[] = [
  { title: 'Amount', of: ({ payload }) => <Coin of={textAt(payload, 'amount')} /> },
  { title: 'Since', of: ({ created_at: at }) => <When at={at} /> },
]

function Own(): ReactNode {
  const own = validator.useQuery('listActiveDevelopmentFundCoupons')
  return (
    <Loaded query={own}>
      {({ active_development_fund_coupons: coupons }) =>
        coupons.length === 0 ? (
          <Empty>
            None. A coupon shows here when the fund&rsquo;s manager gives you one, or when you are
            the manager and gave one.
          </Empty>
        ) : (
          <DataTable
            label="Your coupons"
            items={coupons}
            keyOf={({ contract_id: id }) => id}
            columns={OWN}
          />
        )
      }
    </Loaded>
  )
}

const OWN: readonly Column<Coupon>[] = [
  { title: 'Amount', of: ({ payload }) => <Coin of={textAt(payload, 'amount')} /> },
  {
    title: 'For',
    of: ({ payload }) => <PartyName of={textAt(payload, 'beneficiary')} label="the beneficiary" />,
  },
  {
    title: 'Given by',
    of: ({ payload }) => (
      <PartyName of={textAt(payload, 'fundManager')} label="the manager of the fund" />
    ),
  },
  { title: 'Reason', of: ({ payload }) => textAt(payload, 'reason') || '–' },
  {
    title: 'Expires',
    of: ({ payload }) => (
      <>
        <When at={textAt(payload, 'expiresAt')} /> <TimeLeft until={textAt(payload, 'expiresAt')} />
      </>
    ),
  },
]
