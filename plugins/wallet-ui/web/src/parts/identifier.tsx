// Long identifiers: shortened for the eye, whole for the clipboard and on hover. Those of parties
// have a picture, and the name that the person has given.
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { givenName, isPartyId, shortened } from '../lib/party.ts'
import { CopyIcon } from './copy.tsx'
import { Identicon } from './identicon.tsx'

interface Props {
  readonly of: string
  /** What it is, for whoever cannot see. */
  readonly label: string
}

/** `alice::1220a1b2…9f8e`; on a phone `alice::1220…9f8e`, so that the end is never cut off. */
export function ShortId({ of }: Pick<Props, 'of'>): ReactNode {
  const [head = '', tail] = shortened(of).split('…')
  if (tail === undefined || !isPartyId(of)) return shortened(of)
  return (
    <>
      {head.slice(0, -4)}
      <span className="wide-only">{head.slice(-4)}</span>…{tail}
    </>
  )
}

/** `alice::1220a1b2…9f8e` and a button that copies the whole. */
export function Identifier({ of, label }: Props): ReactNode {
  const name = givenName(of)
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex" maw="100%">
      {isPartyId(of) ? <Identicon of={of} size={20} /> : null}
      {name === undefined ? null : (
        <Text span size="sm" fw={600} title={of}>
          {name}
        </Text>
      )}
      <Text
        span
        ff="monospace"
        size={name === undefined ? 'sm' : 'xs'}
        {...(name === undefined ? {} : { c: 'dimmed' })}
        title={of}
        truncate
      >
        <ShortId of={of} />
      </Text>
      <CopyIcon value={of} label={label} />
    </Group>
  )
}
