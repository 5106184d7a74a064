// Asks once more before what cannot be taken back: one sentence, and Enter says yes.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'

interface Props {
  readonly title: string
  /** What the button says that does it. */
  readonly confirm: string
  /** Who gets it, as a picture and a name. */
  readonly receiver?: ReactNode
  /** The sentence. */
  readonly children: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** An open dialog; render it only while it is wanted. */
export function LastQuestion({
  title,
  confirm,
  receiver,
  children,
  onYes,
  onNo,
}: Props): ReactNode {
  return (
    <Modal
      opened
      centered
      // The second click of a double one is not to close it.
      closeOnClickOutside={false}
      onClose={onNo}
      title={title}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack>
        {receiver}
        <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>
        <Group justify="end">
          <Button variant="default" onClick={onNo}>
            {t('Cancel')}
          </Button>
          <Button data-autofocus onClick={onYes}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
