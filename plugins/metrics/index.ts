// Prometheus metrics at /metrics, beside the interfaces or on a port of their own: requests by
// interface, operation and status with their durations, the plugins' health, how automations fare,
// what the services measure, and the process itself. docs/operations.md
import { z } from 'zod'
import type { ExtensionService, PluginContext, ResponseRecord } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import type { MetricsText, OwnPort } from './own-port.ts'
import { examinePort, listenApart } from './own-port.ts'

const options = z
  .strictObject({
    /** Also measure the process: CPU, memory, event loop, garbage collection. */
    process: z.boolean().default(true),
    /** Upper bounds of the duration histogram, in milliseconds. */
    bucketsMs: z
      .array(z.number().positive())
      .min(1)
      .max(50)
      .default([1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]),
    /**
     * Of their own, on which nothing else is served; then they are not at the interfaces' address.
     */
    port: z.int().min(0).max(65_535).optional(),
    /** Address to listen on with that port. */
    host: z.string().min(1).optional(),
  })
  .refine(({ host, port }) => host === undefined || port !== undefined, {
    path: ['host'],
    message: 'needs a port beside it',
  })

/** The default address of the port. */
const LOOPBACK = '127.0.0.1'

type Settings = z.output<typeof options>

interface Meters {
  record(record: ResponseRecord): void
  text(): Promise<MetricsText>
  close(): void
}

/** Serves /metrics; what each means: docs/operations.md */
export default definePlugin({
  kind: 'extension',
  name: 'metrics',
  options,
  examine: async (host, { port, host: address = LOOPBACK }) =>
    port === undefined ? [] : [await examinePort({ host: address, port }, host)],
  setup: (host, settings): ExtensionService => {
    // The library loads with the first answered request, not before the server is ready.
    const early: ResponseRecord[] = []
    let meters: Meters | undefined
    let loading: Promise<Meters> | undefined
    const load = async (): Promise<Meters> => {
      meters = await createMeters(host, settings)
      early.forEach(meters.record)
      early.length = 0
      return meters
    }
    const text = async (): Promise<MetricsText> => {
      loading ??= load()
      return (await loading).text()
    }
    const { port, host: address = LOOPBACK } = settings
    let own: OwnPort | undefined
    return {
      get address() {
        return own?.address
      },
      start: async () => {
        if (port !== undefined) own = await listenApart({ host: address, port }, text, host)
      },
      onResponse: (record) => {
        if (meters !== undefined) return meters.record(record)
        early.push(record)
        loading ??= load()
        // A library that cannot be loaded costs the metrics, never the service: /metrics says why.
        loading.catch(() => {
          early.length = 0
        })
      },
      mount: (router) => {
        if (port !== undefined) return
        router.get('/metrics', async (context) => {
          const { type, body } = await text()
          context.set('Content-Type', type)
          context.body = body
        })
      },
      stop: async () => {
        await own?.close()
        ;(await loading)?.close()
      },
    }
  },
})

async function createMeters(host: PluginContext, settings: Settings): Promise<Meters> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const { healthMeasurements, machineMeasurements, MeasuredMetrics } =
    await import('./measurements.ts')
  const { RequestMetrics } = await import('./requests.ts')
  const registry = new Registry()
  const requests = new RequestMetrics(registry, settings.bucketsMs)
  const measured = new MeasuredMetrics(registry)
  if (settings.process) collectDefaultMetrics({ register: registry })
  return {
    record: (record) => requests.record(record),
    text: async () => {
      const [health, services = [], machine] = await Promise.all([
        host.health?.(),
        host.measurements?.(),
        machineMeasurements(host),
      ])
      const plugins = health === undefined ? [] : healthMeasurements(health)
      measured.show([...plugins, ...services, ...machine])
      return { type: registry.contentType, body: await registry.metrics() }
    },
    close: () => registry.clear(),
  }
}
