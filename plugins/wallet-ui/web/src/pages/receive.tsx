// How to be paid: the party id, a link that fills in the payer's form, the same as a picture for a
// phone, copied or shared.
import { Button, Card, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { encode } from 'uqr'
import { Link } from 'wouter'
import { typedAmount, wireAmount } from '../lib/amount.ts'
import { useStatus } from '../lib/facts.ts'
import { t } from '../lib/language.ts'
import { MOST_LETTERS } from '../lib/sending.ts'
import { usePreapproved } from '../lib/use-preapproved.ts'
import { AmountFields } from '../parts/amount-fields.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded, Page, Section } from '../parts/page.tsx'
import { PartyName } from '../parts/party.tsx'
import { rich } from '../parts/rich.tsx'
import classes from './receive.module.css'

export default function Receive(): ReactNode {
  return (
    <Page
      title={t('Receive')}
      about={t('Share this with the person who pays you: a link, a QR code, or your party id.')}
    >
      <Loaded query={useStatus()}>{({ party_id: party }) => <Ways party={party} />}</Loaded>
    </Page>
  )
}

function Ways({ party }: { readonly party: string }): ReactNode {
  const [amount, setAmount] = useState({ coin: '' })
  const [description, setDescription] = useState('')
  const coins = typedAmount(amount.coin)
  const isWrong = amount.coin !== '' && (coins === undefined || coins <= 0n)
  const link = linkOf(party, isWrong || coins === undefined ? '' : wireAmount(coins), description)
  return (
    <div className={classes['ways']}>
      <Card withBorder p="lg">
        <Stack align="center" gap="md">
          <QrCode text={link} />
          <PartyName of={party} label={t('your party id')} />
          <Group gap="xs" justify="center">
            <CopyText text={party}>{t('Copy party id')}</CopyText>
            <CopyText text={link}>{t('Copy link')}</CopyText>
            <Share link={link} />
          </Group>
        </Stack>
      </Card>
      <Stack>
        <Section title={t('Ask for an amount')}>
          <Card withBorder p="lg">
            <Stack>
              <AmountFields
                value={amount}
                onChange={setAmount}
                fault={isWrong ? t('Enter an amount above zero, or leave it empty.') : undefined}
              />
              <TextInput
                label={t('Description')}
                description={t('Optional; the payer sees it')}
                maxLength={MOST_LETTERS}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
              <TextInput
                label={t('Payment link')}
                description={t('It opens a payment to you, with the form filled in.')}
                readOnly
                value={link}
                onFocus={(event) => event.currentTarget.select()}
              />
            </Stack>
          </Card>
        </Section>
        <Arrival party={party} />
      </Stack>
    </div>
  )
}

/** The address of the payer's form; what is '' is left to the payer. */
function linkOf(party: string, amount: string, description: string): string {
  const asked = new URLSearchParams({
    to: party,
    ...(amount === '' ? {} : { amount: amount.replace(/\.?0+$/u, '') }),
    ...(description.trim() === '' ? {} : { description: description.normalize('NFC').trim() }),
  })
  return `${location.origin}/wallet/send?${asked.toString()}`
}

/** Dark on light in both schemes: cameras expect it so. */
function QrCode({ text }: { readonly text: string }): ReactNode {
  const { size, path } = useMemo(() => {
    const { data, size: cells } = encode(text, { ecc: 'M', border: 2 })
    const dark = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size: cells, path: dark.join('') }
  }, [text])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={classes['code']}
      role="img"
      aria-label={t('QR code of the payment link')}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#1b1033" />
    </svg>
  )
}

function CopyText({
  text,
  children,
}: {
  readonly text: string
  readonly children: string
}): ReactNode {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="light"
          radius="xl"
          size="sm"
          onClick={copy}
          leftSection={<Icon of={copied ? 'check' : 'copy'} />}
        >
          {copied ? t('Copied') : children}
        </Button>
      )}
    </CopyButton>
  )
}

/** Nothing where the browser cannot share. */
function Share({ link }: { readonly link: string }): ReactNode {
  if (!('share' in navigator)) return null
  const share = (): void => {
    // Giving it up is no failure.
    navigator.share({ title: t('Pay me'), url: link }).catch(() => undefined)
  }
  return (
    <Button variant="light" radius="xl" size="sm" onClick={share} leftSection={<Icon of="share" />}>
      {t('Share')}
    </Button>
  )
}

/** A text on what happens when somebody pays. */
function Arrival({ party }: { readonly party: string }): ReactNode {
  const isPreapproved = usePreapproved(party)
  if (isPreapproved === undefined) return null
  return (
    <Text size="sm" c="dimmed">
      {isPreapproved
        ? t('You accept payments in one step: they arrive at once.')
        : rich(
            'Each payment to you waits until you accept it. {0} and they arrive at once.',
            <Link href="/preapproval">{t('Preapprove payments')}</Link>,
          )}
    </Text>
  )
}
