// What the network is and does: rounds, votes, the development fund, featured apps and validators,
// names. For everybody, from scan.
import { Tabs } from '@mantine/core'
import { useHash } from '@mantine/hooks'
import type { ComponentType, ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { Apps } from './network/apps.tsx'
import { Fund } from './network/fund.tsx'
import { Names } from './network/names.tsx'
import { Rounds } from './network/rounds.tsx'
import { Votes } from './network/votes.tsx'
import { t } from '../lib/language.ts'

const PARTS: readonly {
  readonly name: string
  readonly title: string
  readonly Part: ComponentType
}[] = [
  { name: 'rounds', title: t('Rounds'), Part: Rounds },
  { name: 'votes', title: t('Votes'), Part: Votes },
  { name: 'fund', title: t('Development fund'), Part: Fund },
  { name: 'apps', title: t('Apps and validators'), Part: Apps },
  { name: 'names', title: t('Names'), Part: Names },
]

export default function Network(): ReactNode {
  const [hash, setHash] = useHash({ getInitialValueInEffect: false })
  const part = PARTS.find(({ name }) => hash === `#${name}`)?.name ?? 'rounds'
  return (
    <Page title={t('Network')} about={t('What everyone on the network can see.')}>
      <Tabs value={part} onChange={(name) => setHash(`#${name ?? ''}`)} keepMounted={false}>
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {PARTS.map(({ name, title }) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PARTS.map(({ name, Part }) => (
          <Tabs.Panel key={name} value={name}>
            <Part />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
