// `verify`: checks all data in a storage for consistency and reports problems. It only reads.
// docs/operations.md
import type { Checked, Problem } from './verify/check-ledger.ts'
import type { Flags } from './flags.ts'
import { CommandError } from '../host/problem.ts'
import { EXIT } from './outcome.ts'
import { maintenanceOf } from './storage.ts'
import { checkLedger } from './verify/check-ledger.ts'

/** Problems beyond these are counted only. */
const MOST_PROBLEMS = 1_000

/**
 * A line for each problem, then one that sums up; with `json` one JSON text. Exit code 1 where
 * there is a problem.
 */
export async function verify(flags: Flags & { readonly json?: true }): Promise<void> {
  const { inspect, location } = await maintenanceOf(flags)
  if (inspect === undefined)
    throw new CommandError('this storage plugin offers no verification', EXIT.usage)
  const problems: Problem[] = []
  let found = 0
  const checked = await inspect((ledger) =>
    checkLedger(ledger, (kind, text) => {
      found += 1
      if (found > MOST_PROBLEMS) return
      if (flags.json === true) problems.push({ kind, text })
      else process.stdout.write(`${text}\n`)
    }),
  )
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ location, checked, found, problems }, null, 2)}\n`
      : `${summary(found, checked)}: ${location}\n`,
  )
  if (found > 0) process.exitCode = EXIT.failed
}

function summary(found: number, { updates, contracts, totals }: Checked): string {
  const number = found === 0 ? 'no problem' : found === 1 ? '1 problem' : `${found} problems`
  const named = found > MOST_PROBLEMS ? ` (the first ${MOST_PROBLEMS} are named)` : ''
  return `${number}${named} in ${updates} updates, ${contracts} contracts and ${totals} totals`
}
