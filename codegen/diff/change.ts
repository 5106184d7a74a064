// What a comparison of two documents yields: plain data, ready to be printed or written as JSON.
import type { SourcePlace } from '../ir.ts'
import { compareText } from '../values.ts'
import { LEVELS } from './level.ts'
import type { Level } from './level.ts'
import type { Stored } from './rule.ts'
import type { RuleName } from './rules.ts'

/**
 * Which way the values of a schema travel; `none`: no operation that stands in both documents
 * reaches it.
 */
export type Way = 'request' | 'response' | 'both' | 'none'

export interface OperationUse {
  readonly operationId: string
  readonly in: Way
}

export interface Change {
  /** Stable code of the rule, see docs/diff.md. */
  readonly rule: RuleName
  /** The worse of the two sides. */
  readonly level: Level
  readonly callers: Level
  readonly implementers: Level
  /** The effect on stored contracts; only of contracts.yaml and of packages. */
  readonly stored?: Stored
  /**
   * Operation, component schema, template, interface of contracts or contract package that the
   * change stands in; '' for the document as a whole. `--rule RULE:PLACE=off` names it.
   */
  readonly place: string
  /** JSON pointer in the resolved document: in the new one, for what is gone in the old. */
  readonly pointer: string
  /**
   * File, line and column of the same: in the new document, for what is gone in the old. An archive
   * has no lines.
   */
  readonly at: SourcePlace
  /** The place in the old document; absent if it is new. */
  readonly was?: SourcePlace
  /** How the values concerned travel. */
  readonly in: Way
  /** Operations of both documents that the change reaches, by id. */
  readonly operations: readonly OperationUse[]
  readonly before?: unknown
  readonly after?: unknown
  /** One sentence with before and after. */
  readonly message: string
}

/** Changes in one interface, or in one package of contracts. */
export interface InterfaceChanges {
  /** Its name. */
  readonly interface: string
  readonly changes: readonly Change[]
}

/** Orders changes: the worst first, then by pointer, rule and message. */
export function worstFirst(a: Change, b: Change): number {
  return (
    LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
    compareText(a.pointer, b.pointer) ||
    compareText(a.rule, b.rule) ||
    compareText(a.message, b.message)
  )
}
