// What is done to a request around its body: odd methods, odd encodings of path and query, odd
// headers, other content types.
import type { Dice } from '../drive/dice.ts'

/** A request as it is written; `target` is latin1, one character a byte. */
export interface Wire {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Buffer
}

export interface MutatedWire {
  readonly name: string
  readonly wire: Wire
  /** The operation is still the one that was meant. */
  readonly isSame: boolean
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'M-SEARCH',
  'get',
  'FOO',
  'CONNECT',
]
/** One that is left out altogether. */
const ABSENT = 'absent'
const TYPES = [
  ABSENT,
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'APPLICATION/JSON',
  'application/json;;;',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/vnd.api+json',
  '*/*',
  'json',
  ';',
  'a/b/c',
  `application/${'x'.repeat(3_000)}`,
  'application/x-ndjson',
  'text/event-stream',
]
const SEGMENTS = [
  '%00',
  '%2F',
  '%2e%2e',
  '..',
  '.',
  '%ED%A0%80',
  '%E0%A4%A',
  '%',
  '%zz',
  '%FF',
  '__proto__',
  'constructor',
  ';',
  '%3B',
  '@',
  ':',
  '*',
  '{contract_id}',
  '%20',
  '+',
  '\xe9',
  '%F0%9F%92%A9',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '%25%32%46',
  '\\',
  '"',
  '<',
  '|',
  '`',
  '%0d%0aX: y',
]
const QUERIES = [
  'x',
  '=',
  '&&&',
  '%',
  'a=%',
  'a=%00',
  'limit=',
  'limit=-1',
  'limit=0',
  'limit=9223372036854775808',
  'limit=1e3',
  'limit=1&limit=2',
  'limit=%20',
  'pageSize=-1',
  'pageSize=2147483648',
  'pageToken=%FF',
  'pageToken=x',
  'pageToken=AAAA',
  'after=x',
  'parties=',
  'parties=a&parties=b',
  'parties[]=a',
  'identity-provider-id=none',
  'identity-provider-id=%00',
  'synchronizerId=x',
  'nonce=-1',
  '__proto__=1',
  'constructor=1',
  'x'.repeat(5_000),
  'a=b;c=d',
  'migration_id=1.5',
  'before=yesterday',
  'party=',
  '?',
  '#x',
  'sender=%ED%A0%80',
]
const HEADERS: readonly (readonly [string, string])[] = [
  ['traceparent', '00-xx-yy-zz'],
  ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`],
  ['traceparent', `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`],
  ['traceparent', `ff-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01-more`],
  ['tracestate', 'x=y,'.repeat(200)],
  ['tracestate', '\xff'],
  ['x-odd', '\xfe\xff'],
  ['x-long', 'x'.repeat(7_000)],
  ['x-too-long', 'x'.repeat(20_000)],
  ['cookie', 'a=b; '.repeat(200)],
  ['accept', 'text/xml'],
  ['accept', '*/*;q=x'],
  ['accept-encoding', 'gzip, br'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-1,5-'],
  ['expect', '100-continue'],
  ['expect', 'the unexpected'],
  ['connection', 'close'],
  ['connection', 'upgrade'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['sec-websocket-protocol', 'jwt.token.x'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-http-method-override', 'DELETE'],
  ['authorization', 'Bearer second'],
  ['content-type', 'text/xml'],
  ['host', 'elsewhere.example'],
  ['origin', 'https://elsewhere.example'],
  ['date', 'never'],
  ['x bad name', '1'],
  ['x-line', 'a\r\nx-more: b'],
  ['te', 'trailers'],
  ['trailer', 'x'],
  ['__proto__', 'x'],
  ['content-length', '0'],
  ['transfer-encoding', 'identity'],
  ['max-forwards', '0'],
  ['keep-alive', 'timeout=0'],
]

/** Changes one thing about a request. */
export function mutateWire(wire: Wire, dice: Dice): MutatedWire {
  switch (
    dice.kind({
      type: 3,
      header: 5,
      query: 4,
      escape: 2,
      path: 4,
      method: 2,
      manyHeaders: 1,
      chunked: 1,
    })
  ) {
    case 'type':
      return {
        name: 'content type',
        isSame: true,
        wire: { ...wire, headers: withType(wire, dice.pick(TYPES)) },
      }
    case 'header':
      return {
        name: 'header',
        isSame: true,
        wire: { ...wire, headers: [...wire.headers, dice.pick(HEADERS)] },
      }
    case 'query':
      return {
        name: 'query',
        isSame: true,
        wire: {
          ...wire,
          target: `${wire.target}${wire.target.includes('?') ? '&' : '?'}${dice.pick(QUERIES)}`,
        },
      }
    case 'escape':
      return {
        name: 'escapes',
        isSame: true,
        wire: { ...wire, target: escaped(wire.target, dice) },
      }
    case 'path':
      return {
        name: 'path',
        isSame: false,
        wire: { ...wire, target: oddPath(wire.target, dice) },
      }
    case 'method':
      return { name: 'method', isSame: false, wire: { ...wire, method: dice.pick(METHODS) } }
    case 'manyHeaders':
      return {
        name: 'many headers',
        isSame: true,
        wire: { ...wire, headers: [...wire.headers, ...many(dice)] },
      }
    case 'chunked':
      return { name: 'chunked', isSame: true, wire: chunked(wire, dice) }
  }
}

function withType({ headers }: Wire, type: string): Wire['headers'] {
  const others = headers.filter(([name]) => name !== 'content-type')
  return type === ABSENT ? others : [...others, ['content-type', type]]
}

function many(dice: Dice): Wire['headers'] {
  return Array.from({ length: dice.pick([50, 300, 1_500]) }, (_, at) => [`x-${at}`, 'y'] as const)
}

/** The same path in another spelling. */
function escaped(target: string, dice: Dice): string {
  const [path = '', query] = splitTarget(target)
  const spelled = path.replaceAll(/%..|[A-Za-z0-9-]/g, (sign) =>
    sign.length === 1 && dice.chance(0.1) ? `%${sign.charCodeAt(0).toString(16)}` : sign,
  )
  return query === undefined ? spelled : `${spelled}?${query}`
}

function oddPath(target: string, dice: Dice): string {
  const [path = '', query] = splitTarget(target)
  const segments = path.split('/')
  const at = dice.between(1, segments.length - 1)
  const odd = dice.pick(SEGMENTS)
  const changed = dice.kind({
    replace: 4,
    insert: 1,
    append: 1,
    drop: 1,
    double: 1,
    slash: 1,
    upper: 1,
    absolute: 1,
  })
  const joined = {
    replace: () => segments.with(at, odd).join('/'),
    insert: () => segments.toSpliced(at, 0, odd).join('/'),
    append: () => `${path}/${odd}`,
    drop: () => segments.toSpliced(at, 1).join('/') || '/',
    double: () => segments.toSpliced(at, 0, '').join('/'),
    slash: () => `${path}/`,
    upper: () => path.toUpperCase(),
    absolute: () => `http://127.0.0.1${path}`,
  }[changed]()
  return query === undefined ? joined : `${joined}?${query}`
}

function splitTarget(target: string): readonly [string, string | undefined] {
  const at = target.indexOf('?')
  return at === -1 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)]
}

/** The body in chunks, some of a byte. */
function chunked(wire: Wire, dice: Dice): Wire {
  const { body } = wire
  if (body === undefined || body.length > 50_000) return wire
  const size = dice.pick([1, 7, 1_000])
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    parts.push(
      Buffer.from(`${part.length.toString(16)}${dice.chance(0.2) ? ';x=y' : ''}\r\n`),
      part,
      Buffer.from('\r\n'),
    )
  }
  return {
    ...wire,
    headers: [...wire.headers, ['transfer-encoding', 'chunked']],
    body: Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]),
  }
}
