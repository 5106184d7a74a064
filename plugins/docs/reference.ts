// The API reference: a page for each mounted interface, with Swagger UI from its npm package, and
// the documents themselves.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PluginContext } from '../../runtime/index.ts'
import { mountTokens } from '../../runtime/index.ts'
import { HTML, JSON_TYPE, send } from './answer.ts'
import type { Router } from './answer.ts'
import { asyncapiOf } from './asyncapi.ts'
import { referenceOf } from './described.ts'
import type { Describe, Described } from './described.ts'
import { escapeHtml, pageOf } from './html.ts'

const SWAGGER: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}
const AGE_S = 3_600
const TOKENS = '/docs/development/token'

/** Answers `/docs/api`, `/docs/openapi` and `/docs/asyncapi`. */
export function mountReference(router: Router, host: PluginContext, describe: Describe): void {
  const { documents } = host
  mountDocuments(router, documents)
  mountTokens(router, TOKENS, host)
  router.get('/docs/operations.json', async (context) =>
    send(context, JSON_TYPE, JSON.stringify(searched(await describe()))),
  )
  router.get('/docs/api', async (context) => {
    const interfaces = await describe()
    send(context, HTML, pageOf({ title: 'API reference', body: listOf(interfaces) }))
  })
  for (const { name } of documents) {
    router.get(`/docs/api/${name}.html`, async (context) => {
      const interfaces = await describe()
      send(context, HTML, referencePage(name, interfaces, host.issueToken?.() !== undefined))
    })
  }
  for (const [name, type] of Object.entries(SWAGGER)) {
    router.get(`/docs/api/${name}`, async (context) => {
      send(context, type, await readFile(join(swaggerFolder(), name)))
      context.set('Cache-Control', `public, max-age=${AGE_S}`)
    })
  }
}

function mountDocuments(router: Router, documents: PluginContext['documents']): void {
  const listed = documents.map(({ name, mount: prefix }) => ({
    name,
    mount: prefix,
    url: `/docs/openapi/${name}.json`,
  }))
  router.get('/docs/openapi', (context) =>
    send(context, JSON_TYPE, JSON.stringify({ documents: listed })),
  )
  for (const { name, url } of documents) {
    router.get(`/docs/openapi/${name}.json`, async (context) =>
      send(context, JSON_TYPE, await readFile(url)),
    )
  }
  router.get('/docs/asyncapi', async (context) => {
    const described = await websockets(documents)
    if (described !== undefined) send(context, 'application/yaml; charset=utf-8', described)
  })
}

/** The AsyncAPI document of the first interface that has websockets. */
async function websockets(documents: PluginContext['documents']): Promise<string | undefined> {
  for (const { url } of documents) {
    const described = asyncapiOf(JSON.parse(await readFile(url, 'utf8')))
    if (described !== undefined) return described
  }
  return undefined
}

/** Operations as entries of the site's search. */
function searched(interfaces: readonly Described[]): readonly object[] {
  return interfaces.flatMap(({ name, title, operations }) =>
    operations.map((operation) => ({
      id: referenceOf(name, operation),
      page: title,
      heading: `${operation.method.toUpperCase()} ${operation.path}`,
      text: `${operation.id} ${operation.summary} ${operation.description}`,
      excerpt: operation.summary,
    })),
  )
}

function listOf(interfaces: readonly Described[]): string {
  const cards = interfaces.map(
    ({ name, mount, title, about, operations }) =>
      `<li><a href="/docs/api/${name}.html"><strong>${escapeHtml(title)}</strong><span>${withCode(about)}<br><code>${escapeHtml(mount === '' ? '/' : mount)}</code> ${operations.length} operations</span></a></li>`,
  )
  return `<main class="front" id="content"><h1>API reference</h1>
<p class="lead">One page for each interface of this server, with requests that you can send.</p>
<ul class="cards">
${cards.join('\n')}
</ul></main>
`
}

/** HTML of a text; code is between backticks. */
function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/gu, '<code>$1</code>')
}

function referencePage(name: string, interfaces: readonly Described[], hasTokens: boolean): string {
  const tabs = interfaces.map(
    (one) =>
      `<a href="/docs/api/${one.name}.html"${one.name === name ? ' aria-current="page"' : ''}>${escapeHtml(one.name)}</a>`,
  )
  const who = hasTokens
    ? '<label>Send requests as <select id="user"><option>alice</option><option>bob</option><option value="">nobody</option></select></label>'
    : ''
  return pageOf({
    title: `${name}: API reference`,
    head: `<link rel="stylesheet" href="/docs/api/swagger-ui.css">
<link rel="stylesheet" href="/docs/assets/reference.css">
<script defer src="/docs/api/swagger-ui-bundle.js"></script>
<script defer src="/docs/assets/reference.js"></script>
`,
    body: `<nav class="tabs" aria-label="Interfaces">${tabs.join('')}</nav>
<div class="bar" role="search"><input type="search" id="filter" placeholder="Filter operations by path, id or words" aria-label="Filter operations">${who}</div>
<div id="content" class="reference"><div id="reference" data-name="${escapeHtml(name)}"${hasTokens ? ` data-tokens="${TOKENS}"` : ''}></div></div>
`,
  })
}

/** The folder of the reference's assets: beside this file in the published package, else npm's. */
function swaggerFolder(): string {
  const carried = fileURLToPath(new URL('assets', import.meta.url))
  if (existsSync(carried)) return carried
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
