// Answers in the book: counted before their handler runs, by the size of the operation's last
// answer, and again when they exist. docs/decisions/0017-unread-answers.md
import type { Socket } from 'node:net'
import type { Holding } from '../work/book.ts'
import { SMALL_BYTES } from '../work/limits.ts'
import type { Exchange } from './exchange.ts'
import { fullProblem, type Problem } from './problem.ts'

/**
 * Makes room for what the operation will probably answer; a problem where its caller leaves too
 * much unread.
 */
export function reserveAnswer<P>(exchange: Exchange<P>): Problem | undefined {
  const { sizes, book } = exchange.shared
  const expected = sizes.expected(exchange.route.operation)
  const full = expected === 0 ? undefined : opened(exchange).reserve(expected)
  return full === undefined ? undefined : fullProblem(book, 'unread', full)
}

/**
 * Counts an answer, given its bytes, before it is sent: it counts until the client has read it, and
 * is cut where that takes long. What it tells has been done, so it is not refused any more: older
 * answers give way.
 */
export function holdAnswer<P>(exchange: Exchange<P>, bytes: number): void {
  const {
    shared: { sizes },
    route: { operation },
    arrival: { req },
  } = exchange
  if (req.socket.destroyed) return
  if (bytes <= SMALL_BYTES && sizes.expected(operation) === 0) return
  sizes.learn(operation, bytes)
  if (bytes <= SMALL_BYTES) return exchange.held?.close()
  opened(exchange).force(bytes)
  limitReading(exchange)
}

function opened<P>(exchange: Exchange<P>): Holding {
  if (exchange.held !== undefined) return exchange.held
  const {
    shared: { book },
    arrival: { req, res },
  } = exchange
  const answer = book.open(exchange.caller, 'unread', () => req.socket.destroy())
  const onSocket = answersOf(req.socket).add(answer)
  res.once('close', () => {
    onSocket.delete(answer)
    answer.close()
  })
  return (exchange.held = answer)
}

/** Answers by connection: one that waits behind others is not told that it is closed. */
const ANSWERS = new WeakMap<Socket, Set<Holding>>()

function answersOf(socket: Socket): Set<Holding> {
  const known = ANSWERS.get(socket)
  if (known !== undefined) return known
  const answers = new Set<Holding>()
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
function limitReading<P>({ shared: { limits }, arrival: { res } }: Exchange<P>): void {
  res.setTimeout(limits.slowReaderMs)
  // Before Node sets the time for the next request.
  res.prependOnceListener('finish', () => res.setTimeout(0))
}
