// Shows each fault of an answer: what to look at, what a right library gives, what the faulty one
// gives.
import { MEMBER, PHOTO, PLAIN } from './client.ts'
import type { Client } from './client.ts'
import { fields } from './document.ts'

/** Name of the fault, what is looked at, its value without the fault, with it. */
export type Demonstration = readonly [
  string,
  (library: Client) => Promise<unknown>,
  unknown,
  unknown,
]

const field = (value: unknown, ...path: readonly string[]): unknown => {
  return path.reduce(
    (found, name) => (Array.isArray(found) ? found[Number(name)] : fields(found)[name]),
    value,
  )
}
const kind = (value: unknown): string => (value === null ? 'null' : typeof value)

async function covered(library: Client, cover: unknown): Promise<string> {
  const path = await library.bookPath()
  await library.send(`PUT ${path}/cover`, { body: cover })
  return path
}

async function replaced(library: Client): Promise<string> {
  const path = await library.bookPath()
  await library.send(`PUT ${path}`, {
    body: { title: 'x', isbn: '0000000000', genre: 'poetry', pages: 1 },
  })
  return path
}

const crashes: readonly Demonstration[] = [
  ['crash-on-missing-member', (library) => library.status('GET /members/99'), 404, 500],
  [
    'crash-on-empty-subtitle',
    async (library) => (await library.book({ subtitle: '' })).status,
    201,
    500,
  ],
  [
    'crash-on-wide-title',
    async (library) => (await library.book({ title: 'žluť' })).status,
    201,
    500,
  ],
  [
    'crash-on-null-nickname',
    async (library) => {
      return library.status(`PATCH ${await library.memberPath()}`, { body: { nickname: null } })
    },
    200,
    500,
  ],
  [
    'crash-on-unknown-cover',
    (library) => library.status('PUT /books/b-9/cover', { body: { ...PLAIN, kind: 'x' } }),
    400,
    500,
  ],
  [
    'crash-on-old-date',
    (library) => library.status('GET /books?addedAfter=1969-12-31T00:00:00Z'),
    200,
    500,
  ],
  [
    'crash-on-covered-book',
    async (library) => {
      return library.status(`PUT ${await covered(library, PLAIN)}`, {
        body: { title: 'x', isbn: '0000000000', genre: 'novel', pages: 1 },
      })
    },
    200,
    500,
  ],
]

const frames: readonly Demonstration[] = [
  ['created-as-200', async (library) => (await library.book()).status, 201, 200],
  [
    'removed-as-202',
    async (library) => library.status(`DELETE ${await library.bookPath()}`),
    204,
    202,
  ],
  ['missing-as-410', (library) => library.status('GET /books/b-zz'), 404, 410],
  [
    'taken-as-422',
    async (library) => [(await library.member()).status, (await library.member()).status],
    [201, 409],
    [201, 422],
  ],
  ['teapot-on-cookery', (library) => library.status('GET /books?genre=Cookery'), 200, 418],
  ['long-loan-as-202', async (library) => (await library.loan({ days: 31 })).status, 201, 202],
  [
    'unknown-token-as-403',
    (library) => library.status('GET /members', { headers: { authorization: 'Bearer no' } }),
    401,
    403,
  ],
  [
    'health-as-json',
    async (library) => (await library.send('GET /health')).type,
    'text/plain; charset=utf-8',
    'application/json',
  ],
  [
    'label-as-html',
    async (library) => {
      return (await library.send(`GET ${await library.bookPath()}/label`)).type
    },
    'text/plain; charset=utf-8',
    'text/html',
  ],
  [
    'missing-as-html',
    async (library) => (await library.send('GET /books/b-zz')).type,
    'application/json',
    'text/html',
  ],
  [
    'malformed-as-text',
    async (library) => (await library.member({ name: '' })).type,
    'application/json',
    'text/plain; charset=utf-8',
  ],
  [
    'sorted-as-vendor-json',
    async (library) => {
      return (await library.send('GET /books?sort=title')).type
    },
    'application/json',
    'application/vnd.shelf+json',
  ],
  [
    'photo-without-type',
    async (library) => {
      return (await library.send(`GET ${await covered(library, PHOTO)}/cover`)).type
    },
    'application/json',
    '',
  ],
  ['no-location', async (library) => (await library.book()).headers.has('location'), true, false],
  [
    'no-mark-after-update',
    async (library) => (await library.send(`GET ${await replaced(library)}`)).headers.get('etag'),
    '"2"',
    null,
  ],
  [
    'weak-mark',
    async (library) => {
      const again = await library.send(`PUT ${await replaced(library)}`, {
        body: { title: 'y', isbn: '0000000000', genre: 'novel', pages: 1 },
      })
      return again.headers.get('etag')
    },
    '"3"',
    'W/"3"',
  ],
  [
    'count-of-none',
    async (library) =>
      (await library.send('GET /books?genre=history')).headers.get('x-total-count'),
    '0',
    'none',
  ],
  [
    'no-challenge',
    async (library) => {
      return (await library.send('GET /members', { headers: { authorization: '' } })).headers.get(
        'www-authenticate',
      )
    },
    'Bearer',
    null,
  ],
]

const bodies: readonly Demonstration[] = [
  [
    'created-without-id',
    async (library) => kind(field((await library.book()).json, 'id')),
    'string',
    'undefined',
  ],
  [
    'member-without-joined',
    async (library) => {
      return kind(field((await library.send(`GET ${await library.memberPath()}`)).json, 'joined'))
    },
    'string',
    'undefined',
  ],
  [
    'pages-become-text',
    async (library) => {
      const created = await library.book()
      const read = await library.send(`GET ${created.headers.get('location') ?? ''}`)
      return [created, read].map((one) => field(one.json, 'pages'))
    },
    [211, 211],
    [211, '211'],
  ],
  [
    'isbn-as-number',
    async (library) => field((await library.book({ isbn: '9876543210' })).json, 'isbn'),
    '9876543210',
    9876543210,
  ],
  [
    'absent-subtitle-as-null',
    async (library) => {
      return field((await library.book({ subtitle: undefined })).json, 'subtitle')
    },
    undefined,
    null,
  ],
  [
    'empty-tags-as-null',
    async (library) => field((await library.book({ tags: [] })).json, 'tags'),
    [],
    null,
  ],
  [
    'genre-in-lower-case',
    async (library) => field((await library.book({ genre: 'Cookery' })).json, 'genre'),
    'Cookery',
    'cookery',
  ],
  [
    'local-time-after-update',
    async (library) => {
      return /T.*Z$/u.test(
        String(field((await library.send(`GET ${await replaced(library)}`)).json, 'updated')),
      )
    },
    true,
    false,
  ],
  [
    'version-shown',
    async (library) => {
      const body = { title: 'x', isbn: '0000000000', genre: 'novel', pages: 1 }
      return field(
        (await library.send(`PUT ${await library.bookPath()}`, { body })).json,
        'version',
      )
    },
    undefined,
    2,
  ],
  [
    'second-page-without-email',
    async (library) => {
      const first = await library.send('GET /members?limit=1')
      const second = await library.send(
        `GET /members?limit=1&pageToken=${String(field(first.json, 'nextPageToken'))}`,
      )
      return [first, second].map((page) => field(page.json, 'items', '0', 'email'))
    },
    ['ada@example.org', 'björn@example.org'],
    ['ada@example.org', undefined],
  ],
  [
    'compact-address-as-text',
    async (library) => {
      const page = await library.send('GET /members', { headers: { cookie: 'a=b; view=compact' } })
      return kind(field(page.json, 'items', '0', 'address'))
    },
    'object',
    'string',
  ],
  [
    'card-number-rounded',
    async (library) => {
      return /"cardNumber":(\d+)/u.exec(
        (await library.member({ cardNumber: 2n ** 63n - 1n })).text,
      )?.[1]
    },
    '9223372036854775807',
    '9223372036854776000',
  ],
  [
    'card-number-as-text',
    async (library) => {
      return /"cardNumber":([^,}]+)/u.exec(
        (await library.member({ cardNumber: 2n ** 53n + 1n })).text,
      )?.[1]
    },
    '9007199254740993',
    '"9007199254740993"',
  ],
  [
    'photo-without-width',
    async (library) => {
      return field((await library.send(`GET ${await covered(library, PHOTO)}/cover`)).json, 'width')
    },
    4000,
    undefined,
  ],
  [
    'loan-due-as-number',
    async (library) => kind(field((await library.loan()).json, 'due')),
    'string',
    'number',
  ],
  [
    'missing-without-code',
    async (library) => field((await library.send('GET /members/99')).json, 'code'),
    'missing',
    undefined,
  ],
  [
    'malformed-with-stack',
    async (library) => kind(field((await library.send('GET /books?limit=0')).json, 'stack')),
    'undefined',
    'string',
  ],
]

const slowness: readonly Demonstration[] = [
  ['slow-health', (library) => isSlow(library, 'GET /health'), false, true],
  ['slow-page-limit', (library) => isSlow(library, 'GET /members?limit=20'), false, true],
  ['slow-tag-search', (library) => isSlow(library, 'GET /books?tags=a&tags=b&tags=c'), false, true],
]

/** Whether it is slow twice: once, a busy machine may be. */
async function isSlow(library: Client, request: string): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    const start = performance.now()
    await library.send(request)
    if (performance.now() - start < 2000) return false
  }
  return true
}

/** Faults of answers. */
export const answerDemonstrations: readonly Demonstration[] = [
  ...slowness,
  ...crashes,
  ...frames,
  ...bodies,
]

/** A member whose fields all stand at a bound. */
export const EDGE_MEMBER = {
  ...MEMBER,
  name: 'É'.repeat(40),
  monogram: '🦀🦀',
  nickname: null,
  born: '2000-02-29',
  cardNumber: 2n ** 63n - 1n,
  interests: ['novel', 'poetry', 'history', 'sci-fi'],
  newsletter: false,
}
