// Log-in: in development as whom one likes, else at the provider that the deployer has configured.
import {
  Alert,
  Button,
  Card,
  Center,
  Divider,
  Group,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Configuration } from './lib/configuration.ts'
import { problemText } from './lib/problem.ts'
import { developmentSession } from './lib/session.ts'
import type { Session } from './lib/session.ts'
import { t } from './lib/language.ts'
import { Mark } from './parts/mark.tsx'
import { rich } from './parts/rich.tsx'

interface Props {
  readonly configuration: Configuration
  /** The reason why the log-in that just ended failed. */
  readonly refusal: string | undefined
  readonly onLogIn: (session: Session) => void
}

/** People whom the development network begins with. */
const SEEDED = ['alice', 'bob', 'operator']

export default function LogIn({ configuration, refusal, onLogIn }: Props): ReactNode {
  const { oidc, development } = configuration
  return (
    <Center mih="100vh" p="md" component="main">
      <Card withBorder w="100%" maw={420} p="lg">
        <Stack>
          <Group gap="sm">
            <Mark size={36} />
            <Title order={1} size="h2">
              {t('Wallet')}
            </Title>
          </Group>
          {oidc === undefined ? null : <ProviderLogIn provider={oidc} refusal={refusal} />}
          {oidc !== undefined && development ? <Divider label={t('or, for development')} /> : null}
          {development ? <DevelopmentLogIn onLogIn={onLogIn} /> : null}
          {oidc === undefined && !development ? (
            <Alert color="yellow">
              {t(
                'Nobody can log in: no identity provider is configured for the wallet (extensions.wallet-ui.oidc).',
              )}
            </Alert>
          ) : null}
        </Stack>
      </Card>
    </Center>
  )
}

interface ProviderProps extends Pick<Props, 'refusal'> {
  readonly provider: NonNullable<Configuration['oidc']>
}

function ProviderLogIn({ provider, refusal }: ProviderProps): ReactNode {
  const [problem, setProblem] = useState(refusal)
  const go = (): void => {
    import('./lib/oidc.ts')
      .then(({ start }) => start(provider))
      .catch((error: unknown) => setProblem(problemText(error)))
  }
  return (
    <Stack gap="xs">
      <Button onClick={go}>{rich('Log in with {0}', provider.name)}</Button>
      {problem === undefined ? null : (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  )
}

function DevelopmentLogIn({ onLogIn }: Pick<Props, 'onLogIn'>): ReactNode {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const enter = (user: string): void => {
    developmentSession(user).then(onLogIn, (error: unknown) => setProblem(problemText(error)))
  }
  return (
    <Stack gap="sm">
      <Text size="sm">{t('This server is for development. Log in as anyone.')}</Text>
      <Group gap="xs" grow preventGrowOverflow={false}>
        {SEEDED.map((user) => (
          <Button key={user} variant="default" onClick={() => enter(user)}>
            {user}
          </Button>
        ))}
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enter(name.trim())
        }}
      >
        <Group align="end" gap="xs" wrap="nowrap">
          <TextInput
            label={t('Another user')}
            placeholder={t('user name')}
            flex={1}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={name.trim() === ''}>
            {t('Log in')}
          </Button>
        </Group>
      </form>
      {problem === undefined ? null : (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  )
}
