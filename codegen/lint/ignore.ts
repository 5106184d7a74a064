// `x-lint-ignore`: what a document says need not be reported at an object and below it, and which
// of that was never needed.
import type { Finding } from '../findings.ts'
import type { SourcePlace } from '../ir.ts'
import type { Path, Source } from '../load/source.ts'
import { finding } from '../rules/document-rules.ts'
import { fields, isFields, text } from '../values.ts'

const KEY = 'x-lint-ignore'

interface Ignore {
  readonly code: string
  /** The object that bears it. */
  readonly scope: SourcePlace
  /** The entry itself. */
  readonly at: SourcePlace
}

/** Codes that an ignore may name. */
export interface Ignorable {
  isKnown(code: string): boolean
  /** False for what stops generation: not to be ignored away. */
  mayIgnore(finding: Finding): boolean
}

/** Findings that are not ignored, and faults of the ignores themselves. */
export function withoutIgnored(
  findings: readonly Finding[],
  sources: readonly Source[],
  { isKnown, mayIgnore }: Ignorable,
): readonly Finding[] {
  const ignores = sources.flatMap((source) => [...ignoresOf(source, [], source.data)])
  const used = new Set<Ignore>()
  const left = findings.filter((finding) => {
    const matching = mayIgnore(finding) ? ignores.filter((ignore) => covers(ignore, finding)) : []
    for (const one of matching) used.add(one)
    return matching.length === 0
  })
  const said = ignores.flatMap((ignore) =>
    isKnown(ignore.code) ? (used.has(ignore) ? [] : [unused(ignore)]) : [unknown(ignore)],
  )
  return [...left, ...said, ...sources.flatMap((source) => [...misshapen(source, [], source.data)])]
}

function* bearers(
  source: Source,
  path: Path,
  value: unknown,
): Generator<{ readonly path: Path; readonly given: unknown }> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* bearers(source, [...path, String(index)], item)
  if (!isFields(value)) return
  if (KEY in value) yield { path, given: value[KEY] }
  for (const [key, item] of Object.entries(value))
    if (typeof item === 'object' && key !== KEY) yield* bearers(source, [...path, key], item)
}

function* ignoresOf(source: Source, root: Path, data: unknown): Generator<Ignore> {
  for (const { path, given } of bearers(source, root, data)) {
    const scope = source.place(path)
    const entries = Array.isArray(given)
      ? given.map((code, index) => [String(index), text(code)] as const)
      : Object.keys(fields(given)).map((code) => [code, code] as const)
    for (const [key, code] of entries)
      if (code !== undefined) yield { code, scope, at: source.place([...path, KEY, key]) }
  }
}

function* misshapen(source: Source, root: Path, data: unknown): Generator<Finding> {
  for (const { path, given } of bearers(source, root, data)) {
    const isRight = Array.isArray(given)
      ? given.every((code) => typeof code === 'string')
      : isFields(given) &&
        Object.values(given).every((reason) => (text(reason) ?? '').trim() !== '')
    const message = `${KEY} must be a list of codes, or { CODE: REASON }`
    if (!isRight) yield finding('lint-ignore-shape', message, source.place([...path, KEY]))
  }
}

function covers({ code, scope }: Ignore, { rule, at }: Finding): boolean {
  return (
    code === rule &&
    at.file === scope.file &&
    (at.pointer === scope.pointer || at.pointer.startsWith(`${scope.pointer}/`))
  )
}

function unused({ code, at }: Ignore): Finding {
  const message = `nothing to ignore here: no finding has the code '${code}'`
  return finding('lint-ignore-unused', message, at)
}

function unknown({ code, at }: Ignore): Finding {
  return finding('lint-ignore-unknown', `there is no code '${code}'`, at)
}
