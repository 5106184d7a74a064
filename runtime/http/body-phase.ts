// The phases of the body: its media type, and how it is read, decoded, checked and lifted. What is
// large goes through that a piece a turn of the event loop.
import type { Exchange } from './exchange.ts'
import { fullProblem, type Outcome, type Problem } from './problem.ts'
import type { VerifyBody } from './route.ts'
import type { Issue, WireBody, WireMedia } from './wire.ts'
import {
  announcesBody,
  declaresTooMuch,
  readBody,
  streamBody,
  welcome,
  type ReadBody,
} from './body.ts'
import { decodeBody, jsonReading, type DecodedBody } from './decode.ts'
import { itemsOf } from './item-stream.ts'
import { isUtf8Charset, matchMedia, namedMedia } from './media.ts'
import { invalid, sift } from './violations.ts'

/** Up to here a body is decoded at once, in whatever turn it came. */
const SMALL_BYTES = 4_096
/** Up to here in one turn, which others may share. */
const MEDIUM_BYTES = 65_536

/** What reading costs before and after any step sees it, the collection of its memory above all. */
const BYTES_A_MS = 262_144

const EMPTY = new Uint8Array()

const TOO_FINE: Issue = {
  in: 'body',
  pointer: '',
  keyword: 'syntax',
  message: 'chunks of too few bytes',
}

/** Refuses what the document has no media type for. */
export function mediaType<P>(exchange: Exchange<P>): Outcome {
  const declared = exchange.route.operation.body
  const { req } = exchange.arrival
  if (declared === undefined || !announcesBody(req)) return undefined
  const given = req.headers['content-type']
  if (given === undefined) return undefined
  const media = matchMedia(declared.media, given)
  const fits = media !== undefined && (media.kind !== 'json' || isUtf8Charset(given))
  return fits ? undefined : unsupported(given, declared)
}

function unsupported(got: string, declared: WireBody): Problem {
  return { kind: 'media-type', got, accepted: declared.media.map((one) => one.mediaType) }
}

/** Reads, decodes and checks the body. */
export function body<P>(exchange: Exchange<P>): Promise<Outcome> | Outcome {
  const {
    route: { operation, maxBodyBytes, verify },
    arrival: { req, res },
    shared,
  } = exchange
  const declared = operation.body
  const encoding = req.headers['content-encoding']
  if (declared === undefined)
    return verify === undefined ? undefined : verified(exchange, verify, EMPTY, () => undefined)
  if (encoding !== undefined && encoding !== 'identity')
    return unsupported(`content encoding ${encoding}`, declared)
  const media = matchMedia(declared.media, req.headers['content-type']) ?? declared.media[0]
  if (media === undefined) return undefined
  if (declaresTooMuch(req, maxBodyBytes))
    return { kind: 'body-too-large', limitBytes: maxBodyBytes }
  welcome(req, res)
  if (isStream(media) && verify !== undefined) return unsigned()
  if (isStream(media)) return streamed(exchange, media, declared.required)
  const read = readBody(req, res, {
    limitBytes: maxBodyBytes,
    open: (onDisplaced) => shared.book.open(exchange.network, 'bodies', onDisplaced),
    turn: () => shared.scheduler.enter('short', exchange.caller),
  })
  return read instanceof Promise
    ? read.then((done) => afterRead(exchange, media, declared, done))
    : afterRead(exchange, media, declared, read)
}

function isStream(media: WireMedia): boolean {
  return media.kind === 'binary' || media.kind === 'events' || media.kind === 'json-lines'
}

function streamed<P>(exchange: Exchange<P>, media: WireMedia, required: boolean): Outcome {
  const { req } = exchange.arrival
  // No bytes are a body too, where one is required and its media type says that it is there: an
  // empty file, a stream without items.
  const isEmpty = required && req.headers['content-type'] !== undefined
  if (!announcesBody(req) && !isEmpty) return missing(exchange, required)
  exchange.input.mediaType = namedMedia(media, req.headers['content-type'])
  const isBinary = media.kind === 'binary'
  const stream = streamBody(req, exchange.route.maxBodyBytes, !isBinary)
  const turn = (): Promise<void> | undefined => longTurn(exchange)
  const { json } = exchange.shared.limits
  exchange.input.body = isBinary ? stream : itemsOf(stream, { media, turn, json })
  return undefined
}

function missing<P>(exchange: Exchange<P>, required: boolean): Outcome {
  const issue: Issue = {
    in: 'body',
    pointer: '',
    keyword: 'required',
    message: 'a body is required',
  }
  return required ? sift(exchange, 'body', [issue]) : undefined
}

function afterRead<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  declared: WireBody,
  read: ReadBody,
): Promise<Outcome> | Outcome {
  if (read.kind === 'cut') return read
  if (read.kind === 'too-large')
    return { kind: 'body-too-large', limitBytes: exchange.route.maxBodyBytes }
  if (read.kind === 'overfull') return fullProblem(exchange.shared.book, 'bodies', read.of)
  if (read.kind === 'too-fine') return invalid('body', [TOO_FINE])
  const { hold, bytes } = read
  const { verify } = exchange.route
  const use = (): Promise<Outcome> | Outcome => takeRead(exchange, media, declared.required, bytes)
  const taken = verify === undefined ? use() : verified(exchange, verify, bytes, use)
  if (hold === undefined) return taken
  if (taken instanceof Promise) return taken.finally(() => hold.close())
  hold.close()
  return taken
}

function takeRead<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  required: boolean,
  bytes: Buffer,
): Promise<Outcome> | Outcome {
  const contentType = exchange.arrival.req.headers['content-type']
  const isEmptyText = media.kind === 'text' && contentType !== undefined
  if (bytes.length === 0 && !isEmptyText) return missing(exchange, required)
  return takeBody(exchange, media, bytes, contentType)
}

const unsigned = (): Problem => ({
  kind: 'unauthenticated',
  reason: 'the signature of the body is missing or wrong',
  challenges: ['Signature'],
})

/** Goes on where the bytes are from whom they should be. */
async function verified<P>(
  { route, arrival }: Exchange<P>,
  verify: VerifyBody,
  bytes: Uint8Array,
  goOn: () => Promise<Outcome> | Outcome,
): Promise<Outcome> {
  const { operationId } = route.operation
  const isGenuine = await verify({ operationId, headers: arrival.req.headers, body: bytes })
  return isGenuine ? goOn() : unsigned()
}

/** Takes bytes that are there over into the exchange: decoded, checked and lifted. */
export function takeBody<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  bytes: Buffer,
  contentType: string | undefined,
): Promise<Outcome> | Outcome {
  exchange.bodyBytes = bytes.length
  exchange.shared.scheduler.shares.charge(exchange.sharer, bytes.length / BYTES_A_MS)
  exchange.input.mediaType = namedMedia(media, contentType)
  if (bytes.length > MEDIUM_BYTES) return takeInPieces(exchange, media, bytes, contentType)
  const wait =
    bytes.length > SMALL_BYTES
      ? exchange.shared.scheduler.enter('short', exchange.caller)
      : undefined
  return wait === undefined
    ? takeAtOnce(exchange, media, bytes, contentType)
    : wait.then(() => takeAtOnce(exchange, media, bytes, contentType))
}

function takeAtOnce<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  bytes: Buffer,
  contentType: string | undefined,
): Promise<Outcome> | Outcome {
  const take = (decoded: DecodedBody): Outcome => {
    const checked = checkBody(exchange, media, decoded)
    return checked === 'sound' ? lift(exchange, media) : checked
  }
  const decoded = decodeBody(bytes, media, contentType, exchange.shared.limits.json)
  return decoded instanceof Promise ? decoded.then(take) : take(decoded)
}

const longTurn = <P>(exchange: Exchange<P>): Promise<void> | undefined =>
  exchange.shared.scheduler.enter('long', exchange.caller)

async function takeInPieces<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  bytes: Buffer,
  contentType: string | undefined,
): Promise<Outcome> {
  const place = await exchange.shared.decoding.enter(exchange.caller, bytes.length)
  try {
    await longTurn(exchange)
    // Whoever waited in vain need not be read any more.
    if (exchange.answered || exchange.arrival.res.destroyed) return { kind: 'cut' }
    const { json } = exchange.shared.limits
    const decoded =
      media.kind === 'json'
        ? await readPieces(exchange, jsonReading(bytes, media, json))
        : await decodeBody(bytes, media, contentType, json)
    await longTurn(exchange)
    const checked = checkBody(exchange, media, decoded)
    if (checked !== 'sound') return checked
    await longTurn(exchange)
    return lift(exchange, media)
  } finally {
    place?.leave()
    // What comes next may take its time as well.
    await longTurn(exchange)
  }
}

async function readPieces<P>(
  exchange: Exchange<P>,
  read: () => DecodedBody | undefined,
): Promise<DecodedBody> {
  const pause = exchange.shared.scheduler.parts(exchange.caller, true)
  for (;;) {
    const decoded = read()
    if (decoded !== undefined) return decoded
    await pause()
  }
}

/** `sound` where nothing is wrong; what breaks a constraint only is not, and is reported later. */
function checkBody<P>(
  exchange: Exchange<P>,
  media: WireMedia,
  decoded: DecodedBody,
): Outcome | 'sound' {
  if (!decoded.ok) return invalid('body', decoded.issues)
  const issues: Issue[] = []
  exchange.input.body = decoded.value
  media.check?.(decoded.value, issues)
  return issues.length === 0 ? 'sound' : sift(exchange, 'body', issues)
}

function lift<P>({ input }: Exchange<P>, media: WireMedia): undefined {
  if (media.lift !== undefined) input.body = media.lift(input.body)
}
