// The data of past releases in this folder: where it is, what is known of it, and how it comes back
// to life.
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import SqliteDatabase from 'better-sqlite3'
import type { Observed } from './observe.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const [DATA, BACKUP, EXPECTED] = ['ledgerwright.sqlite.gz', 'ledger.backup.gz', 'expected.json']
const KEY = 'auth-open.key'

/** A wallet as this user, of this provider, has it; `''` is the default provider. */
export interface WalletOfUser {
  readonly user: string
  readonly provider: string
  readonly party: string
}

/** Facts that the data does not say of itself. */
export interface Kept {
  /** Party ids by the names that they go under here. */
  readonly parties: Record<string, string>
  /** The wallets by user, kept in every later version. */
  readonly wallets: WalletOfUser[]
  /**
   * Whose user record is gone, and how; the coin stays with the party, and nobody of that name
   * inherits it.
   */
  readonly gone: {
    readonly user: string
    readonly party: string
    readonly how: 'offboarded' | 'deleted'
  }[]
  /** Private keys of external parties, PKCS 8 in hex, by the party's id. */
  readonly partyKeys: Record<string, string>
  /**
   * The provider whose users log in with tokens of their own, and the private key of its issuer,
   * likewise.
   */
  readonly issuer: {
    readonly provider: string
    readonly issuer: string
    readonly privateKey: string
  }
  /** Requests under ids that are used up for good: made again, they write nothing. */
  readonly repeated: { readonly user: string; readonly line: string; readonly body: unknown }[]
  /** Contracts that are on no synchronizer. */
  readonly inFlight: string[]
}

/** The view that a release's data must show. */
export interface Expected {
  readonly version: string
  /** The ledger's time when the data was made, RFC 3339. */
  readonly madeAt: string
  readonly kept: Kept
  readonly observed: Observed
}

export interface Release extends Expected {
  readonly backupFile: string
  /** Puts the data folder of this release into an empty folder. */
  unpack(folder: string): Promise<void>
}

/** Where the data of a version is kept. */
export function folderOf(version: string): string {
  return join(FOLDER, version)
}

/** All releases, oldest first by the names of their folders; none before the first one. */
export async function releases(): Promise<readonly Release[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const versions = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(folderOf(entry.name), EXPECTED)))
    .map(({ name }) => name)
  return Promise.all(
    versions
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((version) => readRelease(folderOf(version))),
  )
}

async function readRelease(folder: string): Promise<Release> {
  const expected: Expected = JSON.parse(await readFile(join(folder, EXPECTED), 'utf8'))
  return {
    ...expected,
    backupFile: join(folder, BACKUP),
    unpack: async (to) => {
      await mkdir(to, { recursive: true })
      await writeFile(
        join(to, 'ledgerwright.sqlite'),
        gunzipSync(await readFile(join(folder, DATA))),
      )
      await writeFile(join(to, KEY), await readFile(join(folder, KEY)))
      // A version control system keeps no other permissions than these files are given here.
      await chmod(join(to, KEY), 0o600)
    },
  }
}

/**
 * Writes a release into a folder: the files of a data folder whose service has stopped, the
 * backup's bytes, and what is expected of both.
 */
export async function writeRelease(
  folder: string,
  expected: Expected,
  { dataDir, backup }: { readonly dataDir: string; readonly backup: Uint8Array },
): Promise<Release> {
  const file = join(dataDir, 'ledgerwright.sqlite')
  // The log beside the file is not kept: what is in it goes into the file.
  new SqliteDatabase(file).exec('pragma wal_checkpoint(truncate)').close()
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, DATA), gzipSync(await readFile(file), { level: 9 }))
  await writeFile(join(folder, KEY), await readFile(join(dataDir, KEY)))
  await writeFile(join(folder, BACKUP), backup)
  await writeFile(join(folder, EXPECTED), `${JSON.stringify(expected, null, 1)}\n`)
  return readRelease(folder)
}
