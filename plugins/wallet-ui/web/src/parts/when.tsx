// Times: local for reading, ISO on hover; and how much is left until one.
import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ledgerNow } from '../lib/clock.ts'

/** Microseconds since 1970, milliseconds since 1970, or RFC 3339. */
type Moment = { readonly micros: bigint } | string

/** Milliseconds since 1970. */
function millisOf(moment: Moment): number {
  return typeof moment === 'string' ? Date.parse(moment) : Number(moment.micros / 1000n)
}

// One for all: each is dear to make, and dearer to clear up, which a long list that is scrolled
// would do in the middle of a frame.
const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** `14 Nov 2026, 20:15`. */
export function When({ at }: { readonly at: Moment }): ReactNode {
  const date = new Date(millisOf(at))
  if (Number.isNaN(date.getTime())) return <Text span>–</Text>
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {FORMAT.format(date)}
    </time>
  )
}

/** `4 min left`, kept current; `expired` once it has passed. */
export function TimeLeft({ until }: { readonly until: Moment }): ReactNode {
  const now = useNow(1_000)
  const left = millisOf(until) - now
  const text = left <= 0 ? 'expired' : `${spanText(left)} left`
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

/** `45 s`, `12 min`, `3 h`, `9 days`. */
export function spanText(millis: number): string {
  const seconds = Math.floor(millis / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800
    ? `${Math.floor(seconds / 3_600)} h`
    : `${Math.floor(seconds / 86_400)} days`
}

/** To the second where that says something: `45 s`, `9 min 41 s`, `3 h 5 min`, `9 days`. */
export function countdownText(millis: number): string {
  const seconds = Math.floor(millis / 1000)
  if (seconds < 60 || seconds >= 172_800) return spanText(millis)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds / 60) % 60} min`
}
