// A server for tests, in this process, on a free port.
import { createApp } from '../src/app.ts'

const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silent,
}

/** Starts it. */
export async function start({ isProduction = false } = {}): Promise<{
  readonly url: string
  stop(): Promise<unknown>
}> {
  const app = await createApp({ log: silent, isProduction })
  const { port } = await app.listen(0, '127.0.0.1')
  return { url: `http://127.0.0.1:${port}`, stop: () => app.drain(1_000) }
}
