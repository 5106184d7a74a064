// Lets pages of any origin read a mock: its answers are not secret, and the page in development has
// another port. The usual library names the headers that a page may read once for all answers. With
// cookies, `*` means none, and each operation declares its own headers, so this is written by hand.
// https://fetch.spec.whatwg.org/#http-cors-protocol
import type { Middleware } from 'koa'

const PREFLIGHT_SECONDS = '600'

/** Koa middleware: answers preflights, and opens every other answer to the origin that asks. */
export const browserAccess: Middleware = async (ctx, next) => {
  const origin = ctx.get('Origin')
  if (origin === '') return next()
  ctx.vary('Origin')
  // With cookies, `*` is no answer: the origin has to be named.
  ctx.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
  })
  const method = ctx.get('Access-Control-Request-Method')
  if (ctx.method === 'OPTIONS' && method !== '') {
    ctx.set({
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers'),
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    ctx.status = 204
    return undefined
  }
  await next()
  ctx.set('Access-Control-Expose-Headers', Object.keys(ctx.response.headers).join(', '))
  return undefined
}
