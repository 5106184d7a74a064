// Runs one of the reference generators over all documents in one process. Plain JavaScript, so that
// a reference pays for no type stripping.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [tool, out, ...documents] = process.argv.slice(2)

const TOOLS = {
  'hey-api': async () => {
    const { createClient } = await import('@hey-api/openapi-ts')
    const jobs = documents.map((input, index) => ({
      input,
      output: { path: join(out, String(index)), postProcess: [] },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    }))
    await createClient(jobs)
  },
  'openapi-typescript': async () => {
    const { default: openapiTs, astToString } = await import('openapi-typescript')
    mkdirSync(out, { recursive: true })
    for (const [index, document] of documents.entries()) {
      writeFileSync(
        join(out, `${index}.ts`),
        astToString(await openapiTs(pathToFileURL(document), { silent: true })),
      )
    }
  },
  orval: () => runOrval('hono'),
  // Its types and client alone, beside the same of others.
  'orval client': () => runOrval('fetch'),
}

async function runOrval(client) {
  const { generate } = await import('orval')
  for (const [index, document] of documents.entries()) {
    const home = join(out, String(index))
    // Its check of the document refuses an empty `required`, which several of the public
    // documents have.
    const input = { target: document, unsafeDisableValidation: true }
    const output = {
      target: join(home, 'index.ts'),
      schemas: join(home, 'models'),
      client,
      mode: 'split',
    }
    await generate({ input, output })
  }
}

await TOOLS[tool]()
