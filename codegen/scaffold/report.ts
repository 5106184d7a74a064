// What `scaffold` says of a run, with the place of everything in hand-written code.
import type { Finding } from '../findings.ts'
import type { FilePlace } from './module.ts'
import type { Part } from './prints.ts'

/** A handler, by what it is called in the code. */
export interface HandlerPlace {
  readonly interface: string
  readonly operationId: string
  readonly at: FilePlace
}

/** A thing renamed with its operation or type: `from` is the old name in the code. */
export interface Renamed {
  readonly kind: 'operation' | 'type' | 'read'
  readonly from: string
  readonly to: string
  readonly at: FilePlace
}

/** The work that `scaffold` did, or would do. */
export interface ScaffoldReport {
  /**
   * `written`: files were changed. `unchanged`: there was nothing to do. `pending`: there is, and
   * nothing was to be written. `invalid`: a document or a hand-written file has errors. `refused`:
   * something stands in the way. In both nothing was written.
   */
  readonly status: 'written' | 'unchanged' | 'pending' | 'invalid' | 'refused'
  /** New handlers: where they are now; where nothing was to be written, beside what. */
  readonly added: readonly HandlerPlace[]
  readonly renamed: readonly Renamed[]
  /** Handlers whose operation is gone; `now` has its method and path. The code is kept. */
  readonly orphans: readonly (HandlerPlace & { readonly now?: string })[]
  /** Members of handler objects that never were an operation. */
  readonly strangers: readonly HandlerPlace[]
  /** Handlers whose types changed since the last run. */
  readonly retyped: readonly (HandlerPlace & { readonly parts: readonly Part[] })[]
  readonly doubled: readonly {
    readonly interface: string
    readonly operationId: string
    readonly at: readonly FilePlace[]
  }[]
  /** Uses of a renamed member of an input or reply that syntax alone does not prove. */
  readonly unsure: readonly Renamed[]
  /**
   * Where handlers are that cannot be read or added to, with the operations that may be among them:
   * they were not added.
   */
  readonly unread: readonly {
    readonly interface: string
    readonly operationIds: readonly string[]
    readonly at: FilePlace
  }[]
  /** New texts of hand-written files by absolute path, in the order of paths. */
  readonly files: ReadonlyMap<string, string>
  /** True when the lock's text changes. */
  readonly isLockStale: boolean
  readonly findings: readonly Finding[]
  readonly milliseconds: number
}

/** True when `--check` is to fail: handlers lack, bear a former name, or are left over. */
export function hasWork({
  added,
  renamed,
  orphans,
}: Pick<ScaffoldReport, 'added' | 'renamed' | 'orphans'>): boolean {
  return added.length > 0 || renamed.length > 0 || orphans.length > 0
}
