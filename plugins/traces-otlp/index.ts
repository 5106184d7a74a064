// Traces by OTLP over HTTP, with OpenTelemetry's SDK: requests, submissions, commits, statements
// and runs of automations. Off unless the configuration names it; nothing is loaded before. The
// SDK is no dependency of the package: who wants traces installs it. docs/observability.md
import type { ExtensionService, Finding } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import { options } from './options.ts'
import type { Settings } from './options.ts'

const INSTALL =
  'npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/resources ' +
  '@opentelemetry/exporter-trace-otlp-http'

// Outside of the definition, since the compiler leaves the file's name as it is within it.
const sender = () => import('./sender.ts')

/** Sends spans to a collector. */
export default definePlugin({
  kind: 'extension',
  name: 'traces-otlp',
  summary: 'Sends traces to a collector by OTLP',
  topic: 'server',
  gathersSpans: true,
  options,
  examine: async (_host, settings) => [await examineCollector(settings)],
  setup: async (host, settings): Promise<ExtensionService> => {
    const { createSender } = await sender().catch((error: unknown) => {
      throw new Error(`it needs the SDK of OpenTelemetry: ${INSTALL}`, { cause: error })
    })
    const { gatherer, health, stop } = createSender(settings, host)
    return { spans: gatherer, health, stop }
  },
})

async function examineCollector({ endpoint, headers, timeoutMs }: Settings): Promise<Finding> {
  const { host } = new URL(endpoint)
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (answer.ok) return { outcome: 'ok', text: `the collector at ${host} takes traces` }
    return {
      outcome: 'warning',
      text: `the collector at ${host} answers ${answer.status}`,
      advice: 'check endpoint (its path is /v1/traces) and headers',
    }
  } catch {
    return {
      outcome: 'warning',
      text: `the collector at ${host} cannot be reached`,
      advice: 'start it, or correct endpoint; the service runs without it and drops its spans',
    }
  }
}
