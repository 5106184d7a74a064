// One server of bench/http.ts as a process: `node http-server.ts VARIANT DIR` prints its port and
// answers until killed.
import type { Middleware } from 'koa'
import { addDuties } from './http-dutiful.ts'
import { serveProduct } from './http-product.ts'
import { serveTraced } from './http-traced.ts'
import { serveFastify, serveKoa, serveNode } from './http-references.ts'

const [variant = '', dir = ''] = process.argv.slice(2)

/** A middleware as a user would mount it: it looks at the answer after us. */
const userMiddleware: Middleware = async (context, next) => {
  await next()
  context.set('X-Served-By', 'bench')
}

const VARIANTS: Readonly<Record<string, () => Promise<number>>> = {
  product: () => serveProduct(dir),
  'product with traces': () => serveTraced(dir, 1),
  'product with one trace in a hundred': () => serveTraced(dir, 0.01),
  'product without guard': () => serveProduct(dir, { guard: true }),
  'product without log': () => serveProduct(dir, { log: true }),
  'product without metrics': () => serveProduct(dir, { metrics: true }),
  'product without all three': () => serveProduct(dir, { guard: true, log: true, metrics: true }),
  'product with middleware': () => serveProduct(dir, {}, undefined, [userMiddleware]),
  'dutiful fastify': () => serveFastify(dir, (app) => addDuties(app, dir)),
  koa: serveKoa,
  fastify: () => serveFastify(dir),
  node: serveNode,
}

const start = VARIANTS[variant]
if (start === undefined) throw new Error(`variants: ${Object.keys(VARIANTS).join(', ')}`)
console.log(await start())
