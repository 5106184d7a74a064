// Parties and providers: R3, R4, P1 to P3, and "Providers". docs/authority.md
import { hash } from 'node:crypto'
import { administrationOf } from './judge-users.ts'
import type { Ask } from './ops.ts'
import { fits, isParticipantAdmin } from './rules.ts'
import { actAs } from './state.ts'
import type { Party, User, World } from './state.ts'
import { NOTHING, doneUnless, refused } from './verdict.ts'
import type { Verdict } from './verdict.ts'

type Of<Name extends Ask['op']> = Extract<Ask, { readonly op: Name }>

/** How many providers a node has at most. */
const MAX_PROVIDERS = 16

/** P1 and P2; R3 and R4 for the right that comes with it. */
export function judgeAllocate(
  world: World,
  caller: User,
  ask: Of<'allocate' | 'allocate-external'>,
): Verdict {
  const by = administrationOf(caller, ask.provider) ?? allocatesItself(world, caller, ask)
  const isSigned = ask.op === 'allocate' || isProven(ask)
  if (by === undefined)
    return refused('R3, R4: who allocates administers, or names itself', ...(isSigned ? [403] : []))
  const party = partyOf(world, caller, ask)
  if (by.provider !== '' && !world.providers.has(by.provider))
    return refused('the provider is there')
  if (!isSigned) return refused('P2: the keys of the namespace signed')
  const user = ask.userId === '' ? undefined : world.users.get(ask.userId)
  const isNew =
    ![world.parties, world.elsewhere].some((known) => known.has(party)) &&
    !world.setting.network.includes(party)
  if (ask.userId !== '' && user?.provider !== by.provider)
    return stranger(world, ask.userId, by.isParticipants, isNew)
  if (!isNew) return refused('P1, P2: the id is new')
  if (user !== undefined && !fits(world, user, [actAs(party)]))
    return refused('all rights or nothing', ...(by.isOpen ? [] : [400]))
  return doneUnless(by.isOpen, 'P1, P2: allocate a party', () => {
    world.parties.set(party, {
      id: party,
      provider: by.provider,
      keys: ask.op === 'allocate' ? [] : ask.keys,
    })
    user?.rights.add(actAs(party))
    return NOTHING
  })
}

/** P1: a hint of whoever is no participant admin bears that caller's mark. */
function partyOf(
  { setting }: World,
  caller: User,
  ask: Of<'allocate' | 'allocate-external'>,
): string {
  if (ask.op === 'allocate-external')
    return `${ask.hint}::${setting.fingerprints[ask.keys[0] ?? ''] ?? ''}`
  const mark = isParticipantAdmin(caller) ? '' : `__${hash('sha256', caller.id).slice(0, 16)}`
  return `${ask.hint}${mark}::${setting.namespace}`
}

/** P2: the first key is the namespace; all of them sign, and nobody else's sign for it. */
function isProven({ keys, signers, isForged }: Of<'allocate-external'>): boolean {
  return !isForged && keys.toSorted().join() === signers.toSorted().join()
}

/** R4: as many as the deployment lets a user have. */
function allocatesItself(
  { setting }: World,
  caller: User,
  { userId, provider }: Of<'allocate' | 'allocate-external'>,
) {
  const count = [...caller.rights].filter((right) => right.startsWith('CanActAs ')).length
  const isOwn = provider === '' || provider === caller.provider
  if (userId !== caller.id || !isOwn || count >= setting.maxSelfAllocated) return undefined
  return { provider: caller.provider, isParticipants: false, isOpen: false }
}

/** A party that is there already is refused as well, whichever is said. */
function stranger(
  { users }: World,
  userId: string,
  isParticipants: boolean,
  isNew: boolean,
): Verdict {
  const rule = 'R3: the user belongs to the provider that the call is about'
  if (isParticipants) return refused(rule)
  return {
    kind: 'refused',
    rule,
    ...(isNew ? { statuses: [404] } : {}),
    ...(users.has(userId) ? { hides: userId } : {}),
  }
}

export function judgePatchParty(
  world: World,
  caller: User,
  { party, provider }: Of<'patch-party'>,
): Verdict {
  const by = administrationOf(caller, provider)
  if (by === undefined) return refused('who changes a party administers it', 403)
  const known = world.parties.get(party)
  if (known === undefined || known.provider !== by.provider)
    return foreignParty(known, by.isParticipants)
  return doneUnless(by.isOpen, 'who administers a party changes its metadata', () => NOTHING)
}

function foreignParty(known: Party | undefined, isParticipants: boolean): Verdict {
  if (isParticipants) return refused("the request names another provider than the party's")
  const hides = known === undefined ? {} : { hides: known.id }
  return {
    kind: 'refused',
    rule: 'a party of another provider looks like none',
    statuses: [404],
    ...hides,
  }
}

export function judgeCreateProvider(
  world: World,
  caller: User,
  { id, issuer, key }: Of<'create-provider'>,
): Verdict {
  if (!isParticipantAdmin(caller)) return refused('only a participant admin creates providers', 403)
  if (world.providers.has(id) || world.providers.size >= MAX_PROVIDERS)
    return refused('the id is new')
  if (isTaken(world, id, issuer)) return refused('the issuer is new')
  return doneUnless(caller.provider !== '', 'a participant admin creates providers', () => {
    world.providers.set(id, { id, issuer, key, isDeactivated: false, audience: '' })
    return NOTHING
  })
}

export function judgePatchProvider(
  world: World,
  caller: User,
  { id, patch }: Of<'patch-provider'>,
): Verdict {
  if (!isParticipantAdmin(caller)) return refused('only a participant admin changes providers', 403)
  const provider = world.providers.get(id)
  if (provider === undefined) return refused('the provider is there')
  if (patch.issuer !== undefined && isTaken(world, id, patch.issuer))
    return refused('the issuer is new')
  return doneUnless(caller.provider !== '', 'a participant admin changes providers', () => {
    Object.assign(provider, patch)
    return NOTHING
  })
}

export function judgeDeleteProvider(
  world: World,
  caller: User,
  { id }: Of<'delete-provider'>,
): Verdict {
  if (!isParticipantAdmin(caller)) return refused('only a participant admin deletes providers', 403)
  if (!world.providers.has(id)) return refused('the provider is there')
  const isUsed = [...world.users.values(), ...world.parties.values()].some(
    ({ provider }) => provider === id,
  )
  if (isUsed) return refused('nobody and nothing belongs to the provider')
  return doneUnless(caller.provider !== '', 'a participant admin deletes providers', () => {
    world.providers.delete(id)
    return NOTHING
  })
}

/** Whether another provider, or the configuration, has it. */
function isTaken({ providers, setting }: World, id: string, issuer: string): boolean {
  return (
    issuer === setting.issuer ||
    [...providers.values()].some((other) => other.id !== id && other.issuer === issuer)
  )
}
