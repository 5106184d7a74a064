// How a release's data is served: with nothing going on beside requests, and by a clock that stands
// still, so that all stays as it was made, in whatever year that is looked at.
import { mkdir } from 'node:fs/promises'
import { defaultPlugins } from '../../runtime/cli/built-in.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { clientOf, textAt } from './client.ts'
import type { Client } from './client.ts'

/**
 * Development tokens, and those of the data's identity provider, whose key set a test serves on
 * this machine.
 */
const AUTH = [{ use: 'open' }, { use: 'jwt', keys: { allowPrivateAddresses: true } }]
/** More than the data has in any list. */
const LEDGER = { maxListElements: 10_000 }

export interface Serving {
  readonly dataDir: string
  readonly storage?: object
  /** The automations' section; none runs where it is absent. */
  readonly automations?: object
  /** Sections besides. */
  readonly config?: object
  /** The command's file, of another version of the program. */
  readonly main?: string
  /** Tokens of users whom other issuers vouch for. */
  readonly tokens?: Readonly<Record<string, string>>
}

/** Serves the data in a folder, which is made where it is missing. */
export async function serve({
  dataDir,
  storage = { use: 'sqlite' },
  automations = noAutomations(),
  config = {},
  main,
}: Serving): Promise<Service> {
  await mkdir(dataDir, { recursive: true })
  return startService({
    dataDir,
    config: { storage, automations, auth: AUTH, ledger: LEDGER, clock: 'simulated', ...config },
    seeded: true,
    ...(main === undefined ? {} : { main }),
  })
}

/** Default automations of this version, all switched off. */
function noAutomations(): Readonly<Record<string, false>> {
  return Object.fromEntries(defaultPlugins('dev').automations.map((name) => [name, false]))
}

/** Serves, hands a client on, and stops the service whatever comes of that. */
export async function serving<T>(
  what: Serving,
  use: (client: Client, service: Service) => Promise<T>,
): Promise<T> {
  const service = await serve(what)
  try {
    return await use(clientOf(service.url, what.tokens), service)
  } finally {
    await service.stop()
  }
}

/**
 * Moves the clock to a time that data was made at, where that lies ahead: it is so for the first
 * minutes only.
 */
export async function notBefore({ ask, done }: Client, time: string): Promise<void> {
  const now = textAt(await done('operator', 'GET /v0/admin/clock'), 'now')
  if (Date.parse(now) < Date.parse(time))
    await ask('operator', 'POST /v0/admin/clock', { now: time })
}
