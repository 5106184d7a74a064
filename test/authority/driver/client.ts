// Requests over kept connections: a step of the test is a dozen of them, and node:http takes half
// the time of fetch.
import { Agent, request } from 'node:http'

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

export function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true })
  return {
    ask: (line, token, body) =>
      new Promise((resolve, reject) => {
        const [method, path] = line.split(' ')
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const headers = {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        }
        const sent = request(
          { host: '127.0.0.1', port, method, path, headers, agent },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk
            })
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, text, json: jsonOf(text) }),
            )
            response.on('error', reject)
          },
        )
        sent.on('error', reject).end(payload)
      }),
    close: () => agent.destroy(),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
