// Faults of status, content-type and response-headers: the answer's frame.
import type { Reply } from '../call.ts'
import { fields } from '../document.ts'
import { faultsOf, insteadOf, onAnswer, sent, withoutHeader } from './fault.ts'

const as =
  (status: number) =>
  (reply: Reply): Reply => ({ ...reply, status })
const typed =
  (type: string) =>
  (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'content-type': type } })
const html = ({ status, headers }: Reply): Reply => {
  return { status, headers: { ...headers, 'content-type': 'text/html' }, text: '<h1>Sorry</h1>' }
}

export const statuses = faultsOf('status', [
  ['created-as-200', 'addBook answers 200 instead of 201.', onAnswer('addBook', 201, as(200))],
  [
    'removed-as-202',
    'removeBook answers 202 instead of 204 for a book that was there.',
    onAnswer('removeBook', 204, as(202)),
  ],
  [
    'missing-as-410',
    'getBook answers 410 for a book that is not there, which nobody declared.',
    onAnswer('getBook', 404, as(410)),
  ],
  [
    'taken-as-422',
    'addMember answers 422 instead of 409 for an address that is taken.',
    onAnswer('addMember', 409, as(422)),
  ],
  [
    'teapot-on-cookery',
    'listBooks answers 418 where only cookery is asked for.',
    insteadOf('listBooks', ({ parameters }) => parameters['genre'] === 'Cookery', {
      status: 418,
      headers: {},
      text: 'short and stout',
    }),
  ],
  [
    'long-loan-as-202',
    'lendBook answers 202 for more than 30 days, once book and member are there.',
    onAnswer('lendBook', 201, (reply, call) =>
      Number(sent(call, 'days')) > 30 ? as(202)(reply) : reply,
    ),
  ],
  [
    'unknown-token-as-403',
    'Calls without the right token are answered 403, which nobody declared.',
    { after: (_, reply) => (reply.status === 401 ? as(403)(reply) : reply) },
  ],
])

export const contentTypes = faultsOf('content-type', [
  [
    'health-as-json',
    'getHealth answers application/json.',
    onAnswer('getHealth', 200, ({ text: _, ...reply }) => ({ ...reply, json: 'open' })),
  ],
  [
    'label-as-html',
    'getLabel answers text/html for a book that is there.',
    onAnswer('getLabel', 200, typed('text/html')),
  ],
  [
    'missing-as-html',
    'getBook answers a page of HTML for a book that is not there.',
    onAnswer('getBook', 404, html),
  ],
  [
    'malformed-as-text',
    'addMember answers 400 in plain text.',
    onAnswer('addMember', 400, ({ status, headers }) => ({
      status,
      headers,
      text: 'that was wrong',
    })),
  ],
  [
    'sorted-as-vendor-json',
    'listBooks answers a media type of its own where a sort order is given.',
    onAnswer('listBooks', 200, (reply, { parameters }) => {
      return parameters['sort'] === undefined ? reply : typed('application/vnd.shelf+json')(reply)
    }),
  ],
  [
    'photo-without-type',
    'getCover answers without content type where the cover is a photo.',
    onAnswer('getCover', 200, (reply) =>
      fields(reply.json)['kind'] === 'photo' ? typed('')(reply) : reply,
    ),
  ],
])

export const headers = faultsOf('response-headers', [
  [
    'no-location',
    'addBook answers 201 without Location.',
    onAnswer('addBook', 201, (reply) => withoutHeader(reply, 'location')),
  ],
  [
    'no-mark-after-update',
    'getBook answers without ETag once the book was replaced.',
    onAnswer('getBook', 200, (reply) =>
      fields(reply.json)['updated'] === undefined ? reply : withoutHeader(reply, 'etag'),
    ),
  ],
  [
    'weak-mark',
    'replaceBook answers an ETag that is not of the declared form.',
    onAnswer('replaceBook', 200, (reply) => ({
      ...reply,
      headers: { ...reply.headers, etag: `W/${reply.headers['etag'] ?? ''}` },
    })),
  ],
  [
    'count-of-none',
    'listBooks answers X-Total-Count: none where nothing is found.',
    onAnswer('listBooks', 200, (reply) => {
      return reply.headers['x-total-count'] === '0'
        ? { ...reply, headers: { 'x-total-count': 'none' } }
        : reply
    }),
  ],
  [
    'no-challenge',
    '401 comes without WWW-Authenticate.',
    {
      after: (_, reply) =>
        reply.status === 401 ? withoutHeader(reply, 'www-authenticate') : reply,
    },
  ],
])
