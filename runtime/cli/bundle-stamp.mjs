// Says whether the bundle in dist/ was made of the sources as they are now: by names, sizes and
// times, which a start can afford to read. Plain JavaScript: the entry asks before it is known
// whether this Node runs TypeScript.
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** In the folder of a bundle: the stamp of what it was made of. */
export const STAMP_FILE = 'sources.txt'

const FOLDERS = ['runtime', 'generated', 'plugins']
const FILES = ['bundle.mjs', 'package-lock.json']

/** The wallet's page is built apart. */
const APART = /^wallet-ui[\\/](?:page|web)(?:$|[\\/])/

/** Stands for the present state of all that a bundle is made of. `root` is the checkout. */
export function bundleStamp(root) {
  const hash = createHash('sha256')
  const add = (name) => {
    const { mtimeMs, size } = statSync(join(root, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  for (const folder of FOLDERS) {
    for (const file of filesIn(join(root, folder))) add(join(folder, file))
  }
  FILES.forEach(add)
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => /\.(?:ts|mjs|json)$/.test(file) && !APART.test(file))
    .sort()
}
