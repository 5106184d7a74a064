// What plots are made of: turns about one user, by whom it takes. A turn is drawn when its time has
// come, from the world as it is then.
import type { Ask, Op } from '../model/ops.ts'
import { isHosted, tokenOf } from '../model/rules.ts'
import type { By } from '../model/rules.ts'
import { actAs } from '../model/state.ts'
import type { Right, User } from '../model/state.ts'
import { NAMES, fillers, someKey, theOperator } from './scene.ts'
import type { Scene } from './scene.ts'

/** One step of a plot, or two at once. */
export type Turn = (scene: Scene) => Op | readonly [Op, Op]
export type One = (scene: Scene) => Op

/** Providers that stay, with an admin each whom nobody takes away. */
export const STAYING = ['idp-one', 'idp-two'] as const
const WATCHERS: Readonly<Record<string, string>> = {
  '': 'root',
  'idp-one': 'watch-one',
  'idp-two': 'watch-two',
}

export function ask(by: By, what: Ask): Op {
  return { ...what, by }
}

/** A turn in which somebody asks for what is known before. */
export const does =
  (by: (scene: Scene) => By, what: Ask): One =>
  (scene) =>
    ask(by(scene), what)

/** A participant admin. */
export function root({ world }: Scene): By {
  return tokenOf(world, { id: WATCHERS[''] ?? '', provider: '' })
}

/** The provider's administrator, who administers nothing else where it is a configured one. */
export function adminOf({ world }: Scene, provider: string): By {
  return tokenOf(world, {
    id: WATCHERS[provider] ?? 'root',
    provider: provider in WATCHERS ? provider : '',
  })
}

/** The user by its own token; a newcomer of the provider where there is none of the name. */
export function self({ world }: Scene, id: string, provider = ''): By {
  return tokenOf(world, { id, provider: world.users.get(id)?.provider ?? provider })
}

/** Mostly a name that nobody has. */
export function someId({ dice, world }: Scene): string {
  const free = NAMES.filter((each) => !world.users.has(each))
  return free.length > 0 && dice.chance(0.8) ? dice.pick(free) : dice.pick(NAMES)
}

export function anyProvider({ dice }: Scene): string {
  return dice.pick(['', '', ...STAYING])
}

export function staying({ dice }: Scene): string {
  return dice.pick(STAYING)
}

/** A party of the default provider that the node signs for. */
export function defaultParty(scene: Scene, besides = ''): string {
  const { world, dice } = scene
  const all = [...world.parties.values()].filter(
    ({ id, provider }) => provider === '' && isHosted(world, id) && id !== besides,
  )
  return dice.pick(all).id
}

export const remove =
  (id: string): One =>
  (scene) => {
    const user = scene.world.users.get(id)
    return ask(adminOf(scene, user?.provider ?? ''), { op: 'delete-user', id })
  }

export const offboard = (id: string): One => does(theOperator, { op: 'offboard', name: id })

/** No user has the name afterwards, and nothing is left of an earlier one. */
export const clear = (id: string): readonly One[] => [remove(id), offboard(id)]

interface NewUser {
  readonly id: string
  readonly provider?: string
  readonly primaryParty?: string
  readonly partyLogin?: boolean
  readonly isDeactivated?: boolean
}

/** Creates a user, by a participant admin unless somebody else is named. */
export const create = (
  user: NewUser,
  rights: readonly Right[],
  by: (scene: Scene) => By = root,
): One =>
  does(by, {
    op: 'create-user',
    user: { provider: '', primaryParty: '', partyLogin: false, isDeactivated: false, ...user },
    rights: [...new Set(rights)],
  })

export const register =
  (id: string, provider = ''): One =>
  (scene) =>
    ask(self(scene, id, provider), { op: 'register' })

export const onboard =
  (id: string, provider = '', party = ''): One =>
  (scene) =>
    ask(theOperator(scene), {
      op: 'onboard',
      name: id,
      provider: scene.world.users.get(id)?.provider ?? provider,
      party,
      create: true,
    })

export const tap =
  (id: string): One =>
  (scene) =>
    ask(self(scene, id), { op: 'tap', usd: 1n })

export const grant =
  (id: string, rights: readonly Right[], by: (scene: Scene) => By = root): One =>
  (scene) =>
    ask(by(scene), { op: 'grant', id, provider: scene.world.users.get(id)?.provider ?? '', rights })

export const revoke =
  (id: string, rights: (user: User | undefined) => readonly Right[]): One =>
  (scene) => {
    const user = scene.world.users.get(id)
    return ask(root(scene), {
      op: 'revoke',
      id,
      provider: user?.provider ?? '',
      rights: rights(user),
    })
  }

export const patch =
  (
    id: string,
    change: Extract<Ask, { readonly op: 'patch-user' }>['patch'],
    by: (scene: Scene) => By = root,
  ): One =>
  (scene) =>
    ask(by(scene), {
      op: 'patch-user',
      id,
      provider: scene.world.users.get(id)?.provider ?? '',
      patch: change,
    })

export const allocate =
  (
    hint: string,
    some: { readonly provider?: string; readonly userId?: string; readonly note?: string } = {},
    by?: (scene: Scene) => By,
  ): One =>
  (scene) => {
    const { provider = '', userId = '', note = '' } = some
    return ask(by === undefined ? adminOf(scene, provider) : by(scene), {
      op: 'allocate',
      hint,
      provider,
      userId,
      note,
    })
  }

/** A party of the key, hosted by the operator. */
export const host = (hint: string, key: string): One =>
  does(theOperator, { op: 'host', hint, key, signer: key, isForged: false })

export const fill =
  (id: string): One =>
  (scene) => {
    const user = scene.world.users.get(id)
    return ask(root(scene), {
      op: 'grant',
      id,
      provider: user?.provider ?? '',
      rights: fillers(scene, user),
    })
  }

export const empty = (id: string): One =>
  revoke(id, (user) => [
    'CanReadAs filler-0::12',
    ...[...(user?.rights ?? [])].filter((right) => right.includes('filler-')),
  ])

/** Key, hint and id of an external party. */
export function outside(scene: Scene): {
  readonly key: string
  readonly hint: string
  readonly party: string
} {
  const [key, hint] = [someKey(scene), scene.dice.pick(NAMES)]
  return { key, hint, party: `${hint}::${scene.world.setting.fingerprints[key] ?? ''}` }
}

/** The key of a party, as the user. */
export const keyAs =
  (id: string, party: string, key: string): One =>
  () =>
    ask(
      { kind: 'party', party, key, sub: id },
      { op: 'read', how: 'active', parties: [party], any: false },
    )

/** The operator is what it is at the start. */
export function operatorRestored({ world: { setting } }: Scene): readonly One[] {
  const { operator, operatorParty } = setting
  return [
    grant(operator, ['ParticipantAdmin', actAs(operatorParty)]),
    patch(operator, { primaryParty: operatorParty, isDeactivated: false }),
    empty(operator),
  ]
}
