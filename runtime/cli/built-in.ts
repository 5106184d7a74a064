// The plugins that come with the product, as each says in the `plugin.json` of its folder: found
// without being loaded, so that those that are off cost a start nothing. docs/plugins.md
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { DefaultPlugins, Profile } from '../host/config/schema.ts'
import type { PluginKind } from '../host/plugin.ts'

/** The file that runs: a bundle loads the plugins that were bundled with it. */
const OWN_FILE = pathToFileURL(import.meta.filename)

const FOLDER = new URL('../../plugins/', import.meta.url)
const CODE = new URL('../../plugins/', OWN_FILE)

/** `.ts` from the sources, `.js` from what was built. */
const ENDING = OWN_FILE.href.slice(OWN_FILE.href.lastIndexOf('.'))

const manifest = z.strictObject({
  plugins: z.array(
    z.strictObject({
      kind: z.enum(['storage', 'auth', 'scheduler', 'automation', 'extension']),
      name: z.string().regex(/^[a-z0-9-]+$/),
      /** The file that exports it, without its ending. */
      entry: z.string().min(1),
      /** Profiles in which it is on where the configuration says nothing. */
      enabledByDefault: z.array(z.enum(['dev', 'production'])).default([]),
    }),
  ),
})

interface BuiltInPlugin {
  readonly kind: PluginKind
  readonly name: string
  readonly file: URL
  readonly enabledByDefault: readonly Profile[]
}

let found: readonly BuiltInPlugin[] | undefined

/** The built-in plugins whose files are there, by kind and name. */
export function builtInPlugins(): readonly BuiltInPlugin[] {
  found ??= readdirSync(FOLDER)
    .flatMap(readManifest)
    .filter(({ file }) => existsSync(file))
    .toSorted(byKindAndName)
  return found
}

/** Default plugins of each kind in a profile. */
export function defaultPlugins(profile: Profile): DefaultPlugins {
  const on = (kind: PluginKind): readonly string[] =>
    builtInPlugins()
      .filter((plugin) => plugin.kind === kind && plugin.enabledByDefault.includes(profile))
      .map(({ name }) => name)
  return { automations: on('automation'), extensions: on('extension') }
}

function readManifest(folder: string): readonly BuiltInPlugin[] {
  const file = new URL(`${folder}/plugin.json`, FOLDER)
  if (!existsSync(file)) return []
  const { plugins } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return plugins.map(({ entry, ...plugin }) => ({
    ...plugin,
    file: new URL(`${folder}/${entry}${ENDING}`, CODE),
  }))
}

const KINDS: readonly PluginKind[] = ['storage', 'auth', 'scheduler', 'automation', 'extension']

function byKindAndName(one: BuiltInPlugin, other: BuiltInPlugin): number {
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || (one.name < other.name ? -1 : 1)
}
