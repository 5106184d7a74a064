// What a mock server remembers: handlers that create, answer, change and remove the elements of
// collections. `/things` is a collection where `/things/{id}` is a path, too. docs/mock.md
import { NotWritten, ProblemError } from '../http/index.ts'
import type {
  Handler,
  Issue,
  WireInput,
  WireInterface,
  WireOperation,
  WireReply,
} from '../http/index.ts'
import type { ReplySource } from '../testing/examples.ts'
import { Elements } from './mock-elements.ts'
import type { Element } from './mock-elements.ts'

type Replies = Readonly<Record<string, ReplySource>>
type Answer = (input: WireInput) => WireReply

const DRAWS = 20
/** Ids that would be another path. */
const UNREACHABLE = /^\.{0,2}$/u
const LAST_PARAMETER = /^(.*)\/\{([^{}/]+)\}$/u

/**
 * Handlers of the operations on collections and their elements. What they have nothing to say about
 * they leave to the examples, by throwing NotWritten. `seed`: draws follow from it.
 */
export function statefulHandlers(
  { operations }: WireInterface,
  replies: Replies,
  seed: number,
): Readonly<Record<string, Handler<never> | undefined>> {
  const elements = new Elements()
  const paths = new Set(operations.map(({ path }) => path))
  return Object.fromEntries(
    operations.flatMap((operation): [string, Handler<never>][] => {
      const source = replies[operation.operationId]
      const answer =
        source && answerOf({ operation, source, elements, seed, kind: kindOf(operation, paths) })
      return answer === undefined ? [] : [[operation.operationId, answer]]
    }),
  )
}

interface Kind {
  /** Template of the collection's path. */
  readonly collection: string
  /** The parameter that names an element. */
  readonly id: string
  readonly isElement: boolean
}

/** The kind of a path, collection or element; undefined for others. */
function kindOf({ path }: WireOperation, paths: ReadonlySet<string>): Kind | undefined {
  const [, above, id] = LAST_PARAMETER.exec(path) ?? []
  if (above !== undefined && id !== undefined && paths.has(above))
    return { collection: above, id, isElement: true }
  for (const one of paths) {
    const [, collection, name] = LAST_PARAMETER.exec(one) ?? []
    if (collection === path && name !== undefined) return { collection, id: name, isElement: false }
  }
  return undefined
}

interface Mocked {
  readonly operation: WireOperation
  readonly source: ReplySource
  readonly elements: Elements
  readonly seed: number
  readonly kind: Kind | undefined
}

function answerOf({ kind, ...mocked }: Mocked): Answer | undefined {
  if (kind === undefined) return undefined
  const { operation } = mocked
  const made = { ...mocked, kind }
  switch (`${operation.method} ${kind.isElement ? 'element' : 'collection'}`) {
    case 'POST collection':
      return create(made)
    case 'GET collection':
      return list(made)
    case 'GET element':
      return read(made)
    case 'PUT element':
    case 'PATCH element':
      return change(made)
    case 'DELETE element':
      return remove(made)
    default:
      return undefined
  }
}

type Ready = Mocked & { readonly kind: Kind }

/**
 * The members of a reply, over them those of the request, and an id that no other element has: the
 * request's own if it is one.
 */
function create({ operation, source, elements, seed, kind }: Ready): Answer {
  return (input) => {
    const place = placeOf(kind.collection, input)
    const known = elements.of(place)
    const drawn = repliesOf(source, seed + elements.madeIn(place))
    for (const reply of drawn) {
      if (!isRecord(reply.body)) continue
      const key = idOf(reply.body, kind.id)
      if (key === undefined) continue
      const given = asked(input)
      const isFree = given[key] !== undefined && !known.has(String(given[key]))
      const id = isFree ? given[key] : reply.body[key]
      if (known.has(String(id)) || UNREACHABLE.test(String(id))) continue
      const whole = { ...reply.body, ...given, [key]: id }
      const body = fits(operation, reply, whole) ? whole : reply.body
      elements.add(place, String(body[key]), body)
      return { ...reply, body }
    }
    throw new NotWritten(operation.operationId)
  }
}

/** The elements of a collection in the list that the operation answers, if there are any. */
function list({ operation, source, elements, seed, kind }: Ready): Answer {
  return (input) => {
    const all = [...elements.of(placeOf(kind.collection, input)).values()]
    const present = all.filter((one) => one !== undefined)
    const reply = all.length === 0 ? undefined : repliesOf(source, seed).find(isListed)
    const body = reply && listed(reply.body, present)
    if (reply === undefined || !fits(operation, reply, body))
      throw new NotWritten(operation.operationId)
    return { ...reply, body }
  }
}

function isListed({ body }: WireReply): boolean {
  return Array.isArray(body) || listMember(body) !== undefined
}

/** The one member of an object that is a list. */
function listMember(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const names = Object.keys(body).filter((name) => Array.isArray(body[name]))
  return names.length === 1 ? names[0] : undefined
}

function listed(body: unknown, elements: readonly Element[]): unknown {
  const name = listMember(body)
  return name !== undefined && isRecord(body) ? { ...body, [name]: elements } : elements
}

/** The element; one that was removed is not found; of one that nobody made, an example. */
function read(mocked: Ready): Answer {
  const { operation, source, seed } = mocked
  return (input) => {
    const { element } = found(mocked, input)
    const reply = repliesOf(source, seed).find(({ body }) => isRecord(body))
    if (reply === undefined || !fits(operation, reply, element))
      throw new NotWritten(operation.operationId)
    return { ...reply, body: element }
  }
}

/** The members of the request over those of the element: a PUT that leaves one out keeps it. */
function change(mocked: Ready): Answer {
  const { operation, source, seed } = mocked
  return (input) => {
    const { element, known, id } = found(mocked, input)
    const changed = { ...element, ...shared(element, asked(input)) }
    known.set(id, changed)
    const reply = repliesOf(source, seed)[0]
    if (reply === undefined) throw new NotWritten(operation.operationId)
    return isRecord(reply.body) && fits(operation, reply, changed)
      ? { ...reply, body: changed }
      : reply
  }
}

function remove(mocked: Ready): Answer {
  const { operation, source, seed } = mocked
  return (input) => {
    const { known, id } = found(mocked, input)
    known.set(id, undefined)
    const reply = repliesOf(source, seed)[0]
    if (reply === undefined) throw new NotWritten(operation.operationId)
    return reply
  }
}

interface Found {
  readonly element: Element
  readonly known: Map<string, Element | undefined>
  readonly id: string
}

/** An unknown path for what has been removed, NotWritten for what nobody made; both are thrown. */
function found({ operation, elements, kind }: Ready, input: WireInput): Found {
  const id = String(isRecord(input.path) ? input.path[kind.id] : '')
  const known = elements.of(placeOf(kind.collection, input))
  const element = known.get(id)
  if (element !== undefined) return { element, known, id }
  if (known.has(id)) throw new ProblemError({ kind: 'unknown-path' })
  throw new NotWritten(operation.operationId)
}

/** The member that holds the id: named as the parameter, as its last word, or `id`. */
function idOf(body: Element, parameter: string): string | undefined {
  const word = /[A-Za-z][a-z0-9]*$/u.exec(parameter)?.[0].toLowerCase() ?? parameter
  return [parameter, word, 'id'].find((name) =>
    ['string', 'number', 'bigint'].includes(typeof body[name]),
  )
}

function placeOf(template: string, { path }: WireInput): string {
  return template.replaceAll(/\{([^{}]+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(isRecord(path) ? path[name] : '')),
  )
}

function asked({ body }: WireInput): Element {
  return isRecord(body) ? body : {}
}

/** Members of `given` that `known` also has. */
function shared(known: Element, given: Element): Element {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)))
}

/** The document's example first, then draws; successes only. */
function repliesOf(source: ReplySource, seed: number): readonly WireReply[] {
  const { example } = source
  const drawn = source.sampleReplies(DRAWS, seed)
  return [...(example === undefined ? [] : [example]), ...drawn].filter(
    ({ status }) => status >= 200 && status < 300,
  )
}

function fits({ responses }: WireOperation, reply: WireReply, body: unknown): boolean {
  const status = String(reply.status)
  const declared =
    responses.find((one) => one.status === status) ??
    responses.find((one) => one.status === `${status.charAt(0)}XX` || one.status === 'default')
  const media = declared?.media.find(
    ({ mediaType }) => reply.mediaType === undefined || mediaType === reply.mediaType,
  )
  const issues: Issue[] = []
  media?.check?.(body, issues)
  return media !== undefined && issues.length === 0
}

function isRecord(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
