// A logger that says nothing, for commands whose output must be exact and for tests.
import type { Logger } from './log.ts'

/** Takes every line and writes none. */
export const silentLog: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
}
