// The API reference at /docs: Swagger UI from its npm package and the mounted documents, all from
// this server, so that it works without a network.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ExtensionService, PluginContext } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import { asyncapiOf } from './asyncapi.ts'
import { PAGE, startScript } from './page.ts'

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/**
 * Swagger UI sets styles on elements, hence `unsafe-inline` for styles; scripts and everything else
 * are ours only.
 */
const SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves /docs for the mounted interfaces. */
export default definePlugin({
  kind: 'extension',
  name: 'docs',
  options: z.strictObject({}),
  setup: (host): ExtensionService => ({ mount: (router) => mount(router, host.documents) }),
})

type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]

interface Answer {
  status: number
  type: string
  body: unknown
  set(name: string, value: string): void
}

function mount(router: Router, documents: PluginContext['documents']): void {
  const listed = documents.map(({ name, mount: prefix }) => ({
    name,
    mount: prefix,
    url: `/docs/openapi/${name}.json`,
  }))
  router.get('/docs', (context) => send(context, 'text/html; charset=utf-8', PAGE))
  router.get('/docs/openapi', (context) =>
    send(context, 'application/json', JSON.stringify({ documents: listed })),
  )
  router.get('/docs/start.js', (context) =>
    send(context, 'text/javascript; charset=utf-8', startScript(listed)),
  )
  for (const { name, url } of documents) {
    router.get(`/docs/openapi/${name}.json`, async (context) =>
      send(context, 'application/json', await readFile(url)),
    )
  }
  router.get('/docs/asyncapi', async (context) => {
    const described = await websockets(documents)
    if (described !== undefined) send(context, 'application/yaml; charset=utf-8', described)
  })
  for (const [name, type] of Object.entries(ASSETS)) {
    router.get(`/docs/${name}`, async (context) => {
      send(context, type, await readFile(join(assetFolder(), name)))
      context.set('Cache-Control', 'public, max-age=3600')
    })
  }
}

/** The AsyncAPI document of the first interface that has websockets. */
async function websockets(documents: PluginContext['documents']): Promise<string | undefined> {
  for (const { url } of documents) {
    const described = asyncapiOf(JSON.parse(await readFile(url, 'utf8')))
    if (described !== undefined) return described
  }
  return undefined
}

function send(answer: Answer, type: string, body: string | Buffer): void {
  answer.status = 200
  answer.type = type
  answer.body = body
  answer.set('Content-Security-Policy', SECURITY)
  answer.set('X-Content-Type-Options', 'nosniff')
  answer.set('Referrer-Policy', 'no-referrer')
}

/** In the published package beside this file, in a checkout where npm has put them. */
function assetFolder(): string {
  const carried = fileURLToPath(new URL('assets', import.meta.url))
  if (existsSync(carried)) return carried
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
