// Somebody sets a server's clock back, or forward: what it remembers of rights, providers and keys
// is forgotten after five seconds all the same, since ages are of time that passes.
// docs/ledger-rules.md, "Rights"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import { ProviderDirectory } from '../../runtime/access/provider.ts'
import { TurnedClock } from '../plugins/fixtures/host-kit.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 5_000
const ADMIN = {
  id: 'admin',
  primaryParty: '',
  isDeactivated: false,
  primaryPartyAuthentication: false,
  identityProviderId: '',
  annotations: {},
}
const RIGHT = { kind: 'ParticipantAdmin', party: '' }
const PROVIDER = {
  id: 'idp',
  isDeactivated: false,
  issuer: 'https://issuer.example',
  jwksUrl: 'https://issuer.example/keys',
  audience: '',
}

for (const jumpMs of [-HOUR_MS, HOUR_MS]) {
  const way = jumpMs < 0 ? 'back' : 'forward'

  test(`a right that another server revokes ends within 5 s on a server whose clock is set ${way}`, async () => {
    const [store, clock] = [createMemoryStore(), new TurnedClock()]
    await store.users.create(ADMIN, [RIGHT])
    const directory = new PrincipalDirectory(store, clock)
    const isAdmin = async () =>
      (await directory.find({ userId: 'admin', identityProviderId: '' }))?.rights.isAdmin
    assert.equal(await isAdmin(), true)
    await store.users.revoke('admin', [RIGHT])
    clock.putBy(jumpMs)
    assert.equal(await isAdmin(), true, 'remembered, as time has not passed')
    clock.ms += KEPT_MS
    assert.equal(await isAdmin(), false)
  })

  test(`a provider that another server deactivates ends within 5 s on a server whose clock is set ${way}`, async () => {
    const [store, clock] = [createMemoryStore(), new TurnedClock()]
    await store.identityProviders.create(PROVIDER, 10)
    const providers = new ProviderDirectory(store.identityProviders, clock)
    assert.equal((await providers.get('idp'))?.isDeactivated, false)
    await store.identityProviders.update({ ...PROVIDER, isDeactivated: true })
    clock.putBy(jumpMs)
    assert.equal((await providers.ofIssuer(PROVIDER.issuer))?.isDeactivated, false)
    clock.ms += KEPT_MS
    assert.equal((await providers.get('idp'))?.isDeactivated, true)
  })
}
