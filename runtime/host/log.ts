// The logger that the host hands out. Structural, so that a plugin author needs no logging library; pino fits it.
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}
