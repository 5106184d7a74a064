// Serves until SIGTERM or Ctrl-C; then requests in flight may end, and no new one is taken.
import { pino } from 'pino'
import { createApp } from './app.ts'

const GRACE_MS = 10_000

const log = pino()
const { PORT = '8080', HOST = '127.0.0.1', NODE_ENV } = process.env
const app = await createApp({ log, isProduction: NODE_ENV === 'production' })
const { address, port } = await app.listen(Number(PORT), HOST)
log.info({ url: `http://${address}:${port}` }, 'ready')

async function stop(signal: string): Promise<void> {
  log.info({ signal }, 'stopping')
  await app.drain(GRACE_MS)
  process.exit()
}

process.once('SIGTERM', (signal) => void stop(signal))
process.once('SIGINT', (signal) => void stop(signal))
