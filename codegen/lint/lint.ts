// Everything that can be said against documents, in one list: what loading found, our rules, and
// the maintained engine's.
import { formatFinding, hasErrors } from '../findings.ts'
import type { Finding, Severity } from '../findings.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface, LoadOptions } from '../load/load-interface.ts'
import { openapiVersion, readSource } from '../load/source.ts'
import type { Source } from '../load/source.ts'
import { levelAt } from '../rules/levels.ts'
import type { Levels } from '../rules/levels.ts'
import { compareText } from '../values.ts'
import { isOurs, RULES, ruleOf } from './catalogue.ts'
import { ENGINE_PREFIX } from './engine-codes.ts'
import { withoutIgnored } from './ignore.ts'
import type { Ignorable } from './ignore.ts'
import { modelOf, offers } from './model.ts'
import type { Model, Neighbours } from './model.ts'

/**
 * A document and what is done to it before; paths are absolute or relative to the current folder.
 */
export interface LintInput extends LoadOptions {
  readonly spec: string
}

/** The documents to look at together, and what counts how much. */
export interface LintOptions {
  readonly documents: readonly LintInput[]
  /** Severities other than those of the tables, by rule or by `RULE:POINTER`. */
  readonly rules?: Levels<Severity | 'off'>
  /** False leaves the maintained engine out, which takes most of the time. */
  readonly engine?: boolean
}

/** Findings in the order of files and lines. Never rejects for what a document says. */
export async function lintDocuments({
  documents,
  rules = {},
  engine = true,
}: LintOptions): Promise<readonly Finding[]> {
  const read = readOnce()
  const loaded = documents.map(({ spec, ...options }) =>
    loadInterface(spec, { read, ...options, isStrict: true }),
  )
  const neighbours = together(loaded.map(offers))
  const { patternCost } = await import('./slow-patterns.ts')
  const found = loaded.flatMap((one) => [
    ...one.findings,
    ...ownFindings(one, modelOf(one, neighbours, patternCost)),
  ])
  const ofEngine = engine ? await engineFindings(loaded) : []
  const sources = [
    ...new Map(
      loaded.flatMap((one) => one.sources).map((source) => [source.file, source]),
    ).values(),
  ]
  const findings = once([...found, ...ofEngine])
  return ordered(withSeverities(withoutIgnored(findings, sources, ignorable(findings)), rules))
}

/** A reader that parses a file only for the first of several documents. */
function readOnce(): (file: string) => Source {
  const sources = new Map<string, Source>()
  return (file) => {
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    return source
  }
}

/** Plugins have codes that no table knows. */
function ignorable(findings: readonly Finding[]): Ignorable {
  return {
    isKnown: (code) => ruleOf(code) !== undefined || findings.some(({ rule }) => rule === code),
    mayIgnore: ({ rule, severity }) => severity !== 'error' || isOurs(rule),
  }
}

/** Findings of our own rules in one document. */
function ownFindings(loaded: LoadedInterface, model: Model): readonly Finding[] {
  return Object.entries(RULES).flatMap(([rule, { severity, check }]) =>
    check(model).map(({ path, message }) => ({
      severity,
      rule,
      message,
      at: loaded.locate(path),
    })),
  )
}

async function engineFindings(loaded: readonly LoadedInterface[]): Promise<readonly Finding[]> {
  // A document that could not be read, or not patched, is empty: loading has said why.
  const readable = loaded.filter(({ sources }) => openapiVersion(sources[0]?.data).startsWith('3.'))
  if (readable.length === 0) return []
  const { runEngine } = await import('./engine.ts')
  const found: Finding[] = []
  for (const { sources } of readable) found.push(...(await runEngine(sources)))
  return found
}

function together(all: readonly Neighbours[]): Neighbours {
  return {
    operationIds: new Set(all.flatMap(({ operationIds }) => [...operationIds])),
    paths: new Set(all.flatMap(({ paths }) => [...paths])),
  }
}

/**
 * What the engine finds where loading has found something may be the same in other words: all of
 * `struct`, a name without schema.
 */
const SAID_BY_US: ReadonlyMap<string, (rule: string) => boolean> = new Map([
  [`${ENGINE_PREFIX}struct`, (rule) => !rule.startsWith(ENGINE_PREFIX)],
  [
    `${ENGINE_PREFIX}no-required-schema-properties-undefined`,
    (rule) => rule === 'undeclared-required',
  ],
])

/**
 * A thing said once, although several operations or documents lead to it; by us where the engine
 * says it too.
 */
function once(findings: readonly Finding[]): readonly Finding[] {
  const said = [...new Map(findings.map((finding) => [formatFinding(finding), finding])).values()]
  const byPlace = Map.groupBy(said, placeKey)
  return said.filter((finding) => {
    const isSame = SAID_BY_US.get(finding.rule)
    return isSame === undefined || !byPlace.get(placeKey(finding))?.some(({ rule }) => isSame(rule))
  })
}

function placeKey({ at }: Finding): string {
  return `${at.file}:${at.line}:${at.column}`
}

function withSeverities(
  findings: readonly Finding[],
  rules: Levels<Severity | 'off'>,
): readonly Finding[] {
  return findings.flatMap((finding) => {
    const severity = levelAt(rules, finding.rule, [finding.at.pointer]) ?? finding.severity
    return severity === 'off' ? [] : [{ ...finding, severity }]
  })
}

function ordered(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(({ at: a, rule }, { at: b, rule: other }) => {
    return (
      compareText(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(rule, other)
    )
  })
}

/** True when a finding is as grave as `level` or graver. */
export function reaches({ severity }: Finding, level: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(level)
}

/** Severities from least to most grave. */
const SEVERITIES: readonly Severity[] = ['note', 'warning', 'error']

/** True when a document could not be read at all. */
export function isUnreadable(findings: readonly Finding[]): boolean {
  return hasErrors(findings) && findings.some(({ rule }) => rule === 'unreadable')
}
