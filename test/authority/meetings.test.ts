// Two requests that meet between what one was judged by and what it writes. What a user is when it
// is written decides, whatever it was when somebody looked. docs/authority.md, "Changes that give"
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { member } from '../../runtime/host/member.ts'
import { startHolds } from './driver/holds.ts'
import { right, startAuthority } from './kit.ts'
import type { Authority } from './kit.ts'

const HELD = fileURLToPath(new URL('./driver/held-memory.ts', import.meta.url))
const ADMIN = 'participant_admin'
const PROVIDER_ADMIN = 'admin-p@p'

const holds = await startHolds()
let world: Authority

before(async () => {
  const storage = {
    name: 'memory',
    durable: false,
    section: async () => ({
      use: HELD,
      holds: holds.url,
      calls: ['users.grant', 'users.update'],
    }),
    release: async () => {},
  } as const
  world = await startAuthority(storage, 'dev')
})
after(async () => {
  await world.stop()
  holds.stop()
})

/** Asks, and does the other thing just before the call of the storage; answers the status. */
async function meeting(
  call: string,
  ask: () => ReturnType<Authority['ask']>,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const held = holds.hold(call)
  const answer = ask()
  await Promise.race([held.reached, answer.then(({ text }) => assert.fail(`not held: ${text}`))])
  try {
    await meanwhile()
  } finally {
    held.release()
  }
  return (await answer).status
}

test('a grant does not follow a user that is moved to another provider meanwhile', async () => {
  const { done, ask, rightsOf } = world
  const identityProviderId = 'p'
  const allocated = await done(PROVIDER_ADMIN, 'POST /v2/parties', {
    partyIdHint: 'of-p',
    identityProviderId,
  })
  const party = String(member(member(allocated, 'partyDetails'), 'party'))
  await done(PROVIDER_ADMIN, 'POST /v2/users', { user: { id: 'moved', identityProviderId } })
  const status = await meeting(
    'users.grant',
    () =>
      ask(PROVIDER_ADMIN, 'POST /v2/users/moved/rights', {
        userId: 'moved',
        rights: [right('CanActAs', party)],
        identityProviderId,
      }),
    () =>
      done(ADMIN, 'PATCH /v2/users/moved/identity-provider-id', {
        userId: 'moved',
        sourceIdentityProviderId: 'p',
        targetIdentityProviderId: 'q',
      }),
  )
  assert.equal(status, 404)
  assert.deepEqual(await rightsOf('moved'), [])
})

test('an admin of a provider does not wake a user that becomes a participant admin meanwhile', async () => {
  const { done, ask } = world
  const identityProviderId = 'p'
  const user = { id: 'woken', identityProviderId }
  await done(PROVIDER_ADMIN, 'POST /v2/users', { user: { ...user, isDeactivated: true } })
  const status = await meeting(
    'users.update',
    () =>
      ask(PROVIDER_ADMIN, 'PATCH /v2/users/woken', {
        user: { ...user, isDeactivated: false },
        updateMask: { paths: ['isDeactivated'] },
      }),
    () =>
      done(ADMIN, 'POST /v2/users/woken/rights', {
        userId: 'woken',
        rights: [right('ParticipantAdmin')],
        identityProviderId,
      }),
  )
  assert.equal(status, 403)
  const found = await done(ADMIN, 'GET /v2/users/woken?identity-provider-id=p')
  assert.equal(member(member(found, 'user'), 'isDeactivated'), true)
})
