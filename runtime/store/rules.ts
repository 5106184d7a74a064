// What every storage plugin must do alike, as pure functions, so that no plugin has its own idea of order, text or
// sets.
import type { RightRecord } from './store.ts'

/** `code` of StoreUnavailable: a plugin of another installation has its own copy of the class. */
export const STORE_UNAVAILABLE = 'STORE_UNAVAILABLE'

/**
 * The data cannot be reached right now: connection lost, file locked, disk full, store closed. Answered as
 * unavailable.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code = STORE_UNAVAILABLE
}

/** Negative, zero or positive as `a` comes before, with or after `b` in the byte order of their UTF-8 forms. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Order of a user's rights: by kind, then party, both by bytes. */
export function compareRights(a: RightRecord, b: RightRecord): number {
  return compareUtf8(a.kind, b.kind) || compareUtf8(a.party, b.party)
}

/**
 * Throws a TypeError unless every text can be stored everywhere: no NUL and no lone surrogate. Annotations are exempt,
 * because they are stored as JSON.
 */
export function storable(...texts: readonly string[]): void {
  if (texts.every((text) => text.isWellFormed() && !text.includes('\0'))) return
  throw new TypeError('A text to store has a NUL or a lone surrogate')
}

/**
 * The rights among `asked` that are in `held` (or, with `wanted` false, that are not), each once, in the order
 * asked.
 */
export function pickRights(
  asked: readonly RightRecord[],
  held: readonly RightRecord[],
  wanted: boolean,
): readonly RightRecord[] {
  const heldKeys = new Set(held.map(rightKey))
  const byKey = new Map(asked.map(({ kind, party }) => [rightKey({ kind, party }), { kind, party }]))
  return [...byKey].filter(([key]) => heldKeys.has(key) === wanted).map(([, right]) => right)
}

function rightKey(right: RightRecord): string {
  return JSON.stringify([right.kind, right.party])
}
