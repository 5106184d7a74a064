// Shows each fault of what is let in, of methods, of order and of access, in the form of
// demonstrations.ts.
import { BOOK, MEMBER, PHOTO } from './client.ts'
import type { Asking, Client } from './client.ts'
import type { Demonstration } from './demonstrations.ts'
import { fields } from './document.ts'
import type { Fields } from './exact-json.ts'

const address = fields(MEMBER['address'])
const ANONYMOUS = { headers: { authorization: '' } }
const NO_BRANCH = { headers: { 'library-branch': '' } }

const book = (name: string, change: Fields, right: number, wrong: number): Demonstration => {
  return [name, async (library) => (await library.book(change)).status, right, wrong]
}
const member = (name: string, change: Fields, right: number, wrong: number): Demonstration => {
  return [name, async (library) => (await library.member(change)).status, right, wrong]
}
const status = (
  name: string,
  request: string,
  right: number,
  wrong: number,
  headers: Asking['headers'] = {},
): Demonstration => {
  return [name, (library) => library.status(request, { headers }), right, wrong]
}
const change = (name: string, body: unknown, right: number, wrong: number): Demonstration => {
  return [
    name,
    async (library) => library.status(`PATCH ${await library.memberPath()}`, { body }),
    right,
    wrong,
  ]
}

const accepted: readonly Demonstration[] = [
  book('long-title-accepted', { title: 'x'.repeat(61) }, 400, 201),
  book('unknown-genre-accepted', { genre: 'cookery' }, 400, 201),
  book('missing-pages-accepted', { pages: undefined }, 400, 201),
  book('text-room-accepted', { shelf: { room: '1' } }, 400, 201),
  book('zero-weight-accepted', { weightKg: 0 }, 400, 201),
  book('impossible-date-accepted', { published: '2023-02-29' }, 400, 201),
  [
    'text-body-accepted',
    (library) =>
      library.status('POST /books', { body: BOOK, headers: { 'content-type': 'text/plain' } }),
    415,
    201,
  ],
  status('limit-beyond-accepted', 'GET /books?limit=51', 400, 200),
  status('word-for-boolean-accepted', 'GET /books?inStock=yes', 400, 200),
  status('bad-second-tag-accepted', 'GET /books?tags=a&tags=B', 400, 200),
  status('view-accepted', 'GET /members', 400, 200, { cookie: 'view=wide' }),
  member('unknown-address-field-accepted', { address: { ...address, planet: 'Earth' } }, 400, 201),
  member('postcode-accepted', { address: { ...address, postcode: 'none' } }, 400, 201),
  member('repeated-interest-accepted', { interests: ['novel', 'novel'] }, 400, 201),
  member('huge-card-number-accepted', { cardNumber: 2n ** 63n }, 400, 201),
  change('empty-change-accepted', {}, 400, 200),
  change('null-name-accepted', { name: null }, 400, 200),
  [
    'loan-of-no-days-accepted',
    async (library) => (await library.loan({ days: 0 })).status,
    400,
    201,
  ],
]

const refused: readonly Demonstration[] = [
  book('longest-title-refused', { title: 'x'.repeat(60) }, 201, 400),
  book('absent-subtitle-refused', { subtitle: undefined }, 201, 400),
  book('poetry-refused', { genre: 'poetry' }, 201, 400),
  book('isbn-with-x-refused', { isbn: '000000000X' }, 201, 400),
  status('last-limit-refused', 'GET /books?limit=50', 200, 400),
  status('second-tag-refused', 'GET /books?tags=a&tags=b', 200, 400),
  status('offset-refused', 'GET /books?addedAfter=2024-01-01T00:00:00%2B02:00', 200, 400),
  member('null-nickname-refused', { nickname: null }, 201, 400),
  member('wide-monogram-refused', { monogram: '🦀🦀' }, 201, 400),
  member('big-card-number-refused', { cardNumber: 2n ** 53n }, 201, 400),
  [
    'photo-as-415',
    async (library) => library.status(`PUT ${await library.bookPath()}/cover`, { body: PHOTO }),
    204,
    415,
  ],
]

const headerless: readonly Demonstration[] = [
  [
    'no-branch-to-add',
    (library) => library.status('POST /books', { body: BOOK, ...NO_BRANCH }),
    400,
    201,
  ],
  [
    'no-branch-to-replace',
    async (library) =>
      library.status(`PUT ${await library.bookPath()}`, { body: BOOK, ...NO_BRANCH }),
    400,
    200,
  ],
  ['no-branch-to-lend', async (library) => (await library.loan({}, NO_BRANCH)).status, 400, 201],
]

const methods: readonly Demonstration[] = [
  status('any-method-answers', 'POST /health', 405, 200),
  status('delete-all-members', 'DELETE /members', 405, 204),
  status('patch-book', 'PATCH /books/b-1', 405, 200),
  status('method-as-404', 'GET /loans', 405, 404),
  ['no-allow', (library) => allowOf(library, 'DELETE /books'), 'GET, POST', null],
  [
    'allow-too-much',
    (library) => allowOf(library, 'PUT /members/1'),
    'GET, PATCH, DELETE',
    'GET, PUT, PATCH, DELETE',
  ],
  [
    'allow-too-little',
    (library) => allowOf(library, 'POST /books/b-1'),
    'GET, PUT, DELETE',
    'GET, PUT',
  ],
  ['allow-of-nothing', (library) => allowOf(library, 'PUT /loans'), 'POST', ','],
]

async function allowOf(library: Client, request: string): Promise<string | null> {
  return (await library.send(request)).headers.get('allow')
}

const ghosts: readonly Demonstration[] = [
  afterRemoval('removed-book-read', 'GET', '', 200),
  afterRemoval('removed-book-removed-again', 'DELETE', '', 204),
  afterRemoval('removed-book-labelled', 'GET', '/label', 200),
  afterRemoval('removed-book-replaced', 'PUT', '', 200),
  afterRemoval('removed-book-covered', 'GET', '/cover', 200),
  [
    'removed-member-changed',
    async (library) => {
      const path = await library.memberPath()
      const answers = [await library.status(`DELETE ${path}`), await library.status(`GET ${path}`)]
      return [...answers, await library.status(`PATCH ${path}`, { body: { name: 'x' } })]
    },
    [204, 404, 404],
    [204, 404, 200],
  ],
]

function afterRemoval(name: string, method: string, below: string, wrong: number): Demonstration {
  const look = async (library: Client): Promise<unknown> => {
    const path = await library.bookPath()
    await library.send(`PUT ${path}/cover`, { body: PHOTO })
    const removed = await library.status(`DELETE ${path}`)
    return [
      removed,
      await library.status(`${method} ${path}${below}`, method === 'PUT' ? { body: BOOK } : {}),
    ]
  }
  return [name, look, [204, 404], [204, wrong]]
}

const losses: readonly Demonstration[] = [
  [
    'created-book-lost',
    async (library) => library.status(`GET ${await library.bookPath()}`),
    200,
    404,
  ],
  [
    'location-elsewhere',
    async (library) => library.status(`GET ${await library.memberPath()}`),
    200,
    404,
  ],
  [
    'id-elsewhere',
    async (library) =>
      library.status(`GET /books/${String(fields((await library.book()).json)['id'])}`),
    200,
    404,
  ],
  [
    'capital-name-lost',
    async (library) => library.status(`GET ${await library.memberPath({ name: 'Zoë' })}`),
    200,
    404,
  ],
  [
    'thick-book-lost',
    async (library) => library.status(`GET ${await library.bookPath({ pages: 4001 })}`),
    200,
    404,
  ],
  [
    'created-loan-lost',
    async (library) => {
      const created = await library.loan()
      return [created.status, await library.status(`GET ${created.headers.get('location') ?? ''}`)]
    },
    [201, 200],
    [201, 404],
  ],
]

const access: readonly Demonstration[] = [
  [
    'everybody-adds-books',
    (library) => library.status('POST /books', { body: BOOK, ...ANONYMOUS }),
    401,
    201,
  ],
  [
    'everybody-reads-labels',
    async (library) => library.status(`GET ${await library.bookPath()}/label`, ANONYMOUS),
    401,
    200,
  ],
  [
    'everybody-removes-members',
    async (library) => library.status(`DELETE ${await library.memberPath()}`, ANONYMOUS),
    401,
    204,
  ],
  status('any-token', 'GET /members', 401, 200, { authorization: 'Bearer no' }),
  status('any-scheme', 'GET /members', 401, 200, { authorization: 'Basic bm86bm8=' }),
  [
    'signature-ignored',
    (library) => {
      return library.status('GET /members', {
        headers: { authorization: `Bearer ${library.token}x` },
      })
    },
    401,
    200,
  ],
]

/** Faults of requests, methods, order and access. */
export const inputDemonstrations: readonly Demonstration[] = [
  ...accepted,
  ...refused,
  ...headerless,
  ...methods,
  ...ghosts,
  ...losses,
  ...access,
]
