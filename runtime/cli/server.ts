// A running service: plugins, services and HTTP put together, started in order and stopped in
// reverse.
import type { Configuration } from '../host/config/configuration.ts'
import type { Host, HostServices } from '../host/host.ts'
import type { HttpApp, Problem, Served } from '../http/index.ts'
import { systemClock } from '../host/clock.ts'
import { maskUrls } from '../host/mask.ts'
import { member } from '../host/member.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { createHttpApp } from '../http/index.ts'
import { ContractUnreadable } from '../engine/index.ts'
import { COMMIT_REJECTED, STORE_UNAVAILABLE } from '../store/rules.ts'
import { SEEDED_USERS } from '../economy/network/seeded-users.ts'
import { banner, originOf } from './banner.ts'
import type { BannerFacts } from './banner.ts'
import type { DevelopmentRoutes, Stage } from './development/index.ts'
import { openServer } from './opened.ts'
import type { Opened, ServerParts } from './opened.ts'
import { productVersion } from './version.ts'

export type { CreateServices } from './opened.ts'

/** Of built-in extensions. */
const PAGES: Readonly<Record<string, string>> = {
  docs: '/docs',
  metrics: '/metrics',
  'wallet-ui': '/wallet',
}

export interface RunningServer {
  readonly host: Host
  readonly port: number
  readonly banner: string
  /** Lets requests in flight finish, then stops the plugins in reverse. Never rejects. */
  stop(): Promise<void>
}

/**
 * Starts everything. Throws a CommandError, with what had started stopped again, when that is not
 * possible.
 */
export async function startServer<P>(parts: ServerParts<P>): Promise<RunningServer> {
  const { config, log } = parts
  let opened = await openServer(parts)
  try {
    const development = await developmentOf(parts, {
      opened: () => opened,
      serve: async (change) => {
        await app.replace(config.values.server.drainMs, async () => {
          opened = await change()
          return withRoutes(opened, development)
        })
        opened.begin()
      },
    })
    const app = createApp(withRoutes(opened, development), parts)
    const { port } = await listen(app, config)
    opened.begin()
    for (const other of opened.others) log.info(other, 'another server works on the same data')
    return {
      get host() {
        return opened.host
      },
      port,
      banner: await bannerOf(app, opened, { config, port }),
      stop: async () => {
        const cut = await app.drain(config.values.server.drainMs)
        if (cut > 0) log.warn({ requests: cut }, 'requests were cut off at the end of the drain')
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The operations of a development network, where the profile has them. */
async function developmentOf<P>(
  parts: ServerParts<P>,
  stage: Stage<P>,
): Promise<DevelopmentRoutes | undefined> {
  if (parts.config.values.profile !== 'dev') return undefined
  const { developmentRoutes } = await import('./development/index.ts')
  return developmentRoutes(parts, stage)
}

function withRoutes<P>(
  { served }: Opened<P>,
  development: DevelopmentRoutes | undefined,
): Served<P> {
  return development === undefined
    ? served
    : { ...served, routes: [...(served.routes ?? []), development] }
}

/**
 * Data that cannot be reached right now, not be committed, or is of a newer program, is no fault of
 * the request: the caller may try again.
 */
function dataProblem(error: unknown): Problem | undefined {
  if (error instanceof ContractUnreadable) return { kind: 'unreadable', reason: error.message }
  const unreachable =
    error instanceof Error &&
    'code' in error &&
    (error.code === STORE_UNAVAILABLE || error.code === COMMIT_REJECTED)
  return unreachable ? { kind: 'unavailable', reason: error.message } : undefined
}

function createApp<P>(served: Served<P>, { config, log }: ServerParts<P>): HttpApp<P> {
  const { server } = config.values
  const { responseCheck, maxStreams, maxStreamsPerUser } = server
  const { maxBodyBytes, maxHeldBodyBytes, maxHeldBodyBytesPerAddress, json, requestTimeoutMs } =
    server
  const { maxUnreadBytes, maxUnreadBytesPerAddress, slowReaderMs } = server
  return createHttpApp({
    ...served,
    log,
    clock: systemClock,
    responseCheck,
    problemOf: dataProblem,
    streams: { maxStreams, maxStreamsPerUser },
    limits: {
      maxBodyBytes,
      maxHeldBodyBytes,
      maxHeldBodyBytesPerAddress,
      json,
      requestTimeoutMs,
      maxUnreadBytes,
      maxUnreadBytesPerAddress,
      slowReaderMs,
    },
  })
}

async function listen<P>(
  app: HttpApp<P>,
  { values }: Configuration,
): Promise<{ readonly port: number }> {
  const { host, port } = values.server
  try {
    return await app.listen(port, host)
  } catch (error) {
    const code = member(error, 'code')
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${port} on ${host} is in use; choose another with --port`)
    if (code === 'EACCES')
      throw new CommandError(`port ${port} on ${host} needs more rights; choose one above 1023`)
    throw new CommandError(`cannot listen on ${host} port ${port}: ${messageOf(error)}`)
  }
}

async function bannerOf<P>(
  app: HttpApp<P>,
  { host, others, notes }: Opened<P>,
  { config: { values }, port }: { readonly config: Configuration; readonly port: number },
): Promise<string> {
  const { storage, auth, extensions } = host.services
  const origin = originOf(values.server.host, port)
  return banner({
    version: productVersion(),
    profile: values.profile,
    origin,
    interfaces: app.interfaces,
    storage: { name: values.storage?.use ?? '', location: maskUrls(storage?.location ?? '') },
    otherServers: others,
    tokenHints: auth.flatMap(({ hint }) => hint ?? []),
    tokens: await seededTokens(host, values),
    pages: pagesOf(extensions, origin),
    notes,
    readyMs: performance.now(),
  })
}

/** Of the people whom a development network begins with, to be pasted into a request. */
async function seededTokens(
  host: Host,
  { empty }: Configuration['values'],
): Promise<BannerFacts['tokens']> {
  const issue = empty ? undefined : host.issuer()
  if (issue === undefined) return []
  return Promise.all(SEEDED_USERS.map(async (user) => ({ user, token: await issue(user) })))
}

/** Pages beside the interfaces, and extensions that listen by themselves. */
function pagesOf(extensions: HostServices['extensions'], origin: string): BannerFacts['pages'] {
  return extensions.flatMap(({ id, service }) => {
    const label = id.slice('extension/'.length)
    const address =
      service.address ?? (Object.hasOwn(PAGES, label) ? `${origin}${PAGES[label]}` : undefined)
    return address === undefined ? [] : [{ label, address }]
  })
}
