// Scripts of requests, one a line: who asks for what, and what must come of it.
//
//     made = alice POST wallet/transfer-offers {receiver_party_id: $bob, amount: '1.5'}
//     404 bob GET wallet/coins/{contract_id=$made.offer_contract_id} ?{page_size: 5}
//     until alice GET wallet/status => {status: completed}
//
// A status of 200 is expected unless others (`400,404`), or `any`, stand in front. Behind `=>` are
// members of the answer (`items.0.id`), behind `==` is all of it. `$name.member` is what an earlier
// line answered, or a value that the test knows; `5n` is a large integer.
import assert from 'node:assert/strict'
import { parse } from 'yaml'
import { member } from '../../runtime/host/member.ts'
import { retried } from './eventually.ts'
import { call } from './http.ts'
import type { Answer } from './http.ts'
import type { Service } from './service.ts'

export interface Sent {
  /** Segments in the order of the path. */
  readonly path: readonly string[]
  readonly query?: object
  readonly body?: unknown
}

type Reply = Pick<Answer, 'status' | 'type' | 'text' | 'json'>

export interface Scripts {
  readonly known: Map<string, unknown>
  run(text: string): Promise<void>
  /** The answer to one line, whatever its status; for those who look at all of it. */
  ask(line: string): Promise<Reply>
  /** A part of what a line answered. */
  answered(name: string, ...members: readonly string[]): unknown
}

interface ScriptOptions {
  /** Sends a request, whose line has the names of the path's parameters. */
  send(user: string, line: string, sent: Sent): Promise<Reply>
  /** Words with which paths begin, and what they stand for. */
  readonly places: Readonly<Record<string, string>>
}

const LINE =
  /^(?<until>until )?(?:(?<name>\w+) = )?(?:(?<status>[\d,]{3,}|any) )?(?<user>\w+) (?<method>[A-Z]+) (?<path>\S+)(?: \?(?<query>\{[^{}]*\}))?(?: (?<body>[{$].*?))?(?: (?<sign>=>|==) (?<answer>[{$].*))?$/s
const ARGUMENT = /\{([\w-]+)=([^{}]*)\}/g

export function scripts({ send, places }: ScriptOptions): Scripts {
  const known = new Map<string, unknown>()
  const step = async (line: string): Promise<Reply> => {
    const parts = LINE.exec(line)?.groups ?? assert.fail(`not a request: ${line}`)
    const { name, status = '200', user = '', method = '', query, body, sign, answer } = parts
    const [place = '', ...rest] = (parts['path'] ?? '').split(/(?=[/?])/)
    const path = [places[place] ?? place, ...rest].join('')
    const sent: Sent = {
      path: Array.from(path.matchAll(ARGUMENT), ([, , value]) => String(revived(value, known))),
      ...(query === undefined ? {} : { query: Object(revived(read(query), known)) }),
      ...(body === undefined ? {} : { body: revived(read(body), known) }),
    }
    const once = async (): Promise<Reply> => {
      const got = await send(user, `${method} ${path.replaceAll(ARGUMENT, '{$1}')}`, sent)
      const said = `${line}: ${got.status} ${JSON.stringify(got.json)}`
      if (status !== 'any') assert.ok(status.split(',').includes(String(got.status)), said)
      if (name !== undefined) known.set(name, got.json)
      const expected: object = Object(revived(read(answer ?? '{}'), known))
      if (got.status >= 400 && got.json !== undefined && answer === undefined && isOwn(path))
        assert.equal(typeof member(got.json, 'error'), 'string', said)
      if (sign === '==') assert.deepEqual(got.json, expected, said)
      else
        for (const [key, value] of Object.entries(expected))
          assert.deepEqual(key.split('.').reduce<unknown>(member, got.json), value, said)
      return got
    }
    return parts['until'] === undefined ? once() : retried(once)
  }
  return {
    known,
    ask: (text) => step(`any ${linesOf(text)[0] ?? ''}`),
    answered: (name, ...members) => members.reduce<unknown>(member, known.get(name)),
    run: async (text) => {
      for (const line of linesOf(text)) await step(line)
    },
  }
}

/** Beside the ledger interface, an error says in a member of that name what is wrong. */
const isOwn = (path: string): boolean => path.startsWith('/api/')

/** Sends requests to a service; users without a token ask without one. */
export function httpSender(
  url: string,
  tokens: ReadonlyMap<string, string>,
): ScriptOptions['send'] {
  return async (user, line, { path, query, body }) => {
    const segments = path.values()
    const filled = line.replace(/\{[\w-]+\}/g, () =>
      encodeURIComponent(segments.next().value ?? ''),
    )
    const asked = query === undefined ? '' : `?${new URLSearchParams(Object(query))}`
    const token = tokens.get(user)
    return call(url, filled + asked, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    })
  }
}

/** Scripts of these users of a service. */
export async function scriptsOf(
  service: Pick<Service, 'url' | 'token'>,
  places: ScriptOptions['places'],
  ...users: readonly string[]
): Promise<Scripts> {
  const tokens = new Map<string, string>()
  for (const user of users) tokens.set(user, await service.token(user))
  return scripts({ places, send: httpSender(service.url, tokens) })
}

/** A line goes on while a brace is open, and where the next one begins with one or an arrow. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  let open = 0
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (open > 0 || /^(\??\{|=>|==)/.test(line)) lines.push(`${lines.pop()} ${line}`)
    else if (line !== '') lines.push(line)
    open += line.split('{').length - line.split('}').length
  }
  return lines
}

/** Of a member that is written twice, the later counts. */
const read = (text: string): unknown => parse(text, { uniqueKeys: false })

function revived(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => revived(each, known))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, revived(each, known)]),
    )
  if (typeof value !== 'string') return value
  if (/^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1))
  if (!value.startsWith('$')) return value
  const [name = '', ...members] = value.slice(1).split('.')
  assert.ok(known.has(name), `nobody knows ${value}`)
  const found = members.reduce<unknown>(member, known.get(name))
  assert.notEqual(found, undefined, `nothing is at ${value}`)
  return found
}
