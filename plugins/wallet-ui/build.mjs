// Builds the page of the wallet. Runs after an install of this checkout; without the packages for building there is nothing to do.
import { fileURLToPath } from 'node:url'

let vite
try {
  vite = await import('vite')
} catch {
  process.stdout.write('the wallet page was not built: vite is not installed\n')
}
if (vite !== undefined) await vite.build({ configFile: fileURLToPath(new URL('./web/vite.config.ts', import.meta.url)) })
