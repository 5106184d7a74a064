// Long identifiers: shortened for the eye, whole for the clipboard and on hover. Those of parties
// have a picture, and the name that the person has given.
import type { ReactNode } from 'react'
import { givenName, isPartyId, shortened } from '../lib/party.ts'
import { CopyIcon } from './copy.tsx'
import { Identicon } from './identicon.tsx'
import classes from './identifier.module.css'

interface Props {
  readonly of: string
  /** What it is, for whoever cannot see. */
  readonly label: string
}

/** `alice::1220a1b2…9f8e`; on a phone `alice::1220…9f8e`, so that the end is never cut off. */
export function ShortId({ of }: Pick<Props, 'of'>): ReactNode {
  const [hint = '', namespace = ''] = shortened(of).split('::')
  const [head = '', tail] = namespace.split('…')
  if (tail === undefined || !isPartyId(of)) return shortened(of)
  const isLong = hint.length > LONGEST_ON_PHONE
  return (
    <>
      {isLong ? <span className="cut-if-narrow">{hint.slice(0, LONGEST_ON_PHONE - 3)}</span> : hint}
      {isLong ? <span className="wide-only">{hint.slice(LONGEST_ON_PHONE - 3)}</span> : null}::
      {head.slice(0, -4)}
      <span className="wide-only">{head.slice(-4)}</span>…{tail}
    </>
  )
}

/** Characters of a party's own name. */
const LONGEST_ON_PHONE = 7

/** `alice::1220a1b2…9f8e` and a button that copies the whole. */
export function Identifier({ of, label }: Props): ReactNode {
  const name = givenName(of)
  return (
    <span className={classes['identifier']}>
      {isPartyId(of) ? <Identicon of={of} size={20} /> : null}
      {name === undefined ? null : (
        <span className={classes['name']} title={of}>
          {name}
        </span>
      )}
      <span className={classes['id']} title={of}>
        <ShortId of={of} />
      </span>
      <CopyIcon value={of} label={label} />
    </span>
  )
}
