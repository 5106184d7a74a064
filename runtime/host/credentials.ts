// What an auth plugin is shown of a request.
import type { IncomingHttpHeaders } from 'node:http'

/** The parts of a request that credentials can stand in. */
export interface Credentials {
  readonly authorization: string | undefined
  /** `Sec-WebSocket-Protocol`, where browsers put the token of a websocket. */
  readonly webSocketProtocol: string | undefined
  readonly remoteAddress: string
  /** All headers as Node gives them, names in lower case; absent where no request is at hand. */
  readonly headers?: IncomingHttpHeaders
  /** Path and query as they came. */
  readonly url?: string
}
