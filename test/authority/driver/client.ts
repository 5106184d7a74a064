// Requests over kept connections: a step of the test is a dozen of them.
import { createSender } from '../../../runtime/testing/conform/sender.ts'

export interface Reply {
  readonly status: number
  readonly text: string
  /** Undefined where the text is not JSON. */
  readonly json: unknown
}

export interface Client {
  /** `POST /v2/users`, as the token's user. */
  ask(line: string, token?: string, body?: unknown): Promise<Reply>
  close(): void
}

const CONNECTIONS = 16
const TIMEOUT_MS = 60_000

export function createClient(port: number): Client {
  const url = new URL(`http://127.0.0.1:${port}`)
  const sender = createSender({ url, connections: CONNECTIONS, timeoutMs: TIMEOUT_MS })
  return {
    ask: async (line, token, body) => {
      const [method = '', target = ''] = line.split(' ')
      const headers: (readonly [string, string])[] = []
      if (token !== undefined) headers.push(['authorization', `Bearer ${token}`])
      if (body !== undefined) headers.push(['content-type', 'application/json'])
      const payload = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
      const answer = await sender.send({ method, target, headers, ...payload })
      const text = answer.body.toString()
      return { status: answer.status, text, json: jsonOf(text) }
    },
    close: () => sender.close(),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
