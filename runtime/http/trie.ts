// Path templates compiled once into a trie. Literal segments come before segments with a literal
// part, those before whole parameters; a branch that leads nowhere is left again, so no template
// hides another that also fits.

/**
 * The result of a lookup: a value, or the methods that the path has and the value of one of them,
 * or nothing.
 */
export type Match<T> =
  | { readonly kind: 'found'; readonly value: T; readonly captures: readonly string[] }
  | { readonly kind: 'method'; readonly allow: readonly string[]; readonly other: T }
  | { readonly kind: 'none' }

interface Pattern<T> {
  readonly source: string
  readonly expression: RegExp
  readonly node: Node<T>
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>
  readonly patterns: Pattern<T>[]
  parameter: Node<T> | undefined
  readonly methods: Map<string, T>
}

interface Search<T> {
  readonly path: string
  readonly method: string
  readonly captures: string[]
  /** Methods of a path that fits; made when the first one that is not asked for is met. */
  others: Map<string, T> | undefined
  found: T | undefined
}

const NONE = { kind: 'none' } as const
const NO_CAPTURES: readonly string[] = []
const PARAMETER = /\{[^{}]+\}/g
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g

const emptyNode = <T>(): Node<T> => ({
  literals: new Map(),
  patterns: [],
  parameter: undefined,
  methods: new Map(),
})

/** The parameter names of a template, in order: `/a/{b-c}/{d}` has `b-c` and `d`. */
export function parameterNames(template: string): readonly string[] {
  return (template.match(PARAMETER) ?? []).map((text) => text.slice(1, -1))
}

/**
 * Decodes one path segment; undefined when its escapes are malformed. `%2F` becomes a slash inside
 * the segment.
 */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Templates and methods to values. `find` takes the path as it stood in the request line, without
 * its query.
 */
export class RouteTrie<T> {
  private readonly root: Node<T> = emptyNode()
  private readonly literal = new Map<string, Map<string, T>>()

  /** Adds one route. Throws when the same method and shape is there already. */
  add(method: string, template: string, value: T): void {
    const segments = template.split('/')
    const node = segments.slice(1).reduce((at: Node<T>, segment) => childOf(at, segment), this.root)
    if (node.methods.has(method)) throw new Error(`two operations answer ${method} ${template}`)
    node.methods.set(method, value)
    if (!template.includes('{')) this.literal.set(template, node.methods)
  }

  /** The route of a request; HEAD is answered by GET where it has no route of its own. */
  find(method: string, path: string): Match<T> {
    const value = this.literal.get(path)
    const direct = value === undefined ? undefined : pick(value, method)
    if (direct !== undefined) return { kind: 'found', value: direct, captures: NO_CAPTURES }
    return this.search(method, path)
  }

  private search(method: string, path: string): Match<T> {
    if (!path.startsWith('/')) return NONE
    const search: Search<T> = { path, method, captures: [], others: undefined, found: undefined }
    walk(this.root, 1, search)
    if (search.found !== undefined)
      return { kind: 'found', value: search.found, captures: search.captures }
    const [other] = search.others?.values() ?? []
    if (search.others === undefined || other === undefined) return NONE
    return { kind: 'method', allow: allowed(search.others.keys()), other }
  }
}

function pick<T>(methods: ReadonlyMap<string, T>, method: string): T | undefined {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined)
}

function allowed(methods: Iterable<string>): readonly string[] {
  const all = new Set(methods).add('OPTIONS')
  if (all.has('GET')) all.add('HEAD')
  return [...all].sort()
}

function childOf<T>(node: Node<T>, segment: string): Node<T> {
  if (/^\{[^{}]+\}$/.test(segment)) return (node.parameter ??= emptyNode())
  return segment.includes('{') ? patternChild(node, segment) : literalChild(node, segment)
}

function literalChild<T>(node: Node<T>, segment: string): Node<T> {
  const child = node.literals.get(segment) ?? emptyNode<T>()
  node.literals.set(segment, child)
  return child
}

function patternChild<T>(node: Node<T>, segment: string): Node<T> {
  const source = segment
    .split(PARAMETER)
    .map((text) => text.replace(SPECIAL, '\\$&'))
    .join('(.+?)')
  const known = node.patterns.find((pattern) => pattern.source === source)
  if (known !== undefined) return known.node
  const pattern = { source, expression: new RegExp(`^${source}$`), node: emptyNode<T>() }
  node.patterns.push(pattern)
  return pattern.node
}

/** `at` is where the next segment begins; behind the end of the path there is none. */
function walk<T>(node: Node<T>, at: number, search: Search<T>): boolean {
  const { path } = search
  if (at > path.length) return arrive(node, search)
  const slash = path.indexOf('/', at)
  const end = slash === -1 ? path.length : slash
  const segment = path.slice(at, end)
  const child = node.literals.get(segment) ?? escapedLiteral(node, segment)
  if (child !== undefined && walk(child, end + 1, search)) return true
  if (node.patterns.length > 0 && walkPatterns(node, segment, end + 1, search)) return true
  if (node.parameter === undefined || segment === '') return false
  return walkParameter(node.parameter, segment, end + 1, search)
}

function escapedLiteral<T>(node: Node<T>, segment: string): Node<T> | undefined {
  if (!segment.includes('%')) return undefined
  const decoded = decodeSegment(segment)
  return decoded === undefined ? undefined : node.literals.get(decoded)
}

function walkPatterns<T>(node: Node<T>, segment: string, next: number, search: Search<T>): boolean {
  for (const pattern of node.patterns) {
    const captured = pattern.expression.exec(segment)
    if (captured !== null && walkCaptured(pattern.node, captured.slice(1), next, search))
      return true
  }
  return false
}

function walkParameter<T>(
  node: Node<T>,
  segment: string,
  next: number,
  search: Search<T>,
): boolean {
  search.captures.push(segment)
  if (walk(node, next, search)) return true
  search.captures.pop()
  return false
}

function walkCaptured<T>(
  node: Node<T>,
  captured: readonly string[],
  next: number,
  search: Search<T>,
): boolean {
  const before = search.captures.length
  search.captures.push(...captured)
  if (walk(node, next, search)) return true
  search.captures.length = before
  return false
}

function arrive<T>(node: Node<T>, search: Search<T>): boolean {
  search.found = pick(node.methods, search.method)
  if (search.found !== undefined) return true
  for (const [method, value] of node.methods) (search.others ??= new Map()).set(method, value)
  return false
}
