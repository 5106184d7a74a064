// Replies of operations as a handler returns them, for servers that answer at random and for tests
// of handlers.
import { start, valuesIfAny } from './arbitrary.ts'
import type {
  At,
  FastCheck,
  HeaderValue,
  Kind,
  OperationArbitraries,
  ReplyCase,
} from './arbitrary.ts'
import { list } from './arbitrary-lists.ts'
import { groupOf, mediaBodies, members } from './arbitrary-media.ts'
import type { MediaKind, Parameters } from './arbitrary-media.ts'
import { admits } from './arbitrary-unions.ts'
import type { Arbitrary } from 'fast-check'

/** One declared response; a range such as `2XX` stands for the statuses that suit it. */
export interface ReplyKinds {
  readonly statuses: readonly number[]
  readonly media: readonly MediaKind[]
  readonly headers: Parameters
}

/**
 * A response: of these statuses, with one of these media types or no body, and with these headers.
 */
export function reply(
  status: number | readonly number[],
  media: readonly MediaKind[] = [],
  headers: Parameters = [{}],
): ReplyKinds {
  return { statuses: typeof status === 'number' ? [status] : status, media, headers }
}

/** Items of a streamed body. Unlike a generator it can be read again, and shows what it holds. */
export class StreamedItems implements AsyncIterable<unknown> {
  readonly items: readonly unknown[]

  constructor(items: readonly unknown[]) {
    this.items = items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    yield* this.items
  }
}

const MOST_STREAMED = 5

/** A body of lines, each the JSON of an item. */
export function lines(mediaType: string, item: Kind<unknown>): MediaKind {
  return streamed(mediaType, item, (value) => value)
}

/** A body of server-sent events, each with an item as its data. */
export function events(mediaType: string, item: Kind<unknown>): MediaKind {
  return streamed(mediaType, item, (data) => ({ data }))
}

function streamed(
  mediaType: string,
  item: Kind<unknown>,
  wrap: (value: unknown) => unknown,
): MediaKind {
  const items = list(item, { max: MOST_STREAMED })
  const kind: Kind<StreamedItems> = {
    valid: (at) => items.valid(at)?.map((all) => new StreamedItems(all.map(wrap))),
    flaws: () => [],
  }
  return { mediaType, kind, isJson: false, isForm: false, check: undefined, examples: [] }
}

/** Arbitraries of an operation's replies; each is made when it is first read. */
export function replyArbitraries(
  fc: FastCheck,
  successes: readonly ReplyKinds[],
  failures: readonly ReplyKinds[],
): Pick<OperationArbitraries, 'replies' | 'errors' | 'impossible' | 'example' | 'sampleReplies'> {
  const at = start(fc, 'reply')
  const made = new Map<ReplyKinds, Arbitrary<ReplyCase> | undefined>()
  const casesOf = (kinds: ReplyKinds): Arbitrary<ReplyCase> | undefined => {
    if (!made.has(kinds)) made.set(kinds, replyCases(at, kinds))
    return made.get(kinds)
  }
  const choice = (all: readonly ReplyKinds[]): Arbitrary<ReplyCase> | undefined => {
    const known = all.map(casesOf).filter((one) => one !== undefined)
    return known.length === 0 ? undefined : fc.oneof(...known)
  }
  return {
    get replies() {
      return choice(successes)
    },
    get errors() {
      return choice(failures)
    },
    get impossible() {
      return [...successes, ...failures]
        .filter((kinds) => casesOf(kinds) === undefined)
        .flatMap(({ statuses }) => statuses)
    },
    get example() {
      return exampleOf(at, successes[0])
    },
    sampleReplies: (count, seed) => {
      const drawn = choice(successes) ?? choice(withoutCrash(failures)) ?? choice(failures)
      return drawn === undefined ? [] : fc.sample(drawn, { numRuns: count, seed })
    },
  }
}

/** A 500 is what a crash looks like: where something else is declared, that is meant. */
function withoutCrash(failures: readonly ReplyKinds[]): readonly ReplyKinds[] {
  return failures.flatMap((kinds) => {
    const statuses = kinds.statuses.filter((status) => status !== 500)
    if (statuses.length === kinds.statuses.length) return [kinds]
    return statuses.length === 0 ? [] : [{ ...kinds, statuses }]
  })
}

/** Undefined where no body or no header fits. */
function replyCases(
  at: At,
  { statuses, media, headers }: ReplyKinds,
): Arbitrary<ReplyCase> | undefined {
  const { fc } = at
  const named = headerValues(at, headers)
  if (named === undefined) return undefined
  const head = fc.tuple(fc.constantFrom(...statuses), named)
  if (media.length === 0) return head.map(([status, named]) => ({ status, headers: named }))
  const bodies = media.map((one) => mediaBodies(at, one)).filter((one) => one !== undefined)
  if (bodies.length === 0) return undefined
  return fc.tuple(head, fc.oneof(...bodies)).map(([[status, named], { mediaType, value }]) => ({
    status,
    mediaType,
    headers: named,
    body: value,
  }))
}

function headerValues(
  at: At,
  headers: Parameters,
): Arbitrary<Readonly<Record<string, HeaderValue>>> | undefined {
  return valuesIfAny(groupOf(headers, 'header'), at)?.map((found) => {
    const all = members(found)
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (isHeaderValue(value) ? [[name, value]] : [])),
    )
  })
}

function isHeaderValue(value: unknown): value is HeaderValue {
  return ['string', 'number', 'bigint', 'boolean', 'object'].includes(typeof value)
}

const EXAMPLE_SEED = 1

function exampleOf(at: At, kinds: ReplyKinds | undefined): ReplyCase | undefined {
  for (const { mediaType, check, examples } of kinds?.media ?? []) {
    const body = examples.find((example) => check === undefined || admits(check, example))
    const [status] = kinds?.statuses ?? []
    if (body === undefined || status === undefined || kinds === undefined) continue
    const named = headerValues(at, kinds.headers)
    if (named === undefined) continue
    const [headers = {}] = at.fc.sample(named, { numRuns: 1, seed: EXAMPLE_SEED })
    return { status, mediaType, headers, body }
  }
  return undefined
}
