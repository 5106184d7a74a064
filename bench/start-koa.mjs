// The least that answers /readyz through Koa: what our start is compared with.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { default: Koa } = await import('koa')
const app = new Koa()
app.use((context) => {
  context.body = { ready: true }
})
app.listen(Number(process.argv[2]), '127.0.0.1')
