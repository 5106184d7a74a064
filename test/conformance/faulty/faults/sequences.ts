// Faults of use-after-delete and created-is-there: what is gone is not gone, what was made is not
// there.
import { json } from '../call.ts'
import type { Call, Hooks, Reply } from '../call.ts'
import { fields } from '../document.ts'
import type { Fields } from '../exact-json.ts'
import type { Library } from '../library.ts'
import { faultsOf, onAnswer, sent } from './fault.ts'

const GONE: Reply = { status: 204, headers: {} }

export const ghosts = faultsOf('use-after-delete', [
  [
    'removed-book-read',
    'removeBook removes nothing: getBook answers 200 afterwards.',
    {
      instead: ({ operationId, parameters }, { books }) => {
        return operationId === 'removeBook' && books.has(String(parameters['bookId']))
          ? GONE
          : undefined
      },
    },
  ],
  [
    'removed-book-removed-again',
    'A second removeBook answers 204 instead of 404.',
    () => {
      return afterRemoval('removeBook', 'bookId', 'removeBook', () => GONE)
    },
  ],
  [
    'removed-member-changed',
    'changeMember answers 200 after removeMember; getMember answers 404 as it should.',
    () => {
      return afterRemoval('removeMember', 'memberId', 'changeMember', (member) => json(200, member))
    },
  ],
  [
    'removed-book-labelled',
    'getLabel answers 200 after removeBook.',
    () => {
      return afterRemoval('removeBook', 'bookId', 'getLabel', () => ({
        status: 200,
        headers: {},
        text: 'novel 0123456789',
      }))
    },
  ],
  [
    'removed-book-replaced',
    'replaceBook answers 200 after removeBook.',
    () => {
      return afterRemoval('removeBook', 'bookId', 'replaceBook', ({ version: _, ...book }) =>
        json(200, book, { etag: '"2"' }),
      )
    },
  ],
  [
    'removed-book-covered',
    'getCover still answers the cover after removeBook, where there was one.',
    () => {
      return afterRemoval('removeBook', 'bookId', 'getCover', (_, cover) =>
        cover === undefined ? undefined : json(200, cover),
      )
    },
  ],
])

export const losses = faultsOf('created-is-there', [
  ['created-book-lost', 'addBook answers 201 and keeps nothing.', losing('addBook', () => true)],
  [
    'location-elsewhere',
    'addMember gives a Location where nobody is; the id in the body is right.',
    onAnswer('addMember', 201, (reply) => ({
      ...reply,
      headers: { location: `${reply.headers['location'] ?? ''}0` },
    })),
  ],
  [
    'id-elsewhere',
    'addBook answers another id than its Location has.',
    onAnswer('addBook', 201, (reply) => ({ ...reply, json: { ...fields(reply.json), id: 'b-0' } })),
  ],
  [
    'capital-name-lost',
    'addMember keeps nobody whose name starts with a capital letter.',
    losing('addMember', (call) => /^[A-Z]/u.test(String(sent(call, 'name')))),
  ],
  [
    'thick-book-lost',
    'addBook keeps no book of more than 4000 pages.',
    losing('addBook', (call) => Number(sent(call, 'pages')) > 4000),
  ],
  ['created-loan-lost', 'lendBook answers 201 and keeps nothing.', losing('lendBook', () => true)],
])

/** Remembers what an operation removes, and answers another one from memory. */
function afterRemoval(
  removal: string,
  id: string,
  use: string,
  answer: (ghost: Fields, cover?: Fields) => Reply | undefined,
): Hooks {
  const ghosts = new Map<string, Fields>()
  const covers = new Map<string, Fields>()
  return {
    instead: ({ operationId, parameters }, library) => {
      const key = String(parameters[id])
      const known = library.books.get(key) ?? library.members.get(key)
      const cover = library.covers.get(key)
      if (operationId === removal && known !== undefined) {
        ghosts.set(key, known)
        if (cover !== undefined) covers.set(key, cover)
        return undefined
      }
      const ghost = ghosts.get(key)
      return operationId === use && known === undefined && ghost !== undefined
        ? answer(ghost, covers.get(key))
        : undefined
    },
  }
}

function losing(operationId: string, holds: (call: Call) => boolean): Hooks {
  return {
    after: (call, reply, library) => {
      const isLost = call.operationId === operationId && reply.status === 201 && holds(call)
      if (isLost) forget(reply.headers['location'] ?? '', library)
      return reply
    },
  }
}

function forget(location: string, { books, members, loans }: Library): void {
  const id = location.split('/')[2] ?? ''
  for (const all of [books, members, loans]) all.delete(id)
}
