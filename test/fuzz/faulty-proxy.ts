// A service that answers wrongly now and then: the real one, behind a proxy that spoils some of its
// answers, each in a way that the fuzz has to see.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export const FAULTS = [
  'failure',
  'stack',
  'half a body',
  'no answer',
  'let in',
  'lost user',
] as const
export type Fault = (typeof FAULTS)[number]

export interface FaultyProxy {
  readonly port: number
  /** The number of times that each fault was played. */
  readonly played: ReadonlyMap<Fault, number>
  stop(): Promise<void>
}

/** Faults that any answer can have, one in so many. */
const COMMON: readonly Fault[] = ['failure', 'stack', 'half a body', 'no answer']
const EVERY = 20

export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const played = new Map<Fault, number>()
  let count = 0
  const server = createServer((req, res) => {
    count += 1
    const common = count % EVERY === 0 ? COMMON[(count / EVERY) % COMMON.length] : undefined
    answer(target, req, res, common).then(
      (problem) => {
        if (problem !== undefined) played.set(problem, (played.get(problem) ?? 0) + 1)
      },
      () => res.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    played,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers which fault was played. */
async function answer(
  target: number,
  req: IncomingMessage,
  res: ServerResponse,
  common: Fault | undefined,
): Promise<Fault | undefined> {
  const body = await buffer(req)
  if (common === 'no answer') {
    // Of the response alone Node would not hear while it waits behind another.
    req.socket.destroy()
    return common
  }
  if (req.method === 'POST' && req.url === '/v2/users' && body.length > 0) {
    send(res, 200, OF_ITS_OWN, JSON.stringify({ user: { ...USER, id: `lost-${Date.now()}` } }))
    return 'lost user'
  }
  const { status, headers, text } = await forward(target, req, body)
  const problem = status === 401 ? 'let in' : common
  const spoilt = problem === undefined ? undefined : spoil(problem, status, text)
  if (spoilt === undefined) send(res, status, headers, text)
  else send(res, spoilt.status, spoilt.status === status ? headers : OF_ITS_OWN, spoilt.text)
  return spoilt === undefined ? undefined : problem
}

const OF_ITS_OWN = {
  'content-type': 'application/json',
  traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
}
const USER = {
  primaryParty: '',
  isDeactivated: false,
  identityProviderId: '',
  primaryPartyAuthentication: false,
}

function spoil(
  problem: Fault,
  status: number,
  text: Buffer,
): { readonly status: number; readonly text: string } | undefined {
  switch (problem) {
    case 'failure':
      return { status: 500, text: '{"error":"An unexpected error occurred."}' }
    case 'stack':
      return status < 400
        ? undefined
        : {
            status,
            text: `${text.toString()}\n    at handler (file:///srv/runtime/http/serve.ts:47:17)`,
          }
    case 'half a body':
      return status === 200 && text.length > 1
        ? { status, text: text.subarray(0, text.length / 2).toString() }
        : undefined
    case 'let in':
      return { status: 200, text: '{}' }
    default:
      return undefined
  }
}

function send(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string | Buffer,
): undefined {
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

interface Forwarded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: Buffer
}

/** Headers of a connection of its own, or of the body as it was coded on it. */
const HOP = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'transfer-encoding',
])

/** Forwards a request; what cannot be is refused as the server of Node would. */
async function forward(
  port: number,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> {
  const kept = ([name]: readonly [string, unknown]): boolean => !HOP.has(name)
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      headers: Object.entries(headers)
        .filter(kept)
        .map(([name, value]): [string, string] => [name, String(value)]),
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    })
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(kept)),
      text: Buffer.from(await answer.arrayBuffer()),
    }
  } catch {
    return { status: 400, headers: {}, text: Buffer.from('Bad Request') }
  }
}
