// `generate --watch` at the terminal: one line a run, findings that are new, an end by signal.
import { relative } from 'node:path'
import { optionsOf } from '../cli/options.ts'
import type { ConfigFlags } from '../cli/options.ts'
import { EXIT, place, print, printFindings } from '../cli/output.ts'
import { formatFinding } from '../findings.ts'
import type { Finding } from '../findings.ts'
import type { Report } from '../generate.ts'
import { FreshModules } from './fresh-modules.ts'
import { WatchSession } from './session.ts'
import type { WatchRun } from './session.ts'

/** Exit codes of a command that a signal ends: 128 and its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Generates, and again after every change of a document, an overlay, a vocabulary or the
 * configuration. Returns at a signal.
 */
export async function watchAndGenerate(flags: ConfigFlags): Promise<void> {
  const modules = new FreshModules()
  const report = reporter()
  const session = new WatchSession({
    modules,
    options: () => optionsOf(flags, (file) => modules.import(file)),
    done: report,
  })
  const ended = new Promise<void>((resolve) => {
    for (const [signal, code] of [
      ['SIGINT', SIGNALS.SIGINT],
      ['SIGTERM', SIGNALS.SIGTERM],
    ] as const) {
      process.once(signal, () => {
        process.exitCode = code
        session.close()
        resolve()
      })
    }
  })
  if (await session.start()) return ended
  session.close()
  process.exitCode = EXIT.usage
}

/** Prints a run. Findings are shown when they are new; all of them while they stand in the way. */
function reporter(): (run: WatchRun) => void {
  let shown = new Set<string>()
  return ({ changed, outcome, milliseconds, watched }) => {
    const names = changed.map((file) => relative(process.cwd(), file)).join(', ')
    if (typeof outcome === 'string') {
      process.stderr.write(`${outcome}\n`)
    } else {
      const isNew = (finding: Finding): boolean =>
        outcome.status === 'invalid' || !shown.has(formatFinding(finding))
      printFindings([
        ...new Map(
          outcome.findings.filter(isNew).map((finding) => [formatFinding(finding), finding]),
        ).values(),
      ])
      shown = new Set(outcome.findings.map(formatFinding))
      for (const { file, reason } of outcome.refused)
        process.stderr.write(`${place(outcome.out, file)} ${reason}: move it away or delete it\n`)
    }
    print(
      `${names === '' ? `watching ${watched} files` : `${names} changed`}: ${countsOf(outcome)}, ${Math.round(milliseconds)} ms`,
    )
  }
}

function countsOf(outcome: Report | string): string {
  if (typeof outcome === 'string' || outcome.status === 'invalid' || outcome.status === 'refused')
    return 'nothing written'
  const { written, changed, removed } = outcome
  const operations = outcome.operations.map(
    ({ interface: of, operationId, change }) => `; ${change} operation ${of}.${operationId}`,
  )
  const some =
    operations.length > 3 ? `; ${operations.length} operations differ` : operations.join('')
  return `${written.length} written, ${changed.length} changed, ${removed.length} removed${some}`
}
