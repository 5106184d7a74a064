// The foreign type generator imports the compiler, a CommonJS file of 9 MB. Node reads it three
// times then: to see whether it is a module, to find the names of its exports, and to run it. The
// first two take as long as all the rest of loading it.
import module, { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const COMPILER = 'typescript'

/**
 * Loads what imports the compiler as a whole, by its default export, and spares Node what it need
 * not know of it for that. Imports from elsewhere find the compiler as ever.
 */
export async function withLightCompiler<T>(load: () => Promise<T>): Promise<T> {
  const require = createRequire(import.meta.url)
  const file = require.resolve(COMPILER)
  require(file)
  const source = `import { createRequire } from 'node:module'
export default createRequire(import.meta.url)(${JSON.stringify(file)})`
  const url = `${pathToFileURL(file).href}?light`
  const hooks = module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === COMPILER && isImport(context.conditions) && isForeign(context.parentURL)
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (asked, context, next) =>
      asked === url ? { source, format: 'module', shortCircuit: true } : next(asked, context),
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}

function isImport(conditions: readonly string[]): boolean {
  return conditions.includes('import')
}

/** Whether the type generator asks, in its package or packed into ours. */
function isForeign(parent: string | undefined): boolean {
  return parent?.includes('/@hey-api/openapi-ts/') === true
}
