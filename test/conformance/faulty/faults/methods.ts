// Faults of unsupported-method and allow-header: what a path says to methods that it does not have.
import type { Hooks, Reply } from '../call.ts'
import { json, problem } from '../call.ts'
import { faultsOf, withoutHeader } from './fault.ts'

export const methods = faultsOf('unsupported-method', [
  [
    'any-method-answers',
    '/health answers 200 to every method.',
    on405(/^\/health$/u, () => ({ status: 200, headers: {}, text: 'open' })),
  ],
  [
    'delete-all-members',
    'DELETE /members answers 204.',
    on405(/^\/members$/u, (reply, method) =>
      method === 'DELETE' ? { status: 204, headers: {} } : reply,
    ),
  ],
  [
    'patch-book',
    'PATCH on a book answers 200.',
    on405(/^\/books\/[^/]+$/u, (reply, method) =>
      method === 'PATCH' ? json(200, { patched: true }) : reply,
    ),
  ],
  [
    'method-as-404',
    '/loans answers 404 to methods that it does not have.',
    on405(/^\/loans$/u, () => problem(404, 'nothing here')),
  ],
])

export const allows = faultsOf('allow-header', [
  ['no-allow', '405 comes without Allow.', on405(/^/u, (reply) => withoutHeader(reply, 'allow'))],
  [
    'allow-too-much',
    'Allow of a member lists PUT, which is answered 405.',
    on405(/^\/members\/[^/]+$/u, (reply) => allow(reply, 'GET, PUT, PATCH, DELETE')),
  ],
  [
    'allow-too-little',
    'Allow of a book does not list DELETE, which is there.',
    on405(/^\/books\/[^/]+$/u, (reply) => allow(reply, 'GET, PUT')),
  ],
  [
    'allow-of-nothing',
    'Allow of /loans is empty of methods: a comma.',
    on405(/^\/loans$/u, (reply) => allow(reply, ',')),
  ],
])

function on405(path: RegExp, change: (reply: Reply, method: string) => Reply): Hooks {
  return {
    after: (call, reply) =>
      reply.status === 405 && path.test(call.path) ? change(reply, call.method) : reply,
  }
}

function allow(reply: Reply, value: string): Reply {
  return { ...reply, headers: { ...reply.headers, allow: value } }
}
