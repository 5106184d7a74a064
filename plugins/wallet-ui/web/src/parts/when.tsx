// Times: local for reading, ISO on hover; and how much is left until one.
import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ledgerNow } from '../lib/clock.ts'
import { localeTag, t } from '../lib/language.ts'

/** Microseconds since 1970, milliseconds since 1970, or RFC 3339. */
type Moment = { readonly micros: bigint } | string

/** Milliseconds since 1970. */
function millisOf(moment: Moment): number {
  return typeof moment === 'string' ? Date.parse(moment) : Number(moment.micros / 1000n)
}

// One for all: each is dear to make, and dearer to clear up, which a long list that is scrolled
// would do in the middle of a frame.
const FORMAT = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'medium', timeStyle: 'short' })
const EXACT = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'long', timeStyle: 'long' })
const TIME = new Intl.DateTimeFormat(localeTag(), { timeStyle: 'short' })

const STYLES = { medium: FORMAT, time: TIME, exact: EXACT } as const

/** The time for people. */
export function timeText(at: Moment, style: keyof typeof STYLES): string {
  const millis = millisOf(at)
  return Number.isNaN(millis) ? '–' : STYLES[style].format(millis)
}

/** The time for machines, and on hover; '' for an invalid one. */
export function isoText(at: Moment): string {
  const millis = millisOf(at)
  return Number.isNaN(millis) ? '' : new Date(millis).toISOString()
}

interface WhenProps {
  readonly at: Moment
  /** Whether a heading above has the day. */
  readonly isTimeOnly?: boolean
  /** Whether it is to the second, with the time zone: for records. */
  readonly isExact?: boolean
}

/** `14 Nov 2026, 20:15`, `20:15`, or `14 November 2026 at 20:15:04 CET`. */
export function When({ at, isTimeOnly = false, isExact = false }: WhenProps): ReactNode {
  const iso = isoText(at)
  return (
    <time dateTime={iso} title={iso}>
      {timeText(at, isTimeOnly ? 'time' : isExact ? 'exact' : 'medium')}
    </time>
  )
}

/** `4 min left`, kept current; `expired` once it has passed. */
export function TimeLeft({ until }: { readonly until: Moment }): ReactNode {
  const now = useNow(1_000)
  const left = millisOf(until) - now
  const text = left <= 0 ? t('expired') : t('{0} left', spanText(left))
  return (
    <Text
      span
      size="sm"
      c={left <= 0 ? 'red' : left < 60_000 ? 'orange' : 'dimmed'}
      title={new Date(millisOf(until)).toISOString()}
    >
      {text}
    </Text>
  )
}

/**
 * The time, as the ledger takes it, again every `everyMs`; `Date.now` for what has nothing to do
 * with the ledger.
 */
export function useNow(everyMs: number, read: () => number = ledgerNow): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setNow(read()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, read])
  return now
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** `45 s`, `12 min`, `3 h`, `9 days`: what has begun counts, so that ten days begin at 10. */
export function spanText(millis: number): string {
  const seconds = Math.ceil(millis / 1_000)
  if (seconds < MINUTE) return t('{0} s', seconds)
  if (seconds <= 59 * MINUTE) return t('{0} min', Math.ceil(seconds / MINUTE))
  return seconds <= 47 * HOUR
    ? t('{0} h', Math.ceil(seconds / HOUR))
    : t('{0} days', Math.ceil(seconds / DAY))
}

/**
 * The countdown to the second if that says something: `45 s`, `9 min 41 s`, `3 h 5 min`, `9 days`.
 */
export function countdownText(millis: number): string {
  const seconds = Math.ceil(millis / 1_000)
  if (seconds < MINUTE || seconds > 47 * HOUR) return spanText(millis)
  if (seconds < HOUR) return t('{0} min {1} s', Math.floor(seconds / MINUTE), seconds % MINUTE)
  return t('{0} h {1} min', Math.floor(seconds / HOUR), Math.floor(seconds / MINUTE) % 60)
}
