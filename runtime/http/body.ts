// Request bodies on their way in: read under the operation's limit, and under those of all bodies
// that are not complete yet.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import type { Full, Holding } from '../work/book.ts'
import type { Pause } from '../work/scheduler.ts'
import type { Problem } from './problem.ts'

export type ReadBody =
  /** `hold` counts the bytes until it is closed. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly hold: Holding | undefined }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'overfull'; readonly of: Full }
  /** Chunks of so few bytes that they cost far more than what is in them. */
  | { readonly kind: 'too-fine' }
  /** The client went away or the framing broke: there may be nobody to answer. */
  | { readonly kind: 'cut' }

interface ReadRules {
  readonly limitBytes: number
  /** Opens what counts the bytes; it is called when they must be let go of. */
  readonly open: (onDisplaced: () => void) => Holding
  /** The turn before the body is read on. */
  readonly turn: Pause
}

/**
 * Thrown into a handler that reads a streamed body, and turned into its problem when the handler
 * lets it through.
 */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`the request ends with the problem ${problem.kind}`)
    this.problem = problem
  }
}

const EMPTY = Buffer.alloc(0)
const SMALL_BYTES = 4_096
const SMALL_REST_BYTES = 65_536
/** Bytes of one body in a row; others are heard before it goes on. */
const STRETCH_BYTES = 32_768
/** More chunks than this must have so many bytes each, on average. */
const FREE_CHUNKS = 1_000
const MIN_CHUNK_BYTES = 16

/** True when the request's head announces a body: anything but an absent or zero Content-Length. */
export function announcesBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return length === undefined ? req.headers['transfer-encoding'] !== undefined : length !== '0'
}

/**
 * True when more of the request is still to come than is worth reading for the sake of the
 * connection.
 */
export function hasLongRest(req: IncomingMessage): boolean {
  if (req.complete || !announcesBody(req)) return false
  const length = req.headers['content-length']
  return length === undefined || Number(length) > SMALL_REST_BYTES
}

/**
 * Stops reading for good: what is still to come stays with the system, and what Node has read ahead
 * is thrown away.
 */
export function stopReading(req: IncomingMessage): void {
  // Node reads on by itself whenever there is room for more.
  req._read = nothing
  req.socket.pause()
  req.resume()
}

const nothing = (): void => undefined

/** True when the declared length alone is over the limit. */
export function declaresTooMuch(req: IncomingMessage, limitBytes: number): boolean {
  const length = req.headers['content-length']
  return length !== undefined && Number(length) > limitBytes
}

/** Answers `Expect: 100-continue`, which this server leaves until somebody wants the body. */
export function welcome(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect !== undefined && /^100-continue$/i.test(req.headers.expect))
    res.writeContinue()
}

/**
 * Reads a whole body under the limits. Gives up as `cut` when the answer is out before the body is
 * in.
 */
export function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  rules: ReadRules,
): Promise<ReadBody> | ReadBody {
  if (!announcesBody(req)) return { kind: 'bytes', bytes: EMPTY, hold: undefined }
  if (declaresTooMuch(req, rules.limitBytes)) return { kind: 'too-large' }
  if (Number(req.headers['content-length'] ?? Infinity) <= SMALL_BYTES) return readSmall(req, res)
  return new Promise((resolve) => {
    const collecting = new Collecting(req, rules, resolve)
    // The answer closes with its connection too, and after an answer Node forgets the request: it
    // would say nothing.
    res.on('close', () => collecting.cut())
  })
}

/** Reads a body that says itself that it is short: not worth counting. */
function readSmall(req: IncomingMessage, res: ServerResponse): Promise<ReadBody> {
  return new Promise((resolve) => {
    let first: Buffer | undefined
    let rest: Buffer[] | undefined
    req.on('data', (chunk: Buffer) => {
      if (first === undefined) first = chunk
      else (rest ??= []).push(chunk)
    })
    req.on('end', () => {
      const bytes =
        first === undefined || rest === undefined
          ? (first ?? EMPTY)
          : Buffer.concat([first, ...rest])
      resolve({ kind: 'bytes', bytes, hold: undefined })
    })
    req.on('error', () => resolve({ kind: 'cut' }))
    res.on('close', () => resolve({ kind: 'cut' }))
  })
}

/** One body while it comes. */
class Collecting {
  readonly #req: IncomingMessage
  readonly #rules: ReadRules
  readonly #resolve: (body: ReadBody) => void
  readonly #gathered: Gathered
  #hold: Holding | undefined
  #chunks = 0
  #stretch = 0
  #isOver = false

  constructor(req: IncomingMessage, rules: ReadRules, resolve: (body: ReadBody) => void) {
    const length = req.headers['content-length']
    this.#req = req
    this.#rules = rules
    this.#resolve = resolve
    this.#gathered = new Gathered(length === undefined ? rules.limitBytes : Number(length))
    req.on('data', this.#onData)
    req.on('end', () => {
      this.#hold?.keep()
      this.#resolve({ kind: 'bytes', bytes: this.#gathered.bytes(), hold: this.#hold })
    })
    req.on('error', () => this.cut())
  }

  cut(): void {
    this.#hold?.close()
    this.#resolve({ kind: 'cut' })
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#gathered.size + chunk.length > this.#rules.limitBytes)
      return this.#stop({ kind: 'too-large' })
    const overfull = this.#take(chunk)
    if (overfull !== undefined) return this.#stop({ kind: 'overfull', of: overfull })
    this.#gathered.add(chunk)
    this.#chunks += 1
    if (this.#chunks > FREE_CHUNKS && this.#gathered.size < this.#chunks * MIN_CHUNK_BYTES)
      return this.#stop({ kind: 'too-fine' })
    this.#stretch += chunk.length
    if (this.#stretch > STRETCH_BYTES) this.#rest()
  }

  /** Reads on when it is this body's turn again. */
  #rest(): void {
    this.#stretch = 0
    const turn = this.#rules.turn()
    if (turn === undefined) return
    this.#req.pause()
    void turn.then(() => this.#goOn())
  }

  #goOn(): void {
    if (!this.#isOver) this.#req.resume()
  }

  #take(chunk: Buffer): Full | undefined {
    const needed = this.#gathered.needs(chunk)
    if (needed === 0) return undefined
    this.#hold ??= this.#rules.open(() => this.#stop({ kind: 'overfull', of: 'all' }))
    return this.#hold.take(needed)
  }

  /** No more is read: what is still to come stays with the system. */
  #stop(result: ReadBody): void {
    this.#isOver = true
    this.#req.off('data', this.#onData)
    stopReading(this.#req)
    this.#hold?.close()
    this.#gathered.forget()
    this.#resolve(result)
  }
}

/**
 * The part of a body that has come. One buffer that grows, since chunks of a byte each would cost
 * hundreds of times what they hold.
 */
class Gathered {
  size = 0
  readonly #most: number
  #buffer: Buffer = EMPTY

  constructor(most: number) {
    this.#most = most
  }

  /** Bytes of memory besides those that are in use. */
  needs(chunk: Buffer): number {
    return Math.max(0, this.#capacity(chunk) - this.#buffer.length)
  }

  add(chunk: Buffer): void {
    if (this.size === 0) this.#buffer = chunk
    else {
      const capacity = this.#capacity(chunk)
      if (capacity > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(capacity)
        this.#buffer.copy(larger, 0, 0, this.size)
        this.#buffer = larger
      }
      chunk.copy(this.#buffer, this.size)
    }
    this.size += chunk.length
  }

  bytes(): Buffer {
    return this.#buffer.length === this.size ? this.#buffer : this.#buffer.subarray(0, this.size)
  }

  forget(): void {
    this.#buffer = EMPTY
    this.size = 0
  }

  /**
   * Twice what is needed, so that all is copied twice at most. The first chunk is kept as it is.
   */
  #capacity(chunk: Buffer): number {
    const needed = this.size + chunk.length
    if (this.size === 0 || needed <= this.#buffer.length)
      return Math.max(needed, this.#buffer.length)
    return Math.max(needed, Math.min(this.#most, 2 * needed))
  }
}

/**
 * A body as a stream that ends with ProblemError once it is over the limit. `text` decodes UTF-8.
 */
export function streamBody(req: IncomingMessage, limitBytes: number, text: boolean): Readable {
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= limitBytes) done(null, chunk)
      else done(new ProblemError({ kind: 'body-too-large', limitBytes }))
    },
  })
  if (text) counted.setEncoding('utf8')
  req.on('error', () => counted.destroy(new ProblemError(cutShort())))
  counted.on('error', () => {
    req.unpipe(counted).pause()
  })
  return req.pipe(counted)
}

function cutShort(): Problem {
  return {
    kind: 'invalid',
    phase: 'body',
    issues: [{ in: 'body', pointer: '', keyword: 'syntax', message: 'the body was cut off' }],
  }
}
