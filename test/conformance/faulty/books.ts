// What the library does about books, covers and labels. Calls are admissible here: decoded,
// checked, with a token.
import { json, problem } from './call.ts'
import type { Call, Reply } from './call.ts'
import { fields } from './document.ts'
import type { Fields } from './exact-json.ts'
import { addBook, isLent } from './library.ts'
import type { Book, Library } from './library.ts'

type Handler = (call: Call, library: Library) => Reply

/** Handlers by operation id. */
export const bookHandlers: Readonly<Record<string, Handler>> = {
  getHealth: () => ({ status: 200, headers: {}, text: 'open' }),
  listBooks,
  addBook: ({ body }, library) => {
    const book = addBook(library, fields(body))
    return json(201, shown(book), { location: `/books/${book.id}`, etag: markOf(book) })
  },
  getBook: ofBook((book) => json(200, shown(book), { etag: markOf(book) })),
  replaceBook: ofBook(replaceBook),
  removeBook: ofBook((book, _, library) => {
    if (isLent(library, book.id)) return problem(409, 'the book is lent')
    library.books.delete(book.id)
    library.covers.delete(book.id)
    return { status: 204, headers: {} }
  }),
  getCover: ofBook((book, _, library) => {
    const cover = library.covers.get(book.id)
    return cover === undefined ? problem(404, 'the book has no cover') : json(200, cover)
  }),
  putCover: ofBook((book, { body }, library) => {
    library.covers.set(book.id, fields(body))
    return { status: 204, headers: {} }
  }),
  getLabel: ofBook((book) => ({
    status: 200,
    headers: {},
    text: `${String(book['genre'])} ${String(book['isbn'])}`,
  })),
}

/** A book as answers show it. */
export function shown({ version: _, ...rest }: Book): Fields {
  return rest
}

/** The ETag of a book. */
export function markOf(book: Book): string {
  return `"${book.version}"`
}

function ofBook(act: (book: Book, call: Call, library: Library) => Reply): Handler {
  return (call, library) => {
    const book = library.books.get(String(call.parameters['bookId']))
    return book === undefined ? problem(404, 'there is no such book') : act(book, call, library)
  }
}

function replaceBook(old: Book, { parameters, body }: Call, library: Library): Reply {
  const mark = parameters['If-Match']
  if (mark !== undefined && mark !== markOf(old)) return problem(412, 'the book was changed')
  const { id, added, version } = old
  const book = {
    ...fields(body),
    id,
    added,
    updated: new Date().toISOString(),
    version: version + 1,
  }
  library.books.set(id, book)
  return json(200, shown(book), { etag: markOf(book) })
}

function listBooks({ parameters }: Call, library: Library): Reply {
  const found = [...library.books.values()]
    .filter((book) => meets(book, parameters, library))
    .sort(order(parameters['sort']))
  const start = Number(parameters['pageToken'] ?? 0)
  const end = start + Number(parameters['limit'] ?? 10)
  const items = found.slice(start, end).map(shown)
  const page = {
    items,
    nextPageToken: end < found.length && end < 1_000_000 ? String(end) : undefined,
  }
  return json(200, page, { 'x-total-count': String(found.length) })
}

function meets(
  book: Book,
  { genre, tags, inStock, addedAfter }: Fields,
  library: Library,
): boolean {
  const own = Array.isArray(book['tags']) ? book['tags'] : []
  return (
    (genre === undefined || genre === book['genre']) &&
    (!Array.isArray(tags) || tags.every((tag) => own.includes(tag))) &&
    (inStock === undefined || inStock !== isLent(library, book.id)) &&
    (addedAfter === undefined || Date.parse(book.added) > Date.parse(String(addedAfter)))
  )
}

function order(sort: unknown): (a: Book, b: Book) => number {
  if (sort === 'title') return (a, b) => (String(a['title']) < String(b['title']) ? -1 : 1)
  return (a, b) =>
    (sort === '-added' ? -1 : 1) *
    (Number.parseInt(a.id.slice(2), 36) - Number.parseInt(b.id.slice(2), 36))
}
