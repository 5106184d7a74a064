// The first visit: a party of one's own at this validator, by one button.
import { Card, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWallet, validator } from './lib/wallet.tsx'
import { ActionButton } from './parts/action.tsx'
import { Page } from './parts/page.tsx'

export function Onboarding(): ReactNode {
  const { session, configuration } = useWallet()
  const register = validator.useMutation('register')
  return (
    <Page
      title="Welcome"
      about={`You are logged in as ${session.user}, and have no wallet here yet.`}
    >
      <Card withBorder maw={560}>
        <Stack>
          <Text>
            One click gives you a party of your own on the ledger, named after you. Where another
            has that name, yours gets a few characters more.
          </Text>
          <ActionButton size="md" act={() => register.mutateAsync({})}>
            Set up my wallet
          </ActionButton>
          <Text size="sm" fw={500}>
            What happens next
          </Text>
          <List size="sm" spacing={4} type="ordered">
            <List.Item>The wallet opens on its overview, with nothing in it.</List.Item>
            <List.Item>
              Give others your party, which Settings has for copying, and they can send you coin.
            </List.Item>
            <List.Item>
              What they offer waits for you under Offers; a preapproval lets it in at once.
            </List.Item>
            {configuration.development ? (
              <List.Item>On this development network, Development has coin for nothing.</List.Item>
            ) : null}
          </List>
        </Stack>
      </Card>
    </Page>
  )
}
