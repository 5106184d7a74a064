// A party with its whole id, in groups that can be compared with what somebody reads out or has on
// another screen; for choosing and confirming whom to pay.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { givenName, hintOf, nameOf, namespaceOf } from '../lib/party.ts'
import { CopyIcon } from './copy.tsx'
import { Identicon } from './identicon.tsx'
import classes from './whole-party.module.css'

interface Props {
  readonly of: string
  /** The way in which it is known, in a few words. */
  readonly about?: string | undefined
  /** Not where the whole is a button. */
  readonly canCopy?: boolean
}

/** Any width is enough: groups go on in the next line. */
export function WholeParty({ of, about = '', canCopy = false }: Props): ReactNode {
  return (
    <span className={classes['party']} data-party={of}>
      <Identicon of={of} size={40} />
      <span className={classes['words']}>
        {givenName(of) === undefined ? null : (
          <Text span fw={600}>
            <bdi>{nameOf(of)}</bdi>
          </Text>
        )}
        <WholeId of={of} />
        {about === '' ? null : (
          <Text span size="xs" c="dimmed">
            {about}
          </Text>
        )}
      </span>
      {canCopy ? <CopyIcon value={of} label={t('the party id')} /> : null}
    </span>
  )
}

const GROUP = /.{1,4}/gu

/** Its text is the id, whose spaces are seen. */
function WholeId({ of }: Pick<Props, 'of'>): ReactNode {
  return (
    <span className={classes['id']}>
      <span className={classes['hint']}>{`${seen(hintOf(of))}::`}</span>
      <Groups of={namespaceOf(of)} />
    </span>
  )
}

/** A text in groups of four characters. */
export function Groups({ of }: Pick<Props, 'of'>): ReactNode {
  const groups = seen(of).match(GROUP) ?? []
  return (
    <span className={classes['groups']}>
      {groups.map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </span>
  )
}

function seen(text: string): string {
  return text.replaceAll(' ', '␣')
}
