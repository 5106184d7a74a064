// Reads HTTP/1.1 answers off a connection, one behind the other. RFC 9112
import type { Answer } from '../../runtime/testing/conform/sender.ts'

export interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
}

export type Arrived = Pick<Answer, 'status' | 'headers' | 'body'>

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const MAX_HEAD = 200_000
const NOTHING = Buffer.alloc(0)

interface Body {
  readonly head: Head
  /** Bytes still to come; undefined where chunks or the end of the connection say it. */
  left: number | undefined
  readonly isChunked: boolean
  readonly parts: Buffer[]
}

/** Throws where what comes is no HTTP. */
export class AnswerReader {
  #bytes: Buffer = NOTHING
  #body: Body | undefined
  /** True where the request of the next answer was HEAD, whose answer has no body. */
  readonly #isBodiless: () => boolean
  readonly #onAnswer: (answer: Arrived) => void

  constructor(isBodiless: () => boolean, onAnswer: (answer: Arrived) => void) {
    this.#isBodiless = isBodiless
    this.#onAnswer = onAnswer
  }

  take(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    while (this.#step());
  }

  /** The connection has ended: an answer that says nothing of its length ends with it. */
  end(): void {
    if (this.#body !== undefined && this.#body.left === undefined && !this.#body.isChunked)
      this.#finish(this.#body)
  }

  #step(): boolean {
    const body = this.#body
    if (body === undefined) return this.#readHead()
    if (body.isChunked) return this.#readChunk(body)
    const part = body.left === undefined ? this.#bytes : this.#bytes.subarray(0, body.left)
    body.parts.push(part)
    this.#bytes = this.#bytes.subarray(part.length)
    if (body.left === undefined) return false
    body.left -= part.length
    if (body.left > 0) return false
    this.#finish(body)
    return true
  }

  #readHead(): boolean {
    const end = this.#bytes.indexOf(END_OF_HEAD)
    if (end === -1) {
      if (this.#bytes.length > MAX_HEAD) throw new Error('the head of an answer has no end')
      return false
    }
    const head = headOf(this.#bytes.subarray(0, end).toString('latin1'))
    this.#bytes = this.#bytes.subarray(end + END_OF_HEAD.length)
    if (head.status >= 100 && head.status < 200 && head.status !== 101) return true
    const length = head.headers.get('content-length')
    const isChunked = /chunked/i.test(head.headers.get('transfer-encoding') ?? '')
    const isEmpty =
      this.#isBodiless() || head.status === 204 || head.status === 304 || length === '0'
    const body: Body = {
      head,
      isChunked,
      left: isEmpty ? 0 : length === undefined ? undefined : Number(length),
      parts: [],
    }
    if (isEmpty) this.#finish(body)
    else this.#body = body
    return true
  }

  #readChunk(body: Body): boolean {
    const end = this.#bytes.indexOf('\r\n')
    if (end === -1) return false
    const size = Number.parseInt(this.#bytes.subarray(0, end).toString('latin1'), 16)
    if (!Number.isSafeInteger(size)) throw new Error('an answer has a chunk without a size')
    if (this.#bytes.length < end + size + 4) return false
    body.parts.push(this.#bytes.subarray(end + 2, end + 2 + size))
    this.#bytes = this.#bytes.subarray(end + size + 4)
    if (size === 0) this.#finish(body)
    return true
  }

  #finish({ head, parts }: Body): void {
    this.#body = undefined
    this.#onAnswer({ ...head, body: Buffer.concat(parts) })
  }
}

function headOf(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]
  if (status === undefined)
    throw new Error(`an answer begins with ${JSON.stringify(first.slice(0, 80))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const at = line.indexOf(':')
    const [name, value] = [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return { status: Number(status), headers }
}
