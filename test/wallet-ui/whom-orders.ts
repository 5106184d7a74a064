// Parties that go by one name come into a payer's sight in some order, and the payer types the name
// or opens a link each time, and agrees to what the page asks. No payment may reach a party that
// the payer has neither chosen nor confirmed by its whole id.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { newPerson } from './people.ts'
import type { Person } from './people.ts'
import type { Strangers } from './strangers.ts'

const ACTORS = ['contact', 'own', 'paid', 'dust', 'squatter', 'lookAlike'] as const
export type Actor = (typeof ACTORS)[number]

/** All 720. */
export const ORDERS = permutations(ACTORS)

function permutations(of: readonly Actor[]): readonly (readonly Actor[])[] {
  if (of.length < 2) return [of]
  return of.flatMap((first) =>
    permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  )
}

/** Everybody of one name, and what the payer has to do with them. */
export interface Cast {
  readonly name: string
  readonly payer: Person
  /** Party ids of those who have come so far. */
  readonly parties: Map<Actor, string>
  /** Parties that the payer's coin has reached. */
  readonly reached: Set<string>
}

export interface Stage {
  readonly url: string
  readonly strangers: Strangers
  /** Gives strangers something to send. */
  readonly banker: Person
}

/** A payer whom nobody has come to yet; `name` must be unused, and have an `o`. */
export async function newCast({ url }: Stage, name: string): Promise<Cast> {
  const payer = await newPerson(url, `${name}-payer`, 1_000)
  return { name, payer, parties: new Map(), reached: new Set() }
}

/** The party that the bare name stands for at the own validator; undefined where there is none. */
export function nearOf({ name, payer, parties }: Cast): string | undefined {
  const near = `${name}::${String(payer.party.split('::')[1])}`
  return [...parties.values()].includes(near) ? near : undefined
}

/** All whom the name could stand for in the payer's eyes. */
export function knownTo(cast: Cast): readonly string[] {
  const known = [cast.parties.get('contact'), nearOf(cast), ...cast.reached]
  return [...new Set(known.filter((party) => party !== undefined))]
}

/**
 * Parties that `party` looks like. The own validator is only asked for a party of the same hint.
 */
export function likenessesOf(cast: Cast, party: string): readonly string[] {
  const isAsked = party.startsWith(`${cast.name}::`) || cast.reached.has(nearOf(cast) ?? '')
  return knownTo(cast).filter((known) => known !== party && (isAsked || known !== nearOf(cast)))
}

const ENTRANCES: Record<Actor, (stage: Stage, cast: Cast) => Promise<string>> = {
  contact: async ({ url, strangers }, { name, payer }) => {
    const { party } = await strangers.stranger(`robert-${name}`)
    const line = `PUT /wallet/contacts/${encodeURIComponent(party)}`
    const { status, text } = await call(url, line, { token: payer.token, body: { name } })
    assert.equal(status, 200, text)
    return party
  },
  own: async ({ url }, { name }) => (await newPerson(url, name)).party,
  paid: async ({ strangers }, { name, payer, reached }) => {
    const stranger = await strangers.preapproved(name)
    await strangers.pay(payer, stranger, '5')
    reached.add(stranger.party)
    return stranger.party
  },
  dust: async ({ strangers, banker }, { name, payer }) => {
    const stranger = await strangers.preapproved(name)
    await strangers.pay(banker, stranger, '1')
    await strangers.send(stranger, payer, '0.0000000001')
    return stranger.party
  },
  squatter: async ({ strangers }, { name }) =>
    (await allocated(strangers, name)) ?? (await allocated(strangers, `${name}-`)) ?? '',
  lookAlike: async ({ strangers }, { name }) =>
    (await strangers.stranger(name.replace('o', '0'))).party,
}

export async function enter(stage: Stage, cast: Cast, actor: Actor): Promise<void> {
  cast.parties.set(actor, await ENTRANCES[actor](stage, cast))
}

/** A party of the validator under that name; undefined where somebody has it. */
async function allocated({ node }: Strangers, hint: string): Promise<string | undefined> {
  const { status, json } = await node.ask('participant_admin', 'POST /v2/parties', {
    partyIdHint: hint,
  })
  return status === 200 ? String(member(member(json, 'partyDetails'), 'party')) : undefined
}
