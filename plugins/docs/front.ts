// The front page: what runs here, where to go from here, and in the development profile a first
// request with a token that works.
import { readFile } from 'node:fs/promises'
import type { PluginContext } from '../../runtime/index.ts'
import { HTML, send } from './answer.ts'
import type { Router } from './answer.ts'
import type { Describe, Described } from './described.ts'
import { escapeHtml, pageOf } from './html.ts'

/** The user of the first request; a new development network begins with one of this name. */
const USER = 'alice'
/** The first request, where it is served; otherwise any that needs no parameter. */
const FIRST_REQUEST = '/v0/wallet/balance'
const ICON_AGE_S = 86_400

/** Pages that other extensions serve, by the extension's id. */
const PAGES = [
  {
    id: 'extension/wallet-ui',
    path: '/wallet',
    title: 'Wallet',
    about: 'Send and receive coin in the browser',
  },
  {
    id: 'extension/metrics',
    path: '/metrics',
    title: 'Metrics',
    about: 'Counters and latencies for Prometheus',
  },
] as const

/** Answers `/` and `/favicon.ico`. */
export function mountFront(router: Router, host: PluginContext, describe: Describe): void {
  router.get('/', async (context) => {
    const interfaces = await describe()
    const issue = host.issueToken?.()
    const request = firstRequest(interfaces)
    const facts = {
      host,
      interfaces,
      pages: await otherPages(host),
      command:
        request === undefined
          ? undefined
          : commandOf(`${context.protocol}://${context.host}${request}`, await issue?.(USER)),
    }
    send(context, HTML, pageOf({ title: 'Ledgerwright', body: bodyOf(facts) }))
    context.set('Cache-Control', 'no-store')
  })
  router.get('/favicon.ico', async (context) => {
    send(context, 'image/x-icon', await readFile(new URL('./web/favicon.ico', import.meta.url)))
    context.set('Cache-Control', `public, max-age=${ICON_AGE_S}`)
  })
}

interface Facts {
  readonly host: PluginContext
  readonly interfaces: readonly Described[]
  readonly pages: readonly (typeof PAGES)[number][]
  readonly command: string | undefined
}

function bodyOf({ host, interfaces, pages, command }: Facts): string {
  const { profile, productVersion = '' } = host
  const cards = [
    { path: '/docs/api/', title: 'API reference', about: 'Every operation, with requests to try' },
    { path: '/docs/', title: 'Documentation', about: 'First steps, guides and operations' },
    ...pages,
  ]
  const kind = profile === 'dev' ? 'a development server on this machine' : 'a production server'
  return `<main class="front" id="content">
<h1>Ledgerwright is running</h1>
<p class="lead">This is ${kind}, version ${escapeHtml(productVersion)}. It serves the interfaces below, generated from their OpenAPI documents.</p>
<ul class="cards">
${cards.map(({ path, title, about }) => `<li><a href="${path}"><strong>${title}</strong><span>${about}</span></a></li>`).join('\n')}
</ul>
${command === undefined ? '' : `<h2>Your first request</h2>\n<div class="code"><pre tabindex="0"><code>${escapeHtml(command)}</code></pre></div>\n`}<h2>Interfaces</h2>
<div class="table" tabindex="0"><table>
<thead><tr><th>Interface</th><th>Address</th><th class="operations">Operations</th><th>OpenAPI</th></tr></thead>
<tbody>
${interfaces.map(interfaceRow).join('\n')}
</tbody>
</table></div>
${statusLine(interfaces)}</main>
`
}

function interfaceRow({ name, mount, title, operations }: Described): string {
  return `<tr><td><a href="/docs/api/${name}.html">${escapeHtml(title)}</a></td><td><code>${escapeHtml(mount === '' ? '/' : mount)}</code></td><td class="operations">${operations.length}</td><td><a href="/docs/openapi/${name}.json">${name}.json</a></td></tr>`
}

/** The probes that an orchestrator asks, where an interface has them. */
function statusLine(interfaces: readonly Described[]): string {
  const probes = interfaces
    .flatMap(({ operations }) => operations)
    .filter(({ path }) => ['/readyz', '/livez'].includes(path))
    .map(({ path }) => `<a href="${path}"><code>${path}</code></a>`)
  return probes.length === 0 ? '' : `<p>Status: ${probes.join(' ')}</p>\n`
}

async function otherPages({ health }: PluginContext): Promise<Facts['pages']> {
  const running = new Set((await health?.())?.plugins.map(({ plugin }) => plugin))
  return PAGES.filter(({ id }) => running.has(id))
}

function firstRequest(interfaces: readonly Described[]): string | undefined {
  const simple = interfaces
    .flatMap(({ operations }) => operations)
    .filter(({ method, hasParameters }) => method === 'get' && !hasParameters)
  return (simple.find(({ path }) => path.endsWith(FIRST_REQUEST)) ?? simple[0])?.path
}

function commandOf(address: string, token: string | undefined): string {
  return token === undefined
    ? `curl -i ${address}`
    : `TOKEN=${token}\ncurl -H "Authorization: Bearer $TOKEN" ${address}`
}
