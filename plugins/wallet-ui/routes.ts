// What the server answers at /wallet and below: the page at all of its own addresses, its files,
// and what this server offers.
import { mountTokens, readStaticFiles, sendStaticFile } from '../../runtime/index.ts'
import type { ExtensionService, PluginContext } from '../../runtime/index.ts'
import { NOT_BUILT } from './not-built.ts'
import type { Options } from './options.ts'

type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]

/**
 * `folder` holds the built page: `index.html`, and under `assets/` files whose names change with
 * their content.
 */
export function mountWallet(
  router: Router,
  host: PluginContext,
  settings: Options,
  folder: string,
): void {
  const assets = readStaticFiles(folder)
  const policy = policyOf(settings)
  router.get('/wallet/config.json', (context) => {
    context.set('Cache-Control', 'no-store')
    context.set('X-Content-Type-Options', 'nosniff')
    context.type = 'application/json'
    context.body = JSON.stringify(configuration(host, settings))
  })
  mountTokens(router, '/wallet/development/token', host)
  router.get('/wallet/assets/{*file}', (context) => {
    const asset = assets.get(`assets/${context.params['file'] ?? ''}`)
    if (asset === undefined) return
    sendStaticFile(context, asset, policy)
    context.set('Cache-Control', 'public, max-age=31536000, immutable')
  })
  router.get(['/wallet', '/wallet/{*path}'], (context) => {
    const page = assets.get('index.html')
    sendStaticFile(context, page ?? NOT_BUILT, policy)
    if (page === undefined) context.status = 503
    context.set('Cache-Control', 'no-cache')
  })
}

/** The configuration that the page asks for first. `mounts` are paths on this server. */
function configuration(host: PluginContext, { oidc, coin }: Options): object {
  const mounts = Object.fromEntries(host.documents.map(({ name, mount: prefix }) => [name, prefix]))
  return {
    profile: host.profile,
    development: host.issueToken?.() !== undefined,
    coin,
    mounts,
    ...(oidc === undefined ? {} : { oidc }),
  }
}

/**
 * The component library sets styles on elements; everything else comes from this server, but for
 * the provider's own addresses.
 */
function policyOf({ oidc }: Options): string {
  const others = oidc === undefined ? '' : ` ${new URL(oidc.authority).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${others}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
