// Which names mean the same thing: `id` of a book, `bookId`, `book_id` and `{id}` after `/books`
// all are the key `book`.

/** Words that name nothing without what they belong to. */
const BARE: ReadonlySet<string> = new Set(['id', 'ids', 'uuid', 'guid', 'key', 'identifier', 'uid'])

/** The key of a member or parameter; `noun` is what it belongs to, where that is known. */
export function keyOf(name: string, noun: string | undefined): string {
  const plain = plainName(name)
  if (BARE.has(plain)) return noun === undefined ? plain : plainName(noun)
  const bare = plain.replace(/(?:uuid|guid|ids?)$/u, '')
  return bare.length < 2 ? plain : singular(bare)
}

/** True for names that are made to point at something: `id`, `authorId`, `user-ids`. */
export function isReference(name: string): boolean {
  return BARE.has(plainName(name)) || /(?:[a-z\d]I|[_-]i|I)ds?$/u.test(name)
}

/** The name of one thing in a path segment or a member that holds several. */
export function nounOf(text: string): string {
  return singular(plainName(text))
}

/**
 * The last literal segment of a path before position `end`; version and API prefixes count as none.
 */
export function segmentBefore(path: string, end: number = path.length): string | undefined {
  const segments = path
    .slice(0, end)
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
  const last = segments.at(-1)
  return last === undefined || /^(?:v\d+|api)$/u.test(last) ? undefined : last
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')
}

function singular(word: string): string {
  if (/ies$/u.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/u.test(word)) return word.slice(0, -2)
  return /[^s]s$/u.test(word) && word.length > 3 ? word.slice(0, -1) : word
}
