// What is no proper HTTP at all, through a bare socket: the service answers with a refusal or
// closes, and lives on.
import { connect } from 'node:net'
import type { Dice } from '../drive/dice.ts'

export interface RawCase {
  readonly name: string
  readonly parts: readonly (string | Buffer)[]
  /** Closes the connection after the last part, in place of waiting. */
  readonly hangsUp?: true
}

export interface RawOutcome {
  readonly received: string
  readonly isClosed: boolean
}

const HEAD = 'POST /v2/users HTTP/1.1\r\nHost: localhost\r\n'
const GET = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n'
const UPGRADE =
  'GET /v2/updates HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
/** Enough for an answer on a busy machine; who stays silent is let go. */
const SILENCE_MS = 400

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['nothing but a line end', ['\r\n\r\n\r\n']],
  ['HTTP/0.9', ['GET /livez\r\n']],
  ['HTTP/1.0', ['GET /livez HTTP/1.0\r\n\r\n']],
  ['HTTP/9.9', ['GET /livez HTTP/9.9\r\nHost: localhost\r\n\r\n']],
  ['HTTP/2 preface', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['no host', ['GET /livez HTTP/1.1\r\n\r\n']],
  ['two hosts', [`${GET}Host: y\r\n\r\n`]],
  ['odd host', ['GET /livez HTTP/1.1\r\nHost: a b/c@d\r\n\r\n']],
  [
    'length and chunks',
    [`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ],
  ['coded and no body', [`${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n`]],
  ['two lengths', [`${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`]],
  ['negative length', [`${HEAD}Content-Length: -1\r\n\r\n`]],
  ['length of letters', [`${HEAD}Content-Length: ten\r\n\r\n`]],
  ['huge length', [`${HEAD}Content-Length: 99999999999999999999\r\n\r\n`]],
  ['length too small', [`${HEAD}Content-Length: 2\r\n\r\n{}{"a":1}GET / HTTP/1.1\r\n\r\n`]],
  ['chunk of letters', [`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]],
  ['huge chunk', [`${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx`]],
  [
    'chunk extension',
    [`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
  ],
  ['trailers', [`${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`]],
  ['blank before colon', [`${GET}X : y\r\n\r\n`]],
  ['folded header', [`${GET}X: y\r\n z\r\n\r\n`]],
  ['line feeds only', ['GET /livez HTTP/1.1\nHost: localhost\n\n']],
  ['NUL in a header', [`${GET}X: a\0b\r\n\r\n`]],
  ['bare CR', [`${GET}X: a\rb\r\n\r\n`]],
  ['long line', [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`]],
  ['long header', [`${GET}X: ${'y'.repeat(100_000)}\r\n\r\n`]],
  ['many headers', [`${GET}${'a: b\r\n'.repeat(5_000)}\r\n`]],
  ['absolute form', ['GET http://localhost/livez HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['star', ['OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['authority', ['CONNECT x:443 HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['no path', ['GET  HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['relative path', ['GET livez HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['odd target', ['GET //evil.example/livez HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['bad absolute form', ['GET http://[::bad/livez HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['bytes in the target', ['GET /\xff\xfe\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['upgrade without a key', [`${UPGRADE}\r\n`]],
  [
    'upgrade without a token',
    [
      `${UPGRADE}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      '\x81\x85\x00\x00\x00\x00hello',
    ],
  ],
  [
    'upgrade with an odd protocol',
    [
      `${UPGRADE}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: jwt.token.x, ,;\r\n\r\n`,
    ],
  ],
  [
    'upgrade of a path that has none',
    [
      UPGRADE.replace('/v2/updates', '/v2/users') +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ],
  ],
  [
    'upgrade of an odd path',
    [
      `${UPGRADE.replace('/v2/updates', '/%ED%A0%80')}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    ],
  ],
  ['expectation and no body', [`${HEAD}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`]],
  ['in pieces', ['GE', 'T /li', 'vez HTTP/1.1\r', '\nHost: localhost\r\n\r', '\n']],
  ['many at once', [`${GET}\r\n`.repeat(200)]],
  ['a good one and garbage', [`${GET}\r\n\x00\x01\x02\x03\r\n\r\n`]],
]
const CUT: readonly (readonly [string, readonly string[]])[] = [
  ['head cut off', ['GET /livez HTT']],
  ['headers cut off', [`${GET}X: y`]],
  [
    'body cut off',
    [`${HEAD}Content-Length: 100\r\nContent-Type: application/json\r\n\r\n{"user":`],
  ],
  ['chunk cut off', [`${HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n{"user"`]],
  ['gone at once', ['']],
  ['gone after the request', [`${GET}\r\n`]],
  ['gone after many', [`${GET}\r\n`.repeat(50)]],
]

export function rawCase(dice: Dice): RawCase {
  const kind = dice.kind({ odd: 8, cut: 3, random: 2, tls: 1, broken: 4 })
  switch (kind) {
    case 'odd':
      return plain(dice.pick(CASES))
    case 'cut':
      return { ...plain(dice.pick(CUT)), hangsUp: true }
    case 'random':
      return { name: 'random bytes', parts: [dice.bytes(dice.between(1, 300)), '\r\n\r\n'] }
    case 'tls':
      return {
        name: 'TLS',
        parts: [Buffer.from('16030100c8010000c40303', 'hex'), dice.bytes(200)],
      }
    case 'broken': {
      const [name, parts] = dice.pick(CASES)
      const bytes = Buffer.from(parts.join(''), 'latin1')
      bytes[dice.between(0, bytes.length - 1)] = dice.between(0, 255)
      return { name: `${name}, another byte`, parts: [bytes] }
    }
  }
}

function plain([name, parts]: readonly [string, readonly string[]]): RawCase {
  return { name, parts }
}

/** Sends a case, and gathers what comes until the server closes or falls silent. */
export async function sendRaw(port: number, { parts, hangsUp }: RawCase): Promise<RawOutcome> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let [received, isClosed] = ['', false]
  const done = new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), SILENCE_MS)
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1')
      timer.refresh()
    })
    socket.on('end', () => {
      isClosed = true
    })
    // The server may close while parts are on their way.
    socket.on('error', () => {
      isClosed = true
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  socket.once('connect', () => {
    for (const part of parts)
      socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    if (hangsUp === true) setTimeout(() => socket.destroy(), 2)
  })
  await done
  return { received, isClosed }
}

/** Problem of what came; undefined where there is none. */
export function rawProblem({ received }: RawOutcome): string | undefined {
  const bad = /^HTTP\/1\.1 5\d\d.*/m.exec(received)?.[0]
  if (bad !== undefined) return `answered ${bad.trim()}`
  const stack = /\n\s+at .+:\d+:\d+|node_modules|TypeError/.exec(received)?.[0]
  return stack === undefined ? undefined : `the answer shows ${stack}`
}

/** The case as a command that sends the same bytes. */
export function rawCommand(port: number, { parts }: RawCase): string {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return `printf %s '${bytes.toString('base64')}' | base64 -d | nc -q 2 127.0.0.1 ${port}`
}
