// Three ledgers with the same people: the adversary's own, one to fork it to, and a stranger's; and
// everything that the adversary has kept of them.
import { member } from '../../../runtime/host/member.ts'
import type { Holder } from '../../support/topology-reference.ts'
import { ALLOCATE } from '../../nodes/outside-party.ts'
import type { Dice } from '../../drive/dice.ts'
import { done, verdictOf } from './binding.ts'
import type { Past } from './binding.ts'
import { namesOf, sendTo } from './kept.ts'
import type { Kept } from './kept.ts'
import { Ledger, MIGHTY } from './ledger.ts'
import type { Place, Storage } from './ledger.ts'
import { baseOf, newHolders, ownedBy, topologyOf, transactionsOf } from './owner.ts'
import type { Owned, SignedTransaction, Standing, Topology } from './owner.ts'

export const WALLET = '/api/validator/v0/wallet'
const NAMES = ['own', 'fork', 'stranger'] as const

/** A party of one owner, and one of two, of whom the first keeps everything. */
export interface Parties {
  readonly solo: Owned
  readonly pair: Owned
}

export interface Scene {
  readonly ledgers: readonly Ledger[]
  readonly parties: Parties
  readonly pasts: Map<Ledger, Past>
  readonly kept: Kept[]
  /** Topologies whose transactions are put together anew. */
  readonly topologies: Topology[]
  /** Keys that the parties begin with, on each ledger. */
  readonly firstKeys: ReadonlyMap<Owned, readonly Holder[]>
  saved: readonly Saved[]
  dice: Dice
  /** Something that nobody has used. */
  fresh(): string
}

/** A snapshot of a ledger. */
export interface Saved {
  readonly ledger: Ledger
  readonly name: string
  readonly file: string
  readonly past: Past
}

export interface SceneOptions {
  readonly nodes: number
  readonly storage: Storage
}

/** Ledgers that have nobody yet: `begin` comes next. */
export async function openScene({ nodes, storage }: SceneOptions, dice: Dice): Promise<Scene> {
  const solo = ownedBy('solo', newHolders(1))
  const pair = ownedBy('pair', newHolders(2))
  let count = 0
  const scene: Scene = {
    ledgers: await Promise.all(
      NAMES.map((name) => Ledger.open(name, name === 'stranger' ? 1 : nodes, storage)),
    ),
    parties: { solo, pair },
    firstKeys: new Map([solo, pair].map((own) => [own, newHolders(own.founders.length)])),
    pasts: new Map(),
    kept: [],
    topologies: [],
    saved: [],
    dice,
    fresh: () => `id-${(count += 1)}`,
  }
  return scene
}

export async function closeScene({ ledgers }: Scene): Promise<void> {
  await Promise.all(ledgers.map((ledger) => ledger.close()))
}

export function pastOf({ pasts }: Scene, ledger: Ledger): Past {
  const past = pasts.get(ledger)
  if (past === undefined) throw new Error(`${ledger.name} is not settled`)
  return past
}

/** A new ledger: its people, and the parties at its first node. */
export async function settle(scene: Scene, ledger: Ledger): Promise<void> {
  const home = ledger.at(0)
  await home.done('bob', `POST ${WALLET}/transfer-preapproval`)
  const wallets = new Map<string, string>()
  for (const user of ['alice', 'bob']) {
    const status = await home.done(user, `GET ${WALLET}/user-status`)
    wallets.set(user, String(member(status, 'party_id')))
  }
  scene.pasts.set(ledger, {
    ledger: scene.fresh(),
    base: 0,
    standings: new Map(),
    used: new Map(),
    spent: new Set(),
    wallets,
  })
  for (const own of [scene.parties.solo, scene.parties.pair]) {
    const { founders } = own
    const standing: Standing = {
      serial: 1,
      keys: scene.firstKeys.get(own) ?? [],
      threshold: 1,
      mapping: 0,
      host: home.uid,
      owners: { serial: 1, holders: founders, needed: 1 },
    }
    await use(scene, home, keepTopology(scene, home, topologyOf(own, standing, founders)))
  }
}

/** A wallet with coin for a user who has none. */
export async function register(scene: Scene, ledger: Ledger, user: string): Promise<string> {
  const answer = await ledger.at(0).done(user, 'POST /api/validator/v0/register', {})
  await ledger.at(0).done(user, `POST ${WALLET}/tap`, { amount: '100' })
  const past = pastOf(scene, ledger)
  const wallets = new Map([...past.wallets, [user, String(member(answer, 'party_id'))]])
  scene.pasts.set(ledger, { ...past, wallets })
  return `${user} registers`
}

/** The same past, on a ledger of its own from now on. */
export function goOn(scene: Scene, ledger: Ledger, past: Past): void {
  const base = baseOf(ledger.at(0).synchronizer)
  scene.pasts.set(ledger, { ...past, base, ledger: scene.fresh() })
}

/** The holders whose signatures it takes, as many as the party needs. */
export function signersOf({ keys, threshold }: Standing): readonly Holder[] {
  return keys.slice(0, threshold)
}

/** Keeps what a party's owners have signed, for a node. */
export function keepTopology(scene: Scene, place: Place, topology: Topology): Kept {
  const { own, standing: next } = topology
  const after = pastOf(scene, place.ledger).standings.get(own.party)
  scene.topologies.push(topology)
  return keep(scene, place, {
    what: `hosting ${next.serial} of ${hintOf(own)}`,
    binds: { hosting: { party: own.party, after, next } },
    ...allocation(place, transactionsOf(topology)),
  })
}

/** The request, by whoever administers the node. */
export function allocation(
  { synchronizer }: Pick<Place, 'synchronizer'>,
  onboardingTransactions: readonly SignedTransaction[],
): Pick<Kept, 'body' | 'by' | 'line'> {
  return { line: ALLOCATE, body: { synchronizer, onboardingTransactions }, by: { user: MIGHTY } }
}

export function hintOf({ party }: Pick<Owned, 'party'>): string {
  return party.split('::')[0] ?? ''
}

/** Kept for good. It names the ledger that it was made on, unless it is of an issuer. */
export function keep(
  scene: Scene,
  place: Place,
  { binds, what, ...rest }: Omit<Kept, 'made'>,
): Kept {
  const { ledger } = pastOf(scene, place.ledger)
  const kept = {
    ...rest,
    what: `${what}, made at ${place.name}`,
    binds: binds.issuer === undefined ? { ledger, ...binds } : binds,
    made: namesOf(place),
  }
  scene.kept.push(kept)
  return kept
}

/** Sent to where it is good for, if it still is: whether it was accepted. */
export async function use(scene: Scene, place: Place, kept: Kept): Promise<boolean> {
  const now = await place.ledger.now()
  const past = pastOf(scene, place.ledger)
  if (verdictOf(kept.binds, { place, past, now }) === 'refuse') return false
  const { status } = await sendTo(place, kept)
  if (status === 200) scene.pasts.set(place.ledger, done(kept.binds, past, now))
  return status === 200
}
