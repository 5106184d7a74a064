// The log of a running service: pino, buffered for speed, on standard error; JSON, or lines for people at a terminal.
import { pino } from 'pino'
import type { Logger } from '../host/log.ts'
import { member } from '../host/member.ts'

export interface LogSettings {
  readonly level: string
  readonly pretty: boolean | 'auto'
}

export interface ServiceLog {
  readonly logger: Logger
  /** Writes what is still buffered. */
  flush(): void
}

const BUFFER_BYTES = 4096
const FLUSH_EVERY_MS = 500

/** Opens the log. Lines leave the buffer at 4 kB, twice a second, at `flush` and when the process ends. */
export function openLog(settings: LogSettings): ServiceLog {
  const pretty = settings.pretty === 'auto' ? process.stderr.isTTY === true : settings.pretty
  const options = { level: settings.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (pretty) {
    const write = (line: string): void => void process.stderr.write(prettyLine(line))
    return { logger: pino(options, { write }), flush: () => {} }
  }
  const destination = pino.destination({ dest: 2, sync: false, minLength: BUFFER_BYTES })
  // A reader of the log that went away must not end the service.
  destination.on('error', () => {})
  const flush = (): void => {
    try {
      destination.flushSync()
    } catch {
      // There is nowhere left to say so.
    }
  }
  setInterval(() => destination.flush(), FLUSH_EVERY_MS).unref()
  process.once('exit', flush)
  return { logger: pino(options, destination), flush }
}

const LEVELS: Readonly<Record<string, string>> = {
  10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL',
}

/** `12:30:01.123 WARN message key=value …` from one JSON line. */
export function prettyLine(json: string): string {
  const parsed: unknown = JSON.parse(json)
  if (typeof parsed !== 'object' || parsed === null) return json
  const { level, time, msg, err, ...fields } = Object.fromEntries(Object.entries(parsed))
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${text(value)}`)
  const stack = member(err, 'stack') ?? member(err, 'message') ?? err
  const label = LEVELS[String(level)] ?? String(level)
  const head = `${String(time).slice(11, 23)} ${label.padEnd(5)} ${String(msg ?? '')}`
  return `${[head, ...shown].join(' ')}\n${stack === undefined ? '' : `${String(stack)}\n`}`
}
