// Looks at what the service has stored of a user and compares it with the model; takes over what
// the page leaves open.
import { member } from '../../../runtime/host/member.ts'
import { callerOf, tokenOf } from '../model/rules.ts'
import type { By } from '../model/rules.ts'
import type { Right, User, World } from '../model/state.ts'
import type { Effect } from '../model/verdict.ts'
import { listOf } from './feed.ts'
import type { Stage } from './stage.ts'
import { PROVIDERS } from './stage.ts'
import { administrationOf } from '../model/judge-users.ts'

/** A fact that contradicts the page. */
export interface Violation {
  readonly rule: string
  readonly detail: string
}

/**
 * What is stored, as far as somebody can see it; `rights` is undefined where nobody can be asked.
 */
export interface Stored {
  readonly user:
    | {
        readonly primaryParty: string
        readonly isDeactivated: boolean
        readonly partyLogin: boolean
      }
    | undefined
  readonly rights: ReadonlySet<Right> | undefined
}

export async function storedUser(stage: Stage, id: string, provider: string): Promise<Stored> {
  const query = provider === '' ? '' : `?identity-provider-id=${provider}`
  const { status, json } = await stage.root(`GET /v2/users/${id}${query}`)
  if (status !== 200) return { user: undefined, rights: undefined }
  const user = member(json, 'user')
  return {
    user: {
      primaryParty: String(member(user, 'primaryParty') ?? ''),
      isDeactivated: member(user, 'isDeactivated') === true,
      partyLogin: member(user, 'primaryPartyAuthentication') === true,
    },
    rights: await storedRights(stage, id, provider),
  }
}

async function storedRights(
  stage: Stage,
  id: string,
  provider: string,
): Promise<ReadonlySet<Right> | undefined> {
  const by = observerOf(stage.world, id, provider)
  if (by === undefined) return undefined
  const { status, json } = await stage.ask(by, `GET /v2/users/${id}/rights`)
  return status === 200 ? new Set(listOf(member(json, 'rights')).map(rightOf)) : undefined
}

/**
 * Who can list the rights of a user: the operation names no provider, so an admin of the user's, or
 * the user.
 */
function observerOf(world: World, id: string, provider: string): By | undefined {
  const watchers = [...world.users.values()].filter(
    (user) => world.watchers.has(user.id) && user.provider === provider,
  )
  const watcher = watchers.find((user) => administrationOf(user, '')?.provider === provider)
  for (const user of [watcher, world.users.get(id)]) {
    if (user === undefined) continue
    const by = tokenOf(world, user)
    if (callerOf(world, by).kind === 'user') return by
  }
  return undefined
}

function rightOf(wire: unknown): Right {
  const kind = member(wire, 'kind')
  const [name = ''] = Object.keys(Object(kind))
  const party = member(member(member(kind, name), 'value'), 'party')
  return typeof party === 'string' ? `${name} ${party}` : name
}

/** Takes over what an operation may have changed, if it has. */
export async function adopt(stage: Stage, { mayPrefer = [] }: Effect): Promise<void> {
  const { world } = stage
  for (const [id, party] of mayPrefer) {
    const user = world.users.get(id)
    if (user === undefined) continue
    const stored = await storedUser(stage, id, user.provider)
    if (stored.user?.primaryParty === party) user.primaryParty = party
  }
}

/** Stored as the model has it. */
export async function checkUser(stage: Stage, id: string): Promise<readonly Violation[]> {
  const user = stage.world.users.get(id)
  if (user === undefined) return checkAbsent(stage, id)
  const stored = await storedUser(stage, id, user.provider)
  return differences(user, stored).map((detail) => ({
    rule: 'what is stored follows from what was done',
    detail: `user ${id}: ${detail}`,
  }))
}

async function checkAbsent(stage: Stage, id: string): Promise<readonly Violation[]> {
  const providers = ['', ...PROVIDERS].filter(
    (each) => each === '' || stage.world.providers.has(each),
  )
  const found = await Promise.all(
    providers.map(async (provider) => (await storedUser(stage, id, provider)).user),
  )
  return found.some((each) => each !== undefined)
    ? [{ rule: 'what is stored follows from what was done', detail: `there is a user ${id}` }]
    : []
}

/** The party is there, in its provider, or is not. */
export async function checkParty(
  { world, root }: Stage,
  party: string,
): Promise<readonly Violation[]> {
  const known = world.parties.get(party)
  const found: Violation[] = []
  for (const provider of ['', ...world.providers.keys()]) {
    const query = provider === '' ? '' : `?identity-provider-id=${provider}`
    const { json } = await root(`GET /v2/parties/${encodeURIComponent(party)}${query}`)
    const isThere = listOf(member(json, 'partyDetails')).length > 0
    if (isThere === (known?.provider === provider)) continue
    const detail = `the party ${party} ${isThere ? 'is' : 'is not'} there in "${provider}"`
    found.push({ rule: 'what is stored follows from what was done', detail })
  }
  return found
}

/** Differences between the two. */
export function differences(user: User, { user: stored, rights }: Stored): readonly string[] {
  if (stored === undefined) return ['is not stored']
  const extra = [...(rights ?? [])].filter((right) => !user.rights.has(right))
  const missing = rights === undefined ? [] : [...user.rights].filter((right) => !rights.has(right))
  return [
    ...extra.map((right) => `has ${right}, which nothing gave`),
    ...missing.map((right) => `has lost ${right}, which nothing took`),
    ...(stored.primaryParty === user.primaryParty
      ? []
      : [`primary party ${stored.primaryParty}, not ${user.primaryParty}`]),
    ...(stored.isDeactivated === user.isDeactivated
      ? []
      : [`isDeactivated is ${stored.isDeactivated}`]),
    ...(stored.partyLogin === user.partyLogin
      ? []
      : [`primaryPartyAuthentication is ${stored.partyLogin}`]),
  ]
}
