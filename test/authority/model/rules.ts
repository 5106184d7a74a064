// Who may do what by being who: the tables "Principals" and "Rights" of docs/authority.md.
import { actAs, partsOf } from './state.ts'
import type { Right, User, World } from './state.ts'

/**
 * How somebody comes to a request. `issued`: a token that `key` signed; `party`: one that a party's
 * key signed.
 */
export type By =
  | { readonly kind: 'nobody' }
  | {
      readonly kind: 'issued'
      readonly issuer: string
      readonly key: string
      readonly sub: string
      readonly audience: string
    }
  | { readonly kind: 'party'; readonly party: string; readonly key: string; readonly sub: string }

export type Caller =
  | { readonly kind: 'nobody' }
  /** The subject is no user at all. */
  | { readonly kind: 'newcomer'; readonly provider: string; readonly id: string }
  /** The subject is a user, but of another provider. */
  | { readonly kind: 'elsewhere'; readonly provider: string; readonly id: string }
  | { readonly kind: 'blocked'; readonly user: User }
  | { readonly kind: 'user'; readonly user: User }

/**
 * Who a token is. "A token counts for a user only where its issuer is the provider of that user."
 */
export function callerOf(world: World, by: By): Caller {
  if (by.kind === 'nobody') return { kind: 'nobody' }
  if (by.kind === 'party') return partyCaller(world, by)
  const provider = providerOfToken(world, by)
  if (provider === undefined) return { kind: 'nobody' }
  const user = world.users.get(by.sub)
  if (user === undefined) return { kind: 'newcomer', provider, id: by.sub }
  if (user.provider !== provider) return { kind: 'elsewhere', provider, id: by.sub }
  return { kind: user.isDeactivated ? 'blocked' : 'user', user }
}

function providerOfToken(
  { setting, providers }: World,
  by: Extract<By, { kind: 'issued' }>,
): string | undefined {
  if (by.issuer === setting.issuer) return by.key === setting.key ? '' : undefined
  const provider = [...providers.values()].find(({ issuer }) => issuer === by.issuer)
  if (provider === undefined || provider.isDeactivated || provider.key !== by.key) return undefined
  return provider.audience === '' || provider.audience === by.audience ? provider.id : undefined
}

/**
 * "With `primaryPartyAuthentication` the party's key counts only while the user holds such a
 * right."
 */
function partyCaller(
  { users, parties, providers }: World,
  by: Extract<By, { kind: 'party' }>,
): Caller {
  const user = users.get(by.sub)
  // Who holds one of several keys is not the party.
  const keys = parties.get(by.party)?.keys ?? []
  const isKeys = keys.length === 1 && keys[0] === by.key
  if (
    !isKeys ||
    user === undefined ||
    user.isDeactivated ||
    !user.partyLogin ||
    user.primaryParty !== by.party
  )
    return { kind: 'nobody' }
  if (!mayBePrimary(user.rights, by.party)) return { kind: 'nobody' }
  const isOff = user.provider !== '' && providers.get(user.provider)?.isDeactivated !== false
  return isOff ? { kind: 'nobody' } : { kind: 'user', user }
}

/** The token that a user comes with. */
export function tokenOf({ setting, providers }: World, user: Pick<User, 'id' | 'provider'>): By {
  if (user.provider === '')
    return { kind: 'issued', issuer: setting.issuer, key: setting.key, sub: user.id, audience: '' }
  const provider = providers.get(user.provider)
  if (provider === undefined) return { kind: 'nobody' }
  return {
    kind: 'issued',
    issuer: provider.issuer,
    key: provider.key,
    sub: user.id,
    audience: provider.audience,
  }
}

export function isParticipantAdmin({ rights }: User): boolean {
  return rights.has('ParticipantAdmin')
}

export function isProviderAdmin({ rights, provider }: User): boolean {
  return provider !== '' && rights.has('IdentityProviderAdmin')
}

/** "A participant admin whose primary party is the validator's, with CanActAs on it." */
export function isOperator({ setting }: World, user: User): boolean {
  const { operatorParty } = setting
  return (
    isParticipantAdmin(user) &&
    user.primaryParty === operatorParty &&
    user.rights.has(actAs(operatorParty))
  )
}

/** The configured one, who can be neither deleted nor moved. */
export function operatorOf({ users, setting }: World): User | undefined {
  return users.get(setting.operator)
}

/** The party of the operator at whose node a party is. */
export function operatorPartyOf({ setting, elsewhere }: World, party: string): string {
  return elsewhere.get(party) ?? setting.operatorParty
}

/** Whether the node signs for the party. */
export function isHosted({ parties }: World, party: string): boolean {
  const known = parties.get(party)
  return known?.keys.length === 0
}

export function isExternal({ parties }: World, party: string): boolean {
  return (parties.get(party)?.keys ?? []).length > 0
}

/** Commands for the party are taken from the user. */
export function canAct(world: World, user: User, party: string): boolean {
  return actsAs(world, user, party) && isHosted(world, party)
}

export function canRead(world: World, user: User, party: string): boolean {
  const { rights } = user
  return (
    rights.has('CanReadAsAnyParty') ||
    actsAs(world, user, party) ||
    rights.has(`CanReadAs ${party}`)
  )
}

/** Preparing for the party, and executing what its keys signed. */
export function canExecute(world: World, user: User, party: string): boolean {
  const { rights } = user
  return (
    rights.has('CanExecuteAsAnyParty') ||
    actsAs(world, user, party) ||
    rights.has(`CanExecuteAs ${party}`)
  )
}

/** R6 and R7: the operator acts for every wallet and external party of its node without a right. */
export function actsAs(world: World, user: User, party: string): boolean {
  const isServed = isWallet(world, party) || isExternal(world, party)
  return user.rights.has(actAs(party)) || (isOperator(world, user) && isServed)
}

function isWallet({ users }: World, party: string): boolean {
  return [...users.values()].some(({ wallet }) => wallet === party)
}

/**
 * "The wallet's operations ask for the link and for CanActAs on the party at the time of the call."
 */
export function walletOf({ rights, wallet }: User): string | undefined {
  return wallet !== undefined && rights.has(actAs(wallet)) ? wallet : undefined
}

/** R2: what an admin of the provider may grant. */
export function isGrantable({ parties }: World, provider: string, right: Right): boolean {
  const [kind, party] = partsOf(right)
  if (kind === 'IdentityProviderAdmin') return true
  const isOfParty = kind === 'CanActAs' || kind === 'CanReadAs' || kind === 'CanExecuteAs'
  return isOfParty && parties.get(party)?.provider === provider
}

/** Whether the user reads or acts as the party, so that it may be the primary one. */
export function mayBePrimary(rights: ReadonlySet<Right>, party: string): boolean {
  return (
    party === '' ||
    rights.has('CanReadAsAnyParty') ||
    rights.has(actAs(party)) ||
    rights.has(`CanReadAs ${party}`)
  )
}

/** Whether anybody's right names the party. */
export function isNamed({ users }: World, party: string): boolean {
  return [...users.values()].some(({ rights }) =>
    [...rights].some((right) => partsOf(right)[1] === party),
  )
}

/** Whether the rights fit; those that are there already take no room. */
export function fits(
  { setting }: World,
  user: User | undefined,
  rights: readonly Right[],
): boolean {
  return new Set([...(user?.rights ?? []), ...rights]).size <= setting.maxRights
}
