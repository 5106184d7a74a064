// Users and rights: R1, R2, and "Changes that give". docs/authority.md
import type { Ask } from './ops.ts'
import { fits, isGrantable, isParticipantAdmin, isProviderAdmin, mayBePrimary } from './rules.ts'
import { actAs } from './state.ts'
import type { User, World } from './state.ts'
import { NOTHING, done, doneUnless, open, refused } from './verdict.ts'
import type { Verdict } from './verdict.ts'

type Of<Name extends Ask['op']> = Extract<Ask, { readonly op: Name }>

/** The administrator, and the provider that the request is for. */
interface Administration {
  readonly provider: string
  /** A participant admin: any right, any party. */
  readonly isParticipants: boolean
  /**
   * The page lets a participant admin of a configured provider do it; its token may not reach so
   * far.
   */
  readonly isOpen: boolean
}

/** Undefined where the caller administers nothing that the request could be about. */
export function administrationOf(caller: User, requested: string): Administration | undefined {
  if (isParticipantAdmin(caller))
    return { provider: requested, isParticipants: true, isOpen: caller.provider !== '' }
  if (!isProviderAdmin(caller) || (requested !== '' && requested !== caller.provider))
    return undefined
  return { provider: caller.provider, isParticipants: false, isOpen: false }
}

export function judgeCreateUser(
  world: World,
  caller: User,
  { user, rights }: Of<'create-user'>,
): Verdict {
  const by = administrationOf(caller, user.provider)
  if (by === undefined) return refused('R1, R2: who creates administers', 403)
  if (by.provider !== '' && !world.providers.has(by.provider))
    return refused('the provider is there')
  if (!by.isParticipants && !rights.every((right) => isGrantable(world, by.provider, right)))
    return refused('R2: rights of the provider')
  if (!by.isParticipants && !mayBePrimary(new Set(rights), user.primaryParty))
    return refused('a primary party needs a right on it')
  const existing = world.users.get(user.id)
  if (existing !== undefined) {
    const isElsewhere = existing.provider !== by.provider
    return refused(
      'ids are unique across providers',
      ...(isElsewhere ? [403, 409] : [409, 400, 403]),
    )
  }
  if (!fits(world, undefined, rights)) return refused('all rights or nothing')
  return doneUnless(
    by.isOpen || user.id === world.setting.operator,
    'R1, R2: create a user',
    () => {
      world.users.set(user.id, {
        ...user,
        provider: by.provider,
        rights: new Set(rights),
        wallet: undefined,
      })
      return NOTHING
    },
  )
}

export function judgePatchUser(
  world: World,
  caller: User,
  { id, provider, patch }: Of<'patch-user'>,
): Verdict {
  const by = administrationOf(caller, provider)
  if (by === undefined) return refused('who changes a user administers it', 403)
  const user = world.users.get(id)
  if (user === undefined || user.provider !== by.provider) return hidden(world, id, by)
  if (id === caller.id && patch.isDeactivated === true) return refused('nobody deactivates itself')
  if (!by.isParticipants && gives(user, patch) && !isAllGrantable(world, by.provider, user, [])) {
    return refused('a provider admin gives to users whose rights it could grant')
  }
  const wallet = user.wallet === undefined ? [] : [actAs(user.wallet)]
  if (
    !by.isParticipants &&
    wakes(user, patch) &&
    !isAllGrantable(world, by.provider, user, wallet)
  ) {
    return refused('a provider admin activates users whose rights it could grant')
  }
  const { primaryParty = user.primaryParty } = patch
  const isNew = primaryParty !== user.primaryParty
  if (isNew && !by.isParticipants && !mayBePrimary(user.rights, primaryParty))
    return refused('a primary party needs a right on it')
  const isKept =
    patch.primaryParty === undefined || isNew || mayBePrimary(user.rights, primaryParty)
  return doneUnless(
    by.isOpen || !isKept || id === world.setting.operator,
    'a change of a user',
    () => {
      Object.assign(user, patch)
      return NOTHING
    },
  )
}

/**
 * A participant admin learns nothing by a refusal that it may not know; for others the user is to
 * look like none.
 */
function hidden(world: World, id: string, { isParticipants }: Administration): Verdict {
  const isThere = world.users.has(id)
  if (isParticipants) return refused("the request names another provider than the user's")
  return {
    kind: 'refused',
    rule: 'a user of another provider looks like none',
    statuses: [404],
    ...(isThere ? { hides: id } : {}),
  }
}

function gives(
  user: User,
  { primaryParty = '', partyLogin = false }: Of<'patch-user'>['patch'],
): boolean {
  return (
    (primaryParty !== '' && primaryParty !== user.primaryParty) || (partyLogin && !user.partyLogin)
  )
}

function wakes(user: User, { isDeactivated }: Of<'patch-user'>['patch']): boolean {
  return isDeactivated === false && user.isDeactivated
}

function isAllGrantable(
  world: World,
  provider: string,
  { rights }: User,
  besides: readonly string[],
): boolean {
  return [...rights].every(
    (right) => besides.includes(right) || isGrantable(world, provider, right),
  )
}

export function judgeDeleteUser(world: World, caller: User, { id }: Of<'delete-user'>): Verdict {
  const by = administrationOf(caller, '')
  if (by === undefined) return refused('who deletes a user administers it', 403)
  if (id === caller.id) return refused('nobody deletes itself')
  const user = world.users.get(id)
  if (user === undefined) return refused('the user is there')
  if (!by.isParticipants && user.provider !== by.provider) return hidden(world, id, by)
  if (id === world.setting.operator) return refused('R8: the operator is neither deleted nor moved')
  return doneUnless(
    by.isOpen || user.provider !== by.provider,
    'whoever administers a user deletes it',
    () => {
      world.users.delete(id)
      if (user.wallet !== undefined)
        world.left.set(id, [...(world.left.get(id) ?? []), user.wallet])
      return NOTHING
    },
  )
}

export function judgeGrant(
  world: World,
  caller: User,
  { id, provider, rights }: Of<'grant'>,
): Verdict {
  const by = administrationOf(caller, provider)
  if (by === undefined) return refused('R1, R2: who grants administers', 403)
  if (!by.isParticipants && !rights.every((right) => isGrantable(world, by.provider, right)))
    return refused('R2: rights of the provider')
  const user = world.users.get(id)
  if (user === undefined || user.provider !== by.provider) return hidden(world, id, by)
  if (!fits(world, user, rights))
    return refused('all rights or nothing', ...(by.isOpen ? [] : [400]))
  return doneUnless(by.isOpen, 'R1, R2: grant', () => {
    for (const right of rights) user.rights.add(right)
    return NOTHING
  })
}

export function judgeRevoke(
  world: World,
  caller: User,
  { id, provider, rights }: Of<'revoke'>,
): Verdict {
  const by = administrationOf(caller, provider)
  if (by === undefined) return refused('who revokes administers', 403)
  if (id === caller.id && rights.includes('ParticipantAdmin'))
    return refused('nobody takes ParticipantAdmin from itself')
  const user = world.users.get(id)
  const isWide =
    !by.isParticipants &&
    rights.some((right) => !right.includes(' ') && right !== 'IdentityProviderAdmin')
  if (user === undefined || user.provider !== by.provider)
    return isWide ? refused('the user is of the provider') : hidden(world, id, by)
  return doneUnless(
    by.isOpen || isWide || id === world.setting.operator,
    'whoever administers a user takes from it',
    () => {
      for (const right of rights) user.rights.delete(right)
      return NOTHING
    },
  )
}

export function judgeMove(world: World, caller: User, { id, from, to }: Of<'move-user'>): Verdict {
  if (!isParticipantAdmin(caller)) return refused('a participant admin moves users', 403)
  const user = world.users.get(id)
  if (user === undefined || user.provider !== from)
    return refused('the user is in the provider that is named')
  if (id === world.setting.operator && to !== from)
    return refused('R8: the operator is neither deleted nor moved')
  if (to !== '' && !world.providers.has(to)) return refused('the provider is there')
  return doneUnless(
    caller.provider !== '' || id === world.setting.operator,
    'a participant admin moves users',
    () => {
      user.provider = to
      return NOTHING
    },
  )
}

export function judgeReadUser(
  world: World,
  caller: User,
  { id, provider }: Of<'read-user'>,
): Verdict {
  const user = world.users.get(id)
  if (id === caller.id) {
    const isOwn = provider === caller.provider || (provider === '' && !isParticipantAdmin(caller))
    return isOwn
      ? done('everybody sees itself', () => NOTHING)
      : open('everybody sees itself, in its own provider', () => NOTHING)
  }
  const by = administrationOf(caller, provider)
  if (by === undefined) return refused('who sees a user administers it', 403)
  if (user === undefined || user.provider !== by.provider) return hidden(world, id, by)
  return doneUnless(by.isOpen, 'who administers a user sees it', () => NOTHING)
}

export function judgeReadRights(world: World, caller: User, { id }: Of<'read-rights'>): Verdict {
  if (id === caller.id)
    return doneUnless(
      isParticipantAdmin(caller) && caller.provider !== '',
      'everybody sees itself',
      () => NOTHING,
    )
  const by = administrationOf(caller, '')
  if (by === undefined) return refused('who sees a user administers it', 403)
  const user = world.users.get(id)
  if (by.isParticipants && user !== undefined && user.provider !== '')
    return open('this operation names no provider', () => NOTHING)
  if (user === undefined || user.provider !== by.provider) return hidden(world, id, by)
  return doneUnless(by.isOpen, 'who administers a user sees it', () => NOTHING)
}
