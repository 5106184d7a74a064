// The clock of the ledger: what it shows, and steps ahead where it is simulated.
import { Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useClock } from '../../lib/development.tsx'
import { validator } from '../../lib/wallet.tsx'
import { ActionButton } from '../../parts/action.tsx'
import { Loaded } from '../../parts/page.tsx'
import { When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

const MINUTE = 60_000_000n
const STEPS = [
  [t('1 min'), MINUTE],
  [t('10 min'), 10n * MINUTE],
  ['1 h', 60n * MINUTE],
  [t('1 day'), 1_440n * MINUTE],
] as const

/** The clock; below `AsOperator`, because moving it is the operator's right. */
export function Clock(): ReactNode {
  return (
    <Loaded query={useClock()}>
      {({ now, simulated }) => (simulated ? <Simulated now={now} /> : <OfTheDay />)}
    </Loaded>
  )
}

function Simulated({ now }: { readonly now: string }): ReactNode {
  const set = validator.useMutation('setClock')
  return (
    <Stack gap="xs">
      <Text component="div">
        {rich(
          'It is {0}',
          <Text span fw={600}>
            <When at={now} />
          </Text>,
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {t(
          'The clock moves only when you move it, and never back. Rounds, expiries and automations follow it.',
        )}
      </Text>
      <Group gap="xs" role="group" aria-label={t('Move the clock ahead')}>
        {STEPS.map(([name, micros]) => (
          <ActionButton
            key={name}
            variant="default"
            act={() => set.mutateAsync({ body: { advance_microseconds: micros } })}
          >{`+ ${name}`}</ActionButton>
        ))}
      </Group>
    </Stack>
  )
}

function OfTheDay(): ReactNode {
  return (
    <Text size="sm">
      {rich(
        'The ledger follows the real clock. To move time from here, start the server with {0} in its configuration.',
        <Code>{t('"clock": "simulated"')}</Code>,
      )}
    </Text>
  )
}
