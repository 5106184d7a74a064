// Copies what is too long to be typed, and says that it has. A plain button: long lists have
// dozens of them.
import { useClipboard } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import classes from './identifier.module.css'
import { Icon } from './icons.tsx'

interface Props {
  readonly value: string
  /** The copied thing, for screen readers. */
  readonly label: string
}

/** Copies a text whole. */
export function CopyIcon({ value, label }: Props): ReactNode {
  const { copy, copied } = useClipboard({ timeout: 1_000 })
  // A row of a long list may by now show something else than what was copied here.
  const [last, setLast] = useState<string>()
  const isCopied = copied && last === value
  return (
    <button
      type="button"
      className={classes['copy']}
      data-copied={isCopied}
      onClick={() => {
        setLast(value)
        copy(value)
      }}
      aria-label={isCopied ? t('Copied') : t('Copy {0}', label)}
    >
      <Icon of={isCopied ? 'check' : 'copy'} />
    </button>
  )
}
