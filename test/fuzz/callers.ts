// Who asks: real tokens of several providers, tokens that are none, and none at all. The rules of
// tokens are in docs/authentication.md.
import { createHmac } from 'node:crypto'
import {
  makeToken,
  rs256,
  rsaKey,
  secondsFromNow,
  unsigned,
} from '../../runtime/testing/auth/tokens.ts'
import { tokenOf } from '../authority/kit.ts'
import type { Dice } from '../drive/dice.ts'
import type { Memory } from './memory.ts'
import type { Audience } from './surface.ts'

export interface Caller {
  /** `alice`, `eve@p`, or what is wrong with the token: `none`, `expired`. */
  readonly name: string
  /** The header Authorization; undefined is none. */
  readonly header: string | undefined
  /** False where nobody could be let in. */
  readonly isValid: boolean
}

export const WALLETS = ['alice', 'bob', 'carol', 'operator'] as const
export const ADMIN = 'participant_admin'
/** Administers what the fuzz may have broken; no request names it. */
export const KEEPER = 'the-keeper'
/** Holds CanExecuteAsAnyParty and CanReadAsAnyParty. */
export const EXECUTOR = 'executor'
export const PLAIN = ['dora', 'eve@p', 'frank@q'] as const
const PROVIDER_ADMINS = ['admin-p@p', 'admin-q@q'] as const
const HOME = 'https://home.example'
const TWICE = '{"sub":"alice","sub":"operator"}'
const NEWCOMERS = 24
const KEPT_TOKENS = 400

const FITTING: Readonly<Record<Audience, readonly string[]>> = {
  everybody: WALLETS,
  subject: [...WALLETS, ...PLAIN],
  user: [...WALLETS, EXECUTOR, EXECUTOR, ADMIN],
  actor: WALLETS,
  executor: [EXECUTOR],
  'wallet-user': WALLETS,
  operator: ['operator'],
  admin: [ADMIN, ADMIN, ADMIN, 'operator', ...PROVIDER_ADMINS],
  'participant-admin': [ADMIN, ADMIN, ADMIN, 'operator'],
}

export class FuzzCallers {
  readonly #tokens = new Map<string, string>()
  readonly #broken: readonly Caller[] = brokenCallers()

  /** A caller for an operation: mostly one who is let in. */
  choose(audience: Audience, memory: Memory, dice: Dice): Caller {
    const kind = dice.kind({ fitting: 78, other: 9, newcomer: 4, known: 3, broken: 6 })
    switch (kind) {
      case 'fitting':
        return this.of(dice.pick(FITTING[audience]))
      case 'other':
        return this.of(dice.pick([...WALLETS, ...PLAIN, ...PROVIDER_ADMINS, ADMIN, EXECUTOR]))
      case 'newcomer':
        return this.of(`newcomer-${dice.between(1, NEWCOMERS)}${dice.pick(['', '', '@p', '@q'])}`)
      case 'known':
        return this.of(`${memory.some('user', dice) ?? 'nobody'}${dice.pick(['', '', '@p'])}`)
      case 'broken':
        return dice.pick(this.#broken)
    }
  }

  of(name: string): Caller {
    const known = this.#tokens.get(name)
    const token = known ?? tokenOf(name)
    if (known === undefined) {
      const [oldest] = this.#tokens.keys()
      if (this.#tokens.size >= KEPT_TOKENS && oldest !== undefined) this.#tokens.delete(oldest)
      this.#tokens.set(name, token)
    }
    return { name, header: `Bearer ${token}`, isValid: true }
  }

  /**
   * Makes new tokens from now on: those of before end a quarter of an hour after they were made.
   */
  renew(): void {
    this.#tokens.clear()
  }
}

function brokenCallers(): readonly Caller[] {
  const key = rsaKey('authority')
  const good = tokenOf('alice')
  const [head = '', claims = ''] = good.split('.')
  const signed = (more: object): string =>
    makeToken(
      { alg: 'RS256', kid: key.kid },
      { iss: HOME, sub: 'alice', exp: secondsFromNow(900), ...more },
      rs256(key),
    )
  const publicText = key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const hs256 = createHmac('sha256', publicText).update(`${head}.${claims}`).digest('base64url')
  const headers: Readonly<Record<string, string | undefined>> = {
    none: undefined,
    empty: 'Bearer ',
    garbage: 'Bearer nonsense',
    'three parts': 'Bearer a.b.c',
    basic: 'Basic YWxpY2U6eA==',
    'scheme only': 'Bearer',
    forged: `Bearer ${good.slice(0, -6)}AAAAAA`,
    half: `Bearer ${good.slice(0, good.length / 2)}`,
    unsigned: `Bearer ${makeToken({ alg: 'none' }, { iss: HOME, sub: 'operator' }, unsigned)}`,
    'signed with the public key': `Bearer ${head}.${claims}.${hs256}`,
    expired: `Bearer ${signed({ exp: secondsFromNow(-3_600) })}`,
    'not yet': `Bearer ${signed({ nbf: secondsFromNow(3_600) })}`,
    'no end': `Bearer ${signed({ exp: 'never' })}`,
    'another issuer': `Bearer ${signed({ iss: 'https://elsewhere.example' })}`,
    'no subject': `Bearer ${signed({ sub: undefined })}`,
    'odd subject': `Bearer ${signed({ sub: 'a b\u0000' })}`,
    'long subject': `Bearer ${signed({ sub: 'x'.repeat(3_000) })}`,
    'number as subject': `Bearer ${signed({ sub: 5 })}`,
    long: `Bearer ${'a'.repeat(12_000)}`,
    'claims twice': `Bearer ${makeToken({ alg: 'RS256', kid: key.kid }, TWICE, rs256(key))}`,
  }
  // Who signs these is trusted: some operations may tell a subject that is no user so.
  return Object.entries(headers).map(([name, header]) => ({
    name,
    header,
    isValid: /^(?:odd|long) subject$/.test(name),
  }))
}
