// A client of a running service that can be any of its users, for the scripts and tests of this
// folder.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'

export interface Client {
  readonly url: string
  tokenOf(user: string): Promise<string>
  /**
   * A call as a user, by the development profile's token; as nobody for `''`. Paths that begin with
   * `/v0/` are the validator's.
   */
  ask(user: string, line: string, body?: unknown): Promise<Answer>
  /** Asks like `ask`; the JSON of a 200. Fails with the answer otherwise. */
  done(user: string, line: string, body?: unknown): Promise<unknown>
}

/**
 * A client of the development service at an address. `known`: tokens of users whom other issuers
 * vouch for.
 */
export function clientOf(url: string, known: Readonly<Record<string, string>> = {}): Client {
  const tokens = new Map(Object.entries(known))
  const tokenOf = async (user: string): Promise<string> => {
    const given = tokens.get(user)
    if (given !== undefined) return given
    const { json } = await call(
      url,
      `GET /wallet/development/token?user=${encodeURIComponent(user)}`,
    )
    const token = String(member(json, 'token'))
    tokens.set(user, token)
    return token
  }
  const ask: Client['ask'] = async (user, line, body) => {
    const token = user === '' ? {} : { token: await tokenOf(user) }
    return call(url, line.replace(' /v0/', ' /api/validator/v0/'), {
      ...token,
      ...(body === undefined ? {} : { body }),
    })
  }
  return {
    url,
    tokenOf,
    ask,
    done: async (user, line, body) => {
      const answer = await ask(user, line, body)
      assert.equal(answer.status, 200, `${user}: ${line}: ${answer.status} ${answer.text}`)
      return answer.json
    },
  }
}

/** A member of a member of parsed JSON; undefined where one is missing. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((found, name) => member(found, name), value)
}

/** The list that a member of a member is. */
export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names)
  assert.ok(Array.isArray(found), `${names.join('.')} of ${JSON.stringify(value)}`)
  return found
}

/** The text that a member of a member is. */
export function textAt(value: unknown, ...names: readonly string[]): string {
  const found = at(value, ...names)
  assert.ok(typeof found === 'string', `${names.join('.')} of ${JSON.stringify(value)}`)
  return found
}
