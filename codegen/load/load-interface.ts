// The front half of the generator in one call: file in, IR and findings out. Reads files, writes
// nothing.
import { resolve as resolvePath } from 'node:path'
import { formatFinding, hasErrors } from '../findings.ts'
import type { Finding } from '../findings.ts'
import type { InterfaceIr, SourcePlace } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { runDocumentHooks, runIrHooks } from '../plugin-run.ts'
import type { HookRun } from '../plugin-run.ts'
import { inOrder } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'
import { finding } from '../rules/document-rules.ts'
import { compareText, fields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { applyVocabulary } from '../vocabulary/apply.ts'
import type { Translation } from '../vocabulary/apply.ts'
import { loadVocabulary } from '../vocabulary/load.ts'
import { buildIr } from './build-ir.ts'
import { resolveDocument } from './document.ts'
import type { ResolvedDocument } from './document.ts'
import { locator } from './locate.ts'
import { applyOverlays } from './overlay.ts'
import { documentOf } from './print-document.ts'
import { startResolver } from './resolver.ts'
import { openapiVersion, readSource, stemOf } from './source.ts'
import type { Path, Source } from './source.ts'
import { withoutSwagger } from './swagger.ts'
import { webhooksOf } from './webhooks.ts'

/** Steps of a document on its way. */
export interface LoadOptions {
  /** Replaces the interface's name (`x-interface.name`, else the file's stem). */
  readonly name?: string
  /** OpenAPI Overlay files, applied in this order to the document as it is written. */
  readonly overlays?: readonly string[]
  /** Word map under whose names the interface is generated. */
  readonly vocabulary?: string
  /** Packages of the vocabulary's `own`. */
  readonly packages?: readonly string[]
  /** Reads the webhooks and callbacks of the document in place of its paths. */
  readonly webhooks?: boolean
  /** Their hooks `document` and `ir` run. */
  readonly plugins?: readonly GeneratorPlugin[]
  /**
   * Reads the document and what it refers to; who loads again and again remembers what has not
   * changed.
   */
  readonly read?: (file: string) => Source
  /** Faults that cost a part of what is generated are errors, and nothing is left out. */
  readonly isStrict?: boolean
}

/** A document as the generator sees it. Where a finding is an error, `ir` is not to be used. */
export interface LoadedInterface {
  readonly ir: InterfaceIr
  /** The self-contained document, sorted, in the OpenAPI version of its source. */
  readonly document: Fields
  readonly findings: readonly Finding[]
  /** Every file that was read, absolute, with its bytes. */
  readonly inputs: readonly { readonly file: string; readonly bytes: Uint8Array }[]
  /** The documents as they were parsed, the root with its overlays first. */
  readonly sources: readonly Source[]
  /** The place where a path of the resolved document was written, or its nearest ancestor. */
  locate(path: Path): SourcePlace
  /** Set when the interface is under a vocabulary. */
  readonly translation?: Translation
}

/**
 * Loads a document of OpenAPI 3.0 to 3.2 or Swagger 2.0 with everything it refers to. Never throws
 * for what a document says: see `findings`.
 */
export function loadInterface(file: string, options: LoadOptions = {}): LoadedInterface {
  const { overlays: patches = [], plugins = [], read = readSource, isStrict } = options
  const { source: written, overlays } = applyOverlays(
    read(resolvePath(file)),
    patches.map((patch) => resolvePath(patch)),
  )
  const source = withoutSwagger(written)
  const isHooks = options.webhooks === true
  const unsupported = hasErrors(source.findings) ? [] : lintVersion(source)
  const asked = isHooks ? { ...source, data: webhooksOf(fields(source.data)) } : source
  const root = unsupported.length === 0 ? asked : { ...source, data: {}, findings: unsupported }
  const resolver = startResolver(root, read, isStrict)
  const resolved = resolveDocument(resolver)
  const given = text(fields(fields(root.data)['x-interface'])['name'])
  const own = given ?? stemOf(root.file)
  const name = options.name ?? (isHooks ? `${own}-webhooks` : own)
  const locate = locator(resolver)
  const words =
    options.vocabulary === undefined ? undefined : loadVocabulary(resolvePath(options.vocabulary))
  resolver.findings.push(...(words?.findings ?? []))
  const renamed =
    words === undefined || hasErrors(resolver.findings)
      ? undefined
      : applyVocabulary(
          resolved,
          options.packages === undefined
            ? words.vocabulary
            : { ...words.vocabulary, own: options.packages },
          { name, locate, findings: resolver.findings },
        )
  const hooks: HookRun = {
    plugins: inOrder(plugins),
    interface: name,
    findings: resolver.findings,
    locate: renamed === undefined ? locate : (path) => locate(renamed.pathOf(path)),
  }
  const { ir, document } = buildWithHooks(hooks, renamed?.resolved ?? resolved)
  const sources = [...resolver.sources.values()]
  const inputs = [...sources, ...overlays, ...(words === undefined ? [] : [words.source])].map(
    ({ file, bytes }) => ({ file, bytes }),
  )
  const translation = renamed === undefined ? {} : { translation: renamed.translation }
  return {
    ir,
    document,
    findings: distinct(resolver.findings),
    inputs,
    sources,
    locate: hooks.locate,
    ...translation,
  }
}

/** A document with errors is not handed to plugins: they may rely on what is checked. */
function buildWithHooks(
  hooks: HookRun,
  resolved: ResolvedDocument,
): Pick<LoadedInterface, 'ir' | 'document'> {
  const { findings } = hooks
  const isSound = hooks.plugins.length > 0 && !hasErrors(findings)
  const document = isSound ? runDocumentHooks(hooks, resolved.document) : resolved.document
  const ir = buildIr(
    hooks.interface,
    isSound ? { document, places: allPlaces(document, resolved.places, hooks) } : resolved,
    findings,
  )
  const isAsked = isSound && hooks.plugins.some((plugin) => plugin.ir !== undefined)
  if (!isAsked || hasErrors(findings)) return { ir, document }
  const before = structuredClone(ir)
  const changed = runIrHooks(hooks, ir)
  const isSame = changed === ir && canonicalJson(before) === canonicalJson(ir)
  return { ir: changed, document: isSame ? document : documentOf(document, before, changed) }
}

/** Operations that plugins brought stand where their path would. */
function allPlaces(
  document: Fields,
  written: ResolvedDocument['places'],
  { locate }: HookRun,
): ResolvedDocument['places'] {
  const places = new Map(written)
  for (const [path, item] of Object.entries(fields(document['paths']))) {
    for (const method of Object.keys(fields(item))) {
      const key = `${method.toUpperCase()} ${path}`
      if (!places.has(key)) places.set(key, locate(['paths', path, method]))
    }
  }
  return places
}

function lintVersion(root: Source): readonly Finding[] {
  const version = openapiVersion(root.data)
  if (/^3\.[012](?:\.|$)/u.test(version)) return []
  const message =
    version === ''
      ? "no 'openapi' version: this is not an OpenAPI 3 document"
      : `OpenAPI ${version} is not supported`
  return [finding('openapi-version', message, root.place(['openapi']))]
}

/** Distinct findings, in the order of the files: a value reached by two ways counts once. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const once = [...new Map(findings.map((finding) => [formatFinding(finding), finding])).values()]
  return once.sort(
    ({ at: a }, { at: b }) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
}
