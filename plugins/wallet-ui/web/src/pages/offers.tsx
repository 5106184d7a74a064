// Coin on offer: what others offer the person, and what the person offers others.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useStatus } from '../lib/facts.ts'
import { useOffers } from '../lib/use-offers.ts'
import type { Offers } from '../lib/use-offers.ts'
import { Identifier } from '../parts/identifier.tsx'
import { OfferList } from '../parts/offer-list.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { t } from '../lib/language.ts'
import { rich } from '../parts/rich.tsx'

export default function OffersPage(): ReactNode {
  return (
    <Page
      title={t('Offers')}
      about={t('Payments waiting for an answer, from you or from someone else.')}
    >
      <Loaded query={useOffers()}>{(offers) => <Both {...offers} />}</Loaded>
    </Page>
  )
}

function Both({ incoming, outgoing }: Offers): ReactNode {
  return (
    <>
      <Section title={titled(t('To you'), incoming.length)}>
        {incoming.length > 0 ? null : <NothingComing />}
        <OfferList side="in" offers={incoming} />
      </Section>
      <Section title={titled(t('From you'), outgoing.length)}>
        {outgoing.length > 0 ? null : (
          <Empty>
            {rich('You have no outgoing offers. {0}', <Link href="/send">{t('Send coin.')}</Link>)}
          </Empty>
        )}
        <OfferList side="out" offers={outgoing} />
      </Section>
    </>
  )
}

function NothingComing(): ReactNode {
  const { data } = useStatus()
  return (
    <Empty>
      {t('You have no incoming offers. To be paid, share your party id:')}{' '}
      {data === undefined ? null : <Identifier of={data.party_id} label={t('your party id')} />}
    </Empty>
  )
}

function titled(title: string, count: number): string {
  return count === 0 ? title : `${title} (${count})`
}
