// Which requests mean this server, and come from a page of it or from no page at all. In the
// development profile whoever is heard can be any user, so a page of another origin must not be
// heard, nor one that has pointed its own name here (DNS rebinding). docs/security.md
import type { IncomingMessage } from 'node:http'
import { isLoopback, LOCALHOST } from './loopback.ts'
import type { Listening } from './loopback.ts'

/** The header by which a request is not for this server, or not from a page of it. */
export type ForeignHeader = 'Host' | 'Origin' | 'Sec-Fetch-Site'

/** Undefined for a request that may be answered. */
export type HostCheck = (request: IncomingMessage) => ForeignHeader | undefined

/** A name or an address with or without a port, as browsers write it: nothing else is in it. */
const AUTHORITY = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i
const ORIGIN = /^https?:\/\/(.*)$/i
const MAPPED = /^::ffff:(?=\d+\.)/

/** Whether a text can stand in `server.hosts`. */
export function isHost(text: string): boolean {
  return AUTHORITY.test(text)
}

/**
 * The check of `Host` and `Origin` for a server at an address. Undefined in the production profile
 * without `server.hosts`: there nobody is anybody without a token.
 */
export function hostCheck({
  profile,
  listen: { host, hosts = [] },
}: Listening): HostCheck | undefined {
  if (profile === 'production' && hosts.length === 0) return undefined
  const names = new Set([host.toLowerCase(), ...hosts.map(nameOf)])
  const origins = new Set(hosts.map(withoutDefaultPort))
  return ({ url = '', method, headers, socket }) => {
    const isOwn = (authority: string): boolean => {
      const name = nameOf(authority)
      return name !== undefined && (names.has(name) || isOwnAddress(name, socket.localAddress))
    }
    const target = ABSOLUTE_FORM.exec(url)?.[1]
    const { host: asked, origin } = headers
    if (asked === undefined || !isOwn(asked)) return 'Host'
    if (target !== undefined && !isOwn(target)) return 'Host'
    if (origin !== undefined && !isOwnOrigin(origin, asked, origins)) return 'Origin'
    return isForeignFetch(method, headers) ? 'Sec-Fetch-Site' : undefined
  }
}

/** The host in lower case, without a port and the dot of a name that is written in full. */
function nameOf(authority: string): string | undefined {
  const name = AUTHORITY.exec(authority)?.[1]?.toLowerCase()
  return name?.startsWith('[') === true
    ? URL.parse(`http://${name}`)?.hostname.slice(1, -1)
    : name?.replace(/\.$/u, '')
}

/** No name server has a say in these: a page cannot get them by pointing its own name here. */
function isOwnAddress(name: string, localAddress: string | undefined): boolean {
  return (
    isLoopback(name) ||
    name.endsWith(`.${LOCALHOST}`) ||
    name === localAddress?.replace(MAPPED, '').toLowerCase()
  )
}

/** Whether a page was asked for under the same name and port, or under one of `server.hosts`. */
function isOwnOrigin(origin: string, host: string, origins: ReadonlySet<string>): boolean {
  const authority = ORIGIN.exec(origin)?.[1]
  if (authority === undefined || !isHost(authority)) return false
  const from = withoutDefaultPort(authority)
  return from === withoutDefaultPort(host) || origins.has(from)
}

/** A proxy may name the port that browsers leave out. */
function withoutDefaultPort(authority: string): string {
  return authority.toLowerCase().replace(/:(?:80|443)?$/u, '')
}

/** Whether a browser fetches for a page of another origin, except for a followed link. */
function isForeignFetch(method: string | undefined, headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const isLink =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !isLink || (method !== 'GET' && method !== 'HEAD')
}
