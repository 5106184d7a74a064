// Long identifiers: shortened for the eye, whole for the clipboard and on hover. Those of parties
// have a picture, and the name that the person has given.
import type { ReactNode } from 'react'
import { givenName, isPartyId, nameOf, shortened } from '../lib/party.ts'
import { CopyIcon } from './copy.tsx'
import { Identicon } from './identicon.tsx'
import classes from './identifier.module.css'

interface Props {
  readonly of: string
  /** The identified thing, for screen readers. */
  readonly label: string
}

/** `alice::1220a1b2c3d4…e5f69f8e`, in as many lines as it takes. */
export function ShortId({ of }: Pick<Props, 'of'>): ReactNode {
  return (
    <span className={classes['id']} title={of}>
      {shortened(of)}
    </span>
  )
}

/** The same, and a button that copies the whole. */
export function Identifier({ of, label }: Props): ReactNode {
  return (
    <span className={classes['identifier']}>
      {isPartyId(of) ? <Identicon of={of} size={20} /> : null}
      {givenName(of) === undefined ? null : (
        <span className={classes['name']} title={of}>
          {nameOf(of)}
        </span>
      )}
      <ShortId of={of} />
      <CopyIcon value={of} label={label} />
    </span>
  )
}
