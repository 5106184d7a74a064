// What the network calls itself, its coin and its name service, and the parties that stand for it.
import type { ReactNode } from 'react'
import { useNames } from '../../lib/facts.ts'
import { scan } from '../../lib/wallet.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Loaded, Section } from '../../parts/page.tsx'
import { t } from '../../lib/language.ts'

export function Names(): ReactNode {
  const { data: dso } = scan.useQuery(
    'getDsoPartyId',
    {},
    { staleTime: Infinity, refetchInterval: false },
  )
  return (
    <Section title={t('Names')}>
      <Loaded query={useNames()}>
        {(names) => (
          <Facts
            label={t('Names')}
            of={[
              ['Network', names.network_name],
              ['Coin', `${names.coin_name} (${names.coin_name_acronym})`],
              ['Name service', `${names.name_service_name} (${names.name_service_name_acronym})`],
              [
                'Party of the network',
                dso === undefined ? (
                  '–'
                ) : (
                  <Identifier key="dso" of={dso.dso_party_id} label={t('the network’s party')} />
                ),
              ],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
