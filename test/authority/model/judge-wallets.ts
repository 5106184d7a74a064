// How wallets come and go: R5, R6, W1 to W5. docs/authority.md
import type { Answer, Ask } from './ops.ts'
import { canAct, fits, isHosted, isNamed, isOperator } from './rules.ts'
import type { Caller } from './rules.ts'
import { actAs } from './state.ts'
import type { User, World } from './state.ts'
import { NOTHING, done, doneUnless, open, refused } from './verdict.ts'
import type { Effect, Verdict } from './verdict.ts'

type Of<Name extends Ask['op']> = Extract<Ask, { readonly op: Name }>

/** The user who gets a wallet: an existing one, or one that the call creates in the provider. */
interface Holder {
  readonly id: string
  readonly provider: string
  readonly user: User | undefined
}

/** W1, W2, W5. */
export function judgeRegister(world: World, caller: Caller): Verdict {
  if (caller.kind === 'nobody') return refused('a newcomer has a token', 401)
  if (caller.kind === 'blocked') return refused('a deactivated user is refused', 403)
  if (caller.kind === 'elsewhere') return refused('ids are unique across providers', 403, 409)
  const holder =
    caller.kind === 'newcomer'
      ? { id: caller.id, provider: caller.provider, user: undefined }
      : { id: caller.user.id, provider: caller.user.provider, user: caller.user }
  // Whoever has the name of the operator is not the operator.
  return holder.user === undefined && holder.id === world.setting.operator
    ? softened(withoutParty(world, holder))
    : withoutParty(world, holder)
}

function softened(verdict: Verdict): Verdict {
  return verdict.kind === 'done' ? open(verdict.rule, verdict.effect) : verdict
}

function withoutParty(world: World, holder: Holder): Verdict {
  const { user } = holder
  if (user?.wallet !== undefined) return again(user.wallet)
  return user !== undefined && isGiven(world, user) ? given(world, user) : fresh(world, holder)
}

/** W5 */
function again(wallet: string): Verdict {
  return done('W5: a user with a wallet keeps it', ({ named }) => ({
    acting: [],
    ...(named === wallet ? {} : { fault: `the wallet is ${wallet}, the answer says ${named}` }),
  }))
}

/** W2: "a participant admin gave both". */
function isGiven(world: World, user: User): boolean {
  const { primaryParty } = user
  return (
    user.provider === '' &&
    world.parties.get(primaryParty)?.provider === '' &&
    canAct(world, user, primaryParty)
  )
}

function given(world: World, user: User): Verdict {
  const { setting } = world
  const party = user.primaryParty
  return done('W2: the own primary party', ({ named }) => {
    user.wallet = party
    const effect: Effect = {
      acting: [party, setting.operatorParty, ...takeLeft(world, user.id)],
    }
    return named === party
      ? effect
      : { ...effect, fault: `the wallet must be ${party}, the answer says ${named}` }
  })
}

/** Takes what an earlier user of the name left behind: it ends when the name is onboarded. */
function takeLeft({ left }: World, name: string): readonly string[] {
  const parties = left.get(name) ?? []
  left.delete(name)
  return parties
}

/** W1: "a fresh party: allocated by this call, with an id that no party has and no right names". */
function fresh(world: World, holder: Holder): Verdict {
  // Any party: how many rights there are counts.
  if (!fits(world, holder.user, ['CanActAs new'])) return refused('all rights or nothing')
  return done('W1: a fresh party', (answer) => {
    const fault = freshFault(world, answer)
    return fault === undefined ? opened(world, holder, answer.named) : { acting: [], fault }
  })
}

function freshFault(world: World, { named }: Answer): string | undefined {
  if (world.parties.has(named) || world.setting.network.includes(named))
    return `the wallet's party ${named} was there before`
  if (isNamed(world, named)) return `a right named the wallet's party ${named} before`
  return named.endsWith(`::${world.setting.namespace}`)
    ? undefined
    : `the wallet's party ${named} is in no namespace of this node`
}

/** The fresh party of the wallet, and the right R5. */
function opened(world: World, holder: Holder, party: string): Effect {
  world.parties.set(party, { id: party, provider: '', keys: [] })
  return linked(world, holder, party)
}

function linked(world: World, { id, provider, user: known }: Holder, party: string): Effect {
  const user = known ?? {
    id,
    provider,
    primaryParty: '',
    isDeactivated: false,
    partyLogin: false,
    rights: new Set<string>(),
    wallet: undefined,
  }
  world.users.set(id, user)
  user.wallet = party
  user.rights.add(actAs(party))
  const mayPrefer = user.primaryParty === '' ? { mayPrefer: [[id, party] as const] } : {}
  return { acting: [party, world.setting.operatorParty, ...takeLeft(world, id)], ...mayPrefer }
}

/** W3, W4, W5; R6. */
export function judgeOnboard(
  world: World,
  caller: User,
  { name, provider, party, create }: Of<'onboard'>,
): Verdict {
  if (!isOperator(world, caller)) return refused('the operator onboards', 403)
  if (provider !== '' && !world.providers.has(provider)) return refused('the provider is there')
  const user = world.users.get(name)
  if (user !== undefined && user.provider !== provider)
    return refused('a user of that id in another provider is another user', 409)
  const holder = { id: name, provider, user }
  const verdict =
    party === '' || party === user?.wallet
      ? withoutParty(world, holder)
      : named(world, holder, { party, create })
  return name === world.setting.operator ? softened(verdict) : verdict
}

/** W4 */
function named(
  world: World,
  holder: Holder,
  { party, create }: { readonly party: string; readonly create: boolean },
): Verdict {
  if (holder.user?.wallet !== undefined) return refused('W5: another named party', 409, 400)
  const known = world.parties.get(party)
  const isFresh = known === undefined && create && party.endsWith(`::${world.setting.namespace}`)
  const isOurs = isHosted(world, party) && known?.provider === ''
  if (world.setting.network.includes(party) || (!isFresh && !isOurs))
    return refused('W4: a party of the default provider that this node signs for')
  if (!fits(world, holder.user, [actAs(party)])) return refused('all rights or nothing')
  return done('W4: a named party', (answer) => {
    if (answer.named !== party)
      return { acting: [], fault: `the wallet must be ${party}, the answer says ${answer.named}` }
    return isFresh ? opened(world, holder, party) : linked(world, holder, party)
  })
}

export function judgeOffboard(world: World, caller: User, { name }: Of<'offboard'>): Verdict {
  if (!isOperator(world, caller)) return refused('the operator offboards', 403)
  const { operator, operatorParty } = world.setting
  const own = world.users.get(name)?.wallet
  const ends = [...(own === undefined ? [] : [own]), ...(world.left.get(name) ?? [])]
  if (ends.length === 0) return refused('who is offboarded has a wallet', 404)
  if (name === operator) return refused('the operator stays')
  return doneUnless(
    ends.includes(operatorParty) || name === caller.id,
    'the operator offboards',
    () => {
      if (own !== undefined) world.users.delete(name)
      world.left.delete(name)
      return { acting: [...ends, operatorParty] }
    },
  )
}

export function judgeStatus(caller: Caller): Verdict {
  if (caller.kind === 'nobody') return refused('a newcomer has a token', 401)
  if (caller.kind === 'blocked') return refused('a deactivated user is refused', 403)
  const wallet = caller.kind === 'user' ? (caller.user.wallet ?? '') : ''
  const effect = ({ named: party }: Answer): Effect =>
    party === wallet
      ? NOTHING
      : { acting: [], fault: `the wallet is ${wallet}, the answer says ${party}` }
  return done('everybody sees its wallet, and whoever is no user of its provider has none', effect)
}
