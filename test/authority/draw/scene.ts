// Who and what an operation is drawn from: names that come again and again, and values that are
// known to hurt.
import {
  isHosted,
  isOperator,
  isParticipantAdmin,
  isProviderAdmin,
  tokenOf,
  walletOf,
} from '../model/rules.ts'
import type { By } from '../model/rules.ts'
import { partsOf } from '../model/state.ts'
import type { Right, User, World } from '../model/state.ts'
import type { Dice } from '../../drive/dice.ts'

export interface Scene {
  readonly world: World
  readonly dice: Dice
  /** 10^-10 coin by owner. */
  readonly coins: ReadonlyMap<string, bigint>
  /** User and party of the last operations: what comes next is often about the same. */
  readonly focus: Focus
}

export interface Focus {
  readonly user: string
  readonly party: string
  /** The share of it. */
  readonly share: number
}

/** Users and hints have the same few names, so that names come back. */
export const NAMES = ['ann', 'bob', 'cat', 'dan', 'eve'] as const
export const PROVIDER_IDS = ['idp-one', 'idp-two', 'idp-three'] as const
const KEYS = ['k1', 'k2', 'k3'] as const
/** Share of what comes next. */
export const FOCUS_SHARE = 0.45

export function people({ world }: Scene): readonly User[] {
  return [...world.users.values()].filter(({ id }) => !world.watchers.has(id))
}

/**
 * A user's name: one that the last operations were about, one that is there, one that is not,
 * rarely one of an admin.
 */
export function someName({ world, dice, focus }: Scene): string {
  if (focus.user !== '' && dice.chance(focus.share)) return focus.user
  return dice.weighted([
    [80, () => dice.pick(NAMES)],
    [4, () => world.setting.operator],
    [4, () => 'participant_admin'],
    [4, () => 'one-admin'],
    [4, () => 'two-admin'],
  ])()
}

/** A provider as a request names it. */
export function someProvider({ world, dice }: Scene): string {
  return dice.weighted([
    [45, ''],
    [25, 'idp-one'],
    [20, 'idp-two'],
    [world.providers.has('idp-three') ? 10 : 2, 'idp-three'],
  ])
}

/** Mostly the provider that the user has. */
export function providerNear(scene: Scene, id: string): string {
  const user = scene.world.users.get(id)
  return user !== undefined && scene.dice.chance(0.75) ? user.provider : someProvider(scene)
}

export function externalId({ world, dice }: Scene): string {
  return `${dice.pick(NAMES)}::${world.setting.fingerprints[dice.pick(KEYS)] ?? ''}`
}

export function someKey({ dice }: Scene): string {
  return dice.pick(KEYS)
}

/**
 * A party: of a wallet, with a key outside, of a provider, of the network, one that is not there
 * yet, one of another node.
 */
export function someParty(scene: Scene): string {
  const { world, dice, focus } = scene
  if (focus.party !== '' && dice.chance(focus.share)) return focus.party
  const all = [...world.parties.values()]
  const elsewhere = [...world.elsewhere.keys()]
  const of = (parties: readonly { readonly id: string }[]): string =>
    dice.pick(parties.length === 0 ? all : parties).id
  return dice.weighted([
    [40, () => of(all)],
    [15, () => of(all.filter(({ keys }) => keys.length > 0))],
    [10, () => of(all.filter(({ provider }) => provider !== ''))],
    [10, () => walletParty(scene)],
    [8, () => world.setting.operatorParty],
    [5, () => dice.pick(world.setting.network)],
    [6, () => externalId(scene)],
    [6, () => `${dice.pick(NAMES)}::${world.setting.namespace}`],
    [elsewhere.length === 0 ? 0 : 15, () => dice.pick(elsewhere)],
  ])()
}

function walletParty({ world, dice }: Scene): string {
  const wallets = [...world.users.values()].flatMap(({ wallet }) => wallet ?? [])
  return wallets.length === 0 ? world.setting.operatorParty : dice.pick(wallets)
}

export function hostedParty(scene: Scene): string {
  const hosted = [...scene.world.parties.keys()].filter((party) => isHosted(scene.world, party))
  return scene.dice.pick(hosted)
}

export function externalParty(scene: Scene): string {
  const external = [...scene.world.parties.values()].filter(({ keys }) => keys.length > 0)
  return external.length === 0 ? externalId(scene) : scene.dice.pick(external).id
}

/** Rights, mostly on the party that is in question. */
export function someRights(scene: Scene, party: string, most = 2): readonly Right[] {
  const { dice } = scene
  const one = (): Right => {
    const of = dice.chance(0.6) ? party : someParty(scene)
    const kind = dice.weighted([
      [30, 'CanActAs'],
      [26, 'CanReadAs'],
      [16, 'CanExecuteAs'],
      [7, 'IdentityProviderAdmin'],
      [6, 'ParticipantAdmin'],
      [4, 'CanReadAsAnyParty'],
      [4, 'CanExecuteAsAnyParty'],
    ])
    return kind === 'CanActAs' || kind === 'CanReadAs' || kind === 'CanExecuteAs'
      ? `${kind} ${of}`
      : kind
  }
  return [...new Set(Array.from({ length: dice.int(most + 1) }, one))]
}

export function oneRight(scene: Scene, party: string): readonly Right[] {
  const rights = someRights(scene, party)
  return rights.length > 0 ? rights : [`CanActAs ${party}`]
}

/** Filling rights, as many as the user has room for, and one at least. */
export function fillers({ world }: Scene, user: User | undefined): readonly Right[] {
  const room = Math.max(1, world.setting.maxRights - (user?.rights.size ?? 0))
  return Array.from(
    { length: world.setting.maxRights },
    (_, index) => `CanReadAs filler-${index}::12`,
  )
    .filter((right) => user?.rights.has(right) !== true)
    .slice(0, room)
}

/** A right that the user has, where there is one. */
export function ownedRights(scene: Scene, id: string): readonly Right[] {
  const rights = [...(scene.world.users.get(id)?.rights ?? [])]
  return rights.length === 0 ? oneRight(scene, someParty(scene)) : [scene.dice.pick(rights)]
}

/** Parties that a user has a right on. */
export function partiesOf(user: User | undefined): readonly string[] {
  return [...(user?.rights ?? [])].map((right) => partsOf(right)[1]).filter((party) => party !== '')
}

/** The token of a user, or now and then one that is nearly right. */
export function tokenFor(scene: Scene, user: User): By {
  const { world, dice } = scene
  if (dice.chance(0.94)) return tokenOf(world, user)
  const parties = [...world.parties.values()].filter(({ keys }) => keys.length > 0)
  const other = [...world.providers.values()][dice.int(world.providers.size)]
  const party = parties.length === 0 ? undefined : dice.pick(parties)
  return dice.weighted<By>([
    [2, { kind: 'nobody' }],
    [3, tokenOf(world, { id: user.id, provider: dice.pick(['', ...world.providers.keys()]) })],
    [
      1,
      { kind: 'issued', issuer: other?.issuer ?? '', key: 'stranger', sub: user.id, audience: '' },
    ],
    [
      1,
      {
        kind: 'issued',
        issuer: world.setting.issuer,
        key: other?.key ?? 'stranger',
        sub: user.id,
        audience: '',
      },
    ],
    [
      4,
      party === undefined
        ? { kind: 'nobody' }
        : { kind: 'party', party: party.id, key: dice.pick(party.keys), sub: user.id },
    ],
  ])
}

/** A subject that is no user, or one that is, with a token of any provider. */
export function anySubject(scene: Scene): By {
  const { world, dice } = scene
  const provider = dice.pick(['', '', ...world.providers.keys()])
  return tokenOf(world, { id: someName(scene), provider })
}

/** A caller who mostly may do what is asked for, and sometimes somebody else. */
export function someone(scene: Scene, may: (user: User) => boolean, share = 0.85): By {
  const { dice } = scene
  const all = people(scene)
  const able = all.filter(may)
  const focused = all.find(({ id }) => id === scene.focus.user)
  if (able.length > 0 && dice.chance(share)) return tokenFor(scene, dice.pick(able))
  return focused !== undefined && dice.chance(0.5)
    ? tokenFor(scene, focused)
    : tokenFor(scene, dice.pick(all))
}

/** An admin of either kind. */
export function someAdmin(scene: Scene): By {
  const { dice } = scene
  return dice.chance(0.5)
    ? someone(scene, isParticipantAdmin, 0.95)
    : someone(scene, isProviderAdmin, 0.9)
}

export function theOperator(scene: Scene): By {
  return someone(scene, (user) => isOperator(scene.world, user), 0.9)
}

export function walletUser(scene: Scene): By {
  return someone(scene, (user) => walletOf(user) !== undefined, 0.8)
}
