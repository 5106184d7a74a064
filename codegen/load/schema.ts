// Copies one schema of a document with every `$ref` rewritten to `#/components/schemas/NAME` of the
// one interface.
import { fields, given, isFields, items, sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import {
  SCHEMA_KEYS,
  SCHEMA_LISTS,
  SCHEMA_MAPS,
  SCHEMA_NAMES,
  SCHEMA_SINGLES,
  SCHEMA_UNSUPPORTED,
} from './keywords.ts'
import { withFittingDefault } from './defaults.ts'
import { LOSS } from './faults.ts'
import { isPattern } from './patterns.ts'
import { lintSchema } from './lint-schema.ts'
import { schemaRef } from './refs.ts'
import { child, follow, report, reportFault, schemaName } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'
import { openapiVersion, pointerOf } from './source.ts'

/**
 * The schema, resolved; `true` with a finding where it is no schema. `$defs` and names of
 * places vanish: references reach them.
 */
export function resolveSchema(resolver: Resolver, given: Located): unknown {
  if (typeof given.value === 'boolean') return given.value
  if (!isFields(given.value)) {
    const message = 'a schema must be an object or a boolean'
    reportFault(resolver, given, 'not-a-schema', message, LOSS.schema)
    return true
  }
  lintSchema(resolver, given, given.value)
  const at = withFittingDefault(resolver, given)
  const value = fields(at.value)
  const ref = text(value['$ref']) ?? text(value['$dynamicRef'])
  if (ref !== undefined) return resolveReference(resolver, at, value, ref)
  return copyKeywords(resolver, at, value)
}

function resolveReference(resolver: Resolver, at: Located, value: Fields, ref: string): unknown {
  const name = schemaName(resolver, at, ref)
  if (name === undefined) return true
  if (openapiVersion(resolver.root.data).startsWith('3.0'))
    return plainReference(resolver, at, name)
  const { $ref: _ref, $dynamicRef: dynamic, ...siblings } = value
  if (dynamic !== undefined) {
    report(
      resolver,
      child(at, '$dynamicRef'),
      'dynamic-reference',
      "'$dynamicRef' is read as '$ref': it always leads to the same schema",
    )
  }
  return { $ref: schemaRef(name), ...copyKeywords(resolver, { ...at, value: siblings }, siblings) }
}

/**
 * OpenAPI 3.0 ignores what stands beside a reference; where that loses more than a text, somebody
 * should know.
 */
function plainReference(resolver: Resolver, at: Located, name: string): unknown {
  for (const key of Object.keys(fields(at.value))) {
    if (
      ['$ref', 'description', 'summary', 'title', 'example'].includes(key) ||
      key.startsWith('x-')
    )
      continue
    report(
      resolver,
      child(at, key),
      'ignored-keyword',
      `'${key}' beside a reference is ignored in OpenAPI 3.0`,
    )
  }
  return { $ref: schemaRef(name) }
}

function copyKeywords(resolver: Resolver, at: Located, value: Fields): Fields {
  const copied: [string, unknown][] = []
  for (const [key, item] of sortedEntries(value)) {
    if (SCHEMA_NAMES.has(key)) continue
    lintKeyword(resolver, at, key)
    if (key === 'pattern' && !isPattern(resolver, child(at, key))) continue
    if (key === 'discriminator' && value['oneOf'] === undefined && value['anyOf'] === undefined) {
      const message =
        'a value of this schema is checked as such, whatever its tag: those that extend it are to be named'
      report(resolver, child(at, key), 'base-discriminator', message)
    }
    copied.push([key, copyKeyword(resolver, child(at, key), key, item)])
  }
  return Object.fromEntries(copied)
}

function copyKeyword(resolver: Resolver, at: Located, key: string, item: unknown): unknown {
  if (SCHEMA_MAPS.has(key) && isFields(item)) return copyMap(resolver, at, item)
  if (SCHEMA_LISTS.has(key))
    return items(item).map((_, index) => resolveSchema(resolver, child(at, String(index))))
  if (SCHEMA_SINGLES.has(key)) return resolveSchema(resolver, at)
  if (key === 'discriminator' && isFields(item)) return copyDiscriminator(resolver, at, item)
  return item
}

/**
 * Schemas by name. Documents in many files refer to whole maps of them: OpenAPI does not have that,
 * but a text is no schema, so that nothing else can be meant.
 */
function copyMap(resolver: Resolver, at: Located, item: Fields): Fields {
  const ref = text(item['$ref'])
  const names = Object.keys(item).filter((name) => name !== '$ref' || ref === undefined)
  const own = names.sort().map((name) => [name, resolveSchema(resolver, child(at, name))])
  return {
    ...(ref === undefined ? {} : referredMap(resolver, at, ref)),
    ...Object.fromEntries(own),
  }
}

function referredMap(resolver: Resolver, at: Located, ref: string): Fields {
  const written = child(at, '$ref')
  const target = follow(resolver, { ...at, value: { $ref: ref } }, LOSS.schema)
  const key = target === undefined ? '' : `${target.source.file}#${pointerOf(target.path)}`
  if (resolver.openMaps.has(key)) {
    const message = 'these properties contain themselves'
    reportFault(resolver, written, 'circular-reference', message, LOSS.schema)
    return {}
  }
  const message = 'properties are taken from here: OpenAPI has references to schemas alone'
  report(resolver, written, 'referred-properties', message)
  if (target === undefined) return {}
  resolver.openMaps.add(key)
  const copied = copyMap(resolver, target, fields(target.value))
  resolver.openMaps.delete(key)
  return copied
}

function copyDiscriminator(resolver: Resolver, at: Located, item: Fields): unknown {
  const rest = text(item['defaultMapping'])
  if (rest !== undefined) {
    report(
      resolver,
      child(at, 'defaultMapping'),
      'default-mapping',
      'with a default the schemas are tried in turn, not chosen by their tag',
    )
  }
  const mapping = sortedEntries(fields(item['mapping'])).flatMap(([tag, target]) => {
    const named = mappingTarget(resolver, child(at, 'mapping', tag), text(target) ?? '')
    return named === undefined ? [] : [[tag, named]]
  })
  const { defaultMapping: _rest, ...kept } = item
  const fallback = rest === undefined ? undefined : mappingTarget(resolver, at, rest)
  return {
    ...kept,
    ...(isFields(item['mapping']) ? { mapping: Object.fromEntries(mapping) } : {}),
    ...given({ defaultMapping: fallback }),
  }
}

function mappingTarget(resolver: Resolver, at: Located, target: string): string | undefined {
  const isName = /^[A-Za-z0-9_.-]+$/u.test(target) && !/\.(?:ya?ml|json)$/u.test(target)
  const name = schemaName(resolver, at, isName ? schemaRef(target) : target, LOSS.tag)
  return name === undefined ? undefined : schemaRef(name)
}

function lintKeyword(resolver: Resolver, at: Located, key: string): void {
  if (key.startsWith('x-')) return
  if (key === 'contentSchema' && at.path.includes('itemSchema')) return
  if (SCHEMA_UNSUPPORTED.has(key)) {
    report(
      resolver,
      child(at, key),
      'unsupported-keyword',
      `'${key}' is not checked by generated code`,
    )
  } else if (!SCHEMA_KEYS.has(key)) {
    report(resolver, child(at, key), 'unknown-keyword', `'${key}' is not a keyword of a schema`)
  }
}
