// Links the wallets of a ledger from before links were kept: done once, at the first start on such
// data. docs/authority.md
import { walletAppInstall } from '../../contracts/index.ts'
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import type { Economy } from '../economy.ts'
import type { UserKeeper } from './user-keeper.ts'

const FACT = { kind: 'wallet-links', key: '' } as const

/**
 * A user of the installation's name gets the link where it may act for the party, which is what a
 * wallet asked for then, or, in the default provider, where the party is its primary one: the right
 * may have been revoked for a while. Grants nothing, and links no party that signs with keys of its
 * own.
 */
export async function adoptWallets(
  economy: Pick<Economy, 'engine' | 'parties' | 'reader' | 'store'>,
  users: UserKeeper,
): Promise<void> {
  const {
    engine,
    reader,
    store,
    parties: { operator },
  } = economy
  if ((await store.contracts.fact(FACT.kind, FACT.key)) !== undefined) return
  for (const { payload } of await reader.all(walletAppInstall, { validatorParty: operator }))
    await adopt(economy, users, payload)
  const facts = [{ ...FACT, body: '{}' }]
  await engine.recordFacts(facts, () => facts)
}

async function adopt(
  { store }: Pick<Economy, 'store'>,
  users: UserKeeper,
  { endUserName: id, endUserParty: party }: WalletAppInstall,
): Promise<void> {
  const [user, rights = []] = await Promise.all([store.users.get(id), store.users.rights(id)])
  const isOwn =
    (user?.identityProviderId === '' && user.primaryParty === party) ||
    rights.some((right) => right.kind === 'CanActAs' && right.party === party)
  if (user === undefined || !isOwn) return
  await users.openWallet({
    userId: id,
    identityProviderId: user.identityProviderId,
    createsUser: false,
    party: { given: party },
    grantsActAs: false,
  })
}
