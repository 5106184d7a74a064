// What a person sets for this browser: the language, what is asked about once more, notifications.
import { NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { plainAmount, typedAmount, wireAmount } from '../../lib/amount.ts'
import { t } from '../../lib/language.ts'
import { chooseLanguage, languageCode, LANGUAGES } from '../../lib/load-language.ts'
import {
  confirmFrom,
  keepConfirmFrom,
  keepWantsNotices,
  wantsNotices,
} from '../../lib/preferences.ts'

/** Each language calls itself by its own name. */
export function Language(): ReactNode {
  return (
    <NativeSelect
      aria-label={t('Language')}
      maw={320}
      value={languageCode()}
      data={LANGUAGES.map((value) => ({ value, label: ownName(value) }))}
      onChange={({ currentTarget: { value } }) => chooseLanguage(value)}
    />
  )
}

function ownName(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
}

export function ConfirmFrom(): ReactNode {
  const kept = confirmFrom()
  const [text, setText] = useState(kept === 0n ? '' : plainAmount(kept))
  const amount = text.trim() === '' ? 0n : typedAmount(text)
  const isWrong = amount === undefined || amount < 0n
  return (
    <TextInput
      label={t('Confirm payments from this amount, in US dollars')}
      description={t(
        'The wallet asks before a payment that cannot be undone. Leave it empty to confirm every such payment.',
      )}
      inputMode="decimal"
      maw={420}
      value={text}
      error={isWrong ? t('Enter an amount, or leave it empty.') : undefined}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        const typed = value.trim() === '' ? 0n : typedAmount(value)
        if (typed !== undefined && typed >= 0n)
          keepConfirmFrom(typed === 0n ? '' : wireAmount(typed))
      }}
    />
  )
}

export function Notifications(): ReactNode {
  const [wants, setWants] = useState(wantsNotices())
  const [isRefused, setIsRefused] = useState(false)
  if (!('Notification' in window))
    return <Text size="sm">{t('This browser shows no notifications.')}</Text>
  const change = async (to: boolean): Promise<void> => {
    const isAllowed = !to || (await Notification.requestPermission()) === 'granted'
    setIsRefused(!isAllowed)
    keepWantsNotices(to && isAllowed)
    setWants(to && isAllowed)
  }
  return (
    <Switch
      label={t('Notify me of new offers while this page is in the background')}
      checked={wants}
      error={
        isRefused ? t('The browser does not allow notifications for this address.') : undefined
      }
      onChange={({ currentTarget: { checked } }) => void change(checked)}
    />
  )
}
