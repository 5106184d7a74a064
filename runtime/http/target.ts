// What a request asks for, as it came: path and query.
import type { IncomingMessage } from 'node:http'

/**
 * The path as it came, without its query; the absolute form loses scheme and host. Clients that
 * put an address with a final slash before a path make two of it: they begin a path like one.
 */
export function pathOf(req: IncomingMessage): string {
  const url = originForm(req.url ?? '/')
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** The text after '?'. */
export function queryOf(req: IncomingMessage): string {
  const url = req.url ?? ''
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

function originForm(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  return path.startsWith('//') ? path.replace(/^\/+/, '/') : path
}
