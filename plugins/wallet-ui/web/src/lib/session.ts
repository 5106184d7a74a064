// Who is logged in: kept for this tab, and passed on to others by tabs.ts.

export interface Session {
  /** The page's name for the person. */
  readonly user: string
  readonly token: string
}

const KEY = 'wallet-session'

/** The session of this tab, if there is one. */
export function readSession(): Session | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  return isSession(kept) ? kept : undefined
}

/** Keeps or forgets it. */
export function keepSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(session))
}

/** A token for the asking, in the development profile. Rejects with the server's reason. */
export async function developmentSession(user: string): Promise<Session> {
  const answer = await fetch(`/wallet/development/token?user=${encodeURIComponent(user)}`)
  const read: unknown = await answer.json()
  if (
    answer.ok &&
    typeof read === 'object' &&
    read !== null &&
    'token' in read &&
    typeof read.token === 'string'
  ) {
    return { user, token: read.token }
  }
  throw new Error(answer.status === 400 ? 'That is no user name.' : 'This server gives no tokens.')
}

/** Whether it is one, of this version of the page. */
export function isSession(value: unknown): value is Session {
  return (
    typeof value === 'object' &&
    value !== null &&
    'user' in value &&
    typeof value.user === 'string' &&
    'token' in value &&
    typeof value.token === 'string'
  )
}
