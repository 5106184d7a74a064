// Puts a resolved document under a vocabulary, and keeps what is needed to serve it with handlers
// that speak the document's own words.
import type { Finding } from '../findings.ts'
import type { InterfaceIr, Schema, SourcePlace } from '../ir.ts'
import { bodyKind } from '../emit/context.ts'
import { changesBy } from '../emit/support/translation.ts'
import { buildIr } from '../load/build-ir.ts'
import { extensionsOf } from '../load/discriminators.ts'
import type { ResolvedDocument } from '../load/document.ts'
import { refName, schemaRef } from '../load/refs.ts'
import type { Path } from '../load/source.ts'
import { finding } from '../rules/document-rules.ts'
import { fields, isFields, items, sortDeep } from '../values.ts'
import type { Fields } from '../values.ts'
import { ANNOTATION_KEY, ANNOTATIONS, Planner } from './plan.ts'
import { renameDocument, renamePath } from './rename.ts'
import type { Renaming } from './rename.ts'
import { outwardDictionary, renamer } from './words.ts'
import type { Vocabulary } from './words.ts'

/** The interface as its document has it, beside the one under the vocabulary. */
export interface Translation {
  readonly neutral: InterfaceIr
  readonly vocabulary: Vocabulary
}

interface Renamed {
  readonly translation: Translation
  readonly resolved: ResolvedDocument
  /** The path in the resolved document of a path in the renamed one. */
  pathOf(path: Path): Path
}

/** A document's place while it is loaded. */
interface Site {
  /** Name of the interface. */
  readonly name: string
  locate(path: Path): SourcePlace
  /** Findings are appended. */
  readonly findings: Finding[]
}

/** The document under a vocabulary. */
export function applyVocabulary(
  resolved: ResolvedDocument,
  vocabulary: Vocabulary,
  site: Site,
): Renamed {
  const neutral = buildIr(site.name, resolved, [])
  const planner = new Planner(neutral, renamer(vocabulary, 'property'))
  for (const schema of schemasOf(neutral)) planner.planOf(schema)
  const renaming = renamingOf(neutral, vocabulary, planner, site)
  const document = fields(sortDeep(renameDocument(resolved.document, renaming)))
  site.findings.push(
    ...annotationFindings(resolved.document, [], site),
    ...blurredFindings(planner, resolved.document, site),
  )
  site.findings.push(...streamFindings(neutral, planner, site))
  const paths = new Map(neutral.operations.map(({ path }) => [renamePath(path, renaming), path]))
  const places = new Map(
    [...resolved.places].map(([key, place]) => {
      const [method = '', path = ''] = key.split(/ (.*)/su)
      return [`${method} ${renamePath(path, renaming)}`, place]
    }),
  )
  return {
    translation: { neutral, vocabulary },
    resolved: { ...resolved, document, places },
    pathOf: (path) => originalPath(path, resolved.document, renaming, paths),
  }
}

/**
 * Every schema that is translated: what is wrong with one shall be said whether or not there is an
 * example of it.
 */
function schemasOf({ schemas, operations }: InterfaceIr): readonly Schema[] {
  const media = operations.flatMap(({ body, responses }) => [
    ...(body?.media ?? []),
    ...responses.flatMap((response) => response.media),
  ])
  return [
    ...Object.keys(schemas).map((name) => ({ $ref: schemaRef(name) })),
    ...media.flatMap(({ schema }) => schema ?? []),
  ]
}

function renamingOf(
  neutral: InterfaceIr,
  vocabulary: Vocabulary,
  planner: Planner,
  { locate, findings }: Site,
): Renaming {
  const changeOf = changesBy(outwardDictionary(vocabulary), 'outward', (key) => planner.node(key))
  return {
    path: renamer(vocabulary, 'path'),
    parameter: renamer(vocabulary, 'parameter'),
    property: renamer(vocabulary, 'property'),
    schema: renamer(vocabulary, 'schema'),
    operation: renamer(vocabulary, 'operation'),
    value: (schema) => changeOf(planner.planOf(schema)),
    extensions: extensionsOf(neutral.schemas),
    clash: (path, message) => {
      findings.push(finding('vocabulary-clash', message, locate(path)))
    },
  }
}

/** Follows a path of the renamed document in the original: each key is the one that becomes it. */
function originalPath(
  path: Path,
  document: Fields,
  renaming: Renaming,
  paths: ReadonlyMap<string, string>,
): Path {
  const found: string[] = []
  let value: unknown = document
  for (const key of path) {
    const kinds = [renaming.property, renaming.schema]
    const own = fields(value)
    const original =
      found.length === 1 && found[0] === 'paths'
        ? (paths.get(key) ?? key)
        : Array.isArray(value) || Object.hasOwn(own, key)
          ? key
          : (Object.keys(own).find((one) => kinds.some((kind) => kind(one) === key)) ?? key)
    found.push(original)
    value = Array.isArray(value) ? items(value)[Number(original)] : own[original]
  }
  return found
}

function annotationFindings(value: unknown, path: Path, site: Site): readonly Finding[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => annotationFindings(item, [...path, String(index)], site))
  if (!isFields(value)) return []
  const annotation = value[ANNOTATION_KEY]
  const isWrong = annotation !== undefined && !ANNOTATIONS.some((known) => known === annotation)
  const message = `'${ANNOTATION_KEY}' must be one of ${ANNOTATIONS.join(', ')}`
  const own = isWrong
    ? [finding('vocabulary-annotation', message, site.locate([...path, ANNOTATION_KEY]))]
    : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, item]) =>
      annotationFindings(item, [...path, key], site),
    ),
  ]
}

function blurredFindings(planner: Planner, document: Fields, { locate }: Site): readonly Finding[] {
  const schemas = fields(fields(document['components'])['schemas'])
  return [...planner.blurred].map((key): Finding => {
    const name = refName(key)
    const message =
      'one variant has renamed properties, another has keys that are data: keys of these names are renamed there, too'
    const at = locate(Object.hasOwn(schemas, name) ? ['components', 'schemas', name] : [])
    return finding('vocabulary-union', message, at)
  })
}

/** Findings about streams that come in: they are text to the handler, which nothing translates. */
function streamFindings(
  { operations }: InterfaceIr,
  planner: Planner,
  { locate }: Site,
): readonly Finding[] {
  const message = 'an incoming stream is passed on as text: names in it are not translated'
  return operations.flatMap(({ method, path, body }) =>
    (body?.media ?? []).flatMap(({ mediaType, schema }): readonly Finding[] => {
      const isText = ['events', 'json-lines'].includes(bodyKind(mediaType))
      if (!isText || planner.planOf(schema).kind === 'same') return []
      const at = locate(['paths', path, method.toLowerCase(), 'requestBody', 'content', mediaType])
      return [finding('vocabulary-stream', message, at)]
    }),
  )
}
