// The frame of a page: its title, what it is for, and what stands in for data that is not there.
import { Alert, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { problemText } from '../lib/problem.ts'
import { useWaitingCount } from '../lib/use-offers.ts'

interface PageProps {
  readonly title: string
  /** One sentence. */
  readonly about?: string
  /** Buttons beside the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, about, aside, children }: PageProps): ReactNode {
  const waiting = useWaitingCount()
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${title} · ${t('Wallet')}`
  }, [title, waiting])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="start">
        <div style={{ flex: '1 1 16rem' }}>
          <Title order={1} size="1.7rem">
            {title}
          </Title>
          {about === undefined ? null : (
            <Text c="dimmed" mt={4}>
              {about}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      {children}
    </Stack>
  )
}

interface SectionProps extends Omit<PageProps, 'about'> {
  /** Whether the content needs a card, because it brings no card or table of its own. */
  readonly isCard?: boolean
}

/** A part of a page with a heading of its own. */
export function Section({ title, aside, isCard = false, children }: SectionProps): ReactNode {
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {isCard ? <div className="surface card">{children}</div> : children}
    </Stack>
  )
}

/** Says what to do where there is nothing. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Text c="dimmed" size="sm" component="div" className="surface card">
      {children}
    </Text>
  )
}

export interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: Error | null }
  readonly children: (data: T) => ReactNode
}

/** Data once it is there; what was there before stays on screen while the server is away. */
export function Loaded<T>({ query, children }: LoadedProps<T>): ReactNode {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error !== null)
    return (
      <Alert color="red" role="alert">
        {problemText(query.error)}
      </Alert>
    )
  return (
    <Center py="md">
      <Loader size="sm" aria-label={t('Loading')} />
    </Center>
  )
}
