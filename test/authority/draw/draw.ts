// Draws the next operation. Weights and nasty values are such that each way to a hole is tried
// within some hundred steps.
import type { Ask, Deed, Op, Signing, UserPatch } from '../model/ops.ts'
import { canAct, isExternal, isParticipantAdmin } from '../model/rules.ts'
import type { By } from '../model/rules.ts'
import type { User } from '../model/state.ts'
import {
  NAMES,
  PROVIDER_IDS,
  anySubject,
  externalParty,
  fillers,
  hostedParty,
  oneRight,
  ownedRights,
  partiesOf,
  people,
  providerNear,
  someAdmin,
  someKey,
  someName,
  someParty,
  someProvider,
  someRights,
  someone,
  theOperator,
  walletUser,
} from './scene.ts'
import type { Scene } from './scene.ts'

const UNIT = 10_000_000_000n

type Draw = (scene: Scene) => Op

const DRAWS: readonly (readonly [weight: number, draw: Draw])[] = [
  [10, createUser],
  [10, patchUser],
  [7, deleteUser],
  [9, grant],
  [5, revoke],
  [3, move],
  [1, fill],
  [4, look],
  [9, allocate],
  [6, allocateExternal],
  [2, patchParty],
  [4, provider],
  [12, register],
  [2, status],
  [10, onboard],
  [5, offboard],
  [4, host],
  [3, setup],
  [3, order],
  [2, task],
  [5, tap],
  [3, preapprove],
  [7, pay],
  [6, answer],
  [2, merge],
  [8, submit],
  [6, sign],
  [5, read],
]

/** Pairs of operations about the same user, at the same time. */
const RACERS: readonly (readonly [weight: number, draw: Draw])[] = [
  [6, grant],
  [6, patchUser],
  [5, move],
  [3, revoke],
  [3, deleteUser],
  [2, createUser],
  [4, allocate],
  [2, allocateExternal],
  [5, register],
  [5, onboard],
  [3, offboard],
  [2, pay],
  [2, submit],
]

export function draw(scene: Scene): Op {
  return scene.dice.weighted(DRAWS)(scene)
}

/** Two operations about one user, to be done at once. */
export function drawRace(scene: Scene): readonly [Op, Op] {
  const { dice, focus } = scene
  const near = {
    ...scene,
    focus: {
      user: focus.user === '' ? dice.pick(NAMES) : focus.user,
      party: focus.party,
      share: 0.95,
    },
  }
  const one = dice.weighted(RACERS)(near)
  return [one, dice.weighted(RACERS)(near)]
}

function with_(by: By, ask: Ask): Op {
  return { ...ask, by }
}

function createUser(scene: Scene): Op {
  const { dice } = scene
  const primaryParty = dice.chance(0.6) ? someParty(scene) : ''
  const user = {
    id: someName(scene),
    provider: someProvider(scene),
    primaryParty,
    partyLogin: dice.chance(0.2),
    isDeactivated: dice.chance(0.05),
  }
  const reads =
    primaryParty !== '' && dice.chance(0.45)
      ? [`${dice.pick(['CanReadAs', 'CanReadAs', 'CanActAs'])} ${primaryParty}`]
      : []
  return with_(someAdmin(scene), {
    op: 'create-user',
    user,
    rights: [...new Set([...reads, ...someRights(scene, primaryParty || someParty(scene))])],
  })
}

function patchUser(scene: Scene): Op {
  const { dice, world } = scene
  const id = someName(scene)
  const own = partiesOf(world.users.get(id))
  const party = own.length > 0 && dice.chance(0.6) ? dice.pick(own) : someParty(scene)
  const patch = dice.weighted<UserPatch>([
    [40, { primaryParty: party }],
    [10, { primaryParty: party, partyLogin: true }],
    [20, { partyLogin: dice.chance(0.8) }],
    [15, { isDeactivated: true }],
    [25, { isDeactivated: false }],
    [5, { primaryParty: '' }],
  ])
  return with_(someAdmin(scene), { op: 'patch-user', id, provider: providerNear(scene, id), patch })
}

function deleteUser(scene: Scene): Op {
  return with_(someAdmin(scene), { op: 'delete-user', id: someName(scene) })
}

function grant(scene: Scene): Op {
  const id = someName(scene)
  return with_(someAdmin(scene), {
    op: 'grant',
    id,
    provider: providerNear(scene, id),
    rights: oneRight(scene, someParty(scene)),
  })
}

function revoke(scene: Scene): Op {
  const id = someName(scene)
  return with_(someAdmin(scene), {
    op: 'revoke',
    id,
    provider: providerNear(scene, id),
    rights: ownedRights(scene, id),
  })
}

function move(scene: Scene): Op {
  const { world, dice } = scene
  const id = someName(scene)
  const from = dice.chance(0.9) ? (world.users.get(id)?.provider ?? '') : someProvider(scene)
  return with_(someone(scene, isParticipantAdmin), {
    op: 'move-user',
    id,
    from,
    to: someProvider(scene),
  })
}

/** Grants as many rights as fit, or revokes all of these again. */
function fill(scene: Scene): Op {
  const { world, dice } = scene
  const id = dice.chance(0.7) ? world.setting.operator : someName(scene)
  const user = world.users.get(id)
  const filled = [...(user?.rights ?? [])].filter((right) => right.includes('filler-'))
  const isFull = filled.length > 0
  const rights = isFull ? filled : fillers(scene, user)
  return with_(someone(scene, isParticipantAdmin, 1), {
    op: isFull ? 'revoke' : 'grant',
    id,
    provider: user?.provider ?? '',
    rights,
  })
}

function look(scene: Scene): Op {
  const id = someName(scene)
  const by = scene.dice.chance(0.7) ? someAdmin(scene) : someone(scene, (user) => user.id === id)
  return with_(
    by,
    scene.dice.chance(0.5)
      ? { op: 'read-rights', id }
      : { op: 'read-user', id, provider: providerNear(scene, id) },
  )
}

function allocate(scene: Scene): Op {
  const { dice } = scene
  const userId = dice.chance(0.6) ? someName(scene) : ''
  const by = dice.chance(0.7) ? someAdmin(scene) : someone(scene, ({ id }) => id === userId)
  return with_(by, {
    op: 'allocate',
    hint: dice.weighted([
      [80, dice.pick(NAMES)],
      [10, `${dice.pick(NAMES)}-${dice.int(9)}`],
      [5, 'operator'],
      [5, 'DSO'],
    ]),
    provider: someProvider(scene),
    userId,
    note: dice.chance(0.6) ? dice.pick(NAMES) : '',
  })
}

function allocateExternal(scene: Scene): Op {
  const { dice } = scene
  const keys = [...new Set([someKey(scene), ...(dice.chance(0.2) ? [someKey(scene)] : [])])]
  const userId = dice.chance(0.6) ? someName(scene) : ''
  const by = dice.chance(0.7) ? someAdmin(scene) : someone(scene, ({ id }) => id === userId)
  const strangers = ['k1', 'k2', 'k3'].filter((key) => !keys.includes(key))
  const [signers, isForged] = dice.weighted<readonly [readonly string[], boolean]>([
    [85, [keys, false]],
    [5, [strangers.slice(0, 1), true]],
    [5, [strangers.slice(0, 1), false]],
    [keys.length > 1 ? 5 : 0, [keys.slice(0, 1), false]],
  ])
  return with_(by, {
    op: 'allocate-external',
    hint: dice.pick(NAMES),
    keys,
    signers,
    isForged,
    provider: someProvider(scene),
    userId,
  })
}

function patchParty(scene: Scene): Op {
  const { world, dice } = scene
  const party = someParty(scene)
  const named = dice.chance(0.6) ? (world.parties.get(party)?.provider ?? '') : someProvider(scene)
  return with_(someAdmin(scene), {
    op: 'patch-party',
    party,
    provider: named,
    note: dice.pick(NAMES),
  })
}

function provider(scene: Scene): Op {
  const { world, dice } = scene
  const by = someone(scene, isParticipantAdmin)
  const id = dice.pick(PROVIDER_IDS)
  const issuer = dice.weighted([
    [50, `https://${id}.example/`],
    [20, `https://${id}.example/new`],
    [10, `https://${dice.pick(PROVIDER_IDS)}.example/`],
    [8, world.setting.issuer],
  ])
  const key = dice.pick(['one', 'two', 'three', 'spare'])
  const known = world.providers.get(id)
  if (known === undefined) return with_(by, { op: 'create-provider', id, issuer, key })
  if (dice.chance(0.15)) return with_(by, { op: 'delete-provider', id })
  // A provider that is off hides much of what follows: it is on again soon.
  const patch = known.isDeactivated
    ? { isDeactivated: false }
    : dice.pick([
        { isDeactivated: true },
        { issuer },
        { key },
        { issuer, key },
        { audience: dice.pick(['', 'us']) },
      ])
  return with_(by, { op: 'patch-provider', id, patch })
}

function register(scene: Scene): Op {
  const { world, dice, focus } = scene
  const user = world.users.get(focus.user)
  const by =
    user !== undefined && !world.watchers.has(user.id) && dice.chance(0.5)
      ? someone(scene, ({ id }) => id === user.id, 0.95)
      : dice.chance(0.6)
        ? anySubject(scene)
        : someone(scene, ({ wallet }) => wallet === undefined)
  return with_(by, { op: 'register' })
}

function status(scene: Scene): Op {
  return with_(anySubject(scene), { op: 'user-status' })
}

function onboard(scene: Scene): Op {
  const { dice } = scene
  const name = someName(scene)
  const party = dice.chance(0.55) ? someParty(scene) : ''
  return with_(theOperator(scene), {
    op: 'onboard',
    name,
    provider: providerNear(scene, name),
    party,
    create: dice.chance(0.4),
  })
}

function offboard(scene: Scene): Op {
  const { dice } = scene
  const owners = people(scene).filter(({ wallet }) => wallet !== undefined)
  const name = owners.length > 0 && dice.chance(0.7) ? dice.pick(owners).id : someName(scene)
  return with_(theOperator(scene), { op: 'offboard', name })
}

function host(scene: Scene): Op {
  const { dice } = scene
  const key = someKey(scene)
  const signer = dice.chance(0.85) ? key : someKey(scene)
  return with_(theOperator(scene), {
    op: 'host',
    hint: dice.pick(NAMES),
    key,
    signer,
    isForged: signer !== key && dice.chance(0.5),
  })
}

function signerOf(scene: Scene, party: string): string {
  const [own] = scene.world.parties.get(party)?.keys ?? []
  return own !== undefined && scene.dice.chance(0.8) ? own : someKey(scene)
}

function setup(scene: Scene): Op {
  const { world, dice } = scene
  const waiting = [...world.proposed]
  if (waiting.length > 0 && dice.chance(0.7)) {
    const party = dice.pick(waiting)
    return with_(theOperator(scene), { op: 'accept-setup', party, signer: signerOf(scene, party) })
  }
  const party = dice.chance(0.8) ? externalParty(scene) : someParty(scene)
  return with_(theOperator(scene), { op: 'propose-setup', party })
}

function receiver(scene: Scene): string {
  const { world, dice } = scene
  const ready = [...world.preapproved]
  return ready.length > 0 && dice.chance(0.7) ? dice.pick(ready) : someParty(scene)
}

function order(scene: Scene): Op {
  const { dice } = scene
  const party = dice.chance(0.9) ? externalParty(scene) : someParty(scene)
  return with_(theOperator(scene), {
    op: 'order',
    party,
    to: receiver(scene),
    amount: amount(scene),
    signer: signerOf(scene, party),
  })
}

function amount({ dice }: Scene): bigint {
  return (BigInt(1 + dice.int(50)) * UNIT) / 10n
}

function task(scene: Scene): Op {
  const { dice } = scene
  return with_(theOperator(scene), {
    op: 'run-task',
    task: dice.pick(['completion', 'transfer-commands', 'preapprovals', 'merging', 'minting']),
  })
}

function tap(scene: Scene): Op {
  return with_(walletUser(scene), { op: 'tap', usd: BigInt(1 + scene.dice.int(9)) })
}

function preapprove(scene: Scene): Op {
  return with_(walletUser(scene), { op: 'preapprove' })
}

function pay(scene: Scene): Op {
  const { dice } = scene
  const op = dice.weighted<'send' | 'offer' | 'transfer'>([
    [5, 'send'],
    [3, 'offer'],
    [3, 'transfer'],
  ])
  return with_(walletUser(scene), {
    op,
    to: op === 'send' ? receiver(scene) : someParty(scene),
    amount: amount(scene),
  })
}

function answer(scene: Scene): Op {
  const { world, dice } = scene
  const all = [...world.offered.values()]
  if (all.length === 0) return pay(scene)
  const { cid, kind, sender, receiver: to } = dice.pick(all)
  const reply = dice.weighted<'accept' | 'reject' | 'withdraw'>([
    [6, 'accept'],
    [2, 'reject'],
    [2, 'withdraw'],
  ])
  const by = someone(scene, ({ wallet }) => wallet === (reply === 'withdraw' ? sender : to), 0.75)
  return with_(by, { op: 'answer', kind: dice.chance(0.95) ? kind : 'transfer', cid, reply })
}

function merge(scene: Scene): Op {
  return with_(walletUser(scene), {
    op: 'merge',
    reply: scene.dice.chance(0.6) ? 'propose' : 'withdraw',
  })
}

function deed(scene: Scene, party: string): Deed {
  const { dice } = scene
  return dice.weighted<Deed>([
    [3, { deed: 'nothing', party }],
    [3, { deed: 'offer', party, to: hostedParty(scene), amount: amount(scene) }],
    [2, { deed: 'minting', party, to: hostedParty(scene) }],
    [1, { deed: 'end-network', party }],
  ])
}

/** A party that the user has a right on, or one that it has none on. */
function aimed(scene: Scene, user: User | undefined): string {
  const own = partiesOf(user)
  return own.length > 0 && scene.dice.chance(0.6) ? scene.dice.pick(own) : someParty(scene)
}

function submit(scene: Scene): Op {
  const { world, dice } = scene
  const all = people(scene)
  const able = all.filter((user) =>
    [...world.parties.keys()].some((party) => canAct(world, user, party)),
  )
  const user = able.length > 0 && dice.chance(0.6) ? dice.pick(able) : dice.pick(all)
  const by = someone(scene, ({ id }) => id === user.id, 0.97)
  const party = aimed(scene, user)
  const actAs = dice.chance(0.9) ? [party] : [party, someParty(scene)]
  const readAs = dice.chance(0.8) ? [] : [someParty(scene)]
  return with_(by, {
    op: 'submit',
    actAs: [...new Set(actAs)],
    readAs,
    deed: deed(scene, dice.chance(0.92) ? party : someParty(scene)),
  })
}

function sign(scene: Scene): Op {
  const { dice } = scene
  const user = dice.pick(people(scene))
  const able = people(scene).filter((one) =>
    partiesOf(one).some((party) => isExternal(scene.world, party)),
  )
  const preparer = able.length > 0 && dice.chance(0.8) ? dice.pick(able) : user
  const outside = partiesOf(preparer).filter((party) => isExternal(scene.world, party))
  const party =
    outside.length > 0 && dice.chance(0.8)
      ? dice.pick(outside)
      : dice.chance(0.5)
        ? externalParty(scene)
        : someParty(scene)
  const by = someone(scene, ({ id }) => id === preparer.id, 0.97)
  const signing = dice.weighted<Signing>([
    [6, 'right'],
    [2, 'wrong-key'],
    [2, 'none'],
    [3, 'too-few'],
    [2, 'for-another'],
  ])
  return with_(by, {
    op: 'sign',
    deed: deed(scene, party),
    signing,
    executor: dice.chance(0.7) ? by : someone(scene, () => true),
  })
}

function read(scene: Scene): Op {
  const { dice } = scene
  const user = dice.pick(people(scene))
  const parties = [...new Set(Array.from({ length: dice.int(3) }, () => aimed(scene, user)))]
  const how = dice.pick(['active', 'updates', 'completions', 'tree', 'by-offset'] as const)
  return with_(
    someone(scene, ({ id }) => id === user.id, 0.95),
    { op: 'read', how, parties, any: dice.chance(0.25) },
  )
}
