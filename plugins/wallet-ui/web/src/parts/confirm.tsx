// Asks for what an action takes, and before something is done that others see. The dialog stays
// until it is done or given up, and says why it failed.
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Outcome, useAction } from './action.tsx'
import { t } from '../lib/language.ts'

interface Props {
  readonly title: string
  /** Text of the button that does it. */
  readonly confirm: string
  readonly color?: string
  /** Whether all that it takes has been filled in. */
  readonly isGood?: boolean
  readonly act: (key: string) => Promise<unknown>
  /** Called after it was done, and when it is given up. */
  readonly onClose: (isDone: boolean) => void
  /** Fields, or a text on what will happen. */
  readonly children: ReactNode
}

/**
 * An open dialog; render it only while it is wanted, and outside of rows that may go away
 * meanwhile.
 */
export function Confirm({
  title,
  confirm,
  color,
  isGood = true,
  act,
  onClose,
  children,
}: Props): ReactNode {
  const action = useAction(act, () => onClose(true))
  const isPending = action.state.kind === 'pending'
  const giveUp = (): void => {
    if (!isPending) onClose(false)
  }
  return (
    <Modal
      opened
      onClose={giveUp}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isGood) action.run()
        }}
      >
        <Stack>
          {children}
          <Outcome state={action.state} />
          <Group justify="end">
            <Button variant="default" onClick={giveUp} disabled={isPending}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              disabled={!isGood}
              loading={isPending}
              {...(color === undefined ? {} : { color })}
            >
              {action.state.kind === 'failed' ? t('Try again') : confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
