// Tokens changed at random: none is accepted, none makes an error.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Check, Kit } from './check.ts'
import { rs256, rsaKey } from './tokens.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
const SIGNS = [...LETTERS, '.', '=', '+', '/', ' ', '\0', 'é', '\u{1f600}', '"', '{']

type Mutation = (token: string, other: string) => string

const place = fc.nat(10_000)
const sign = fc.constantFrom(...SIGNS)
const letter = fc.constantFrom(...LETTERS)

/** One change; positions wrap round the token's length. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, letter).map(
    ([at, by]): Mutation =>
      (token) =>
        replaceAt(token, at, 1, by),
  ),
  fc.tuple(place, sign).map(
    ([at, by]): Mutation =>
      (token) =>
        replaceAt(token, at, 0, by),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 40 })).map(
    ([at, length]): Mutation =>
      (token) =>
        replaceAt(token, at, length, ''),
  ),
  place.map(
    (at): Mutation =>
      (token) =>
        token.slice(0, at % token.length),
  ),
  fc.tuple(fc.nat(2), place, fc.nat(7)).map(
    ([part, at, bit]): Mutation =>
      (token) =>
        flip(token, part, at, bit),
  ),
  fc.tuple(fc.nat(2), fc.nat(2)).map(
    ([from, to]): Mutation =>
      (token, other) =>
        graft(token, other, from, to),
  ),
  fc.constantFrom<Mutation>(
    (token) => token.toUpperCase(),
    (token) => token.toLowerCase(),
    (token) => token.split('.').reverse().join('.'),
    (token) => token + token,
  ),
)

export const fuzzChecks: readonly Check[] = [
  {
    name: 'tokens changed at random are refused, one and all, without an error',
    run: async (kit) => {
      const good = new Set([kit.token()])
      const [token = ''] = good
      const strange = kit.token({ sub: 'admin' }, {}, rs256(rsaKey('attacker')))
      await kit.accepts(token)
      const changes = fc.array(mutation, { minLength: 1, maxLength: 3 })
      await fc.assert(
        fc.asyncProperty(changes, fc.boolean(), async (steps, base) => {
          const changed = steps.reduce((text, step) => step(text, strange), base ? token : strange)
          if (!good.has(changed)) await refusedQuietly(kit, changed)
        }),
        { numRuns: kit.fuzzRuns },
      )
      await kit.accepts(token)
    },
  },
]

async function refusedQuietly(kit: Kit, token: string): Promise<void> {
  const { kind } = await kit.ask(token)
  assert.notEqual(kind, 'user', token)
}

function replaceAt(token: string, at: number, remove: number, insert: string): string {
  const from = at % Math.max(1, token.length)
  return token.slice(0, from) + insert + token.slice(from + remove)
}

/** Changes one bit of the bytes behind a part. */
function flip(token: string, part: number, at: number, bit: number): string {
  const parts = token.split('.')
  const bytes = Buffer.from(parts[part] ?? '', 'base64url')
  const place = at % Math.max(1, bytes.length)
  bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
  return parts.with(Math.min(part, parts.length - 1), bytes.toString('base64url')).join('.')
}

/** Puts a part of another token in the place of one. */
function graft(token: string, other: string, from: number, to: number): string {
  const parts = token.split('.')
  return parts.with(Math.min(to, parts.length - 1), other.split('.')[from] ?? '').join('.')
}
