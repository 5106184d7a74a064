// The first user: `participant_admin`, made once, when the store is new. docs/ledger-rules.md,
// "Users"
import type { Store } from '../../store/store.ts'

const FIRST_USER = 'participant_admin'

/**
 * Creates the first user in a store that never had one. An admin cannot delete itself, so a store
 * whose default provider has no user and that knows no other provider is new; in any other the user
 * may have been deleted on purpose and stays away.
 */
export async function seedFirstUser(store: Store): Promise<void> {
  const [users, providers] = await Promise.all([
    store.users.list({ identityProviderId: '', after: '', limit: 1 }),
    store.identityProviders.list(),
  ])
  if (users.length > 0 || providers.length > 0) return
  const user = {
    id: FIRST_USER,
    primaryParty: '',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    identityProviderId: '',
    annotations: {},
  }
  await store.users.create(user, [{ kind: 'ParticipantAdmin', party: '' }])
}
