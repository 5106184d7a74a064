// Who is logged in, in the corner of every page.
import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from './lib/facts.ts'
import { t } from './lib/language.ts'
import { shortened } from './lib/party.ts'
import { useWallet } from './lib/wallet.tsx'
import { CopyIcon } from './parts/copy.tsx'
import { Identicon } from './parts/identicon.tsx'

export function Whoever(): ReactNode {
  const { session, logOut } = useWallet()
  const party = useStatus().data?.party_id ?? ''
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Group gap={8} wrap="nowrap" miw={0}>
        {party === '' ? null : <Identicon of={party} size={28} />}
        <Text size="sm" fw={600} truncate maw={140}>
          {session.user}
        </Text>
      </Group>
      {party === '' ? null : (
        <Group gap={4} wrap="nowrap" visibleFrom="md">
          <Text span size="xs" c="dimmed" ff="monospace" title={party}>
            {shortened(party)}
          </Text>
          <CopyIcon value={party} label={t('your party')} />
        </Group>
      )}
      <Button variant="default" size="xs" radius="xl" onClick={logOut} style={{ flexShrink: 0 }}>
        {t('Log out')}
      </Button>
    </Group>
  )
}
