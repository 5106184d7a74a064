// Preapproval: being paid in one step, without accepting each payment; and whether somebody else
// can be.
import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isPartyId } from '../lib/party.ts'
import { useRights } from '../lib/rights.ts'
import { Page, Section } from '../parts/page.tsx'
import { PreapprovalList } from '../parts/preapproval-list.tsx'
import { Others } from './preapproval/others.tsx'
import { OwnPreapproval } from './preapproval/own.tsx'
import { t } from '../lib/language.ts'

export default function PreapprovalPage(): ReactNode {
  const { isOperator } = useRights()
  return (
    <Page
      title={t('Preapproval')}
      about={t(
        'With a preapproval, others can pay you in one step: the coin arrives at once, and you need not accept it.',
      )}
    >
      <OwnPreapproval />
      <Check />
      {isOperator ? (
        <Section title={t('Provided by this validator')}>
          <PreapprovalList />
        </Section>
      ) : null}
    </Page>
  )
}

function Check(): ReactNode {
  const [text, setText] = useState('')
  const isParty = isPartyId(text)
  return (
    <Section isCard title={t('Can someone be paid in one step?')}>
      <Stack maw={760}>
        <TextInput
          label={t('Party id')}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value.trim())}
          error={text === '' || isParty ? undefined : t('This is not a whole party id.')}
        />
        {isParty ? <Others party={text} /> : null}
      </Stack>
    </Section>
  )
}
