// A user that somebody moves to another provider while an admin of the first one acts on it is none
// of that admin's any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { RightSet } from '../../runtime/access/rights.ts'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { untilWritten } from '../../runtime/participant/identity/optimistic.ts'
import { UserAdmin } from '../../runtime/participant/identity/user-admin.ts'
import type { Principal } from '../../runtime/access/principal.ts'
import type { RightRecord, Store } from '../../runtime/store/store.ts'

const ACT: RightRecord = { kind: 'CanActAs', party: 'p::1220' }
const CLOCK = { nowMicros: () => 0n, monotonicMs: () => 0 }

function aUser(id: string, identityProviderId: string) {
  return {
    id,
    identityProviderId,
    primaryParty: '',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations: {},
  }
}

/** A store in which `ann` moves to the default provider right after she was looked up. */
async function movingStore(): Promise<Store> {
  const store = createMemoryStore()
  await store.identityProviders.create(
    { id: 'idp', isDeactivated: false, issuer: 'i', jwksUrl: 'https://k/', audience: '' },
    9,
  )
  await store.parties.allocate(
    { party: ACT.party, isLocal: true, identityProviderId: 'idp', annotations: {}, topology: '' },
    undefined,
  )
  await store.users.create(aUser('ann', 'idp'), [ACT])
  const get: Store['users']['get'] = async (id) => {
    const user = await store.users.get(id)
    await store.users.move(id, 'idp', '')
    return user
  }
  return { ...store, users: { ...store.users, get } }
}

const ACTS: Readonly<Record<string, (admin: UserAdmin, caller: Principal) => Promise<unknown>>> = {
  granted: (admin, caller) => admin.grant(caller, 'ann', [{ ...ACT, kind: 'CanReadAs' }], 'idp'),
  revoked: (admin, caller) => admin.revoke(caller, 'ann', [ACT], 'idp'),
  deleted: (admin, caller) => admin.delete(caller, 'ann'),
}

for (const [what, act] of Object.entries(ACTS)) {
  test(`nothing is ${what} of a user who has moved meanwhile`, async () => {
    const store = await movingStore()
    const admin = new UserAdmin({
      store,
      directory: new PrincipalDirectory(store, CLOCK),
      maxRights: 9,
      operatorUser: 'operator',
    })
    const caller = {
      user: { ...aUser('admin', 'idp'), resourceVersion: 0n },
      walletParty: undefined,
      rights: new RightSet([{ kind: 'IdentityProviderAdmin', party: '' }]),
    }
    const answer = await act(admin, caller)
    assert.ok(answer instanceof LedgerError, `${what} in spite of it`)
    assert.match(answer.code, /USER_NOT_FOUND/)
    assert.deepEqual(await store.users.rights('ann'), [ACT])
  })
}

test('a write that rivals were faster at is tried again after pauses', async () => {
  let tries = 0
  const since = performance.now()
  assert.equal(
    await untilWritten(async () => ((tries += 1) > 12 ? tries : 'stale'), 'contention'),
    13,
  )
  assert.ok(performance.now() - since > 20, 'without a pause they meet again')
})
