// Copies what is too long to be typed, and says that it has. A plain button: long lists have
// dozens of them.
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import classes from './identifier.module.css'
import { Icon } from './icons.tsx'

interface Props {
  readonly value: string
  /** What it is, for whoever cannot see. */
  readonly label: string
}

/** Copies a text whole. */
export function CopyIcon({ value, label }: Props): ReactNode {
  const { copy, copied } = useClipboard({ timeout: 1_000 })
  return (
    <button
      type="button"
      className={classes['copy']}
      data-copied={copied}
      onClick={() => copy(value)}
      aria-label={copied ? t('Copied') : t('Copy {0}', label)}
    >
      <Icon of={copied ? 'check' : 'copy'} />
    </button>
  )
}
