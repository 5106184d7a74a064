// Traffic: what this validator has left, buying more for it or another, and what became of that.
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useStatus } from '../lib/facts.ts'
import { forgetRequest, keepRequest, readRequests } from '../lib/traffic-requests.ts'
import type { TrafficRequest } from '../lib/traffic-requests.ts'
import { Page } from '../parts/page.tsx'
import { BuyTraffic } from './traffic/buy.tsx'
import { TrafficRequests } from './traffic/requests.tsx'
import { AnotherMember, OwnTraffic } from './traffic/status.tsx'
import { t } from '../lib/language.ts'

export default function TrafficPage(): ReactNode {
  const party = useStatus().data?.party_id ?? ''
  const [requests, setRequests] = useState(() => readRequests(party))
  const keep = (request: TrafficRequest): void => setRequests(keepRequest(party, request))
  const forget = (trackingId: string): void => setRequests(forgetRequest(party, trackingId))
  return (
    <Page
      title={t('Traffic')}
      about={t(
        'Validators pay in traffic for what they send to the network. Anyone can buy traffic for any validator.',
      )}
    >
      <OwnTraffic />
      <BuyTraffic keep={keep} forget={forget} />
      <TrafficRequests requests={requests} onAdd={keep} onForget={forget} />
      <AnotherMember />
    </Page>
  )
}
