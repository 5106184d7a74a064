// What is wrong with a configuration or a set of plugins, as values: all of them are collected
// before anything starts, and each is one line that says where, what was expected, what was there
// and what was probably meant.
export interface ConfigProblem {
  /** Place in the configuration: `server.port`, `auth[0].use`; '' when it concerns the whole. */
  readonly path: string
  readonly message: string
  /** `kind/name` of the plugin that refused the value. */
  readonly plugin?: string
  readonly received?: string
  /** The known key that the unknown one resembles. */
  readonly nearest?: string
  /** The origin of the value: a file's name, an environment variable, a flag. */
  readonly origin?: string
}

/**
 * Thrown by commands that cannot go on; its message is the one line that a person sees. `exitCode`
 * as in docs/commands.md.
 */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** The section of the configuration that a problem is in; empty for the whole. */
export function sectionOf({ path }: ConfigProblem): string {
  return path.split(/[.[]/, 1)[0] ?? ''
}

/** One line for a person: `server.port: expected number, received "abc" (from PORT)`. */
export function formatProblem(problem: ConfigProblem): string {
  const notes = [
    problem.plugin === undefined ? undefined : `plugin ${problem.plugin}`,
    problem.origin === undefined ? undefined : `from ${problem.origin}`,
  ].filter((note) => note !== undefined)
  const where = problem.path === '' ? '' : `${problem.path}: `
  const received = problem.received === undefined ? '' : `, received ${problem.received}`
  const nearest = problem.nearest === undefined ? '' : `; did you mean "${problem.nearest}"?`
  return `${where}${problem.message}${received}${nearest}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
