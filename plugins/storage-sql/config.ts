// What a database is opened with.

export interface SqliteConfig {
  readonly dialect: 'sqlite'
  /** Absolute path; folder and file are created where they are missing. */
  readonly file: string
  /** Milliseconds that a write waits for another process, 5,000 if absent. */
  readonly busyTimeoutMs?: number
}

export interface PostgresConfig {
  readonly dialect: 'postgres'
  /** A URL, or its parts. */
  readonly connection: string | PostgresAddress
  readonly poolSize: number
  /** The schema of the tables, created if it is missing; the database's default if absent. */
  readonly schema?: string | undefined
  /** A connection on which an answer takes longer is given up, 45,000 if absent. */
  readonly silenceMs?: number
}

interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}
