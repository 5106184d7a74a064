// The library's state, in memory. A few things are there at the start, as if of other people, under
// the ids that a shrinking generator comes to first: no test may touch them.
import { randomUUID } from 'node:crypto'
import { printExact } from './exact-json.ts'
import type { Fields } from './exact-json.ts'

export interface Book extends Fields {
  readonly id: string
  readonly added: string
  readonly version: number
}
export interface Member extends Fields {
  readonly id: number
  readonly joined: string
}
export interface Loan extends Fields {
  readonly id: string
  readonly bookId: unknown
}

export interface Library {
  readonly books: Map<string, Book>
  readonly covers: Map<string, Fields>
  /** Members by id as text: an id in a request may be beyond 2^53. */
  readonly members: Map<string, Member>
  readonly loans: Map<string, Loan>
  lastBook: number
  lastMember: number
}

/** A library with two books, one with a cover, and two members of other people. */
export function openLibrary(): Library {
  const library: Library = {
    books: new Map(),
    covers: new Map(),
    members: new Map(),
    loans: new Map(),
    lastBook: 0,
    lastMember: 0,
  }
  addBook(library, {
    title: 'Tides',
    isbn: '0123456789',
    genre: 'novel',
    pages: 311,
    tags: ['sea'],
    weightKg: 0.4,
  })
  addBook(library, {
    title: 'Äpfel & Öl',
    subtitle: '',
    isbn: '987654321X',
    genre: 'Cookery',
    pages: 1,
    shelf: { room: 0 },
  })
  library.covers.set('b-1', { kind: 'plain', colour: '#00ffcc' })
  for (const name of ['Ada', 'Björn']) {
    const address = { street: 'Quay 1', city: 'Bern', postcode: '3000', country: 'CH' }
    const email = `${name.toLowerCase()}@example.org`
    addMember(library, { name, email, cardNumber: 9007199254740993n, address, interests: [] })
  }
  return library
}

/** Puts a new book on the shelf. */
export function addBook(library: Library, fields: Fields): Book {
  library.lastBook += 1
  const id = `b-${library.lastBook.toString(36)}`
  const book = { ...fields, id, added: new Date().toISOString(), version: 1 }
  library.books.set(id, book)
  return book
}

/** Lets somebody in. */
export function addMember(library: Library, fields: Fields): Member {
  library.lastMember += 1
  const member = { ...fields, id: library.lastMember, joined: new Date().toISOString() }
  library.members.set(String(member.id), member)
  return member
}

/** Lends a book for `days` from now on. */
export function addLoan(library: Library, fields: Fields, days: number): Loan {
  const due = new Date(Date.now() + days * 86_400_000).toISOString()
  const loan = { ...fields, id: randomUUID(), bookId: fields['bookId'], due }
  library.loans.set(loan.id, loan)
  return loan
}

/** Whether a book is out. */
export function isLent(library: Library, bookId: string): boolean {
  return [...library.loans.values()].some((loan) => loan.bookId === bookId)
}

/** A text of other people's things: the same as long as nobody touched them. */
export function othersOf({ books, covers, members }: Library): string {
  const bookIds = ['b-1', 'b-2']
  const those = [
    [books, bookIds],
    [covers, bookIds],
    [members, ['1', '2']],
  ] as const
  return printExact(those.map(([all, ids]) => ids.map((id) => all.get(id) ?? null)))
}
