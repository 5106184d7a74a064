// All files of one interface, by name, with their markers. The order matters once: routes, client
// and arbitraries say which validators they need.
import type { LoadedInterface } from '../load/load-interface.ts'
import { markJson, markScript } from '../write/marker.ts'
import { printArbitraries } from './arbitraries.ts'
import { printClient } from './client.ts'
import { emitContext } from './context.ts'
import { printDocument } from './document.ts'
import { printHandlers } from './handlers.ts'
import { emitTypes } from './hey-api.ts'
import { printRoutes } from './routes.ts'
import { printSecurity } from './security.ts'
import { sharedIr } from './share.ts'
import { printSupport } from './support.ts'
import type { SupportFile } from './support.ts'
import { printTranslation } from './translate.ts'
import { printValidators } from './validators.ts'

const TYPES = 'types'

/** The file of an interface's types, relative to the output folder. */
export function typesFile(interfaceName: string): string {
  return scriptFile(interfaceName, TYPES)
}

/**
 * Files of an interface by path relative to the output folder. Throws when a foreign generator
 * fails. `types` prints the types.
 */
export async function emitInterface(
  loaded: LoadedInterface,
  hasArbitraries: boolean,
  types = emitTypes,
): Promise<ReadonlyMap<string, string>> {
  const context = emitContext(sharedIr(loaded.ir))
  const routes = printRoutes(context)
  const client = printClient(context)
  const arbitraries = hasArbitraries ? [['arbitraries', printArbitraries(context)] as const] : []
  const scripts: readonly (readonly [string, string])[] = [
    [TYPES, await types(context.ir)],
    ['handlers', printHandlers(context)],
    ['routes', routes],
    ['client', client],
    ...arbitraries,
    ['validators', printValidators(context.ir, context.roots)],
  ]
  const files = new Map([
    ...marked(loaded, scripts),
    ...securityFiles(loaded),
    ...translationFiles(loaded),
  ])
  return files.set(...documentFile(loaded))
}

function documentFile({ ir, document }: LoadedInterface): [string, string] {
  return [`${ir.name}/openapi.json`, markJson(printDocument(document))]
}

/** Only a document with security schemes has hooks. */
function securityFiles(loaded: LoadedInterface): readonly (readonly [string, string])[] {
  const printed = printSecurity(loaded.ir)
  return printed === undefined ? [] : marked(loaded, [['security', printed]])
}

/** Only an interface under a vocabulary is translated. */
function translationFiles(loaded: LoadedInterface): readonly (readonly [string, string])[] {
  const printed = printTranslation(loaded)
  if (printed === undefined) return []
  return [...marked(loaded, [['translate', printed]]), supportFile('translation.gen.ts')]
}

/** Files that interfaces share, by path relative to the output folder. */
export function emitShared(hasArbitraries = true): ReadonlyMap<string, string> {
  const files = ['support.gen.ts', 'validation.gen.ts'] as const
  return new Map(
    [...files, ...(hasArbitraries ? ['arbitrary.gen.ts' as const] : [])].map(supportFile),
  )
}

/** A file of helpers by its path relative to the output folder. */
export function supportFile(file: SupportFile): readonly [SupportFile, string] {
  return [file, markScript(printSupport(file))]
}

/**
 * The files that testing a server against its document needs, shared ones included: routes,
 * validators and arbitraries. The types that they name are not among them: importing needs none.
 */
export function emitForConformance(loaded: LoadedInterface): ReadonlyMap<string, string> {
  const context = emitContext(sharedIr(loaded.ir))
  const routes = printRoutes(context)
  const arbitraries = printArbitraries(context)
  const validators = printValidators(context.ir, context.roots)
  return new Map([
    ...emitShared(),
    ...marked(loaded, [
      ['routes', routes],
      ['arbitraries', arbitraries],
      ['validators', validators],
    ]),
  ])
}

/**
 * The files that serving an interface needs at run time, shared ones included: routes, validators,
 * translation and the document.
 */
export function emitForServing(loaded: LoadedInterface): ReadonlyMap<string, string> {
  const context = emitContext(sharedIr(loaded.ir))
  const routes = printRoutes(context)
  const validators = printValidators(context.ir, context.roots)
  const scripts = marked(loaded, [
    ['routes', routes],
    ['validators', validators],
  ])
  return new Map([...emitShared(), ...scripts, ...translationFiles(loaded), documentFile(loaded)])
}

function marked(
  { ir }: LoadedInterface,
  scripts: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return scripts.map(([name, body]) => [scriptFile(ir.name, name), markScript(body)])
}

function scriptFile(interfaceName: string, name: string): string {
  return `${interfaceName}/${name}.gen.ts`
}
