// Faults of response-body: fields that are missing, of another type, out of their set, or rounded.
import { fields } from '../document.ts'
import { isFields, rounded } from '../exact-json.ts'
import type { Fields } from '../exact-json.ts'
import { faultsOf, onAnswer, onBody } from './fault.ts'

export const bodies = faultsOf('response-body', [
  [
    'created-without-id',
    'addBook answers a book without its id.',
    onBody('addBook', 201, (book) => without(book, 'id')),
  ],
  [
    'member-without-joined',
    'getMember answers a member without the day of joining.',
    onBody('getMember', 200, (member) => without(member, 'joined')),
  ],
  [
    'pages-become-text',
    'getBook answers as text the number of pages that addBook answered as a number.',
    onBody('getBook', 200, (book) => ({ ...book, pages: String(book['pages']) })),
  ],
  [
    'isbn-as-number',
    'addBook answers the isbn as a number where it has digits only.',
    onBody('addBook', 201, (book) =>
      /X$/u.test(String(book['isbn'])) ? book : { ...book, isbn: Number(book['isbn']) },
    ),
  ],
  [
    'absent-subtitle-as-null',
    'addBook answers null for a subtitle that was not given.',
    onBody('addBook', 201, (book) => ({ ...book, subtitle: book['subtitle'] ?? null })),
  ],
  [
    'empty-tags-as-null',
    'addBook answers null for an empty list of tags.',
    onBody('addBook', 201, (book) =>
      String(book['tags']) === '' ? { ...book, tags: null } : book,
    ),
  ],
  [
    'genre-in-lower-case',
    'addBook answers genres in lower case; one has a capital letter.',
    onBody('addBook', 201, (book) => ({ ...book, genre: String(book['genre']).toLowerCase() })),
  ],
  [
    'local-time-after-update',
    'getBook answers the time of an update without the T and without offset.',
    onBody('getBook', 200, ({ updated, ...book }) => {
      return updated === undefined
        ? book
        : { ...book, updated: String(updated).replace('T', ' ').slice(0, 19) }
    }),
  ],
  [
    'version-shown',
    'replaceBook answers a member that the closed schema does not have.',
    onAnswer('replaceBook', 200, (reply) => ({
      ...reply,
      json: { ...fields(reply.json), version: 2 },
    })),
  ],
  [
    'second-page-without-email',
    'listMembers leaves the e-mail out on every page after the first.',
    {
      after: ({ operationId, parameters }, reply) => {
        const isLater = operationId === 'listMembers' && parameters['pageToken'] !== undefined
        return isLater ? { ...reply, json: noEmails(reply.json) } : reply
      },
    },
  ],
  [
    'compact-address-as-text',
    'listMembers answers addresses as text in the compact view, which a cookie asks for.',
    onBody('listMembers', 200, (page, { parameters }) => {
      return parameters['view'] === 'compact'
        ? eachItem(page, (one) => ({ ...one, address: 'Bern' }))
        : page
    }),
  ],
  [
    'card-number-rounded',
    'addMember rounds card numbers to a double: only close to 2^63 it leaves the range.',
    onBody('addMember', 201, (member) => fields(rounded(member))),
  ],
  [
    'card-number-as-text',
    'addMember answers card numbers beyond 2^53 as text.',
    onBody('addMember', 201, ({ cardNumber, ...member }) => {
      return {
        ...member,
        cardNumber: typeof cardNumber === 'bigint' ? String(cardNumber) : cardNumber,
      }
    }),
  ],
  [
    'photo-without-width',
    'getCover answers a photo without its width.',
    onBody('getCover', 200, (cover) =>
      cover['kind'] === 'photo' ? without(cover, 'width') : cover,
    ),
  ],
  [
    'loan-due-as-number',
    'lendBook answers the due time in milliseconds.',
    onBody('lendBook', 201, (loan) => ({ ...loan, due: Date.parse(String(loan['due'])) })),
  ],
  [
    'missing-without-code',
    'getMember answers 404 without a code.',
    onBody('getMember', 404, (rejection) => without(rejection, 'code')),
  ],
  [
    'malformed-with-stack',
    'listBooks answers 400 with a stack that the document does not know.',
    onBody('listBooks', 400, (rejection) => ({
      ...rejection,
      stack: 'at listBooks (books.ts:1:1)',
    })),
  ],
])

function without(value: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
}

function eachItem(page: Fields, change: (item: Fields) => Fields): Fields {
  return {
    ...page,
    items: Array.isArray(page['items'])
      ? page['items'].map((item: unknown) => change(fields(item)))
      : [],
  }
}

function noEmails(page: unknown): unknown {
  return isFields(page) && Array.isArray(page['items'])
    ? eachItem(page, (member) => without(member, 'email'))
    : page
}
