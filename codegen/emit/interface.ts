// All files of one interface, by name, with their markers. The order matters once: routes and client say which validators they need.
import type { LoadedInterface } from '../load/load-interface.ts'
import { canonicalJson } from '../json.ts'
import { markJson, markScript } from '../write/marker.ts'
import { printClient } from './client.ts'
import { emitContext } from './context.ts'
import { printHandlers } from './handlers.ts'
import { emitTypes } from './hey-api.ts'
import { printRoutes } from './routes.ts'
import { printValidators } from './validators.ts'

/** Files of an interface by path relative to the output folder. Throws when a foreign generator fails. */
export async function emitInterface(loaded: LoadedInterface): Promise<ReadonlyMap<string, string>> {
  const context = emitContext(loaded.ir)
  const routes = printRoutes(context)
  const client = printClient(context)
  const scripts: readonly (readonly [string, string])[] = [
    ['types', await emitTypes(loaded.ir)],
    ['handlers', printHandlers(context)],
    ['routes', routes],
    ['client', client],
    ['validators', printValidators(loaded.ir, context.roots)],
  ]
  const files = new Map(scripts.map(([name, body]) => [`${loaded.ir.name}/${name}.gen.ts`, markScript(body)]))
  return files.set(`${loaded.ir.name}/openapi.json`, markJson(`${canonicalJson(loaded.document, 2)}\n`))
}
