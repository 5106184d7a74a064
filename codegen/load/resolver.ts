// References across files: follows `$ref` relative to the referring file and gives every referred
// schema one component name.
import { statSync } from 'node:fs'
import { resolve as resolvePath, dirname } from 'node:path'
import { UNREADABLE } from '../findings.ts'
import type { Finding } from '../findings.ts'
import { canonicalJson, sha256 } from '../json.ts'
import { finding } from '../rules/document-rules.ts'
import type { DocumentRule } from '../rules/document-rules.ts'
import { compareText, fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { findAnchor, findIdentified } from './anchors.ts'
import { faultOf, LOSS } from './faults.ts'
import type { Loss } from './faults.ts'
import { pathOf, percentDecoded, pointerOf, stemOf, unreadSource } from './source.ts'
import type { Path, Source } from './source.ts'

const MAX_REF_CHAIN = 50

/**
 * A value together with where it stands, so that messages and relative references know their file.
 */
export interface Located {
  readonly source: Source
  readonly path: Path
  readonly value: unknown
}

interface PendingSchema {
  readonly name: string
  readonly located: Located
}

/**
 * State of one interface's resolution: files read, names given, schemas still to be copied,
 * findings.
 */
export interface Resolver {
  readonly root: Source
  readonly read: (file: string) => Source
  readonly sources: Map<string, Source>
  readonly nameByTarget: Map<string, string>
  readonly targetByName: Map<string, Located>
  readonly pending: PendingSchema[]
  /** Copies of the responses that operations refer to, by the names of their components. */
  readonly responses: Map<string, Fields>
  /** Referred maps of schemas that are being copied: one that contains itself has no end. */
  readonly openMaps: Set<string>
  readonly findings: Finding[]
  /** Faults are errors: nothing is generated without what they concern. */
  readonly isStrict: boolean
}

/** Starts a resolution at a root document and names the root's own component schemas. */
export function startResolver(root: Source, read: Resolver['read'], isStrict = false): Resolver {
  const resolver: Resolver = {
    root,
    read,
    sources: new Map([[root.file, root]]),
    nameByTarget: new Map(),
    targetByName: new Map(),
    pending: [],
    responses: new Map(),
    openMaps: new Set(),
    findings: [...root.findings],
    isStrict,
  }
  const schemas = fields(fields(fields(root.data)['components'])['schemas'])
  const names = Object.keys(schemas).sort(compareText)
  const aliases = names.map(
    (name) => [name, externalTarget(resolver, name, schemas[name])] as const,
  )
  const isNamesake = ([name, target]: readonly [string, Located | undefined]): boolean => {
    return target !== undefined && proposedName(target) === name
  }
  for (const [name, target] of [
    ...aliases.filter(isNamesake),
    ...aliases.filter((alias) => !isNamesake(alias)),
  ]) {
    registerRootSchema(resolver, name, schemas[name], target)
  }
  resolver.pending.sort((a, b) => compareText(a.name, b.name))
  return resolver
}

function externalTarget(resolver: Resolver, name: string, value: unknown): Located | undefined {
  const own: Located = { source: resolver.root, path: ['components', 'schemas', name], value }
  const ref = isFields(value) && Object.keys(value).length === 1 ? text(value['$ref']) : undefined
  return ref !== undefined && !ref.startsWith('#')
    ? locate(resolver, own, ref, LOSS.schema)
    : undefined
}

/** A child of a located value. */
export function child(at: Located, ...keys: readonly string[]): Located {
  let value = at.value
  for (const key of keys) value = stepInto(value, key)
  return { source: at.source, path: [...at.path, ...keys], value }
}

/** Adds a finding at a located value. */
export function report(resolver: Resolver, at: Located, rule: DocumentRule, message: string): void {
  resolver.findings.push(finding(rule, message, at.source.place(at.path)))
}

/** Adds a finding of a fault at a located value, with what it costs. */
export function reportFault(
  resolver: Resolver,
  at: Located,
  rule: DocumentRule,
  message: string,
  loss: Loss,
): void {
  resolver.findings.push(
    faultOf(resolver.isStrict, { rule, message, loss, at: at.source.place(at.path) }),
  )
}

/** The target of `follow`, without findings: for a value that is resolved elsewhere. */
export function peek(resolver: Resolver, at: Located): Located | undefined {
  return follow({ ...resolver, findings: [] }, at)
}

/**
 * Follows `$ref`s until a value without one; undefined (with a finding) when a reference leads
 * nowhere or in a circle. `loss`: what that costs.
 */
export function follow(
  resolver: Resolver,
  at: Located,
  loss: Loss = LOSS.operation,
): Located | undefined {
  let current = at
  for (let hops = 0; hops < MAX_REF_CHAIN; hops += 1) {
    const ref = text(fields(current.value)['$ref'])
    if (ref === undefined) return current
    lintSiblings(resolver, current)
    const next = locate(resolver, current, ref, loss)
    if (next === undefined) return undefined
    current = next
  }
  reportFault(resolver, at, 'circular-reference', 'this reference leads in a circle', loss)
  return undefined
}

/**
 * Members that a reference to something other than a schema or path item may have beside it, and
 * members of path items.
 */
const SIBLINGS: ReadonlySet<string> = new Set(['$ref', 'summary', 'description'])

function lintSiblings(resolver: Resolver, at: Located): void {
  const isPathItem = at.path.at(-2) === 'paths' || at.path.at(-2) === 'pathItems'
  for (const key of isPathItem ? [] : Object.keys(fields(at.value))) {
    if (SIBLINGS.has(key) || key.startsWith('x-') || at.path.at(-1) === 'schema') continue
    report(
      resolver,
      child(at, key),
      'ignored-keyword',
      `'${key}' beside a reference is ignored here`,
    )
  }
}

/**
 * What a reference text written at `at` points to; undefined with a finding when there is nothing.
 */
function locate(resolver: Resolver, at: Located, ref: string, loss: Loss): Located | undefined {
  const hash = ref.indexOf('#')
  const filePart = hash < 0 ? ref : ref.slice(0, hash)
  const fragment = hash < 0 ? '' : ref.slice(hash + 1)
  const named = filePart === '' ? undefined : identified(resolver, filePart)
  if (named !== undefined) return found(resolver, at, named, { ref, fragment, loss })
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(filePart)) {
    const message = `'${ref}' is not a file: remote references are not fetched`
    reportFault(resolver, at, 'remote-reference', message, loss)
    return undefined
  }
  if (filePart.startsWith('/')) {
    const message = `'${ref}' is an absolute path: references are relative to the file they are in`
    reportFault(resolver, at, 'remote-reference', message, loss)
    return undefined
  }
  const source =
    filePart === ''
      ? at.source
      : openSource(resolver, resolvePath(dirname(at.source.file), percentDecoded(filePart)))
  const base = { source, path: [], value: source.data }
  return found(resolver, at, base, { ref, fragment, loss })
}

/** A file's `$self`, or the `$id` of one of its schemas. */
function identified(resolver: Resolver, uri: string): Located | undefined {
  for (const source of resolver.sources.values()) {
    const path = findIdentified(source, uri)
    if (path !== undefined) return child({ source, path: [], value: source.data }, ...path)
  }
  return undefined
}

function found(
  resolver: Resolver,
  at: Located,
  base: Located,
  { ref, fragment, loss }: { readonly ref: string; readonly fragment: string; readonly loss: Loss },
): Located | undefined {
  const { source } = base
  const unreadable = source.findings.find(({ rule }) => rule === UNREADABLE)
  if (unreadable !== undefined) {
    reportFault(resolver, at, UNREADABLE, unreadable.message, loss)
    return undefined
  }
  const anchor =
    fragment === '' || fragment.startsWith('/')
      ? undefined
      : findAnchor(source, percentDecoded(fragment))
  const target =
    anchor === undefined
      ? child(base, ...pathOf(fragment))
      : child({ source, path: [], value: source.data }, ...anchor)
  if (target.value !== undefined) return target
  if (source.findings.length === 0)
    reportFault(resolver, at, 'unresolved-reference', `'${ref}' does not exist`, loss)
  return undefined
}

/**
 * The component name of the schema that a reference points to; the schema is copied later.
 * Undefined with a finding when broken.
 */
export function schemaName(
  resolver: Resolver,
  at: Located,
  ref: string,
  loss: Loss = LOSS.schema,
): string | undefined {
  const target = locate(resolver, at, ref, loss)
  if (target === undefined) return undefined
  const known = resolver.nameByTarget.get(targetKey(target))
  return known ?? nameTarget(resolver, target)
}

/**
 * A component that is nothing but a reference into another file gives its name to what stands
 * there, unless that has one.
 */
function registerRootSchema(
  resolver: Resolver,
  name: string,
  value: unknown,
  target: Located | undefined,
): void {
  const own: Located = { source: resolver.root, path: ['components', 'schemas', name], value }
  if (target === undefined || resolver.nameByTarget.has(targetKey(target))) {
    register(resolver, name, own)
    return
  }
  resolver.nameByTarget.set(targetKey(own), name)
  register(resolver, name, target)
}

function register(resolver: Resolver, name: string, target: Located): string {
  resolver.nameByTarget.set(targetKey(target), name)
  resolver.targetByName.set(name, target)
  resolver.pending.push({ name, located: target })
  return name
}

function nameTarget(resolver: Resolver, target: Located): string {
  const wanted = proposedName(target)
  const holder = resolver.targetByName.get(wanted)
  if (holder === undefined) return register(resolver, wanted, target)
  if (fingerprint(resolver, holder, []) === fingerprint(resolver, target, [])) {
    resolver.nameByTarget.set(targetKey(target), wanted)
    return wanted
  }
  const name = freeName(
    resolver,
    `${wanted}_${stemOf(target.source.file).replaceAll(/[^A-Za-z0-9_.-]/gu, '_')}`,
  )
  report(
    resolver,
    target,
    'renamed-schema',
    `another schema is named '${wanted}': this one becomes '${name}'`,
  )
  return register(resolver, name, target)
}

function freeName(resolver: Resolver, wanted: string): string {
  let name = wanted
  for (let suffix = 2; resolver.targetByName.has(name); suffix += 1) name = `${wanted}_${suffix}`
  return name
}

function proposedName(target: Located): string {
  const last = target.path.at(-1)
  if (last === undefined) return stemOf(target.source.file)
  const isNumber = /^\d+$/u.test(last)
  return (isNumber ? target.path.slice(-2).join('_') : last).replaceAll(/[^A-Za-z0-9_.-]/gu, '_')
}

function targetKey(target: Located): string {
  return `${target.source.file}#${pointerOf(target.path)}`
}

/**
 * Structural identity across files: references count by what they point to, circles by their depth.
 */
function fingerprint(resolver: Resolver, at: Located, stack: readonly string[]): string {
  const key = targetKey(at)
  const depth = stack.indexOf(key)
  if (depth >= 0) return `circle:${stack.length - depth}`
  return sha256(canonicalJson(shape(resolver, at, [...stack, key])))
}

function shape(resolver: Resolver, at: Located, stack: readonly string[]): unknown {
  if (Array.isArray(at.value))
    return items(at.value).map((_, index) => shape(resolver, child(at, String(index)), stack))
  if (!isFields(at.value)) return at.value
  const ref = text(at.value['$ref'])
  const target = ref === undefined ? undefined : locate(resolver, at, ref, LOSS.schema)
  if (target !== undefined) return { $ref: fingerprint(resolver, target, stack) }
  return Object.fromEntries(
    Object.keys(at.value).map((key) => [key, shape(resolver, child(at, key), stack)]),
  )
}

/**
 * Devices and pipes are not read: a document from elsewhere may refer to one that never ends. Nor
 * are files without a size, as those are that the kernel makes while one reads.
 */
function openSource(resolver: Resolver, file: string): Source {
  const known = resolver.sources.get(file)
  if (known) return known
  const source = isSpecial(file) ? unreadSource(file, 'is empty or no file') : resolver.read(file)
  resolver.sources.set(file, source)
  return source
}

/**
 * What is wrong with the files themselves, whoever was the first to look into them. One that cannot
 * be read is a fault of each reference to it, not one of its own.
 */
export function sourceFindings({ sources }: Resolver): readonly Finding[] {
  return [...sources.values()].flatMap(({ findings }) =>
    findings.filter(({ rule }) => rule !== UNREADABLE),
  )
}

function isSpecial(file: string): boolean {
  if (file.includes('\0')) return true
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && (!found.isFile() || found.size === 0)
}

/** A member of an object or list; undefined where it has none of that name. */
export function stepInto(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  const own: Fields = fields(value)
  return Object.hasOwn(own, key) ? own[key] : undefined
}
