// The logger that the host hands out. Structural, so that a plugin author needs no logging library;
// pino fits it.

/** Lines for people and machines: fields, then a message. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
  /**
   * A writer of info lines that all have `fixed` and `message`, for places that log very often; it
   * takes the members that differ as JSON text, each after a comma: `,"status":200,"ms":1.5`.
   * Absent where a logger has no such way. (`void` stands there for pino's types, in which any name
   * could be one of its levels.)
   */
  lineWriter?(fixed: object, message: string): ((members: string) => void) | void
}
