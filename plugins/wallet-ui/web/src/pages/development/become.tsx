// Logs in as any user of this validator, in this tab.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { problemText } from '../../lib/problem.ts'
import { developmentSession } from '../../lib/session.ts'
import { useWallet, validator } from '../../lib/wallet.tsx'
import { Loaded } from '../../parts/page.tsx'
import { t } from '../../lib/language.ts'

/** The list of users to become; below `AsOperator`, because only the operator may list users. */
export function Become(): ReactNode {
  const users = validator.useQuery('listUsers')
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('This tab continues as the user you choose. Other tabs stay who they are.')}
      </Text>
      <Loaded query={users}>{({ usernames }) => <Names of={usernames} />}</Loaded>
    </Stack>
  )
}

const WHOLE = { label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } } as const

function Names({ of }: { readonly of: readonly string[] }): ReactNode {
  const { session, become } = useWallet()
  const [problem, setProblem] = useState<string>()
  const choose = (user: string): void => {
    developmentSession(user).then(become, (error: unknown) => setProblem(problemText(error)))
  }
  return (
    <>
      <Group gap="xs">
        {of.toSorted().map((user) => (
          <Button
            key={user}
            variant="default"
            size="xs"
            // A long name takes as many lines as it needs.
            h="auto"
            mih={30}
            maw="100%"
            py={5}
            styles={WHOLE}
            disabled={user === session.user}
            onClick={() => choose(user)}
            {...(user === session.user ? { title: t('That is you.') } : {})}
          >
            {user}
          </Button>
        ))}
      </Group>
      {problem === undefined ? null : (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </>
  )
}
