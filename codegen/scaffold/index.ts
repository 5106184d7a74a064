// Entry of `scaffold`: the compiler is loaded when it is called, not when the generator is
// imported.
import type { ScaffoldReport } from './report.ts'
import type { ScaffoldOptions } from './scaffold.ts'

export { hasWork } from './report.ts'
export type { HandlerPlace, Renamed, ScaffoldReport } from './report.ts'
export type { ScaffoldOptions } from './scaffold.ts'

/**
 * Brings hand-written handlers into line with the documents: adds skeletons, renames, and reports
 * what else does not fit. Rejects only for failures of the machine; what documents or files make
 * impossible is in the report.
 */
export async function scaffold(options: ScaffoldOptions): Promise<ScaffoldReport> {
  const { scaffold: run } = await import('./scaffold.ts')
  return run(options)
}
