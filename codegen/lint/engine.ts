// The only file that knows the maintained lint engine. It sees the documents as we parsed them,
// reads no file and no network.
import {
  BaseResolver,
  createConfig,
  lintDocument,
  ResolveError,
  Source as EngineSource,
} from '@redocly/openapi-core'
import type { Config, Document, NormalizedProblem } from '@redocly/openapi-core'
import type { Finding } from '../findings.ts'
import { openapiVersion, pathOf } from '../load/source.ts'
import type { Source } from '../load/source.ts'
import { fields, isFields, mapValues, text } from '../values.ts'
import { leadsInCircle } from './circles.ts'
import { ENGINE_FAILED, ENGINE_PREFIX, ENGINE_RULES } from './engine-codes.ts'

type Sources = ReadonlyMap<string, Source>

/** Hands out what the loader has read; everything else does not exist. */
class ReadResolver extends BaseResolver {
  readonly #sources: Sources

  constructor(sources: Sources) {
    super({ http: { headers: [] } })
    this.#sources = sources
  }

  override loadExternalRef(file: string): Promise<EngineSource> {
    if (this.#sources.has(file)) return Promise.resolve(new EngineSource(file, ''))
    return Promise.reject(new ResolveError(new Error(`${file} has not been read`)))
  }

  override parseDocument(source: EngineSource): Document {
    return { source, parsed: plainNumbers(this.#sources.get(source.absoluteRef)?.data) }
  }
}

/**
 * Findings of the engine about the first of `sources`, the root; the others are what it refers to.
 * A document on which the engine breaks yields one finding, `oas/failed`.
 */
export async function runEngine(sources: readonly Source[]): Promise<readonly Finding[]> {
  const [root] = sources
  if (root === undefined) return []
  const bySource = new Map(sources.map((source) => [source.file, source]))
  const resolver = new ReadResolver(bySource)
  const document = resolver.parseDocument(new EngineSource(root.file, ''))
  const config = await engineConfig()
  if (leadsInCircle(sources)) return [failed(root, 'references lead in a circle')]
  try {
    const problems = await lintDocument({ document, config, externalRefResolver: resolver })
    return problems
      .filter((problem) => !isMistaken(problem, root))
      .flatMap((problem) => toFinding(problem, bySource))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [failed(root, message)]
  }
}

function failed(root: Source, message: string): Finding {
  return {
    severity: ENGINE_FAILED.severity,
    rule: `${ENGINE_PREFIX}failed`,
    message: `the engine broke on this document: ${message}`,
    at: root.place([]),
  }
}

/** Keywords below which a schema says when another holds: a name in it is declared there. */
const CONDITIONS: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'dependentSchemas'])
/** Their keys are names, not keywords. */
const NAMED: ReadonlySet<string | undefined> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'schemas',
  'dependentSchemas',
])

/**
 * Since 3.1 true and false are schemas everywhere, which the engine knows in a few places only; and
 * it asks conditions to declare.
 */
function isMistaken({ ruleId, message, location }: NormalizedProblem, root: Source): boolean {
  if (ruleId === 'struct') {
    return (
      /^Expected type `Schema` \(object\) but got `boolean`/u.test(message) &&
      !openapiVersion(root.data).startsWith('3.0')
    )
  }
  const path = pathOf(location[0]?.pointer ?? '')
  if (ruleId === 'no-unused-components') return isErrorOfAll(path, root)
  return (
    ruleId === 'no-required-schema-properties-undefined' &&
    path.some((key, index) => CONDITIONS.has(key) && !NAMED.has(path[index - 1]))
  )
}

/** The engine does not know that every operation has what `x-interface.errors` refers to. */
function isErrorOfAll(path: readonly string[], { data }: Source): boolean {
  const errors = Object.values(fields(fields(fields(data)['x-interface'])['errors']))
  return errors.some((error) => text(fields(error)['$ref']) === `#/${path.join('/')}`)
}

/** Only what our table names runs, from no configuration of the machine. */
function engineConfig(): Promise<Config> {
  return createConfig({
    extends: [],
    rules: Object.fromEntries(Object.keys(ENGINE_RULES).map((code) => [code, 'warn'] as const)),
  })
}

function toFinding(
  { ruleId, message, location }: NormalizedProblem,
  sources: Sources,
): readonly Finding[] {
  const [where] = location
  const source = where === undefined ? undefined : sources.get(where.source.absoluteRef)
  const known = ENGINE_RULES[ruleId]
  if (where === undefined || source === undefined || known === undefined) return []
  const text = message
    .trim()
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replace(/\.$/u, '')
  return [
    {
      severity: known.severity,
      rule: ENGINE_PREFIX + ruleId,
      message: text,
      at: source.place(pathOf(where.pointer ?? '')),
    },
  ]
}

/** The engine knows no bigint: bounds beyond 2^53 are rounded for it. */
function plainNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plainNumbers)
  return isFields(value) ? mapValues(value, plainNumbers) : value
}
