// The product's stack with its spans gathered and sent, so that what traces cost a request shows
// beside the same without them. The collector is a process of its own that throws all away.
import { spawn } from 'node:child_process'
import traces from '../plugins/traces-otlp/index.ts'
import { systemClock } from '../runtime/host/clock.ts'
import { Spans } from '../runtime/host/spans.ts'
import { contextOf, serveProduct } from './http-product.ts'

const COLLECTOR = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Serves with so many of the traces kept, 0 to 1. */
export async function serveTraced(dir: string, ratio: number): Promise<number> {
  const service = await traces.setup(contextOf('traces-otlp', dir), {
    endpoint: `http://127.0.0.1:${await collectorPort()}/v1/traces`,
    headers: {},
    ratio,
    serviceName: 'bench',
    delayMs: 1_000,
    maxQueue: 8_192,
    timeoutMs: 10_000,
  })
  if (service.spans === undefined) throw new Error('nothing takes spans')
  const spans = new Spans(systemClock)
  spans.gather(service.spans)
  return await serveProduct(dir, {}, undefined, [], spans)
}

async function collectorPort(): Promise<number> {
  const child = spawn(process.execPath, ['-e', COLLECTOR], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  for await (const chunk of child.stdout) return Number(String(chunk).trim())
  throw new Error('the collector did not start')
}
