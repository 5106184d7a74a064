// The storages that the end-to-end tests run on; they differ in one section of the configuration.
import { startPostgres } from './postgres.ts'

export interface StorageUnderTest {
  readonly name: 'memory' | 'sqlite' | 'postgres'
  /** False when the data is gone with the process. */
  readonly durable: boolean
  /** The `storage` section, on fresh data. */
  section(): Promise<object>
  /** Frees what the sections needed; once, at the end of the file. */
  release(): Promise<void>
}

let postgres: ReturnType<typeof startPostgres> | undefined

export const STORAGES: readonly StorageUnderTest[] = [
  { name: 'memory', durable: false, section: async () => ({ use: 'memory' }), release: async () => {} },
  { name: 'sqlite', durable: true, section: async () => ({ use: 'sqlite' }), release: async () => {} },
  {
    name: 'postgres',
    durable: true,
    section: async () => {
      postgres ??= startPostgres()
      return { use: 'postgres', url: await (await postgres).createDatabase() }
    },
    release: async () => {
      await (await postgres)?.stop()
      postgres = undefined
    },
  },
]
