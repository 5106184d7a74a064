// The first visit: a party of one's own at this validator, by one button.
import { Card, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { validator } from './lib/wallet.tsx'
import { ActionButton } from './parts/action.tsx'
import { Page } from './parts/page.tsx'

export function Onboarding(): ReactNode {
  const register = validator.useRegister()
  return (
    <Page title="Welcome" about="You have no wallet here yet.">
      <Card withBorder maw={560}>
        <Stack>
          <Text>Setting one up gives you a party of your own on the ledger. It takes a moment, and everything here works afterwards.</Text>
          <ActionButton size="md" act={() => register.mutateAsync({})}>Set up my wallet</ActionButton>
        </Stack>
      </Card>
    </Page>
  )
}
