// What the commands of the generator say, and the exit codes with which they end
// (docs/commands.md).
import { relative, resolve } from 'node:path'
import { formatFinding } from '../findings.ts'
import type { Finding } from '../findings.ts'

/** 0 done, 1 a file is not ours to write, 2 bad document or usage, 3 drift or a breaking change. */
export const EXIT = { failed: 1, usage: 2, drift: 3 } as const

/** One line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One line on standard error, and the exit code. */
export function fail(code: number, message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = code
}

/** A file of a folder as the person sees it from where the command runs. */
export function place(folder: string, file: string): string {
  return relative(process.cwd(), resolve(folder, file))
}

/** How often what was left out, in one line; none where the documents have no faults. */
export function lossLines(findings: readonly Finding[]): readonly string[] {
  const losses = findings.filter(({ loss }) => loss !== undefined).length
  return losses === 0
    ? []
    : [`${losses} fault(s) cost a part of the documents: see above; --strict refuses them`]
}

/** Notes of each rule that a command prints before it counts the rest. */
const FIRST_NOTES = 3

/**
 * Findings on standard error, a line each: errors, warnings and all that costs something, and of
 * the notes the first of each rule, after which one line counts the others.
 */
export function printFindings(findings: readonly Finding[]): void {
  const counted = new Map<string, number>()
  for (const finding of findings) {
    const { severity, loss, rule } = finding
    if (severity === 'note' && loss === undefined) {
      const count = (counted.get(rule) ?? 0) + 1
      counted.set(rule, count)
      if (count > FIRST_NOTES) continue
    }
    const file = relative(process.cwd(), finding.at.file)
    process.stderr.write(`${formatFinding({ ...finding, at: { ...finding.at, file } })}\n`)
  }
  for (const [rule, count] of counted)
    if (count > FIRST_NOTES)
      process.stderr.write(
        `${count - FIRST_NOTES} more notes [${rule}]: 'ledgerwright lint --notes' prints all\n`,
      )
}

/** One value a flag: with several, a document that follows would be taken for one. */
export function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value]
}
