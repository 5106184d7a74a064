// Builds the page of the wallet, into page/ or into the folder that is named. Runs after an install
// of this checkout; without the packages for building there is nothing to do. The page of a checkout
// notes what it was made of, so that a start notices when it is older.
import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeStamp } from '../../runtime/cli/bundle-stamp.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = join(ROOT, 'plugins', 'wallet-ui', 'page')

const folder = process.argv[2]
let vite
try {
  vite = await import('vite')
} catch {
  process.stdout.write('the wallet page was not built: vite is not installed\n')
}
if (vite !== undefined) {
  const { output } = await vite.build({
    configFile: fileURLToPath(new URL('./web/vite.config.ts', import.meta.url)),
    ...(folder === undefined ? {} : { build: { outDir: resolve(folder) } }),
  })
  if (folder === undefined) writeStamp(PAGE, ROOT, sources(output))
}

/** The page's own files, the generated ones that it was made of, and the packages. */
function sources(output) {
  const generated = output
    .flatMap(({ moduleIds = [] }) => moduleIds.map((id) => relative(ROOT, id)))
    .filter((name) => /^generated[\\/]/.test(name))
  const own = globSync('plugins/wallet-ui/web/**/*.{css,html,js,json,ts,tsx}', { cwd: ROOT })
  return [...own, ...generated, 'plugins/wallet-ui/build.mjs', 'package-lock.json']
}
