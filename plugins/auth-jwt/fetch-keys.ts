// Fetches a key set: within limits of time and size, no redirect, only from addresses that are
// allowed. Names are looked up once, every answer is checked, and the connection goes to a checked
// address: what a name means cannot change in between.
import { lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { AddressRule } from './addresses.ts'

export interface FetchLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly allowHttp: boolean
  readonly mayReach: AddressRule
}

/**
 * The text that the address answers with 200. Rejects with an Error whose message says what was
 * wrong, in one line.
 */
export async function fetchText(url: URL, limits: FetchLimits): Promise<string> {
  const problem = addressProblem(url, limits)
  if (problem !== undefined) throw new Error(problem)
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    return await readBody(await respond(url, limits, signal), limits)
  } catch (error) {
    throw signal.aborted ? new Error(`took longer than ${limits.timeoutMs} ms`) : error
  }
}

/**
 * Why nothing is ever fetched from there; undefined where that cannot be told beforehand. An
 * address that is written as a number is never looked up, so it is checked here.
 */
export function addressProblem(
  { protocol, hostname }: URL,
  { allowHttp, mayReach }: Pick<FetchLimits, 'allowHttp' | 'mayReach'>,
): string | undefined {
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
    return `${protocol} is not allowed`
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) !== 0 && !mayReach(literal) ? notAllowed : undefined
}

const notAllowed = 'the address is not public, and not among those that the configuration allows'

function respond(
  url: URL,
  { mayReach }: FetchLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    // No agent: a connection that somebody else opened was checked by nobody.
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
    const options = { agent: false, signal, lookup: checkedLookup(mayReach), headers }
    request(url, options).once('error', reject).once('response', resolve).end()
  })
}

function checkedLookup(mayReach: AddressRule): LookupFunction {
  return (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => mayReach(address)))
        return done(new Error(notAllowed), '')
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}

async function readBody(response: IncomingMessage, { maxBytes }: FetchLimits): Promise<string> {
  const { statusCode, headers } = response
  try {
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new Error('answered with an encoding that was not asked for')
    const parts: Buffer[] = []
    let size = 0
    for await (const part of response.iterator({ destroyOnReturn: true })) {
      size += part.length
      if (size > maxBytes) throw new Error(`is longer than ${maxBytes} bytes`)
      parts.push(part)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } finally {
    response.destroy()
  }
}
