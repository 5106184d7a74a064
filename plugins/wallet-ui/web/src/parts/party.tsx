// A party as people know it: its picture, the name that the person has given or its own, and the id
// below, to be copied.
import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from '../lib/facts.ts'
import { t } from '../lib/language.ts'
import { nameOf } from '../lib/party.ts'
import { CopyIcon } from './copy.tsx'
import { Identicon } from './identicon.tsx'
import { ShortId } from './identifier.tsx'

interface Props {
  readonly of: string
  /** The party's role here, for screen readers. */
  readonly label: string
}

/** Marked where it is the party of whoever is logged in. */
export function PartyName({ of, label }: Props): ReactNode {
  const { data } = useStatus()
  return (
    <Group gap={10} wrap="nowrap" display="inline-flex" maw="100%">
      <Identicon of={of} size={34} />
      <div style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap">
          <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {nameOf(of)}
          </Text>
          {data?.party_id === of ? (
            <Badge variant="light" size="sm" style={{ flexShrink: 0 }}>
              {t('you')}
            </Badge>
          ) : null}
        </Group>
        <Group gap={2} wrap="nowrap">
          <ShortId of={of} />
          <CopyIcon value={of} label={label} />
        </Group>
      </div>
    </Group>
  )
}
