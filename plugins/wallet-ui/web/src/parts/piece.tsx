// A page, or another part, that is fetched when it is first opened. The server may be away just
// then, or have another wallet since: that is said and tried again, and the rest stays on screen.
import { Alert, Button, Center, Group, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { rich } from './rich.tsx'

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

interface State<Props> {
  readonly Page?: ComponentType<Props> | undefined
  readonly isMissing?: boolean
}

const AGAIN_MS = 2_000

/** A component that shows what `load` brings. */
export function piece<Props extends object>(load: Load<Props>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Piece(props: Props): ReactNode {
    const [{ Page, isMissing = false }, setState] = useState<State<Props>>({ Page: loaded })
    useEffect(() => {
      if (Page !== undefined) return undefined
      return keepLoading(
        load,
        (found) => {
          loaded = found
          setState({ Page: found })
        },
        () => setState({ isMissing: true }),
      )
    }, [Page])
    if (Page !== undefined) return <Page {...props} />
    return isMissing ? (
      <Missing />
    ) : (
      <Center py="xl">
        <Loader aria-label={t('Loading')} />
      </Center>
    )
  }
}

/** Loads until it has come; the returned function ends it. */
function keepLoading<Props>(
  load: Load<Props>,
  onLoaded: (Page: ComponentType<Props>) => void,
  onFailed: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const attempt = (): void => {
    load().then(
      ({ default: Page }) => {
        if (!isOver) onLoaded(Page)
      },
      () => {
        if (isOver) return
        onFailed()
        timer = setTimeout(attempt, AGAIN_MS)
      },
    )
  }
  attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function Missing(): ReactNode {
  return (
    <Alert color="orange" role="alert" title={t('This page could not be loaded')}>
      <Group>
        {rich(
          'The server does not answer, or it has a newer version of the wallet. Trying again… {0}',
          <Button size="xs" onClick={() => location.reload()}>
            {t('Reload the wallet')}
          </Button>,
        )}
      </Group>
    </Alert>
  )
}
