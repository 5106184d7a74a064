// What waits for the person: offers to answer, proposals to look at, and a hint while nobody can
// pay without asking.
import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { delegationsOf, obstacle } from '../../lib/delegations.ts'
import { useStatus } from '../../lib/facts.ts'
import { t } from '../../lib/language.ts'
import { problemText } from '../../lib/problem.ts'
import { useOffers } from '../../lib/use-offers.ts'
import { usePreapproved } from '../../lib/use-preapproved.ts'
import { validator } from '../../lib/wallet.tsx'
import { OfferList } from '../../parts/offer-list.tsx'
import { Section } from '../../parts/page.tsx'
import { rich } from '../../parts/rich.tsx'
import { useNow } from '../../parts/when.tsx'

export function NeedsAction(): ReactNode {
  const { data, error } = useOffers()
  const proposals = useProposalCount()
  const now = useNow(1_000)
  const offers = (data?.incoming ?? []).filter(
    ({ kind, expiresAt }) => kind !== 'accepted' && Date.parse(expiresAt) > now,
  )
  const isNothing = data !== undefined && offers.length === 0 && proposals === 0
  return (
    <Section title={t('Waiting for you')}>
      <Stack gap="sm">
        {data === undefined && error !== null ? (
          <Alert color="red" role="alert">
            {problemText(error)}
          </Alert>
        ) : null}
        {isNothing ? <Text c="dimmed">{t('Nothing is waiting for you.')}</Text> : null}
        <OfferList side="in" offers={offers} />
        {proposals === 0 ? null : (
          <Alert role="status">
            {rich(
              proposals === 1
                ? 'A party asks you to mint its rewards: {0}'
                : '{1} parties ask you to mint their rewards: {0}',
              <Link href="/delegations">{t('see the proposals.')}</Link>,
              proposals,
            )}
          </Alert>
        )}
        <PreapprovalHint />
      </Stack>
    </Section>
  )
}

/** Proposals that the person could accept now. */
function useProposalCount(): number {
  const { data } = validator.useQuery('listMintingDelegationProposals')
  const own = useStatus().data?.party_id
  const now = useNow(10_000)
  return delegationsOf(data?.proposals ?? []).filter(
    (one) => one.delegate === own && obstacle(one, now) === undefined,
  ).length
}

function PreapprovalHint(): ReactNode {
  const party = useStatus().data?.party_id ?? ''
  if (usePreapproved(party) !== false) return null
  return (
    <Text size="sm" c="dimmed">
      {rich(
        'Each payment to you waits until you accept it. {0} and they arrive at once.',
        <Link href="/preapproval">{t('Preapprove payments')}</Link>,
      )}
    </Text>
  )
}
