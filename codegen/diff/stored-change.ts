// A change of what is stored, of contracts.yaml or of a package, by the verdict of its rule.
import type { SourcePlace } from '../ir.ts'
import { given } from '../values.ts'
import type { Change } from './change.ts'
import { worse } from './level.ts'
import type { StoredVerdict } from './rule.ts'

/** A place in one of the two versions. */
export interface Spot {
  readonly pointer: string
  readonly at: SourcePlace
}

interface Found extends Pick<Change, 'rule' | 'place' | 'message'> {
  readonly old: Spot
  readonly now: Spot
  readonly before?: unknown
  readonly after?: unknown
}

/** The change at its place: what is gone is shown where it was, what is new was nowhere. */
export function storedChange(
  { levels: [callers, implementers], stored }: StoredVerdict,
  { rule, place, message, old, now, before, after }: Found,
): Change {
  const shown = rule.endsWith('-removed') ? old : now
  const isNew = rule.endsWith('-added') || rule.endsWith('-required')
  return {
    rule,
    level: worse(callers, implementers),
    callers,
    implementers,
    stored,
    place,
    pointer: shown.pointer,
    at: shown.at,
    ...(isNew ? {} : { was: old.at }),
    in: 'none',
    operations: [],
    ...given({ before, after }),
    message,
  }
}
