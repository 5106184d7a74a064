// How much a change asks of those who use an interface, and of whom.

/**
 * What a change asks of a side: code that worked fails, there is something new to use, only words
 * changed, nothing at all.
 */
export type Level = 'breaking' | 'additive' | 'editorial' | 'none'

/** Readers of the document: those who send requests, those who write handlers. */
export type Side = 'callers' | 'implementers'

/** Levels, worst first. */
export const LEVELS: readonly Level[] = ['breaking', 'additive', 'editorial', 'none']

/** The worse of two levels. */
export function worse(a: Level, b: Level): Level {
  return LEVELS.indexOf(a) <= LEVELS.indexOf(b) ? a : b
}
