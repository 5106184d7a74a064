// The wallet in the browser, at /wallet: serves the page that `npm run build:wallet` makes, and tells it what this server offers.
// The page itself stands in web/ and speaks to the public interfaces alone. docs/decisions/0009-wallet-ui.md
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ExtensionService, PluginContext } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import { readAssets } from './assets.ts'
import type { Asset } from './assets.ts'
import { mountDevelopment } from './development.ts'
import { NOT_BUILT } from './not-built.ts'

/** An OpenID Connect provider whose users may log in: authorisation code with PKCE, in the page. */
const provider = z.strictObject({
  /** Shown on the button. */
  name: z.string().min(1).default('your organisation'),
  /** The issuer; its discovery document is fetched by the page. */
  authority: z.url({ protocol: /^https?$/u }),
  clientId: z.string().min(1),
  scope: z.string().min(1).default('openid'),
  /** Asked for as the parameter `audience`, where the provider wants it. */
  audience: z.string().min(1).optional(),
  /** Which of the provider's tokens is sent to the interfaces. */
  token: z.enum(['access', 'id']).default('access'),
})

const options = z.strictObject({
  oidc: provider.optional(),
  /** Short name of the coin beside amounts, where the network does not say. */
  coin: z.string().min(1).max(10).default('CC'),
})

type Options = z.output<typeof options>

export default definePlugin({
  kind: 'extension',
  name: 'wallet-ui',
  options,
  setup: (host, settings): ExtensionService => ({ mount: (router) => mount(router, host, settings) }),
})

type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]
type Answer = Parameters<Parameters<Router['get']>[1]>[0]

function mount(router: Router, host: PluginContext, settings: Options): void {
  const assets = readAssets(fileURLToPath(new URL('./page/', import.meta.url)))
  const policy = policyOf(settings)
  router.get('/wallet/config.json', (context) => {
    context.set('Cache-Control', 'no-store')
    context.type = 'application/json'
    context.body = JSON.stringify(configuration(host, settings))
  })
  mountDevelopment(router, host)
  router.get('/wallet/assets/:file', (context) => {
    const asset = assets.get(`assets/${context.params['file'] ?? ''}`)
    if (asset === undefined) return
    send(context, asset, policy)
    context.set('Cache-Control', 'public, max-age=31536000, immutable')
  })
  router.get(['/wallet', '/wallet/{*path}'], (context) => {
    const page = assets.get('index.html')
    send(context, page ?? NOT_BUILT, policy)
    if (page === undefined) context.status = 503
    context.set('Cache-Control', 'no-cache')
  })
}

/** What the page asks first. `mounts` are paths on this server. */
function configuration(host: PluginContext, { oidc, coin }: Options): object {
  const mounts = Object.fromEntries(host.documents.map(({ name, mount: prefix }) => [name, prefix]))
  return { profile: host.profile, development: host.issueToken?.() !== undefined, coin, mounts, ...oidc === undefined ? {} : { oidc } }
}

/** The component library sets styles on elements; everything else comes from this server, but for the provider's own addresses. */
function policyOf({ oidc }: Options): string {
  const others = oidc === undefined ? '' : ` ${new URL(oidc.authority).origin}`
  return [
    "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "font-src 'self'",
    `connect-src 'self'${others}`, "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].join('; ')
}

function send(context: Answer, asset: Asset, policy: string): void {
  const isZipped = asset.gzip !== undefined && context.acceptsEncodings('gzip') === 'gzip'
  context.status = 200
  context.type = asset.type
  context.body = isZipped ? asset.gzip : asset.bytes
  if (isZipped) context.set('Content-Encoding', 'gzip')
  context.set('Vary', 'Accept-Encoding')
  context.set('Content-Security-Policy', policy)
  context.set('X-Content-Type-Options', 'nosniff')
  context.set('Referrer-Policy', 'no-referrer')
}
