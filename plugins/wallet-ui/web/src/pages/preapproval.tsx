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

export default function PreapprovalPage(): ReactNode {
  const { isOperator } = useRights()
  return (
    <Page
      title="Preapproval"
      about="With a preapproval others pay you in one step: their coin is yours at once, without your accepting it."
    >
      <OwnPreapproval />
      <Check />
      {isOperator ? (
        <Section title="Provided by this validator">
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
    <Section title="Can somebody be paid in one step?">
      <Stack maw={760}>
        <TextInput
          label="Party id"
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value.trim())}
          error={text === '' || isParty ? undefined : 'This is no whole party id.'}
        />
        {isParty ? <Others party={text} /> : null}
      </Stack>
    </Section>
  )
}
