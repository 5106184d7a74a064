// A second reading of a document, by Ajv over its own schemas: values are made and judged by code
// that one generator has printed, so a fault in its reading shows in neither. What the two make of
// a body differently is noted. docs/decisions/0039-a-second-reader.md
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { LoadedInterface } from '../../codegen/index.ts'
import { member } from '../../runtime/host/member.ts'
import type {
  InterfaceFacts,
  Issue,
  MediaFact,
  OperationFacts,
} from '../../runtime/testing/conform.ts'
import { jsonSchemaOf } from './plain-json-schema.ts'
import type { Way } from './plain-json-schema.ts'

type Check = NonNullable<MediaFact['check']>

/** The facts of a document, and what its two readers see differently: one line a place. */
export interface TwiceRead {
  readonly facts: InterfaceFacts
  readonly differences: ReadonlyMap<string, string>
  /** Places whose schema Ajv cannot read. */
  readonly unread: ReadonlySet<string>
}

/** Rules that JSON Schema knows nothing of, or leaves to the reader. */
const BEYOND: ReadonlySet<string> = new Set(['discriminator', 'format', 'contentEncoding'])

/** Lets Ajv judge every JSON body that a run checks. */
export function readTwice(facts: InterfaceFacts, loaded: LoadedInterface): TwiceRead {
  const document = plain(loaded.document)
  const differences = new Map<string, string>()
  const unread = new Set<string>()
  const isTagged = hasTags(document)
  const readers = { request: readerOf(document, 'request'), reply: readerOf(document, 'reply') }
  const judged = (media: MediaFact, place: string, schema: unknown, way: Way): MediaFact => {
    const reader = readers[way](schema)
    if (media.kind !== 'json') return media
    if (reader === undefined) unread.add(place)
    return reader === undefined
      ? media
      : { ...media, check: both(media.check, reader, note, isTagged) }
    function note(text: string): void {
      if (!differences.has(place)) differences.set(place, text)
    }
  }
  const operations = facts.operations.map((operation): OperationFacts => {
    const { operationId, body, responses } = operation
    const written = operationIn(document, operation)
    const asked = contentOf(document, member(written, 'requestBody'))
    return {
      ...operation,
      ...(body === undefined
        ? {}
        : {
            body: {
              ...body,
              media: body.media.map((media) => ({
                ...media,
                ...judged(media, `${operationId} request`, asked(media.mediaType), 'request'),
              })),
            },
          }),
      responses: responses.map((response) => {
        const all = member(written, 'responses')
        const declared = member(all, response.status) ?? member(all, response.status.toLowerCase())
        const answered = contentOf(document, declared)
        const place = `${operationId} ${response.status}`
        return {
          ...response,
          media: response.media.map((media) =>
            judged(media, place, answered(media.mediaType), 'reply'),
          ),
        }
      }),
    }
  })
  return { facts: { ...facts, operations }, differences, unread }
}

/** Ajv's objection to a value; undefined if it fits. */
type Reader = (value: unknown) => string | undefined

/**
 * The generated check, whose verdict counts, with its differences noted. Where there are
 * discriminators, an object may be refused by the variant that its tag chooses, and fit another.
 */
function both(
  own: Check | undefined,
  reader: Reader,
  note: (text: string) => void,
  isTagged: boolean,
): Check {
  return (value, issues) => {
    const found: Issue[] = []
    own?.(value, found)
    issues.push(...found)
    if (found.some(({ keyword }) => BEYOND.has(keyword))) return
    const [first] = found
    if (isTagged && first !== undefined && isObject(value)) return
    const other = reader(value)
    const shown = JSON.stringify(plain(value))?.slice(0, 200) ?? ''
    if (first === undefined && other !== undefined)
      note(`the check admits what the schema refuses: ${other}: ${shown}`)
    if (first !== undefined && other === undefined)
      note(`the check refuses what the schema admits: ${first.pointer} ${first.message}: ${shown}`)
  }
}

function readerOf(document: unknown, way: Way): (schema: unknown) => Reader | undefined {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    ownProperties: true,
    logger: false,
    multipleOfPrecision: 9,
    inlineRefs: false,
  })
  const isOld = String(member(document, 'openapi')).startsWith('3.0')
  const isTagged = hasTags(document)
  const options = { way, isOld, isTagged }
  const components = member(member(document, 'components'), 'schemas')
  const schemas = Object.entries(typeof components === 'object' ? { ...components } : {})
  ajv.addSchema({
    $id: 'document',
    components: {
      schemas: Object.fromEntries(
        schemas.map(([name, schema]) => [name, jsonSchemaOf(schema, options)]),
      ),
    },
  })
  return (schema) => {
    if (schema === undefined) return () => undefined
    try {
      const check = ajv.compile({
        $id: `place-${(places += 1)}`,
        allOf: [jsonSchemaOf(schema, { ...options, base: 'document' })],
      })
      return (value) => (check(plain(value)) ? undefined : ajv.errorsText(check.errors))
    } catch {
      return undefined
    }
  }
}

let places = 0

function hasTags(document: unknown): boolean {
  return JSON.stringify(document).includes('"discriminator":')
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** JSON as Ajv takes it: exact integers are numbers there. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

function operationIn(document: unknown, { path, method }: OperationFacts): unknown {
  return member(member(member(document, 'paths'), path), method.toLowerCase())
}

/** The schema by media type of a body or answer, which may be a reference. */
function contentOf(document: unknown, given: unknown): (mediaType: string) => unknown {
  const ref = member(given, '$ref')
  const found =
    typeof ref !== 'string'
      ? given
      : ref
          .slice(2)
          .split('/')
          .reduce(
            (at, part) => member(at, part.replaceAll('~1', '/').replaceAll('~0', '~')),
            document,
          )
  return (mediaType) => member(member(member(found, 'content'), mediaType), 'schema')
}
