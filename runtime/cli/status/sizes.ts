// `status --sizes`: how much each table of the storage holds, and what pruning would free. Reads
// the storage itself, not a service.
import { member } from '../../host/member.ts'
import { CommandError } from '../../host/problem.ts'
import type { StorageSizes } from '../../store/maintenance.ts'
import type { Flags } from '../flags.ts'
import { EXIT } from '../outcome.ts'
import { goodSettings } from '../settings.ts'
import { maintenanceOf } from '../storage.ts'

interface SizesFlags extends Flags {
  readonly output: 'text' | 'json' | 'env'
  readonly json?: true
}

/**
 * A line for each table, largest first, or one JSON text. What the automation `prune` keeps is
 * left, where it is configured.
 */
export async function printSizes(flags: SizesFlags): Promise<void> {
  const { sizes, location } = await maintenanceOf(flags)
  if (sizes === undefined) throw new CommandError('this storage plugin tells no sizes', EXIT.usage)
  const read = await sizes(await keptUpdates(flags))
  const isJson = flags.json === true || flags.output === 'json'
  process.stdout.write(isJson ? jsonOf(location, read) : textOf(location, read))
}

async function keptUpdates(flags: Flags): Promise<number> {
  const { values } = await goodSettings(flags)
  const kept = member(values.automations['prune'], 'keepUpdates')
  return typeof kept === 'number' ? kept : 0
}

function jsonOf(location: string, { pruneUpTo, tables }: StorageSizes): string {
  return `${JSON.stringify({ location, pruneUpTo: String(pruneUpTo), tables }, null, 2)}\n`
}

function textOf(location: string, { pruneUpTo, tables }: StorageSizes): string {
  const total = {
    name: 'all',
    rows: sumOf(tables.map(({ rows }) => rows)),
    bytes: sumOf(tables.map(({ bytes }) => bytes)),
    prunableBytes: sumOf(tables.map(({ prunableBytes }) => prunableBytes)),
  }
  const lines = [
    ['table', 'rows', 'MB', 'pruning frees, MB'],
    ...[...tables, total].map(({ name, rows, bytes, prunableBytes }) => [
      name,
      String(rows),
      megabytes(bytes),
      megabytes(prunableBytes),
    ]),
  ]
  const table = lines.map(
    ([name = '', ...cells]) =>
      `${name.padEnd(20)}${cells.map((cell) => cell.padStart(18)).join('')}\n`,
  )
  return `${location}, if it were pruned up to offset ${pruneUpTo}:\n${table.join('')}`
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
