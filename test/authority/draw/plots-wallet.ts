// Plots about wallets: how somebody could come to a party that is not its own. docs/authority.md,
// "Wallets"
import { isHosted } from '../model/rules.ts'
import { actAs } from '../model/state.ts'
import { NAMES, people, someone, theOperator } from './scene.ts'
import type { Scene } from './scene.ts'
import {
  adminOf,
  allocate,
  anyProvider,
  ask,
  clear,
  create,
  defaultParty,
  does,
  empty,
  fill,
  grant,
  host,
  offboard,
  onboard,
  operatorRestored,
  outside,
  patch,
  register,
  remove,
  revoke,
  self,
  someId,
  staying,
  tap,
} from './turns.ts'
import type { Turn } from './turns.ts'

/** A primary party that the user only reads. */
function readPrimary(scene: Scene): readonly Turn[] {
  const [id, party] = [someId(scene), defaultParty(scene)]
  return [
    ...clear(id),
    create({ id, primaryParty: party }, [`CanReadAs ${party}`]),
    register(id),
    tap(id),
  ]
}

/** One that it acts for; in the default provider that is its wallet. */
function actPrimary(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, party, provider] = [
    someId(scene),
    defaultParty(scene),
    dice.pick(['', staying(scene), staying(scene)]),
  ]
  return [
    ...clear(id),
    create({ id, provider, primaryParty: party }, [actAs(party)]),
    dice.chance(0.7) ? register(id) : onboard(id),
    tap(id),
  ]
}

/** One on which it has no right, by an admin of its provider. */
function namedPrimary(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, provider] = [someId(scene), staying(scene)]
  const party = dice.pick([
    defaultParty(scene),
    scene.world.setting.operatorParty,
    dice.pick(scene.world.setting.network),
  ])
  return dice.chance(0.5)
    ? [
        ...clear(id),
        create({ id, provider, primaryParty: party }, [], (now) => adminOf(now, provider)),
        register(id),
        tap(id),
      ]
    : [
        ...clear(id),
        create({ id, provider }, []),
        patch(id, { primaryParty: party }, (now) => adminOf(now, provider)),
        register(id),
        tap(id),
      ]
}

/** The right on the own wallet is revoked; its owner asks again. */
function takenBack(scene: Scene): readonly Turn[] {
  const id = someId(scene)
  const take = revoke(id, (user) =>
    user?.wallet === undefined ? ['CanReadAs nothing::12'] : [actAs(user.wallet)],
  )
  return [
    register(id, anyProvider(scene)),
    take,
    tap(id),
    scene.dice.chance(0.6) ? register(id) : onboard(id),
    tap(id),
  ]
}

/** A party whose keys are outside, given by the operator. */
function externalGiven(scene: Scene): readonly Turn[] {
  const { key, hint, party } = outside(scene)
  const id = someId(scene)
  return [host(hint, key), ...clear(id), onboard(id, '', party), tap(id)]
}

/** The same, as the own primary party. */
function externalPrimary(scene: Scene): readonly Turn[] {
  const { key, hint, party } = outside(scene)
  const id = someId(scene)
  return [
    host(hint, key),
    ...clear(id),
    create({ id, primaryParty: party }, [actAs(party)]),
    register(id),
    tap(id),
  ]
}

/** A party of keys that nobody has used yet. */
function squattedKey(scene: Scene): readonly Turn[] {
  const { key, hint, party } = outside(scene)
  const id = someId(scene)
  return [...clear(id), onboard(id, '', party), host(hint, key)]
}

/** A party of the user's name, with its name in an annotation, is there before it. */
function squattedName(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, provider] = [someId(scene), anyProvider(scene)]
  const note = dice.chance(0.8) ? id : ''
  return [...clear(id), allocate(id, { provider, note }), register(id, anyProvider(scene)), tap(id)]
}

/** The user goes, and another one of its name comes, mostly from elsewhere. */
function inherited(scene: Scene): readonly Turn[] {
  const id = someId(scene)
  const end = scene.dice.chance(0.5) ? remove(id) : offboard(id)
  return [register(id, anyProvider(scene)), tap(id), end, register(id, anyProvider(scene)), tap(id)]
}

function newcomer(scene: Scene): readonly Turn[] {
  const id = someId(scene)
  return [...clear(id), register(id, staying(scene)), tap(id), register(id)]
}

/** The operator has no room for another right, or the user. */
function crowded(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const id = someId(scene)
  const { key, hint } = outside(scene)
  const full = dice.chance(0.8) ? setting.operator : id
  const more = dice.pick<Turn>([
    register(id),
    onboard(id),
    host(hint, key),
    host(`${hint}-${dice.int(99)}`, key),
    allocate(`${id}-1`, { userId: full }),
  ])
  return [...clear(id), ...(full === id ? [create({ id }, [])] : []), fill(full), more, empty(full)]
}

/** A right names a party that is not there yet. */
function promised(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const [id, other] = [
    someId(scene),
    dice.pick(['participant_admin', 'one-admin', dice.pick(NAMES)]),
  ]
  const right = `${dice.pick(['CanActAs', 'CanReadAs'])} ${id}::${setting.namespace}`
  return [...clear(id), grant(other, [right]), dice.chance(0.7) ? register(id) : onboard(id)]
}

/** The operator gives a party of a provider. */
function ofProvider(scene: Scene): readonly Turn[] {
  const { dice, world } = scene
  const [id, provider] = [someId(scene), staying(scene)]
  const hint = `${dice.pick(NAMES)}-${dice.int(99)}`
  return [
    ...clear(id),
    allocate(hint, { provider }),
    onboard(id, '', `${hint}::${world.setting.namespace}`),
    tap(id),
  ]
}

/** Another party than the user has, and a user of another provider. */
function secondWallet(scene: Scene): readonly Turn[] {
  const { dice, world } = scene
  const [id, provider] = [someId(scene), anyProvider(scene)]
  const hosted = [...world.parties.keys()].filter((party) => isHosted(world, party))
  return [
    register(id, provider),
    onboard(id, provider, dice.pick(hosted)),
    (now) =>
      ask(theOperator(now), {
        op: 'onboard',
        name: id,
        provider: dice.pick(['', 'idp-one', 'idp-two']),
        party: '',
        create: false,
      }),
    tap(id),
  ]
}

/** A participant admin, or whoever has the validator's party, is no operator yet. */
function halfOperator(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const [id, party] = [someId(scene), setting.operatorParty]
  const rights = dice.pick([
    ['ParticipantAdmin'],
    [actAs(party)],
    ['ParticipantAdmin', `CanReadAs ${party}`],
    ['ParticipantAdmin', actAs(party)],
  ])
  const primaryParty = rights.length > 1 || rights[0] !== 'ParticipantAdmin' ? party : ''
  return [
    ...clear(id),
    create({ id, primaryParty }, rights),
    (now) =>
      ask(self(now, id), { op: 'onboard', name: 'eve', provider: '', party: '', create: false }),
  ]
}

/** An order that a key outside signed, or did not, is paid. */
function ordered(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const { key, hint, party } = outside(scene)
  const signer = (): string => (dice.chance(0.7) ? key : dice.pick(['k1', 'k2', 'k3']))
  const [first, second] = [signer(), signer()]
  return [
    host(hint, key),
    does(theOperator, { op: 'propose-setup', party }),
    does(theOperator, { op: 'accept-setup', party, signer: first }),
    (now) =>
      ask(
        someone(now, ({ wallet }) => wallet !== undefined),
        { op: 'send', to: party, amount: 50_000_000_000n },
      ),
    (now) =>
      ask(theOperator(now), {
        op: 'order',
        party,
        to: now.dice.pick([...now.world.preapproved, party]),
        amount: 10_000_000_000n,
        signer: second,
      }),
    does(theOperator, { op: 'run-task', task: 'transfer-commands' }),
  ]
}

/** Offers between wallets, answered by whoever. */
function offered(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const owners = people(scene).flatMap(({ id, wallet }) =>
    wallet === undefined ? [] : [{ id, wallet }],
  )
  const [from, to] = [dice.pick(owners), dice.pick(owners)]
  const op = dice.pick(['offer', 'transfer'] as const)
  return [
    (now) => ask(self(now, from.id), { op, to: to.wallet, amount: 10_000_000_000n }),
    (now) => {
      const cid = [...now.world.offered.keys()].at(-1) ?? '00'
      const reply = now.dice.pick(['accept', 'accept', 'reject', 'withdraw'] as const)
      const who = now.dice.pick([from.id, to.id, now.dice.pick(owners).id])
      return ask(self(now, who), { op: 'answer', kind: op, cid, reply })
    },
    does(theOperator, { op: 'run-task', task: 'completion' }),
  ]
}

/** Two at once about one wallet. */
function racing(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, one, other] = [someId(scene), anyProvider(scene), anyProvider(scene)]
  const both = dice.pick<Turn>([
    (now) => [register(id, one)(now), register(id, other)(now)],
    (now) => [register(id, one)(now), onboard(id, other)(now)],
    (now) => [register(id, one)(now), create({ id, provider: other }, [])(now)],
    (now) => [onboard(id, one, defaultParty(now))(now), onboard(id, one, defaultParty(now))(now)],
  ])
  const end = dice.pick<Turn>([
    (now) => [remove(id)(now), register(id, other)(now)],
    (now) => [offboard(id)(now), tap(id)(now)],
  ])
  return [...clear(id), both, end, register(id, other), tap(id)]
}

export const WALLET_PLOTS = [
  readPrimary,
  readPrimary,
  actPrimary,
  actPrimary,
  namedPrimary,
  namedPrimary,
  takenBack,
  externalGiven,
  externalPrimary,
  squattedKey,
  squattedName,
  squattedName,
  inherited,
  inherited,
  newcomer,
  crowded,
  crowded,
  promised,
  ofProvider,
  secondWallet,
  halfOperator,
  ordered,
  offered,
  racing,
  operatorRestored,
] as const
