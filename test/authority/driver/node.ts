// The product in this process, as `serve` starts it, with one node or several: the production
// profile, tokens of issuers and parties only. On a development network, so that there is coin;
// tasks are paused at the start of an episode and run when they are drawn.
import { createServices } from '../../../runtime/interfaces/index.ts'
import { startServer } from '../../../runtime/cli/server.ts'
import { defaultPlugins } from '../../../runtime/cli/built-in.ts'
import { loadConfiguration } from '../../../runtime/host/config/configuration.ts'
import { silentLog } from '../../../runtime/host/silent-log.ts'

export const HOME_ISSUER = 'https://home.example'
export const MAX_SELF_ALLOCATED = 2
/** Few, so that a user is full soon. */
export const MAX_RIGHTS = 40
/** Tasks of the node that act for parties. */
export const TASKS = [
  'completion',
  'transfer-commands',
  'preapprovals',
  'merging',
  'minting',
] as const

/** Automations that no episode has. */
export const OFF = [
  'auto-accept',
  'expiry',
  'liveness',
  'rewards',
  'rounds',
  'snapshots',
  'sweeps',
  'topup',
  'traffic',
]
const NEVER_MS = 86_400_000

export interface Service {
  /** Ports of each node. */
  readonly ports: readonly number[]
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** The section `storage`. */
  readonly storage: object
  readonly dataDir: string
  /** Auth plugins of each node. */
  readonly auths: readonly (readonly object[])[]
  /** Sections in place of the usual ones. */
  readonly sections?: object
}

/** Throws an Error where it does not start. */
export async function startNodes(options: ServiceOptions): Promise<Service> {
  const { dataDir } = options
  const read = await loadConfiguration({
    folder: dataDir,
    env: {},
    flags: [{ origin: 'test', values: valuesOf(options) }],
    plugins: defaultPlugins,
  })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const server = await startServer({
    config: read.config,
    log: silentLog,
    createServices,
    onFatal: () => {
      throw new Error('the service cannot go on')
    },
  })
  const addresses = server.banner.matchAll(/ledger +http:\S+:(\d+)/g)
  return { ports: [...addresses].map(([, port]) => Number(port)), stop: () => server.stop() }
}

function valuesOf({ storage, dataDir, auths, sections = {} }: ServiceOptions): object {
  const nodes = Object.fromEntries(
    auths.map((auth, index) => [`node-${index + 1}`, { auth, server: { port: 0 } }]),
  )
  return {
    profile: 'production',
    data: dataDir,
    server: { port: 0, drainMs: 100 },
    log: { level: 'silent' },
    storage,
    ...(auths.length === 1 ? { auth: auths[0] } : { nodes }),
    network: {
      isDevNet: true,
      tickSeconds: NEVER_MS / 1_000,
      traffic: { baseBurstBytes: 1_000_000_000_000 },
    },
    ledger: {
      maxSelfAllocatedParties: MAX_SELF_ALLOCATED,
      maxRightsPerUser: MAX_RIGHTS,
      maxListElements: 1_000_000,
    },
    quotas: { registrationBurst: 1_000_000 },
    validator: { pollMs: NEVER_MS },
    automations: Object.fromEntries(OFF.map((name) => [name, false])),
    ...sections,
  }
}

/** Tokens of the default provider's issuer, by the keys at this address. */
export function issuerAuth(jwksUrl: string): object {
  return {
    use: 'jwt',
    issuers: [{ issuer: HOME_ISSUER, jwksUrl }],
    keys: {
      allowHttp: true,
      allowPrivateAddresses: ['127.0.0.0/8'],
      cooldownMs: 0,
      retryMs: 0,
    },
  }
}
