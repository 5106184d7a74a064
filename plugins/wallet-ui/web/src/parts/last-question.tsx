// Asks once more before what cannot be taken back, and before a party is paid for the first time.
// Enter says yes to who was paid before; anybody else is compared first.
import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import type { Standing } from '../lib/standing.ts'
import { WhomNotice } from './whom-notice.tsx'

interface Props {
  readonly title: string
  /** Text of the button that does it. */
  readonly confirm: string
  readonly whom: Standing
  /** The sentence. */
  readonly children: ReactNode
  readonly onYes: () => void
  readonly onNo: () => void
}

/** An open dialog; render it only while it is wanted. */
export function LastQuestion({ title, confirm, whom, children, onYes, onNo }: Props): ReactNode {
  const [isCompared, setIsCompared] = useState(false)
  const isDoubtful = whom.isFirst && whom.alike.length > 0
  const focus = { 'data-autofocus': true }
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
        <WhomNotice of={whom} />
        <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>
        {isDoubtful ? (
          <Checkbox
            label={t('I have compared the ids: the one at the top is whom I mean.')}
            checked={isCompared}
            onChange={({ currentTarget: { checked } }) => setIsCompared(checked)}
          />
        ) : null}
        <Group justify="end">
          <Button variant="default" onClick={onNo} {...(whom.isFirst ? focus : {})}>
            {t('Cancel')}
          </Button>
          <Button
            disabled={isDoubtful && !isCompared}
            onClick={onYes}
            {...(whom.isFirst ? {} : focus)}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
