// Elements of a stream on their way out: a piece at a time, the next one when the system has taken
// the one before, so that a client that does not read holds up its stream and nothing piles up.
import type { WebSocket } from 'ws'
import type { Exchange } from './exchange.ts'
import { stringifyJson } from './json.ts'
import { largeJson } from './json-slices.ts'

/** A websocket, and the exchange that it belongs to. */
export interface Outlet<P> {
  readonly exchange: Exchange<P>
  readonly socket: WebSocket
}

/** Texts of elements, which several streams may share. */
const TEXTS = new WeakMap<object, string>()

/** The text of an element, in slices where it is long. */
function textOf(item: unknown): string | Iterable<string> {
  const known = typeof item === 'object' && item !== null ? TEXTS.get(item) : undefined
  const text = known ?? largeJson(item, true) ?? stringifyJson(item, true)
  if (typeof text === 'string' && typeof item === 'object' && item !== null) TEXTS.set(item, text)
  return text
}

/** Keeps nothing of one element while it waits for the next; false where there is none. */
export async function sendNext<P>(
  outlet: Outlet<P>,
  elements: AsyncIterator<unknown>,
): Promise<boolean> {
  const { done, value } = await elements.next()
  return done !== true && send(outlet, value)
}

/** True once the system has taken the element, false where the stream is over. */
function send<P>(outlet: Outlet<P>, item: unknown): Promise<boolean> | boolean {
  const text = textOf(item)
  return typeof text === 'string' ? sendPiece(outlet, text, true) : sendSlices(outlet, text)
}

/** One message of many frames, each made when the system has taken the one before. */
async function sendSlices<P>(outlet: Outlet<P>, slices: Iterable<string>): Promise<boolean> {
  for (const slice of slices) {
    if (!(await sendPiece(outlet, slice, false))) return false
    await outlet.exchange.shared.scheduler.enter('long', outlet.exchange.caller)
  }
  return sendPiece(outlet, '', true)
}

function sendPiece<P>(outlet: Outlet<P>, text: string, fin: boolean): Promise<boolean> | boolean {
  const { socket } = outlet
  if (socket.readyState !== socket.OPEN) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.send(text, { fin }, (error) => resolve(error === undefined || error === null))
  return socket.bufferedAmount === 0 || taken(outlet, promise)
}

/**
 * Counts what the system has not taken until it has, unless the handler counts more. A client that
 * reads nothing for too long is cut.
 */
async function taken<P>({ exchange, socket }: Outlet<P>, sent: Promise<boolean>): Promise<boolean> {
  const { book, limits } = exchange.shared
  const unsent = book.open(exchange.caller, 'unread', () => socket.terminate())
  if ((exchange.held?.amount ?? 0) < socket.bufferedAmount) unsent.force(socket.bufferedAmount)
  const { slowReaderMs } = limits
  const timer = slowReaderMs > 0 ? setTimeout(() => socket.terminate(), slowReaderMs) : undefined
  try {
    return await sent
  } finally {
    clearTimeout(timer)
    unsent.close()
    exchange.held?.moved()
  }
}
