// Answers that wait to be read: counted before their handler runs, by the size of the operation's
// last answer, and again when they exist.
import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import type { Problem } from './problem.ts'
import type { UnreadAnswer } from './unread-answers.ts'
import { SMALL_ANSWER_BYTES } from './unread-answers.ts'

/**
 * Makes room for what the operation will probably answer; a problem where its caller leaves too
 * much unread.
 */
export function reserveAnswer<P>(exchange: Exchange<P>): Problem | undefined {
  const { unread } = exchange.shared
  const expected = unread.expected(exchange.route.operation)
  const full = expected === 0 ? undefined : opened(exchange).reserve(expected)
  const { maxUnreadBytes, maxUnreadBytesPerAddress } = unread.limits
  switch (full) {
    case 'all':
      return { kind: 'too-many-answers', limitBytes: maxUnreadBytes }
    case 'address':
      return { kind: 'too-many-answers-of-address', limitBytes: maxUnreadBytesPerAddress }
    default:
      return undefined
  }
}

/**
 * To be called with the bytes of an answer before it is sent: it counts until the client has read
 * it, and is cut where that takes long.
 */
export function holdAnswer<P>(exchange: Exchange<P>, bytes: number): void {
  const {
    shared: { unread },
    route: { operation },
    arrival: { req },
  } = exchange
  if (req.socket.destroyed) return
  if (bytes <= SMALL_ANSWER_BYTES && unread.expected(operation) === 0) return
  unread.learn(operation, bytes)
  if (bytes <= SMALL_ANSWER_BYTES) return exchange.unread?.close()
  opened(exchange).send(bytes)
  limitReading(exchange)
}

function opened<P>(exchange: Exchange<P>): UnreadAnswer {
  if (exchange.unread !== undefined) return exchange.unread
  const {
    shared: { unread },
    arrival: { req, res },
  } = exchange
  const answer = unread.open(req.socket.remoteAddress ?? '', () => req.socket.destroy())
  const onSocket = answersOf(req.socket).add(answer)
  res.once('close', () => {
    onSocket.delete(answer)
    answer.close()
  })
  return (exchange.unread = answer)
}

/** By connection: an answer that waits behind others is not told that it is closed. */
const ANSWERS = new WeakMap<Socket, Set<UnreadAnswer>>()

function answersOf(socket: Socket): Set<UnreadAnswer> {
  const known = ANSWERS.get(socket)
  if (known !== undefined) return known
  const answers = new Set<UnreadAnswer>()
  ANSWERS.set(socket, answers)
  socket.once('close', () => {
    for (const answer of answers) answer.close()
  })
  return answers
}

/**
 * Node destroys a connection without listener whose time is over; what the system takes of an
 * answer begins it anew.
 */
function limitReading<P>({ shared: { unread }, arrival: { res } }: Exchange<P>): void {
  res.setTimeout(unread.limits.slowReaderMs)
  // Before Node sets the time for the next request.
  res.prependOnceListener('finish', () => res.setTimeout(0))
}
