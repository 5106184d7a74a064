// What is to be known of a party before it is paid: that it is the first time, and for whom it
// could be mistaken. The whole ids stand there, to be compared.
import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { useAcquaintance } from '../lib/standing.ts'
import type { Standing } from '../lib/standing.ts'
import { SpelledName } from './spelled-name.tsx'
import { WholeParty } from './whole-party.tsx'

/** Nothing more than the party where it was paid before. */
export function WhomNotice({ of }: { readonly of: Standing }): ReactNode {
  const acquaintance = useAcquaintance()
  return (
    <Stack gap="sm">
      <WholeParty of={of.party} about={acquaintance(of.party)} canCopy />
      {of.isFirst ? (
        <>
          <Text size="sm">
            <b>{t('First payment to this party.')}</b>{' '}
            {of.isNear
              ? t(
                  'At this validator only the name tells parties apart. Compare it letter by letter:',
                )
              : t(
                  'Compare the whole id with the one that the receiver gave you, and the name letter by letter:',
                )}
          </Text>
          <SpelledName of={of.party} />
          <LookAlikes of={of} />
        </>
      ) : null}
    </Stack>
  )
}

/** Parties for which this one could be mistaken; nothing without any. */
export function LookAlikes({ of: { alike } }: { readonly of: Standing }): ReactNode {
  const acquaintance = useAcquaintance()
  if (alike.length === 0) return null
  return (
    <Alert color="orange" title={t('It looks like another party, and is not the same:')}>
      <Stack gap="sm">
        {alike.map((party) => (
          <WholeParty key={party} of={party} about={acquaintance(party)} />
        ))}
      </Stack>
    </Alert>
  )
}
