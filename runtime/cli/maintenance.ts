// `migrate`, `backup` and `restore`: what a storage plugin offers for maintenance, with files and
// words around it. docs/operations.md
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { BackupSummary, StorageMaintenance } from '../store/maintenance.ts'
import { copyFact } from '../economy/network/copies.ts'
import type { Flags } from './flags.ts'
import { CommandError } from '../host/problem.ts'
import { readFrom, writeWhole } from './backup-file.ts'
import { EXIT } from './outcome.ts'
import { maintenanceOf, withStore } from './storage.ts'
import { productVersion } from './version.ts'

/** The name that means standard input or output. */
const STREAM = '-'

export interface RestoreFlags extends Flags {
  readonly from: string
  readonly inPlace?: true
  readonly copy?: true
}

/** The question before a restore; docs/decisions/0048-copies.md says what each answer means. */
const QUESTION = `Is the ledger that this backup was taken from gone for good, and does this one take its place?
If it still runs somewhere, or might again, answer no: a copy gets ids of its own for synchronizer and participants. [y/N] `
const COPIED =
  'a copy with ids of its own for synchronizer and participants (--in-place keeps those of an original which is gone)'
const IN_PLACE = 'in the place of its original'

/**
 * Brings the schema up to date and names each change; with `check` only says what is missing, with
 * exit code 3.
 */
export async function migrate(flags: Flags & { readonly check?: true }): Promise<void> {
  const maintenance = await maintenanceOf(flags)
  if (flags.check === true) return check(maintenance)
  const applied = await maintenance.migrate()
  for (const name of applied) process.stdout.write(`applied ${name}\n`)
  if (applied.length === 0) process.stdout.write(`up to date: ${maintenance.location}\n`)
}

async function check(maintenance: StorageMaintenance): Promise<void> {
  const { location } = maintenance
  const { state, applied, pending } = await maintenance.schema()
  if (state === 'newer') {
    const last = applied.toSorted().at(-1) ?? ''
    throw new CommandError(
      `${location}: it was written by a newer version of this program (schema ${last}); use that one`,
    )
  }
  for (const name of pending) process.stdout.write(`pending ${name}\n`)
  if (pending.length === 0) process.stdout.write(`up to date: ${location}\n`)
  else process.exitCode = EXIT.drift
}

/** Writes a backup to a file, or to standard output; what it holds is said on the other one. */
export async function backup(
  flags: Flags & { readonly to: string; readonly force?: true },
): Promise<void> {
  const maintenance = await maintenanceOf(flags)
  const label = { product: productVersion(), taken: new Date().toISOString() }
  const write = (to: Writable): Promise<BackupSummary> => maintenance.backup(to, label)
  if (flags.to !== STREAM) {
    const summary = await writeWhole(flags.to, flags.force === true, write)
    process.stdout.write(`backed up ${describe(summary)}\n`)
    return
  }
  if (process.stdout.isTTY)
    throw new CommandError('a backup is binary: send it to a file or a program', EXIT.usage)
  // Whoever reads may go away, which ends this process at once: not with success.
  process.exitCode = EXIT.failed
  const summary = await write(process.stdout)
  process.stderr.write(`backed up ${describe(summary)}\n`)
  process.exitCode = EXIT.ok
}

/**
 * Reads a backup into empty storage, then compares what the ledger keeps as totals with its
 * contracts.
 */
export async function restore(flags: RestoreFlags): Promise<void> {
  const maintenance = await maintenanceOf(flags)
  if (flags.from === STREAM && process.stdin.isTTY)
    throw new CommandError('standard input is not a backup', EXIT.usage)
  const isCopy = !(await takesPlace(flags))
  const summary = await maintenance.restore(
    flags.from === STREAM ? process.stdin : await readFrom(flags.from),
    isCopy ? [copyFact()] : [],
  )
  process.stdout.write(
    `restored ${describe(summary)} into ${maintenance.location}, ${isCopy ? COPIED : IN_PLACE}\n`,
  )
  const { auditTotals } = await import('./audit-totals.ts')
  await withStore(flags, async (store) => {
    const { contracts, problems } = await auditTotals(store.contracts)
    if (problems.length > 0) {
      throw new CommandError(
        `the ledger was restored as it was, but ${problems.length} totals are not what its contracts add up to: ${problems[0]}`,
      )
    }
    process.stdout.write(`totals agree with ${contracts} active contracts\n`)
  })
}

/** Asks where a person can answer. Throws a CommandError where the flags say both. */
async function takesPlace({ from, inPlace, copy }: RestoreFlags): Promise<boolean> {
  if (inPlace === true && copy === true)
    throw new CommandError('--in-place and --copy exclude each other', EXIT.usage)
  if (inPlace === true || copy === true || from === STREAM || !process.stdin.isTTY)
    return inPlace === true
  process.stderr.write(QUESTION)
  // A loop, because an end of the input is an answer, too.
  for await (const line of createInterface({ input: process.stdin }))
    return /^y(es)?$/i.test(line.trim())
  return false
}

function describe({ schema, tables }: BackupSummary): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables (schema ${schema})`
}
