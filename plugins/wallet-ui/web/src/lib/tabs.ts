// One log-in for all tabs of a browser: tabs tell each other, and the token stays out of the
// storage that outlives them. docs/security.md
import { isSession } from './session.ts'
import type { Session } from './session.ts'

type Message =
  /** A tab without a session has opened. */
  | { readonly kind: 'ask' }
  /** The answer to that. */
  | { readonly kind: 'answer'; readonly session: Session }
  /** A person has logged in. */
  | { readonly kind: 'in'; readonly session: Session }
  | { readonly kind: 'out'; readonly user: string }

const CHANNEL = 'wallet-session'
/** Other tabs answer within a few milliseconds; the log-in does not wait for one that is busy. */
const WAIT_MS = 150
/** Milliseconds for which the answer of a busy tab is still taken. */
const LATE_MS = 10_000

/** The session of another tab; undefined when there is none. */
export function sessionOfAnotherTab(): Promise<Session | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const end = (session: Session | undefined): void => {
      clearTimeout(timer)
      channel.close()
      resolve(session)
    }
    const timer = setTimeout(() => end(undefined), WAIT_MS)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.kind === 'answer') end(data.session)
    }
    send(channel, { kind: 'ask' })
  })
}

/** A tab's state. */
interface Here {
  readonly current: Session | undefined
  /** It has just opened, and another tab may still say who is logged in. */
  readonly isNew: boolean
}

/**
 * Answers tabs that ask for `current`, and hears of log-ins and log-outs elsewhere: `follow` is
 * called with the session that holds here from then on. What is returned ends it.
 */
export function followTabs(
  { current, isNew }: Here,
  follow: (session: Session | undefined) => void,
): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  // Messages come before the page is drawn anew: who has logged out must not be told of then.
  let now = current
  let asksUntil = isNew ? performance.now() + LATE_MS : 0
  const go = (session: Session | undefined): void => follow((now = session))
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return
    if (data.kind === 'ask') {
      if (now !== undefined) send(channel, { kind: 'answer', session: now })
    } else if (data.kind === 'out') {
      asksUntil = 0
      if (now?.user === data.user) go(undefined)
      // A tab that has become another user stays that user.
    } else if (
      data.kind === 'in'
        ? now === undefined || now.user === data.session.user
        : now === undefined && performance.now() < asksUntil
    )
      go(data.session)
  }
  // The answer to the first question may have come while nobody listened.
  if (current === undefined && isNew) send(channel, { kind: 'ask' })
  return () => channel.close()
}

/** Tells the other tabs that a person has logged in here. */
export function tellLogIn(session: Session): void {
  tell({ kind: 'in', session })
}

/** Tells the other tabs that `user` has logged out here. */
export function tellLogOut(user: string): void {
  tell({ kind: 'out', user })
}

function tell(message: Message): void {
  const channel = new BroadcastChannel(CHANNEL)
  send(channel, message)
  channel.close()
}

function send(channel: BroadcastChannel, message: Message): void {
  channel.postMessage(message)
}

/** Only this page's own tabs speak on the channel; another version of it may be among them. */
function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  if (value.kind === 'ask') return true
  if (value.kind === 'out') return 'user' in value && typeof value.user === 'string'
  return (
    (value.kind === 'answer' || value.kind === 'in') &&
    'session' in value &&
    isSession(value.session)
  )
}
