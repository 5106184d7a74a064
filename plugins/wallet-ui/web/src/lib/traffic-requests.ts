// Which traffic a person has asked for from this browser: the server tells the status of a request
// by its tracking id only.
import { textAt } from './payload.ts'

export interface TrafficRequest {
  readonly trackingId: string
  /** Bytes as decimal text, and who gets them; empty where only the tracking id is known. */
  readonly bytes: string
  readonly receiver: string
  /** RFC 3339. */
  readonly at: string
}

const KEPT = 50

/** Requests of a party, the last first. Unreadable ones are left out. */
export function readRequests(party: string): readonly TrafficRequest[] {
  const kept: unknown = parsed(localStorage.getItem(keyOf(party)) ?? '[]')
  return (Array.isArray(kept) ? kept : []).flatMap((one: unknown) => {
    const [trackingId, bytes, at] = [
      textAt(one, 'trackingId'),
      textAt(one, 'bytes'),
      textAt(one, 'at'),
    ]
    return trackingId === '' || !/^\d{0,19}$/u.test(bytes)
      ? []
      : [{ trackingId, bytes, at, receiver: textAt(one, 'receiver') }]
  })
}

/** Puts it first, once. Answers with what is kept now. */
export function keepRequest(party: string, request: TrafficRequest): readonly TrafficRequest[] {
  return keep(party, [
    request,
    ...readRequests(party).filter(({ trackingId }) => trackingId !== request.trackingId),
  ])
}

/** Answers with what is kept now. */
export function forgetRequest(party: string, id: string): readonly TrafficRequest[] {
  return keep(
    party,
    readRequests(party).filter(({ trackingId }) => trackingId !== id),
  )
}

function keep(party: string, requests: readonly TrafficRequest[]): readonly TrafficRequest[] {
  const kept = requests.slice(0, KEPT)
  localStorage.setItem(keyOf(party), JSON.stringify(kept))
  return kept
}

function keyOf(party: string): string {
  return `wallet-traffic-requests ${party}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
