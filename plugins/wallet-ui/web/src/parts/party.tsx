// A party by its identifier, and whether it is the person's own.
import { Badge, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from '../lib/facts.ts'
import { Identifier } from './identifier.tsx'

/**
 * `alice::1220a1…9f`, marked where it is the party of whoever is logged in. `label` as for
 * `Identifier`.
 */
export function PartyName({
  of,
  label,
}: {
  readonly of: string
  readonly label: string
}): ReactNode {
  const { data } = useStatus()
  return (
    <Group gap={6} display="inline-flex">
      <Identifier of={of} label={label} />
      {data?.party_id === of ? (
        <Badge variant="light" size="sm" style={{ flexShrink: 0 }}>
          you
        </Badge>
      ) : null}
    </Group>
  )
}
