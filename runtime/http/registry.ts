// @koa/router holds every route of the server, generated or from an extension; its stack is read
//   once into the trie that requests are matched with. Whatever the trie cannot hold (expressions,
//   wildcards, router middleware) stays with the router.
import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { PageNotFound } from '../host/notes.ts'
import type { Presenter } from './problem.ts'
import type { Route, InterfaceMount } from './route.ts'
import type { Ending } from './exchange.ts'
import { plainTextPresenter } from './plain-presenter.ts'
import { RouteTrie, type Match } from './trie.ts'
import { compileRoute } from './route.ts'

/** Operation ids of one interface, by whether a handler answers them. */
export interface MountReport {
  readonly name: string
  readonly mount: string
  readonly mounted: readonly string[]
  readonly unmounted: readonly string[]
}

export type RouterMiddleware = ReturnType<Router['routes']>

export interface Registry<P> {
  /** The router as middleware. */
  readonly routed: RouterMiddleware
  readonly reports: readonly MountReport[]
  /** True when extensions have put something into the router that the trie does not hold. */
  readonly hasExtensions: boolean
  find(method: string, path: string): Match<Route<P>>
  /** Methods that extensions answer on a path. */
  extensionMethods(path: string): readonly string[]
  /** True when router middleware of an extension wants to see this path. */
  isWatched(path: string): boolean
  /**
   * The ending of a path that is refused before an operation is found, for a caller who accepts
   * these media types.
   */
  ending(path: string, accept?: string): Ending
}

/** Adds an extension's own routes, and perhaps the page where there is nothing. */
export type AddRoutes = (router: Router, pageNotFound: (page: PageNotFound) => void) => void

type Serve = (context: Parameters<Middleware>[0]) => Promise<void>

/**
 * Registers every operation that has a handler, after the routes of the extensions, and compiles
 * the stack.
 */
export function buildRegistry<P>(
  mounts: readonly InterfaceMount<P>[],
  extend: readonly AddRoutes[],
  maxBodyBytes: number,
  serve: Serve,
): Registry<P> {
  const router = new Router()
  let lost: PageNotFound | undefined
  for (const add of extend) add(router, (page) => (lost = page))
  const routes = new Map<unknown, Route<P>>()
  for (const route of inMatchingOrder(mounts.flatMap((mount) => routesOf(mount, maxBodyBytes)))) {
    const middleware: Middleware = (context) => serve(context)
    routes.set(middleware, route)
    const { method, operationId } = route.operation
    router.register(routerPath(route.template), [method], middleware, { name: operationId })
  }
  return compile(router, routes, { mounts, lost })
}

/** The ending with a page for people; all but an unknown path is told as the interface tells it. */
function withPage(ending: Ending, { html, headers }: PageNotFound): Ending {
  const present: Presenter['present'] = (problem, context) =>
    problem.kind === 'unknown-path'
      ? { status: 404, mediaType: 'text/html', body: html, headers }
      : ending.presenter.present(problem, context)
  return { ...ending, presenter: { present } }
}

function routesOf<P>(mount: InterfaceMount<P>, maxBodyBytes: number): readonly Route<P>[] {
  return mount.wire.operations.flatMap((operation) => {
    const handler = mount.handlers[operation.operationId]
    if (handler === undefined) return []
    return prefixesOf(mount).map((prefix) =>
      compileRoute(mount, operation, handler, { prefix, maxBodyBytes }),
    )
  })
}

function prefixesOf<P>({ wire, alsoAt = [] }: InterfaceMount<P>): readonly string[] {
  return [wire.mount, ...alsoAt]
}

// The router takes the first that fits, so literal segments have to come before parameters, as in
// the trie.
function inMatchingOrder<P>(routes: readonly Route<P>[]): readonly Route<P>[] {
  const key = (route: Route<P>): string => route.template.replaceAll('{', '\u{10FFFF}')
  return routes.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/**
 * `/users/{user-id}` as the router writes it; what has a meaning in the router's own syntax is
 * escaped.
 */
function routerPath(template: string): string {
  return template
    .split(/(\{[^{}]+\})/)
    .map((part, at) =>
      at % 2 === 1
        ? `:${JSON.stringify(part.slice(1, -1))}`
        : part.replace(/[\\:*(){}[\]+?!]/g, '\\$&'),
    )
    .join('')
}

function compile<P>(
  router: Router,
  routes: ReadonlyMap<unknown, Route<P>>,
  {
    mounts,
    lost,
  }: { readonly mounts: readonly InterfaceMount<P>[]; readonly lost: PageNotFound | undefined },
): Registry<P> {
  const trie = new RouteTrie<Route<P>>()
  const foreign = router.stack.filter((layer) => {
    const route = routes.get(layer.stack.at(-1))
    if (route !== undefined) trie.add(route.operation.method, route.template, route)
    return route === undefined
  })
  const watchers = foreign.filter((layer) => layer.methods.length === 0)
  return {
    routed: router.routes(),
    reports: mounts.map(report),
    hasExtensions: foreign.length > 0,
    find: (method, path) => trie.find(method, path),
    extensionMethods: (path) =>
      foreign.filter((layer) => layer.match(path)).flatMap((layer) => layer.methods),
    isWatched: (path) => watchers.some((layer) => layer.match(path)),
    ending: endings(mounts, trie, lost),
  }
}

function report<P>({ wire, handlers }: InterfaceMount<P>): MountReport {
  const ids = wire.operations.map((operation) => operation.operationId)
  return {
    name: wire.name,
    mount: wire.mount,
    mounted: ids.filter((id) => handlers[id] !== undefined),
    unmounted: ids.filter((id) => handlers[id] === undefined),
  }
}

/** Characters of a path that is logged as it was asked for. */
const MAX_ASKED_PATH = 200
/** A method that no operation has: a lookup with it tells whether there is such a path. */
const NO_METHOD = ''

interface Claim {
  readonly prefix: string
  readonly ending: Ending
}

// An interface claims its mount, and below it the first segments of its paths: that tells apart two
// that share a mount.
function endings<P>(
  mounts: readonly InterfaceMount<P>[],
  trie: RouteTrie<Route<P>>,
  lost: PageNotFound | undefined,
): Registry<P>['ending'] {
  const claims = mounts.flatMap(claimsOf).sort((a, b) => b.prefix.length - a.prefix.length)
  const nobody = endingOf('', plainTextPresenter)
  return (path, accept = '') => {
    const claim = claims.find(({ prefix }) => covers(prefix, path))
    const whose = claim?.ending ?? nobody
    // An interface at the root claims all that no other does: the page is for that, too.
    const isForPeople = (claim?.prefix ?? '') === '' && accept.includes('text/html')
    const ending = isForPeople && lost !== undefined ? withPage(whose, lost) : whose
    const known = trie.find(NO_METHOD, path)
    return known.kind === 'method'
      ? { ...ending, template: known.other.template }
      : { ...ending, askedPath: askedPath(path) }
  }
}

function claimsOf<P>(mount: InterfaceMount<P>): readonly Claim[] {
  const { wire, presenter } = mount
  const ending = endingOf(wire.name, presenter)
  const first = wire.operations
    .map(({ path }) => path.split('/', 2).join('/'))
    .filter((text) => !text.includes('{'))
  return prefixesOf(mount)
    .flatMap((prefix) => [prefix, ...[...new Set(first)].map((segment) => prefix + segment)])
    .map((prefix) => ({ prefix, ending }))
}

const endingOf = (interfaceName: string, presenter: Presenter): Ending => ({
  interfaceName,
  presenter,
  template: '',
})

/** A path that nothing answers, for people who look for why. */
function askedPath(path: string): string {
  return path.length > MAX_ASKED_PATH ? `${path.slice(0, MAX_ASKED_PATH)}…` : path
}

function covers(prefix: string, path: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')
}
