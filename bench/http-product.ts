// The product's own stack over what the generator made of fixtures/bench.yaml, put together as
// `serve` does it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Middleware } from 'koa'
import openAuth from '../plugins/auth-open/index.ts'
import metrics from '../plugins/metrics/index.ts'
import { createMemoryStore } from '../plugins/storage-sql/memory.ts'
import { openLog } from '../runtime/cli/log.ts'
import { systemClock } from '../runtime/host/clock.ts'
import type { Logger } from '../runtime/host/log.ts'
import type { AuthService, PluginContext } from '../runtime/host/plugin.ts'
import type { Spans } from '../runtime/host/spans.ts'
import { silentLog } from '../runtime/host/silent-log.ts'
import {
  createHttpApp,
  mountInterface,
  openGuard,
  plainPresenter,
  type AccessGuard,
  type Handler,
  type HttpOptions,
  type WireInterface,
} from '../runtime/http/index.ts'
import { LedgerGuard } from '../runtime/access/guard.ts'
import { PrincipalDirectory, type Principal } from '../runtime/access/principal.ts'
import { accepted, PARTY, USER } from './http-sample.ts'

type Handlers = Readonly<Record<string, Handler<Principal>>>

/** Parts of the product that are left out, to see their cost. */
export interface Without {
  readonly guard?: true
  readonly log?: true
  readonly metrics?: true
}

/** The host's context for plugins here. */
export function contextOf(name: string, dataDir: string): PluginContext {
  const listen = { host: '127.0.0.1', port: 0 }
  return {
    name,
    log: silentLog,
    clock: systemClock,
    profile: 'dev',
    dataDir,
    listen,
    documents: [],
  }
}

/** The development auth of a data folder. */
export async function authOf(dataDir: string): Promise<AuthService> {
  return openAuth.setup(contextOf('open', dataDir), { allowNonLoopback: false, cacheSize: 10_000 })
}

async function productGuard(dataDir: string): Promise<AccessGuard<Principal>> {
  const store = createMemoryStore()
  await store.users.create(
    {
      id: 'alice',
      primaryParty: PARTY,
      isDeactivated: false,
      primaryPartyAuthentication: false,
      identityProviderId: '',
      annotations: {},
    },
    [{ kind: 'CanActAs', party: PARTY }],
  )
  const directory = new PrincipalDirectory(store, systemClock)
  return new LedgerGuard({
    auth: [await authOf(dataDir)],
    directory,
    webSocketTokenPrefix: 'jwt.token.',
    operatorParty: '',
  })
}

async function metricsOf(
  dataDir: string,
): Promise<Pick<HttpOptions<Principal>, 'onResponse' | 'routes'>> {
  const bucketsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]
  const service = await metrics.setup(contextOf('metrics', dataDir), { process: true, bucketsMs })
  return {
    onResponse: service.onResponse === undefined ? [] : [service.onResponse.bind(service)],
    routes:
      service.mount === undefined
        ? []
        : [(router, pageNotFound) => void service.mount?.(router, { pageNotFound })],
  }
}

function handlersOf(wire: WireInterface): Handlers {
  const all = wire.operations.map(({ operationId }): [string, Handler<Principal>] => [
    operationId,
    () => ({ status: 200, body: {} }),
  ])
  return {
    ...Object.fromEntries(all),
    getUser: async () => ({ status: 200, body: { ...USER } }),
    submitCommand: async ({ body }) => ({
      status: 200,
      body: accepted(
        typeof body === 'object' && body !== null && 'commandId' in body ? body.commandId : '',
      ),
    }),
  }
}

/** Standard error, where the log goes, is /dev/null here: its reader is no part of the figure. */
const serviceLog = (): Logger => openLog({ level: 'info', pretty: false }).logger

/**
 * Serves on a free port. `dir` has the generated files; the key of the tokens lies there too. The
 * guard may be another one; `middleware` is what a user mounts.
 */
export async function serveProduct(
  dir: string,
  without: Without = {},
  guard?: AccessGuard<Principal>,
  middleware: readonly Middleware[] = [],
  spans?: Spans,
): Promise<number> {
  const { wire }: { readonly wire: WireInterface } = await import(
    pathToFileURL(join(dir, 'bench/routes.gen.ts')).href
  )
  const mount = mountInterface<Principal, Handlers>({
    wire,
    handlers: handlersOf(wire),
    presenter: plainPresenter,
    guard: without.guard ? openGuard<Principal>() : (guard ?? (await productGuard(dir))),
  })
  const http = createHttpApp<Principal>({
    interfaces: [mount],
    middleware,
    clock: systemClock,
    responseCheck: 'off',
    log: without.log ? silentLog : serviceLog(),
    spans,
    ...(without.metrics ? {} : await metricsOf(dir)),
  })
  return (await http.listen(0, '127.0.0.1')).port
}
