// Options of the plugin `traces-otlp`. docs/observability.md
import { z } from 'zod'

export const options = z.strictObject({
  /** Address of a collector of traces. */
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .default('http://127.0.0.1:4318/v1/traces'),
  /** Sent with each request to it, such as an authorization by `{ file: … }`. */
  headers: z.record(z.string().min(1), z.string()).default({}),
  /** Share of the traces beginning here that is kept; those of callers are as they say. */
  ratio: z.number().min(0).max(1).default(1),
  /** `service.name` of all spans. */
  serviceName: z.string().min(1).default('ledgerwright'),
  /** How long spans wait to be sent together. */
  delayMs: z.int().min(10).max(60_000).default(5_000),
  /** Spans that wait at most; more are dropped. */
  maxQueue: z.int().min(1).max(1_000_000).default(8_192),
  /** How long the collector may take for an answer. */
  timeoutMs: z.int().min(10).max(60_000).default(10_000),
})

export type Settings = z.output<typeof options>
