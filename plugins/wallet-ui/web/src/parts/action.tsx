// Everything that a person sets off: pending, then done, or failed with the server's reason and a
// retry with the same key, so that whatever happened to the first try it is done once.
import { Alert, Button, Group, Text } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isUncertain, problemText } from '../lib/problem.ts'
import { t } from '../lib/language.ts'

type ActionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'done' }
  /**
   * `isOpen`: no answer, or one after which it may yet have been done; only a retry with the same
   * key is safe then.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly isOpen: boolean }

export interface Action {
  readonly state: ActionState
  /**
   * Does nothing while it is under way. A retry gets the key of the first try; after success the
   * next one gets a new key.
   */
  run(): void
  reset(): void
}

/**
 * `act` gets the key of this form or button; all that is on screen is read again once it has
 * succeeded.
 */
export function useAction(act: (key: string) => Promise<unknown>, onDone?: () => void): Action {
  const queries = useQueryClient()
  const [state, setState] = useState<ActionState>({ kind: 'idle' })
  const key = useRef<string>(undefined)
  const isUnderWay = useRef(false)
  const run = async (): Promise<void> => {
    // State shows a moment late; a second click in between must not pay twice.
    if (isUnderWay.current) return
    isUnderWay.current = true
    setState({ kind: 'pending' })
    try {
      key.current ??= crypto.randomUUID()
      await act(key.current)
      key.current = undefined
      setState({ kind: 'done' })
      void queries.invalidateQueries()
      onDone?.()
    } catch (error) {
      setState({ kind: 'failed', reason: problemText(error), isOpen: isUncertain(error) })
    } finally {
      isUnderWay.current = false
    }
  }
  return {
    state,
    run: () => {
      void run()
    },
    reset: () => {
      key.current = undefined
      setState({ kind: 'idle' })
    },
  }
}

interface ButtonOptions extends ButtonProps {
  readonly act: (key: string) => Promise<unknown>
  readonly children: string
  readonly onDone?: () => void
  /** The reason why it cannot be pressed now; shown on hover. */
  readonly blocked?: string | undefined
  /** The thing that it is done to, if several buttons say the same; for screen readers. */
  readonly about?: string
}

/** A button for one action, with what came of it beside it. */
export function ActionButton({
  act,
  children,
  onDone,
  blocked,
  about,
  ...rest
}: ButtonOptions): ReactNode {
  const action = useAction(act, onDone)
  const label = action.state.kind === 'failed' ? t('Try again') : children
  return (
    <Group gap="xs" wrap="wrap">
      <Button
        size="xs"
        {...rest}
        loading={action.state.kind === 'pending'}
        disabled={blocked !== undefined}
        onClick={action.run}
        {...(blocked === undefined ? {} : { title: blocked })}
        {...(about === undefined ? {} : { 'aria-label': `${label}: ${about}` })}
      >
        {label}
      </Button>
      <Outcome state={action.state} />
    </Group>
  )
}

/** The outcome of an action, said to screen readers as well. */
export function Outcome({
  state,
  done = t('Done'),
}: {
  readonly state: ActionState
  readonly done?: string
}): ReactNode {
  if (state.kind === 'done')
    return (
      <Text size="sm" c="teal" role="status">
        ✓ {done}
      </Text>
    )
  if (state.kind === 'failed')
    return (
      <Alert color="red" p="xs" role="alert">
        {state.reason}
      </Alert>
    )
  return null
}
