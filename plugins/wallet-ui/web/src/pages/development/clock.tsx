// The clock of the ledger: what it shows, and steps ahead where it is simulated.
import { Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useClock } from '../../lib/development.tsx'
import { validator } from '../../lib/wallet.tsx'
import { ActionButton } from '../../parts/action.tsx'
import { Loaded } from '../../parts/page.tsx'
import { When } from '../../parts/when.tsx'

const MINUTE = 60_000_000n
const STEPS = [
  ['1 min', MINUTE],
  ['10 min', 10n * MINUTE],
  ['1 h', 60n * MINUTE],
  ['1 day', 1_440n * MINUTE],
] as const

/** Below `AsOperator`: moving it is the operator's right. */
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
        It is{' '}
        <Text span fw={600}>
          <When at={now} />
        </Text>
      </Text>
      <Text size="sm" c="dimmed">
        It stands still until you move it. Rounds, expiries and automations follow; it never goes
        back.
      </Text>
      <Group gap="xs" role="group" aria-label="Move the clock ahead">
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
      The ledger goes by the time of the day, which nobody can move. Start the server with{' '}
      <Code>{'"clock": "simulated"'}</Code> in its configuration to move it from here: rounds that
      take minutes then take a click.
    </Text>
  )
}
