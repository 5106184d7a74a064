// Sends one body many times at once, in a process of its own, and says what was answered.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Framing } from './bodies-shapes.ts'

/** One round of requests. */
export interface Round {
  readonly port: number
  readonly line: string
  readonly token: string | undefined
  /** The file that holds the body. */
  readonly file: string
  readonly framing: Framing
  readonly count: number
}

/** Answers by status; 0 where the connection broke without one. */
export type Statuses = Readonly<Record<string, number>>

const LIMIT_MS = 120_000
const CHUNK_BYTES: Readonly<Record<Framing, number>> = {
  length: 0,
  chunks: 16_384,
  'tiny chunks': 1,
}

function wireOf({ line, token, framing }: Round, body: Buffer): Buffer {
  const size = CHUNK_BYTES[framing]
  const length = size === 0 ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked'
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}${length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), size === 0 ? body : chunked(body, size)])
}

function chunked(body: Buffer, size: number): Buffer {
  const frame = size.toString(16)
  const whole = Math.floor(body.length / size)
  const out = Buffer.alloc(whole * (frame.length + 4 + size))
  for (let at = 0, to = 0; at < whole; at += 1) {
    to += out.write(`${frame}\r\n`, to, 'latin1')
    to += body.copy(out, to, at * size, (at + 1) * size)
    to += out.write('\r\n', to, 'latin1')
  }
  return Buffer.concat([out, Buffer.from('0\r\n\r\n')])
}

function send(port: number, wire: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(wire))
    const timer = setTimeout(() => socket.destroy(), LIMIT_MS)
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (/^HTTP\/1\.1 \d{3}[^]*\r\n\r\n/.test(text)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? '0')
    })
  })
}

async function run(round: Round): Promise<Statuses> {
  const wire = wireOf(round, readFileSync(round.file))
  const answers = await Promise.all(
    Array.from({ length: round.count }, () => send(round.port, wire)),
  )
  return Object.fromEntries(
    [...new Set(answers)]
      .sort()
      .map((status) => [status, answers.filter((answer) => answer === status).length]),
  )
}

process.on(
  'message',
  (round: Round) => void run(round).then((statuses) => process.send?.(statuses)),
)
process.send?.('ready')
