// One line of the history as a page of its own, to be printed or kept.
import { Button, Card, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { shownAmount } from '../lib/amount.ts'
import { useStatus } from '../lib/facts.ts'
import { useHistory } from '../lib/history-pages.ts'
import type { HistoryLine } from '../lib/history-line.ts'
import { t } from '../lib/language.ts'
import { useWallet } from '../lib/wallet.tsx'
import { Details } from '../parts/history-row.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { PartyName } from '../parts/party.tsx'
import { When } from '../parts/when.tsx'

/** `/receipt?id=<line>`; reads back through the history until the line is found. */
export default function Receipt(): ReactNode {
  const id = new URLSearchParams(useSearch()).get('id') ?? ''
  const { lines, isWhole, readMore, error } = useHistory(true)
  const line = lines?.find((one) => one.id === id)
  const isMissing = line === undefined && (isWhole || error !== null)
  useEffect(() => {
    if (line === undefined && !isWhole && error === null) readMore()
  }, [lines, line, isWhole, error, readMore])
  return (
    <Page title={t('Receipt')} aside={<Ways isReady={line !== undefined} />}>
      {line === undefined ? null : <Sheet line={line} />}
      {isMissing ? <Empty>{t('There is no such entry in your history.')}</Empty> : null}
      {line === undefined && !isMissing ? (
        <Center py="xl">
          <Loader aria-label={t('Loading')} />
        </Center>
      ) : null}
    </Page>
  )
}

function Ways({ isReady }: { readonly isReady: boolean }): ReactNode {
  return (
    <Group gap="xs" className="no-print">
      <Button component={Link} href="/history" variant="default">
        {t('Back to the history')}
      </Button>
      <Button leftSection={<Icon of="print" />} disabled={!isReady} onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </Group>
  )
}

function Sheet({ line }: { readonly line: HistoryLine }): ReactNode {
  const { coin } = useWallet().configuration
  const own = useStatus().data?.party_id ?? ''
  const { amount, others, isSender } = line
  return (
    <Card withBorder p="xl" maw={820}>
      <Stack>
        <div>
          <Text c="dimmed">
            <When at={line.at} />
          </Text>
          <Title order={2} size="h3">
            {line.title}
          </Title>
          {amount === undefined ? null : (
            <Text className="figures" fz="clamp(1.25rem, 6vw, 1.8rem)" fw={700}>
              {amount > 0n ? '+' : ''}
              {shownAmount(amount)} {coin}
            </Text>
          )}
        </div>
        <Group gap="xl" align="start">
          <Side title={isSender ? t('From') : t('To')} parties={[own]} />
          <Side title={isSender ? t('To') : t('From')} parties={others} />
        </Group>
        <Details line={line} coin={coin} isBelowParties />
      </Stack>
    </Card>
  )
}

function Side({
  title,
  parties,
}: {
  readonly title: string
  readonly parties: readonly string[]
}): ReactNode {
  if (parties.length === 0) return null
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      {parties.map((party) => (
        <PartyName key={party} of={party} label={t('the party')} />
      ))}
    </Stack>
  )
}
