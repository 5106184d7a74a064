// Long lists a page at a time, where the server gives a token for the next page.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { rich } from './rich.tsx'

interface Paging {
  /** Token of the page that is shown; undefined for the first. */
  readonly token: string | undefined
  /** Number of the page, from 1. */
  readonly number: number
  /** Goes to the page that a token names. */
  next(token: string): void
  previous(): void
  first(): void
}

/** The place in a list. Tokens of earlier pages are kept for the way back. */
export function usePaging(): Paging {
  const [tokens, setTokens] = useState<readonly string[]>([])
  return {
    token: tokens.at(-1),
    number: tokens.length + 1,
    next: (token) => setTokens([...tokens, token]),
    previous: () => setTokens(tokens.slice(0, -1)),
    first: () => setTokens([]),
  }
}

interface Props {
  readonly paging: Paging
  /** Token of the next page; '' or undefined at the end. */
  readonly nextToken: string | undefined
  /** The paged thing, for screen readers. */
  readonly label: string
}

/** Nothing where there is one page only. */
export function Pager({ paging, nextToken = '', label }: Props): ReactNode {
  if (paging.number === 1 && nextToken === '') return null
  return (
    <Group component="nav" gap="xs" aria-label={t('Pages of {0}', label)}>
      <Button size="xs" variant="default" disabled={paging.number === 1} onClick={paging.previous}>
        {t('Previous')}
      </Button>
      <Text size="sm" aria-live="polite">
        {rich('Page {0}', paging.number)}
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={nextToken === ''}
        onClick={() => paging.next(nextToken)}
      >
        {t('Next')}
      </Button>
    </Group>
  )
}
