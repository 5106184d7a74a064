// Long identifiers: shortened for the eye, whole for the clipboard and on hover.
import { ActionIcon, CopyButton, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

const SHORT = 22

/**
 * `alice::1220a1…9f` and a button that copies the whole. `label` says what it is, for whoever
 * cannot see.
 */
export function Identifier({
  of,
  label,
}: {
  readonly of: string
  readonly label: string
}): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <Text span ff="monospace" size="sm" title={of} style={{ whiteSpace: 'nowrap' }}>
        {shortened(of)}
      </Text>
      <CopyButton value={of}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            size="sm"
            color={copied ? 'teal' : 'gray'}
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
          >
            <Icon of={copied ? 'check' : 'copy'} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}

/** The beginning and the end of a text that is too long to read. */
export function shortened(text: string): string {
  return text.length <= SHORT ? text : `${text.slice(0, SHORT - 7)}…${text.slice(-4)}`
}
