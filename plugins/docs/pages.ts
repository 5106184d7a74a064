// The documentation: the site that `npm run build:site` makes of docs/, and the files of its look,
// which the front page and the API reference use too.
import { fileURLToPath } from 'node:url'
import { readStaticFiles, sendStaticFile } from '../../runtime/index.ts'
import { HTML, POLICY, send } from './answer.ts'
import type { Router } from './answer.ts'
import { pageOf } from './html.ts'

const NOT_BUILT = pageOf({
  title: 'Documentation',
  body: `<main class="front" id="content"><h1>The documentation has not been built</h1>
<p>Run <code>npm run build:site</code> and start the server again.</p></main>
`,
})
/** Leads on from an address at which there is nothing. */
export const NOT_FOUND = pageOf({
  title: 'Page not found',
  body: `<main class="front" id="content"><h1>Page not found</h1>
<p>Search above, or go to <a href="/docs/">the documentation</a>, <a href="/docs/api/">the API reference</a> or <a href="/">the front page</a>.</p></main>
`,
})
const AGE_S = 300

/** Answers `/docs` and below with the pages of the site. */
export function mountPages(router: Router): void {
  const pages = readStaticFiles(fileURLToPath(new URL('./pages/', import.meta.url)))
  const web = readStaticFiles(fileURLToPath(new URL('./web/', import.meta.url)))
  router.get('/docs/assets/:file', (context) => {
    const { file = '' } = context.params
    const found = web.get(file) ?? pages.get(`assets/${file}`)
    if (found === undefined) return
    sendStaticFile(context, found, POLICY)
    context.set('Cache-Control', `public, max-age=${AGE_S}`)
  })
  router.get(['/docs', '/docs/{*file}'], (context) => {
    // The links of the pages are relative.
    if (context.path === '/docs') return context.redirect('/docs/')
    const { file = '' } = context.params
    const found = pages.get(file === '' || file.endsWith('/') ? `${file}index.html` : file)
    if (found !== undefined) sendStaticFile(context, found, POLICY)
    else {
      send(context, HTML, file === '' ? NOT_BUILT : NOT_FOUND)
      context.status = file === '' ? 503 : 404
    }
    context.set('Cache-Control', 'no-cache')
  })
}
