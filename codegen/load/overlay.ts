// OpenAPI Overlay 1.0 and 1.1: patches a document before anything of it is resolved.
// docs/overlays.md
import { dirname, resolve as resolvePath } from 'node:path'
import { exec } from 'jsonpath-rfc9535'
import { hasErrors } from '../findings.ts'
import type { Finding } from '../findings.ts'
import { finding } from '../rules/document-rules.ts'
import type { DocumentRule } from '../rules/document-rules.ts'
import { fields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import {
  changed,
  copyOf,
  jsonOf,
  merged,
  partOf,
  removeParts,
  sourceOf,
  treeOf,
} from './overlay-tree.ts'
import type { Mismatch, Node } from './overlay-tree.ts'
import { readSource } from './source.ts'
import type { Path, Source } from './source.ts'

const ROOT_KEYS = new Set(['overlay', 'info', 'extends', 'actions'])
const ACTION_KEYS = new Set(['target', 'description', 'update', 'remove', 'copy'])

interface Overlaid {
  /**
   * The patched document: its places point into the document or, for what an action brought, into
   * the overlay.
   */
  readonly source: Source
  /** The overlays that were read. */
  readonly overlays: readonly Source[]
}

/** One overlay while it is applied. */
interface Work {
  readonly overlay: Source
  readonly tree: Node
  readonly findings: Finding[]
}

/**
 * A node that a target selects, all that hold it from the root on, and what holds it itself; the
 * root is held by nothing.
 */
interface Match {
  readonly node: Node
  readonly above: readonly Node[]
  readonly parent?: { readonly node: Node; readonly key: string }
}

/**
 * Applies overlay files, absolute, in their order to a document. What is wrong with them is added
 * to the source's findings; with errors its content is empty.
 */
export function applyOverlays(root: Source, files: readonly string[]): Overlaid {
  const overlays = files.map(readSource)
  if (overlays.length === 0 || hasErrors(root.findings)) return { source: root, overlays }
  const tree = treeOf(root.data, { source: root, path: [] })
  const findings = overlays.flatMap((overlay) => applyOverlay(root, overlay, tree))
  const source = hasErrors(findings) ? { ...root, data: {} } : sourceOf(root, tree)
  return { source: { ...source, findings: [...root.findings, ...findings] }, overlays }
}

function applyOverlay(root: Source, overlay: Source, tree: Node): readonly Finding[] {
  const findings = [...overlay.findings]
  const work: Work = { overlay, tree, findings }
  if (hasErrors(findings) || !checkRoot(work, root)) return findings
  items(fields(overlay.data)['actions']).forEach((action, index) => {
    applyAction(work, ['actions', String(index)], action)
  })
  return findings
}

function report(
  { overlay, findings }: Work,
  rule: DocumentRule,
  message: string,
  path: Path,
): void {
  findings.push(finding(rule, message, overlay.place(path)))
}

function checkRoot(work: Work, root: Source): boolean {
  const data = fields(work.overlay.data)
  const version = text(data['overlay']) ?? ''
  if (!/^1\.[01](?:\.\d+)?$/u.test(version)) {
    report(work, 'overlay-version', versionFault(data['overlay']), ['overlay'])
    return false
  }
  const info = fields(data['info'])
  if (text(info['title']) === undefined || info['version'] === undefined) {
    report(work, 'overlay-info', "an overlay needs 'info' with 'title' and 'version'", ['info'])
  }
  if (items(data['actions']).length === 0)
    report(work, 'overlay-actions', "'actions' must be a list with at least one item", ['actions'])
  unknownKeys(work, [], data, ROOT_KEYS)
  checkExtends(work, root, text(data['extends']))
  return true
}

function versionFault(version: unknown): string {
  if (typeof version === 'number') return 'the version of an overlay is a text: put it in quotes'
  return text(version) === undefined
    ? "no 'overlay' version: this is not an OpenAPI Overlay"
    : `Overlay ${text(version)} is not supported`
}

/** `extends` may be a URL of the vendor's; of a file it can be told whether it is another one. */
function checkExtends(work: Work, root: Source, reference: string | undefined): void {
  if (reference === undefined || /^[a-z][a-z0-9+.-]*:/iu.test(reference)) return
  const meant = resolvePath(dirname(work.overlay.file), reference)
  if (meant !== root.file)
    report(work, 'overlay-extends', `this overlay is made for '${reference}'`, ['extends'])
}

function unknownKeys(work: Work, path: Path, value: Fields, known: ReadonlySet<string>): void {
  for (const key of Object.keys(value)) {
    if (known.has(key) || key.startsWith('x-')) continue
    report(work, 'overlay-key', `'${key}' is not understood here`, [...path, key])
  }
}

/** 'true' in quotes is a text, and would be taken for no. */
function checkFlags(work: Work, path: Path, action: Fields): void {
  for (const key of ['remove', 'x-optional']) {
    if (action[key] === undefined || typeof action[key] === 'boolean') continue
    report(work, 'overlay-action', `'${key}' must be true or false`, [...path, key])
  }
}

function applyAction(work: Work, path: Path, action: unknown): void {
  const value = fields(action)
  const target = text(value['target'])
  unknownKeys(work, path, value, ACTION_KEYS)
  checkFlags(work, path, value)
  if (target === undefined)
    return report(work, 'overlay-action', "an action needs a 'target'", path)
  const matches = select(work, target, [...path, 'target'])
  if (matches === undefined) return
  if (matches.length === 0 && value['x-optional'] !== true) {
    return report(
      work,
      'overlay-no-match',
      `'${target}' matches nothing: write 'x-optional: true' if it need not`,
      [...path, 'target'],
    )
  }
  if (value['remove'] === true) return remove(work, matches, path)
  const update = updateOf(work, value, path)
  if (update !== undefined) applyUpdate(work, matches, update)
}

/** The node that the action puts in; an action without anything has no effect. */
function updateOf(work: Work, action: Fields, path: Path): Node | undefined {
  if (action['update'] !== undefined)
    return treeOf(action['update'], { source: work.overlay, path: [...path, 'update'] })
  const from = text(action['copy'])
  if (from === undefined) {
    report(work, 'overlay-action', "an action needs 'update', 'remove: true' or 'copy'", path)
    return undefined
  }
  const sources = select(work, from, [...path, 'copy'])
  const [only] = sources ?? []
  if (only !== undefined && sources?.length === 1) return only.node
  if (sources !== undefined) {
    report(
      work,
      'overlay-copy',
      `'${from}' matches ${sources.length} values: 'copy' needs exactly one`,
      [...path, 'copy'],
    )
  }
  return undefined
}

function applyUpdate(work: Work, matches: readonly Match[], update: Node): void {
  const mismatches: Mismatch[] = []
  // A part may be copied into itself: what is put in must not change on the way.
  const given = copyOf(update)
  for (const { node, above, parent } of matches) {
    changed(above)
    const isEntry = node.kind === 'list' && given.kind !== 'list'
    const wanted: Node = isEntry ? { kind: 'list', origin: given.origin, items: [given] } : given
    const next = merged(node, wanted, mismatches)
    if (next !== node) replacePart(parent, node, next)
  }
  for (const { origin, message } of mismatches)
    work.findings.push(finding('overlay-mismatch', message, origin.source.place(origin.path)))
}

function replacePart(parent: Match['parent'], node: Node, next: Node): void {
  if (parent?.node.kind === 'map') parent.node.members.set(parent.key, next)
  if (parent?.node.kind === 'list')
    parent.node.items = parent.node.items.map((item) => (item === node ? next : item))
}

function remove(work: Work, matches: readonly Match[], path: Path): void {
  if (matches.some(({ parent }) => parent === undefined)) {
    return report(work, 'overlay-action', 'the whole document cannot be removed', [
      ...path,
      'target',
    ])
  }
  const parts = new Set(matches.map(({ node }) => node))
  for (const { above, parent } of matches) {
    changed(above)
    if (parent !== undefined) removeParts(parent.node, parts)
  }
}

/** The nodes that a JSONPath selects, each once; undefined with a finding when it is none. */
function select(work: Work, expression: string, path: Path): readonly Match[] | undefined {
  const found = new Map<string, Match>()
  try {
    exec(jsonOf(work.tree), expression, (_, keys) => {
      const match = matchAt(work.tree, keys.map(plainKey))
      if (match !== undefined) found.set(JSON.stringify(keys), match)
    })
    return [...found.values()]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    report(work, 'overlay-target', `'${expression}' is not a JSONPath of RFC 9535: ${why}`, path)
    return undefined
  }
}

function matchAt(tree: Node, keys: readonly string[]): Match | undefined {
  let match: Match = { node: tree, above: [] }
  for (const key of keys) {
    const node = partOf(match.node, key)
    if (node === undefined) return undefined
    match = { node, above: [...match.above, match.node], parent: { node: match.node, key } }
  }
  return match
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The library gives keys as normalized paths write them. */
function plainKey(key: string | number): string {
  if (typeof key === 'number') return String(key)
  return key.replaceAll(
    /\\(?:u([0-9a-f]{4})|(.))/gu,
    (_, hex: string | undefined, letter: string = '') => {
      return hex === undefined
        ? (ESCAPES[letter] ?? letter)
        : String.fromCharCode(Number.parseInt(hex, 16))
    },
  )
}
