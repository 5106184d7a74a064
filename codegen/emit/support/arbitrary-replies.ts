// Replies of operations as a handler returns them, for servers that answer at random and for tests
// of handlers.
import { start } from './arbitrary.ts'
import type {
  At,
  FastCheck,
  HeaderValue,
  Kind,
  OperationArbitraries,
  ReplyCase,
} from './arbitrary.ts'
import { list } from './arbitrary-lists.ts'
import { mediaBodies, values } from './arbitrary-media.ts'
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
): Pick<OperationArbitraries, 'replies' | 'errors' | 'example' | 'sampleReplies'> {
  const at = start(fc, 'reply')
  const made = new Map<readonly ReplyKinds[], Arbitrary<ReplyCase> | undefined>()
  const choice = (kinds: readonly ReplyKinds[]): Arbitrary<ReplyCase> | undefined => {
    if (!made.has(kinds))
      made.set(
        kinds,
        kinds.length === 0 ? undefined : fc.oneof(...kinds.map((one) => replyCases(at, one))),
      )
    return made.get(kinds)
  }
  return {
    get replies() {
      return choice(successes)
    },
    get errors() {
      return choice(failures)
    },
    get example() {
      return exampleOf(at, successes[0])
    },
    sampleReplies: (count, seed) => {
      const drawn = choice(successes) ?? choice(failures)
      return drawn === undefined ? [] : fc.sample(drawn, { numRuns: count, seed })
    },
  }
}

function replyCases(at: At, { statuses, media, headers }: ReplyKinds): Arbitrary<ReplyCase> {
  const { fc } = at
  const head = fc.tuple(fc.constantFrom(...statuses), headerValues(at, headers))
  if (media.length === 0) return head.map(([status, named]) => ({ status, headers: named }))
  const contents = fc.oneof(...media.map((one) => mediaBodies(at, one)))
  return fc.tuple(head, contents).map(([[status, named], { mediaType, value }]) => ({
    status,
    mediaType,
    headers: named,
    body: value,
  }))
}

function headerValues(
  at: At,
  headers: Parameters,
): Arbitrary<Readonly<Record<string, HeaderValue>>> {
  return values(at, headers, 'header').map((all) => {
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
    const [headers = {}] = at.fc.sample(headerValues(at, kinds.headers), {
      numRuns: 1,
      seed: EXAMPLE_SEED,
    })
    return { status, mediaType, headers, body }
  }
  return undefined
}
