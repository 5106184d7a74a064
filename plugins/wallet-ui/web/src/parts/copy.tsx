// Copies what is too long to be typed, and says that it has.
import { ActionIcon, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { Icon } from './icons.tsx'

interface Props {
  readonly value: string
  /** What it is, for whoever cannot see. */
  readonly label: string
  readonly size?: 'xs' | 'sm'
}

/** Copies a text whole. */
export function CopyIcon({ value, label, size = 'sm' }: Props): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          size={size}
          color={copied ? 'teal' : 'gray'}
          onClick={copy}
          aria-label={copied ? t('Copied') : t('Copy {0}', label)}
        >
          <Icon of={copied ? 'check' : 'copy'} />
        </ActionIcon>
      )}
    </CopyButton>
  )
}
