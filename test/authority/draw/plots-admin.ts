// Plots about users, rights, parties and providers: how an admin of one provider, or a key, could
// reach further. docs/authority.md, "Rights", "Parties", "Providers"
import { tokenOf } from '../model/rules.ts'
import type { By } from '../model/rules.ts'
import { actAs } from '../model/state.ts'
import { NAMES, someParty } from './scene.ts'
import type { Scene } from './scene.ts'
import {
  STAYING,
  adminOf,
  allocate,
  ask,
  clear,
  create,
  defaultParty,
  does,
  grant,
  host,
  keyAs,
  outside,
  patch,
  revoke,
  root,
  self,
  someId,
  staying,
} from './turns.ts'
import type { One, Turn } from './turns.ts'

const ELEVATED = ['ParticipantAdmin', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty'] as const

/** Somebody of a provider has more than its admin can give; the admin changes who can become it. */
function widened(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const [id, provider] = [someId(scene), staying(scene)]
  const { key, hint, party } = outside(scene)
  const wide = dice.pick([
    ['ParticipantAdmin'],
    ['CanReadAsAnyParty'],
    [`CanReadAs ${setting.operatorParty}`],
    [`CanReadAs ${setting.operatorParty}`],
  ])
  const isOff = dice.chance(0.35)
  const by = (now: Scene): By => adminOf(now, provider)
  const changes = isOff
    ? [patch(id, { isDeactivated: false }, by)]
    : dice.pick([[patch(id, { partyLogin: true }, by)], [patch(id, { primaryParty: party }, by)]])
  const primaryParty = isOff || changes.length === 0 || dice.chance(0.5) ? party : ''
  // By an allocation in the provider the party is one that its admin may grant on.
  const first: One = does(by, {
    op: 'allocate-external',
    hint,
    keys: [key],
    signers: [key],
    isForged: false,
    provider,
    userId: '',
  })
  return [
    first,
    ...clear(id),
    create({ id, provider, primaryParty, isDeactivated: isOff }, [`CanReadAs ${party}`, ...wide]),
    ...changes,
    keyAs(id, party, key),
  ]
}

/** The same where the admin could have given all of it. */
function ownWalletWoken(scene: Scene): readonly Turn[] {
  const [id, provider] = [someId(scene), staying(scene)]
  const by = (now: Scene): By => adminOf(now, provider)
  return [
    ...clear(id),
    (now) => ask(tokenOf(now.world, { id, provider }), { op: 'register' }),
    patch(id, { isDeactivated: true }, by),
    patch(id, { isDeactivated: false }, by),
    patch(id, { partyLogin: true }, by),
  ]
}

/** Rights on parties of others, and rights that only a participant admin gives. */
function reaching(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, provider] = [someId(scene), staying(scene)]
  const by = (now: Scene): By => adminOf(now, provider)
  const foreign = (kind: string): One =>
    grant(id, [`${kind} ${dice.chance(0.7) ? defaultParty(scene) : someParty(scene)}`], by)
  return [
    ...clear(id),
    create({ id, provider }, []),
    foreign('CanExecuteAs'),
    foreign(dice.pick(['CanActAs', 'CanReadAs'])),
    grant(id, [dice.pick(ELEVATED)], by),
    create({ id: dice.pick(NAMES), provider }, [`CanExecuteAs ${defaultParty(scene)}`], by),
  ]
}

/** Users and parties of another provider. */
function peeping(scene: Scene): readonly Turn[] {
  const { dice, world } = scene
  const provider = staying(scene)
  const by = (now: Scene): By => adminOf(now, provider)
  const strangers = [...world.users.values()]
    .filter((user) => user.provider !== provider && !world.watchers.has(user.id))
    .map(({ id }) => id)
  const id = dice.chance(0.3) ? world.setting.operator : dice.pick(strangers)
  const asks: readonly One[] = [
    does(by, { op: 'delete-user', id }),
    does(by, { op: 'read-user', id, provider: '' }),
    does(by, { op: 'read-rights', id }),
    does(by, { op: 'grant', id, provider: '', rights: ['IdentityProviderAdmin'] }),
    does(by, { op: 'revoke', id, provider: '', rights: ['IdentityProviderAdmin'] }),
    does(by, { op: 'patch-user', id, provider: '', patch: { isDeactivated: true } }),
    allocate(`${dice.pick(NAMES)}-${dice.int(99)}`, { provider, userId: id }, by),
    (now) =>
      ask(by(now), { op: 'patch-party', party: defaultParty(now), provider: '', note: 'ann' }),
  ]
  return [
    ...dice.some(asks, asks.length),
    (now) => ask(tokenOf(now.world, { id, provider }), { op: 'user-status' }),
  ]
}

/** A provider that the admin is not of, by its name. */
function naming(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const provider = staying(scene)
  const other = STAYING.find((each) => each !== provider) ?? ''
  const [id, by] = [someId(scene), (now: Scene): By => adminOf(now, provider)]
  return [
    ...clear(id),
    create({ id, provider: other }, [], by),
    create({ id, provider: other }, []),
    does(by, { op: 'grant', id, provider: other, rights: ['IdentityProviderAdmin'] }),
    does(by, { op: 'read-user', id, provider: other }),
    allocate(dice.pick(NAMES), { provider: other, userId: id }, by),
  ]
}

/** IdentityProviderAdmin in the default provider, and after a move. */
function movedAdmin(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, to] = [someId(scene), staying(scene)]
  const act = dice.pick<One>([
    (now) =>
      ask(self(now, id), {
        op: 'create-user',
        user: {
          id: 'eve',
          provider: '',
          primaryParty: '',
          partyLogin: false,
          isDeactivated: false,
        },
        rights: [],
      }),
    (now) =>
      ask(self(now, id), {
        op: 'grant',
        id,
        provider: '',
        rights: [`CanReadAs ${defaultParty(now)}`],
      }),
  ])
  return [
    ...clear(id),
    create({ id }, ['IdentityProviderAdmin']),
    act,
    does(root, { op: 'move-user', id, from: '', to }),
    act,
  ]
}

/** The operator's user, whose id is never free. */
function operatorGone(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: {
      setting: { operator: id, operatorParty },
    },
  } = scene
  return [
    dice.pick<One>([
      does(root, { op: 'delete-user', id }),
      (now) => ask(root(now), { op: 'move-user', id, from: '', to: staying(now) }),
      revoke(id, () => [dice.pick(['ParticipantAdmin', actAs(operatorParty)])]),
    ]),
    (now) => ask(self(now, id), { op: 'register' }),
  ]
}

/** Right, and how a right is gone at once. */
function revoked(scene: Scene): readonly Turn[] {
  const [id, party] = [someId(scene), defaultParty(scene)]
  const use: One = (now) =>
    ask(self(now, id), {
      op: 'submit',
      actAs: [party],
      readAs: [],
      deed: { deed: 'nothing', party },
    })
  const end = scene.dice.pick([
    revoke(id, () => [actAs(party)]),
    patch(id, { isDeactivated: true }),
  ])
  return [...clear(id), create({ id }, [actAs(party)]), use, end, use]
}

/** Rights that are less than acting. */
function lesser(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const { key, hint, party: external } = outside(scene)
  const [id, party] = [someId(scene), dice.chance(0.5) ? defaultParty(scene) : external]
  const kind = dice.pick(['CanReadAs', 'CanExecuteAs', 'CanActAs'])
  const by = (now: Scene): By => self(now, id)
  return [
    host(hint, key),
    ...clear(id),
    create({ id }, [`${kind} ${party}`]),
    does(by, { op: 'submit', actAs: [party], readAs: [], deed: { deed: 'nothing', party } }),
    does(by, { op: 'read', how: 'active', parties: [party], any: false }),
    (now) =>
      ask(by(now), {
        op: 'sign',
        deed: { deed: 'nothing', party },
        signing: 'right',
        executor: by(now),
      }),
    (now) =>
      ask(by(now), {
        op: 'read',
        how: dice.pick(['active', 'updates']),
        parties: kind === 'CanExecuteAs' ? [] : [party],
        any: true,
      }),
  ]
}

/** A key outside authenticates as a user, until it may not any more. */
function keyLogin(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const { key, hint, party } = outside(scene)
  const id = someId(scene)
  const end = dice.pick<One>([
    revoke(id, () => [`CanReadAs ${party}`]),
    revoke(id, () => [`CanReadAs ${party}`]),
    patch(id, { partyLogin: false }),
    patch(id, { isDeactivated: true }),
    patch(id, { primaryParty: '' }),
  ])
  const partyLogin = dice.chance(0.75)
  return [
    host(hint, key),
    ...clear(id),
    create({ id, primaryParty: party, partyLogin }, [`CanReadAs ${party}`]),
    keyAs(id, party, key),
    end,
    keyAs(id, party, key),
  ]
}

/** A party of two keys: each alone is not the party. */
function twoKeys(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const keys = dice.pick([
    ['k1', 'k2'],
    ['k2', 'k3'],
    ['k3', 'k1'],
  ])
  const [id, hint] = [someId(scene), `${dice.pick(NAMES)}-${dice.int(99)}`]
  const party = `${hint}::${setting.fingerprints[keys[0] ?? ''] ?? ''}`
  const by = (now: Scene): By => self(now, id)
  const sign =
    (signing: 'right' | 'too-few'): One =>
    (now) =>
      ask(by(now), { op: 'sign', deed: { deed: 'nothing', party }, signing, executor: by(now) })
  return [
    ...clear(id),
    create({ id }, []),
    does(root, {
      op: 'allocate-external',
      hint,
      keys,
      signers: keys,
      isForged: false,
      provider: '',
      userId: id,
    }),
    sign('too-few'),
    sign('right'),
    patch(id, { primaryParty: party, partyLogin: true }),
    keyAs(id, party, dice.pick(keys)),
  ]
}

/** Topologies that their namespace did not sign. */
function forged(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const { key, hint } = outside(scene)
  const signer = ['k1', 'k2', 'k3'].find((each) => each !== key) ?? 'k1'
  const name = `${hint}-${dice.int(99)}`
  const allocation = (signers: readonly string[], isForged: boolean): One =>
    does(root, {
      op: 'allocate-external',
      hint: name,
      keys: [key],
      signers,
      isForged,
      provider: '',
      userId: '',
    })
  return [allocation([signer], true), allocation([signer], false), allocation([key], false)]
}

/** Orders that a key outside did not sign. */
function unsigned(scene: Scene): readonly Turn[] {
  const { key, hint, party } = outside(scene)
  const signings = ['none', 'wrong-key', 'too-few', 'for-another'] as const
  const by = (now: Scene): By => self(now, now.world.setting.operator)
  return [
    host(hint, key),
    ...signings.map(
      (signing): One =>
        (now) =>
          ask(by(now), {
            op: 'sign',
            deed: { deed: 'offer', party, to: defaultParty(now), amount: 10_000_000_000n },
            signing,
            executor: by(now),
          }),
    ),
  ]
}

/** A provider is off, has another issuer or another key: what its tokens are good for. */
function switched(scene: Scene): readonly Turn[] {
  const { dice, world } = scene
  const id = staying(scene)
  const admin = `${id.slice(4)}-admin`
  const before = world.providers.get(id)
  const kept = tokenOf(world, { id: admin, provider: id })
  const change = dice.pick([
    { isDeactivated: true },
    { isDeactivated: true },
    { key: 'spare' },
    { key: 'spare' },
    { issuer: `https://${id}.example/newer` },
    { audience: 'us' },
  ])
  const use: One = () => ask(kept, { op: 'read-rights', id: admin })
  const back =
    before === undefined
      ? {}
      : { issuer: before.issuer, key: before.key, audience: before.audience }
  return [
    use,
    does(root, { op: 'patch-provider', id, patch: change }),
    use,
    does(root, { op: 'patch-provider', id, patch: { ...back, isDeactivated: false } }),
  ]
}

/** A provider that is not to be: of the configured issuer; and one that is not to go. */
function shadowed(scene: Scene): readonly Turn[] {
  const { dice, world } = scene
  const id = staying(scene)
  return [
    dice.pick<One>([
      does(root, { op: 'patch-provider', id, patch: { issuer: world.setting.issuer } }),
      does(root, {
        op: 'create-provider',
        id: 'idp-three',
        issuer: world.setting.issuer,
        key: 'three',
      }),
      does(root, { op: 'delete-provider', id }),
      does(root, { op: 'delete-provider', id }),
    ]),
  ]
}

/** A user of one provider with tokens of others. */
function elsewhere(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, of] = [someId(scene), dice.pick(['', ...STAYING])]
  const tokens = ['', ...STAYING].filter((each) => each !== of)
  return [
    ...clear(id),
    create({ id, provider: of }, [actAs(defaultParty(scene))]),
    ...tokens.map(
      (provider): One =>
        (now) =>
          ask(
            tokenOf(now.world, { id, provider }),
            dice.chance(0.5) ? { op: 'read-rights', id } : { op: 'user-status' },
          ),
    ),
  ]
}

/** A user's own parties: as many as it may have, and one more. */
function ownParties(scene: Scene): readonly Turn[] {
  const { dice } = scene
  const [id, provider] = [someId(scene), dice.pick(['', ...STAYING])]
  const own = (): One =>
    allocate(`${dice.pick(NAMES)}-${dice.int(999)}`, { userId: id }, (now) => self(now, id))
  return [...clear(id), create({ id, provider }, []), own(), own(), own(), own()]
}

/** Two at once about one user's rights. */
function racing(scene: Scene): readonly Turn[] {
  const {
    dice,
    world: { setting },
  } = scene
  const [id, provider] = [someId(scene), staying(scene)]
  const { key, hint, party } = outside(scene)
  const by = (now: Scene): By => adminOf(now, provider)
  const move: One = does(root, { op: 'move-user', id, from: provider, to: '' })
  const widen = grant(id, [dice.pick(['ParticipantAdmin', `CanReadAs ${setting.operatorParty}`])])
  const both = dice.pick<readonly [One, One]>([
    [grant(id, [`CanActAs ${party}`], by), move],
    [grant(id, [`CanActAs ${party}`], by), move],
    [patch(id, { partyLogin: true }, by), widen],
    [patch(id, { partyLogin: true }, by), widen],
    [allocate(`${hint}-${dice.int(999)}`, { provider, userId: id }, by), move],
    [patch(id, { primaryParty: party }, root), revoke(id, () => [`CanReadAs ${party}`])],
  ])
  return [
    does(by, {
      op: 'allocate-external',
      hint,
      keys: [key],
      signers: [key],
      isForged: false,
      provider,
      userId: '',
    }),
    ...clear(id),
    create({ id, provider, primaryParty: dice.chance(0.6) ? party : '' }, [`CanReadAs ${party}`]),
    (now) => (dice.chance(0.5) ? [both[0](now), both[1](now)] : [both[1](now), both[0](now)]),
  ]
}

export const ADMIN_PLOTS = [
  widened,
  widened,
  ownWalletWoken,
  reaching,
  peeping,
  peeping,
  naming,
  movedAdmin,
  operatorGone,
  revoked,
  lesser,
  lesser,
  keyLogin,
  keyLogin,
  twoKeys,
  forged,
  unsigned,
  switched,
  switched,
  shadowed,
  elsewhere,
  ownParties,
  racing,
  racing,
] as const
