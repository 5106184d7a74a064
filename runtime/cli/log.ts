// The log of a running service: pino, buffered for speed, on standard error; JSON, or lines for
// people at a terminal.
import { pino } from 'pino'
import type { Logger } from '../host/log.ts'
import { maskUrls } from '../host/mask.ts'
import { member } from '../host/member.ts'
import { loggedError } from './logged-error.ts'

export interface LogSettings {
  readonly level: string
  readonly pretty: boolean | 'auto'
}

export interface ServiceLog {
  readonly logger: Logger
  /** Writes what is still buffered. */
  flush(): void
}

const BUFFER_CHARACTERS = 16_384
const FLUSH_EVERY_MS = 500

/**
 * Opens the log. Lines leave the buffer at 16 kB, twice a second, at `flush` and when the process
 * ends.
 */
export function openLog(settings: LogSettings): ServiceLog {
  const pretty = settings.pretty === 'auto' ? process.stderr.isTTY === true : settings.pretty
  if (pretty) {
    const write = (line: string): void => void process.stderr.write(prettyLine(line))
    return { logger: createLogger(settings.level, write), flush: () => {} }
  }
  const { write, flush } = bufferedWriter()
  process.once('exit', flush)
  return { logger: createLogger(settings.level, write), flush }
}

// The destination measures and copies what it holds at every write, so lines are gathered before it
// sees them.
function bufferedWriter(): { readonly write: (line: string) => void; readonly flush: () => void } {
  const destination = pino.destination({ dest: 2, sync: false })
  // A reader of the log that went away must not end the service.
  destination.on('error', () => {})
  let gathered = ''
  const handOver = (): void => {
    if (gathered !== '') destination.write(gathered)
    gathered = ''
  }
  setInterval(handOver, FLUSH_EVERY_MS).unref()
  return {
    write: (line) => {
      gathered += line
      if (gathered.length >= BUFFER_CHARACTERS) handOver()
    },
    flush: () => {
      try {
        handOver()
        destination.flushSync()
      } catch {
        // There is nowhere left to say so.
      }
    },
  }
}

type Write = (line: string) => void

/**
 * Drivers repeat addresses with their passwords in errors: whatever writes a line, it goes through
 * here.
 */
function createLogger(level: string, output: Write): Logger {
  const write: Write = (line) => output(maskUrls(line))
  const serializers = { err: loggedError }
  return ourLogger(
    pino({ level, base: null, timestamp: timeMember, serializers }, { write }),
    output,
  )
}

/** `output` takes lines in which nothing is left to mask. */
function ourLogger(logger: pino.Logger, output: Write): Logger {
  return {
    debug: (fields, message) => {
      logger.debug(fields, message)
    },
    info: (fields, message) => {
      logger.info(fields, message)
    },
    warn: (fields, message) => {
      logger.warn(fields, message)
    },
    error: (fields, message) => {
      logger.error(fields, message)
    },
    child: (fields) => ourLogger(logger.child(fields), output),
    lineWriter: (fixed, message) => lineWriter(logger, output, fixed, message),
  }
}

/**
 * Lines as the logger itself writes them; what is the same in all of them becomes text, and is
 * masked, once: an address ends with the quotes of its text.
 */
function lineWriter(
  logger: pino.Logger,
  output: Write,
  fixed: object,
  message: string,
): (members: string) => void {
  if (!logger.isLevelEnabled('info')) return () => {}
  const level = `{"level":${logger.levels.values['info']}`
  const head = maskUrls(`,${JSON.stringify({ ...logger.bindings(), ...fixed }).slice(1, -1)}`)
  const tail = maskUrls(`,"msg":${JSON.stringify(message)}}\n`)
  return (members) => {
    output(`${level}${timeMember()}${head}${maskUrls(members)}${tail}`)
  }
}

let timeMs = 0
let timeText = ''

/** The time of a line as pino wants it; many lines share a millisecond. */
function timeMember(): string {
  const now = Date.now()
  if (now !== timeMs) {
    timeMs = now
    timeText = `,"time":"${new Date(now).toISOString()}"`
  }
  return timeText
}

const LEVELS: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** `12:30:01.123 WARN message key=value …` from one JSON line. */
export function prettyLine(json: string): string {
  const parsed: unknown = JSON.parse(json)
  if (typeof parsed !== 'object' || parsed === null) return json
  const { level, time, msg, err, ...fields } = Object.fromEntries(Object.entries(parsed))
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value)
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${text(value)}`)
  const stack = member(err, 'stack') ?? member(err, 'message') ?? err
  const label = LEVELS[String(level)] ?? String(level)
  const head = `${String(time).slice(11, 23)} ${label.padEnd(5)} ${String(msg ?? '')}`
  return `${[head, ...shown].join(' ')}\n${stack === undefined ? '' : `${String(stack)}\n`}`
}
