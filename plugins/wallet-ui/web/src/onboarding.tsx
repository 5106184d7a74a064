// The first visit: a party of one's own at this validator, by one button.
import { Card, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWallet, validator } from './lib/wallet.tsx'
import { ActionButton } from './parts/action.tsx'
import { Page } from './parts/page.tsx'
import { t } from './lib/language.ts'

export default function Onboarding(): ReactNode {
  const { session, configuration } = useWallet()
  const register = validator.useMutation('register')
  return (
    <Page
      title={t('Welcome')}
      about={t('You are logged in as {0}. You have no wallet here yet.', session.user)}
    >
      <Card withBorder maw={560}>
        <Stack>
          <Text>
            {t(
              'One click creates your own party on the ledger, named after you. If the name is taken, yours gets a few more characters.',
            )}
          </Text>
          <ActionButton size="md" act={() => register.mutateAsync({})}>
            {t('Set up my wallet')}
          </ActionButton>
          <Text size="sm" fw={500}>
            {t('What happens next')}
          </Text>
          <List size="sm" spacing={4} type="ordered">
            <List.Item>{t('The wallet opens. It is still empty.')}</List.Item>
            <List.Item>
              {t('Share your payment link from the Receive page, and others can send you coin.')}
            </List.Item>
            <List.Item>
              {t(
                'Their offers wait for you under Offers. With a preapproval, payments arrive at once.',
              )}
            </List.Item>
            {configuration.development ? (
              <List.Item>
                {t('On this development network, you get test coin from the Development page.')}
              </List.Item>
            ) : null}
          </List>
        </Stack>
      </Card>
    </Page>
  )
}
