// Whether a party can be paid in one step, for who is about to pay it.
import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePreapproval } from '../../lib/preapproval.ts'
import { problemText } from '../../lib/problem.ts'
import { PreapprovalFacts } from './own.tsx'
import { t } from '../../lib/language.ts'

export function Others({ party }: { readonly party: string }): ReactNode {
  const state = usePreapproval(party)
  switch (state.kind) {
    case 'asking':
      return <Text c="dimmed">{t('Asking the network…')}</Text>
    case 'unknown':
      return (
        <Alert color="red" role="alert">
          {problemText(state.error)}
        </Alert>
      )
    case 'none':
      return (
        <Text role="status">
          {t(
            'No: this party has no preapproval. Make an offer or a two-step transfer, which it has to accept.',
          )}
        </Text>
      )
    case 'expired':
      return <Text role="status">{t('No longer: its preapproval has expired.')}</Text>
    case 'active':
      return (
        <>
          <Text role="status" fw={500}>
            {t('Yes: this party takes payments in one step.')}
          </Text>
          <PreapprovalFacts preapproval={state.preapproval} />
        </>
      )
  }
}
