// A running service: plugins, services and HTTP put together, started in order and stopped in
// reverse.
import type { Configuration } from '../host/config/configuration.ts'
import type { Host, HostServices } from '../host/host.ts'
import type { HttpApp, Problem, Served } from '../http/index.ts'
import type { Logger } from '../host/log.ts'
import { systemClock } from '../host/clock.ts'
import { hostCheck } from '../host/own-hosts.ts'
import { maskUrls } from '../host/mask.ts'
import { member } from '../host/member.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { createHttpApp } from '../http/index.ts'
import { ContractUnreadable } from '../engine/index.ts'
import {
  COMMIT_REJECTED,
  isStorageFull,
  SNAPSHOT_PRUNED,
  STORE_UNAVAILABLE,
} from '../store/rules.ts'
import { SEEDED_USERS } from '../economy/network/seeded-users.ts'
import { banner, originOf } from './banner.ts'
import type { NodeFacts } from './banner.ts'
import type { DevelopmentRoutes, Stage } from './development/index.ts'
import { openServer } from './opened.ts'
import type { Opened, ServerParts } from './opened.ts'
import { productVersion } from './version.ts'

export type { CreateServices } from './opened.ts'

/** Paths of built-in extensions. */
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
    const { drainMs } = config.values.server
    const development = await developmentOf(parts, {
      opened: () => opened,
      serve: async (change) => {
        await replaceAll(apps, drainMs, async () => {
          opened = await change()
          return servedBy(opened, development)
        })
        opened.begin()
      },
    })
    const nodes = [opened, ...opened.later]
    const apps = servedBy(opened, development).map((served, index) =>
      createApp(served, nodes[index]?.config ?? config, log),
    )
    const listening: Listening<P>[] = []
    const drain = async (): Promise<number> => {
      const cut = await Promise.all(listening.map(({ app }) => app.drain(drainMs)))
      return cut.reduce((sum, requests) => sum + requests, 0)
    }
    try {
      for (const [index, node] of nodes.entries()) {
        const app = apps[index]
        if (app !== undefined) listening.push({ app, node, ...(await listen(app, node.config)) })
      }
    } catch (error) {
      await drain()
      throw error
    }
    opened.begin()
    for (const other of opened.others) log.info(other, 'another server uses the same data')
    return {
      get host() {
        return opened.host
      },
      port: listening[0]?.port ?? 0,
      banner: await bannerOf(listening, opened, config),
      stop: async () => {
        const cut = await drain()
        if (cut > 0) log.warn({ requests: cut }, 'requests were cut off at the end of the drain')
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** A node with the address that it has. */
interface Listening<P> {
  readonly app: HttpApp<P>
  readonly node: Opened<P>
  readonly port: number
}

/** No request is in flight at any of them when `change` is called, which answers for each. */
async function replaceAll<P>(
  apps: readonly HttpApp<P>[],
  graceMs: number,
  change: () => Promise<readonly Served<P>[]>,
): Promise<void> {
  const changed = Promise.withResolvers<readonly Served<P>[]>()
  let paused = 0
  await Promise.all(
    apps.map((app, index) =>
      app.replace(graceMs, async () => {
        paused += 1
        if (paused === apps.length) change().then(changed.resolve, changed.reject)
        const served = (await changed.promise)[index]
        if (served === undefined) throw new Error('a node is no longer there')
        return served
      }),
    ),
  )
}

/** The operations of a development network at each node of this process. */
interface Development<P> {
  readonly first: DevelopmentRoutes | undefined
  later(node: Opened<P>): DevelopmentRoutes
}

/** Undefined where the profile has none. */
async function developmentOf<P>(
  parts: ServerParts<P>,
  stage: Stage<P>,
): Promise<Development<P> | undefined> {
  if (parts.config.values.profile !== 'dev') return undefined
  const { developmentElsewhere: later, developmentRoutes } = await import('./development/index.ts')
  // A network is taken back as a whole: at its first node.
  const opened = stage.opened()
  return { first: opened.isFirst ? developmentRoutes(parts, stage) : later(opened), later }
}

function servedBy<P>(opened: Opened<P>, development: Development<P> | undefined): Served<P>[] {
  return [
    withRoutes(opened, development?.first),
    ...opened.later.map((node) => withRoutes(node, development?.later(node))),
  ]
}

function withRoutes<P>({ served }: Opened<P>, routes: DevelopmentRoutes | undefined): Served<P> {
  return routes === undefined ? served : { ...served, routes: [...(served.routes ?? []), routes] }
}

/**
 * Data that cannot be reached right now, not be committed, was just pruned, or is of a newer
 * program, is no fault of the request: the caller may try again.
 */
function dataProblem(error: unknown): Problem | undefined {
  if (error instanceof ContractUnreadable) return { kind: 'unreadable', reason: error.message }
  if (isStorageFull(error)) return { kind: 'storage-full', reason: messageOf(error) }
  const unreachable =
    error instanceof Error &&
    'code' in error &&
    [STORE_UNAVAILABLE, COMMIT_REJECTED, SNAPSHOT_PRUNED].some((code) => error.code === code)
  return unreachable ? { kind: 'unavailable', reason: error.message } : undefined
}

function createApp<P>(served: Served<P>, { values }: Configuration, log: Logger): HttpApp<P> {
  const { profile, server } = values
  const { responseCheck, maxBodyBytes, json, requestTimeoutMs, slowReaderMs } = server
  return createHttpApp({
    ...served,
    log,
    clock: systemClock,
    responseCheck,
    hostCheck: hostCheck({ profile, listen: server }),
    problemOf: dataProblem,
    livenessPath: '/livez',
    probePaths: ['/livez', '/readyz'],
    limits: {
      maxBodyBytes,
      held: {
        bodies: { all: server.maxHeldBodyBytes, each: server.maxHeldBodyBytesPerAddress },
        unread: { all: server.maxUnreadBytes, each: server.maxUnreadBytesPerCaller },
        streams: { all: server.maxStreams, each: server.maxStreamsPerUser },
      },
      json,
      requestTimeoutMs,
      slowReaderMs,
    },
  })
}

async function listen<P>(
  app: HttpApp<P>,
  { values }: Configuration,
): Promise<{ readonly port: number }> {
  const { host, port, alsoPorts } = values.server
  const first = await listenAt(app, host, port)
  for (const other of alsoPorts) await listenAt(app, host, other)
  return first
}

async function listenAt<P>(
  app: HttpApp<P>,
  host: string,
  port: number,
): Promise<{ readonly port: number }> {
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
  listening: readonly Listening<P>[],
  { host, others }: Opened<P>,
  { values }: Configuration,
): Promise<string> {
  const { storage } = host.services
  return banner({
    version: productVersion(),
    profile: values.profile,
    nodes: await Promise.all(listening.map(nodeFacts)),
    storage: { name: values.storage?.use ?? '', location: maskUrls(storage?.location ?? '') },
    otherServers: others,
    readyMs: performance.now(),
  })
}

async function nodeFacts<P>({ app, node, port }: Listening<P>): Promise<NodeFacts> {
  const { auth, extensions } = node.host.services
  const { values } = node.config
  const origin = originOf(values.server.host, port)
  return {
    name: node.name,
    origin,
    interfaces: app.interfaces,
    tokenHints: auth.flatMap(({ hint }) => hint ?? []),
    tokens: await seededTokens(node),
    pages: pagesOf(extensions, origin),
    notes: node.notes,
  }
}

/** Tokens of the people whom a development network begins with, to paste into a request. */
async function seededTokens<P>({
  host,
  isFirst,
  config: { values },
}: Opened<P>): Promise<NodeFacts['tokens']> {
  const issue = values.empty ? undefined : host.issuer()
  if (issue === undefined) return []
  const users = isFirst ? SEEDED_USERS : [operatorUserOf(values)]
  return Promise.all(users.map(async (user) => ({ user, token: await issue(user) })))
}

function operatorUserOf({ validator }: Configuration['values']): string {
  const name = validator['validatorWalletUser']
  return typeof name === 'string' ? name : 'operator'
}

/** Pages beside the interfaces, and extensions that listen by themselves. */
function pagesOf(extensions: HostServices['extensions'], origin: string): NodeFacts['pages'] {
  return extensions.flatMap(({ id, service }) => {
    const label = id.slice('extension/'.length)
    const address =
      service.address ?? (Object.hasOwn(PAGES, label) ? `${origin}${PAGES[label]}` : undefined)
    return address === undefined ? [] : [{ label, address }]
  })
}
