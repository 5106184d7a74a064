// What this server tells its wallet before anybody logs in.

export interface Provider {
  readonly name: string
  readonly authority: string
  readonly clientId: string
  readonly scope: string
  readonly audience?: string
  readonly token: 'access' | 'id'
}

export interface Configuration {
  readonly profile: 'dev' | 'production'
  /** Anybody may be any user. */
  readonly development: boolean
  /** Short name of the coin. */
  readonly coin: string
  /** Path of each interface on this server. */
  readonly mounts: Readonly<Record<string, string>>
  readonly oidc?: Provider
}

/** Asks the server. Rejects when it cannot be reached or is none of ours. */
export async function loadConfiguration(): Promise<Configuration> {
  const answer = await fetch('/wallet/config.json')
  const read: unknown = await answer.json()
  if (answer.ok && isConfiguration(read)) return read
  throw new Error('this server has no configuration for the wallet')
}

/**
 * The server made it for this page of the same build; what is looked at is whether it is the server
 * at all.
 */
function isConfiguration(value: unknown): value is Configuration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mounts' in value &&
    'profile' in value &&
    'development' in value
  )
}
