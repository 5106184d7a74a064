// Koa's middleware without what Koa adds to each request for answers of any kind: one promise more
// and five listeners. docs/decisions/0014-one-way-in.md
import Koa, { type Context } from 'koa'
import compose from 'koa-compose'

/** Statuses without a body, whatever is given. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

/** Koa's writing of an answer, for those that are no plain text or bytes. */
class KoaWriter extends Koa {
  private given: Context | undefined = undefined
  private readonly respond = this.callback()

  override createContext(...request: Parameters<Koa['createContext']>): Context {
    return this.given ?? super.createContext(...request)
  }

  /** Writes the answer that stands in the context. */
  write(context: Context): void {
    const { req, res } = context
    const { statusCode } = res
    this.given = context
    void this.respond(req, res)
    // Koa begins each answer as one that is not found, and writes it when its promises are through.
    res.statusCode = statusCode
  }
}

/**
 * Takes a request through the middleware of `app` and then writes the answer, as `app.callback()`
 * does: answers and errors are the same.
 */
export function chainOf(app: Koa): (context: Context) => void {
  const run = compose(app.middleware)
  const koa = new KoaWriter()
  return (context) => {
    context.res.statusCode = 404
    run(context)
      .then(() => {
        if (!writePlain(context)) koa.write(context)
      })
      .catch((error: unknown) => context.onerror(asError(error)))
  }
}

/** False where the answer is not text or bytes with a status that may have them. */
function writePlain(context: Context): boolean {
  const { res, body } = context
  if (context.respond === false || !context.writable) return false
  if (context.method === 'HEAD' || EMPTY.has(res.statusCode)) return false
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return false
  res.end(body)
  return true
}

/** A thrown value as an error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
