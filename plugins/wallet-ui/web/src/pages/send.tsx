// Sends coin: to whom, how much, in which of three ways; says what will happen before and what has
// happened after.
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { SendForm } from '../parts/send-form.tsx'
import { SentPanel } from '../parts/sent-panel.tsx'
import type { Sent } from '../parts/sent-panel.tsx'
import { t } from '../lib/language.ts'

export default function SendPage(): ReactNode {
  const [sent, setSent] = useState<Sent>()
  return (
    <Page title={t('Send')} about={t('Pay someone in coin.')}>
      {sent === undefined ? (
        <SendForm onSent={setSent} />
      ) : (
        <SentPanel sent={sent} again={() => setSent(undefined)} />
      )}
    </Page>
  )
}
