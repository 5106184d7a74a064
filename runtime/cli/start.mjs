// The entry of a checkout, for any Node: a Node that cannot run TypeScript says so in one line
// instead of a stack. Commands run from the bundle where that is up to date, else from the sources;
// `serve` says where the wallet's page is older than its sources. The code cache is on before the
// first of either, so that a warm start never loads the type stripper.
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUpToDate } from './bundle-stamp.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

module.enableCompileCache?.()
try {
  const runsTypeScript = Boolean(process.features.typescript)
  const bundled = runsTypeScript && isUpToDate(join(ROOT, 'dist'), ROOT)
  await import(bundled ? '../../dist/runtime/cli/main.js' : './main.ts')
  // Beside the banner: the log may be read as JSON. By now requests are answered.
  const isServing = process.argv[2] === 'serve' && process.exitCode === undefined
  if (isServing && !isUpToDate(join(ROOT, 'plugins', 'wallet-ui', 'page'), ROOT))
    process.stdout.write(
      'the wallet page is missing or older than its sources: run "npm run build:wallet" and start again\n',
    )
} catch (error) {
  if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
  process.stderr.write(
    `ledgerwright needs Node 22.18 or newer; this is ${process.versions.node}. ` +
      'In a checkout, "npm start" uses the Node that npm ci installed.\n',
  )
  process.exitCode = 1
}
