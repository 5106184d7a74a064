// The files of a new project: the templates with what the document says put into them. Reads this
// package, writes nothing.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareText, fields, text } from '../values.ts'

/** Facts that the templates do not know. */
interface ProjectFacts {
  /** Name of the package. */
  readonly name: string
  readonly title: string
  /** Folder under `generated/`, and the name of the file with handlers. */
  readonly interfaceName: string
  /** The document, relative to the project, with slashes. */
  readonly spec: string
  /** True when the document has operations that not everybody may call. */
  readonly isSecured: boolean
  /** Members of the hooks of its security schemes. */
  readonly hooks: string
  /**
   * A path that answers GET without parameters and is there to be asked for health; absent when
   * there is none.
   */
  readonly healthPath?: string
  /** The project's dependency on this package; its own version if absent. */
  readonly ledgerwright?: string
}

const TEMPLATE = fileURLToPath(new URL('template', import.meta.url))
const SAMPLE = fileURLToPath(new URL('sample/notes.yaml', import.meta.url))
/** Manifests of a checkout and of a build. */
const MANIFESTS = ['../../package.json', '../../../package.json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const HEALTH_SECONDS = 10
const SECURITY = `
## Who may call

The document has security: \`src/security.ts\` has a hook for each of its schemes, which says who shows a credential. As they are, they are for
development only: who shows \`development-token\` (or what \`DEV_TOKEN\` says) may do everything, and in production nobody gets in. Write your own
before you deliver.
`

/** The document of a project that was begun without one. */
export function sampleFile(): string {
  return SAMPLE
}

/** Texts by path relative to the project, with slashes. */
export function projectFiles(facts: ProjectFacts): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const names = readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  for (const name of names
    .filter((one) => statSync(join(TEMPLATE, one)).isFile())
    .sort(compareText)) {
    const target = targetOf(name, facts)
    if (target !== undefined) files.set(target, contentOf(name, facts))
  }
  return files
}

/** The target of a template; undefined if this document has no use for it. */
function targetOf(name: string, { interfaceName, isSecured }: ProjectFacts): string | undefined {
  if (name === 'src/guard.development.ts') return isSecured ? 'src/guard.ts' : undefined
  if (name === 'src/security.ts' && !isSecured) return undefined
  if (name === 'src/guard.ts' && isSecured) return undefined
  // npm would take such names in a package for its own.
  return name.replaceAll(/(^|\/)dot-/gu, '$1.').replace('__interface__', interfaceName)
}

function contentOf(name: string, facts: ProjectFacts): string {
  const template = readFileSync(join(TEMPLATE, name), 'utf8')
  if (name === 'package.json') return manifestText(template, facts)
  const values: Readonly<Record<string, string>> = {
    __package__: facts.name,
    __interface__: facts.interfaceName,
    __spec__: quotable(facts.spec),
    '  __hooks__,\n': facts.hooks,
    __title__: plain(facts.title),
    '__healthcheck__\n': healthcheck(facts.healthPath),
    '__security__\n': facts.isSecured ? SECURITY : '',
  }
  return template.replaceAll(
    /__(?:healthcheck|security)__\n| {2}__hooks__,\n|__[a-z]+__/gu,
    (found) => values[found] ?? found,
  )
}

/** A title may hold anything; in a comment or a heading it is one line. */
function plain(title: string): string {
  return title.replaceAll(/[\s`*/<>\\]+/gu, ' ').trim() || 'the document'
}

/** The path as a text in single quotes. */
function quotable(path: string): string {
  return path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
}

/** 501 is the answer of a server that runs, whose health nobody has written yet. */
function healthcheck(path: string | undefined): string {
  if (path === undefined) return ''
  const script = `fetch('http://127.0.0.1:'+process.env.PORT+'${path}').then((r)=>process.exit(r.ok||r.status===501?0:1),()=>process.exit(1))`
  return `HEALTHCHECK --interval=${HEALTH_SECONDS}s --timeout=3s CMD ["node", "-e", "${script}"]\n`
}

/** The manifest with the versions that this package itself has been tested with. */
function manifestText(template: string, { name, ledgerwright }: ProjectFacts): string {
  const manifest = fields(JSON.parse(template))
  const own = ownManifest()
  const known = {
    ...fields(own['devDependencies']),
    ...fields(own['dependencies']),
    ledgerwright: ledgerwright ?? own['version'],
  }
  const versions = (group: string): object =>
    Object.fromEntries(
      Object.keys(fields(manifest[group])).map((dependency) => [
        dependency,
        text(fields(known)[dependency]) ?? '*',
      ]),
    )
  const filled = {
    ...manifest,
    name,
    dependencies: versions('dependencies'),
    devDependencies: versions('devDependencies'),
  }
  return `${JSON.stringify(filled, null, 2)}\n`
}

function ownManifest(): ReturnType<typeof fields> {
  for (const file of MANIFESTS) {
    try {
      const manifest = fields(JSON.parse(readFileSync(file, 'utf8')))
      if (manifest['name'] === 'ledgerwright') return manifest
    } catch {
      continue
    }
  }
  throw new Error('the manifest of ledgerwright is missing: its installation is broken')
}
