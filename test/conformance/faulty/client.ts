// What the demonstrations ask the library with: plain requests, and the few things that most of
// them need first.
import { call } from '../../support/http.ts'
import type { Answer } from '../../support/http.ts'
import { printExact } from './exact-json.ts'
import type { Fields } from './exact-json.ts'
import { fields } from './document.ts'
import type { RunningLibrary } from './server.ts'

export const BOOK: Fields = {
  title: 'Low Tide',
  subtitle: 'A novel',
  isbn: '012345678X',
  genre: 'novel',
  pages: 211,
}
export const MEMBER: Fields = {
  name: 'zoë',
  email: 'zoe@example.org',
  cardNumber: 7,
  address: { street: 'Quay 1', city: 'Bern', postcode: '3000', country: 'CH' },
}
export const PHOTO: Fields = {
  kind: 'photo',
  link: 'https://img.example.org/1',
  width: 4000,
  height: 1,
}
export const PLAIN: Fields = { kind: 'plain', colour: '#00ffcc' }

export interface Asking {
  readonly body?: unknown
  /** Over the token and the branch, which are sent by default; '' leaves one out. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Client {
  readonly token: string
  send(request: string, asking?: Asking): Promise<Answer>
  status(request: string, asking?: Asking): Promise<number>
  /** Adds a book, with `change` over BOOK. */
  book(change?: Fields): Promise<Answer>
  /** Adds a book and gives its path. */
  bookPath(change?: Fields): Promise<string>
  member(change?: Fields): Promise<Answer>
  memberPath(change?: Fields): Promise<string>
  loan(change?: Fields, asking?: Asking): Promise<Answer>
}

/** A client of a running library. */
export function clientOf({ url, token }: RunningLibrary): Client {
  const send = (request: string, { body, headers = {} }: Asking = {}): Promise<Answer> => {
    const all = { authorization: `Bearer ${token}`, 'library-branch': 'CH1', ...headers }
    const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
    return call(url, request, {
      headers: kept,
      ...(body === undefined ? {} : { raw: printExact(body) }),
    })
  }
  const book = (change: Fields = {}): Promise<Answer> =>
    send('POST /books', { body: { ...BOOK, ...change } })
  const member = (change: Fields = {}): Promise<Answer> =>
    send('POST /members', { body: { ...MEMBER, ...change } })
  return {
    token,
    send,
    status: async (request, asking) => (await send(request, asking)).status,
    book,
    bookPath: async (change) => (await book(change)).headers.get('location') ?? '',
    member,
    memberPath: async (change) => (await member(change)).headers.get('location') ?? '',
    loan: async (change, asking) => {
      const made = [await book(), await member()].map((answer) => fields(answer.json)['id'])
      return send('POST /loans', {
        ...asking,
        body: { bookId: made[0], memberId: made[1], days: 30, ...change },
      })
    },
  }
}
