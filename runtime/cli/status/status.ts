// `status`: asks a running service how it is. Serves people, scripts and the health check of a
// container.
import { CommandError } from '../../host/problem.ts'
import { member } from '../../host/member.ts'
import { originOf } from '../banner.ts'
import type { Flags } from '../flags.ts'
import { EXIT } from '../outcome.ts'
import { askAll } from './ask.ts'
import { reportOf } from './report.ts'
import type { StatusReport } from './report.ts'
import { statusText, statusVariables } from './text.ts'

export interface StatusFlags extends Flags {
  readonly url?: string
  readonly metrics?: string
  readonly output: 'text' | 'json' | 'env'
  readonly json?: true
  readonly sizes?: true
}

/** Prints the status; exit code 1 where the service is not healthy or cannot be reached. */
export async function printStatus(flags: StatusFlags): Promise<void> {
  if (flags.sizes === true) {
    const { printSizes } = await import('./sizes.ts')
    return printSizes(flags)
  }
  const { url, metrics } = await addressesOf(flags)
  const report = reportOf(url, await askAll(url, metrics), Date.now())
  process.stdout.write(printed(report, flags))
  if (!report.healthy) process.exitCode = EXIT.failed
}

function printed(report: StatusReport, { json, output }: StatusFlags): string {
  if (json === true || output === 'json') return `${JSON.stringify(report, null, 2)}\n`
  return output === 'env' ? statusVariables(report) : statusText(report)
}

interface Addresses {
  readonly url: string
  readonly metrics: string
}

/** The configuration is read only where the flags do not say all. */
async function addressesOf(flags: StatusFlags): Promise<Addresses> {
  if (flags.url !== undefined) {
    const url = addressIn(flags.url)
    return { url, metrics: addressIn(flags.metrics ?? `${url}/metrics`) }
  }
  const { goodSettings, nodeSettings } = await import('../settings.ts')
  const { server, extensions } = nodeSettings(await goodSettings(flags), flags).values
  const url = originOf(server.host, server.port)
  const section = extensions['metrics']
  const port = member(section, 'port')
  const own = member(section, 'host')
  const origin =
    typeof port === 'number' ? originOf(typeof own === 'string' ? own : '127.0.0.1', port) : url
  return { url, metrics: addressIn(flags.metrics ?? `${origin}/metrics`) }
}

function addressIn(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new CommandError(`"${text}" is not an address such as http://127.0.0.1:8080`, EXIT.usage)
}
