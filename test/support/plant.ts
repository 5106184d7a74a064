// Faults planted in the product. The product has no seam for it, and the checkout stays as it is: a
// file with its edits, and all that import it, are loaded once more, beside the product as it is.
import { registerHooks } from 'node:module'
import { editedBy } from './source-edit.ts'
import type { Edit } from './source-edit.ts'

interface Planted {
  /** Ends the addresses of what is loaded once more. */
  readonly mark: string
  /** The edited files, as JavaScript. */
  readonly sources: ReadonlyMap<string, string>
  /** Addresses of what the edits reach. */
  readonly reached: ReadonlySet<string>
}

const ROOT = new URL('../../', import.meta.url).href

/** Addresses of who imports a file, of those that were loaded as they are. */
const importers = new Map<string, Set<string>>()
let planted: Planted | undefined
let count = 0

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    if (!found.url.startsWith(ROOT) || found.url.includes('/node_modules/')) return found
    if (planted === undefined) {
      const known = importers.get(found.url) ?? new Set()
      importers.set(found.url, known.add(context.parentURL ?? ''))
      return found
    }
    const isShared = importers.has(found.url) && !planted.reached.has(found.url)
    return isShared ? found : { ...found, url: `${found.url}${planted.mark}` }
  },
  load: (url, context, next) => {
    const source = planted?.sources.get(url.replace(planted.mark, ''))
    return source === undefined
      ? next(url, context)
      : { format: 'module', source, shortCircuit: true }
  },
})

/**
 * Calls with the edits in the product: what `use` imports has them. Where it was imported as it is
 * before, only what the edits reach is loaded once more. Throws an Error that names the edit whose
 * search text is not found once.
 */
export async function withEdits<T>(edits: readonly Edit[], use: () => Promise<T>): Promise<T> {
  const sources = editedBy(edits)
  count += 1
  planted = { mark: `?planted=${count}`, sources, reached: importersOf([...sources.keys()]) }
  return use().finally(() => {
    planted = undefined
  })
}

/** These, what imports them, what imports that, and so on. */
function importersOf(urls: readonly string[]): ReadonlySet<string> {
  const reached = new Set(urls)
  for (const url of reached) for (const importer of importers.get(url) ?? []) reached.add(importer)
  return reached
}
