// Builds the page of the wallet, into page/ or into the folder that is named. Runs after an install
// of this checkout; without the packages for building there is nothing to do.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = process.argv[2]
let vite
try {
  vite = await import('vite')
} catch {
  process.stdout.write('the wallet page was not built: vite is not installed\n')
}
if (vite !== undefined) {
  await vite.build({
    configFile: fileURLToPath(new URL('./web/vite.config.ts', import.meta.url)),
    ...(folder === undefined ? {} : { build: { outDir: resolve(folder) } }),
  })
}
