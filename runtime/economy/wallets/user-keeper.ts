// Users of the ledger interface as onboarding needs them: there, linked to the party of their
// wallet, with the rights to act for it. Every step may have been done before, by this server or by
// another. docs/authority.md
import type { Store, WalletOpened, WalletOpening } from '../../store/store.ts'
import { actAsRight } from '../../store/rules.ts'
import type { PrincipalDirectory } from '../../access/principal.ts'
import { MAX_RIGHTS_PER_USER } from '../../access/rights.ts'
import { untilWritten } from '../../participant/identity/optimistic.ts'

interface Operator {
  readonly name: string
  readonly party: string
}

type Opening = Omit<WalletOpening, 'maxRights'>

export interface UserKeeper {
  /**
   * The configured operator: a user of the default provider with the validator's party as its
   * primary one, ParticipantAdmin, CanActAs and a wallet. Throws an Error with one line for people
   * where the name or the party is somebody else's.
   */
  ensureOperator(operator: Operator): Promise<void>
  /** The `open` of `WalletStore`. */
  openWallet(opening: Opening): Promise<WalletOpened>
  remove(name: string): Promise<void>
}

/** Writes through the store; the directory forgets whom it changes. */
export function createUserKeeper(
  store: Store,
  directory: PrincipalDirectory,
  maxRights = MAX_RIGHTS_PER_USER,
): UserKeeper {
  const forgetting = async <T>(name: string, written: Promise<T>): Promise<T> => {
    const outcome = await written
    directory.forget(name)
    return outcome
  }
  const openWallet = (opening: Opening) =>
    forgetting(opening.userId, store.wallets.open({ ...opening, maxRights }))
  return {
    ensureOperator: async (operator) => {
      await ensureUser(store, operator)
      await ensureParty(store, operator)
      await ensureRights(store, operator, maxRights)
      const party = { given: operator.party }
      await openWallet({
        userId: operator.name,
        identityProviderId: '',
        createsUser: false,
        party,
        grantsActAs: true,
      })
      directory.forget(operator.name)
    },
    openWallet,
    remove: async (name) => {
      await forgetting(name, store.users.delete(name))
    },
  }
}

async function ensureUser(store: Store, { name, party }: Operator): Promise<void> {
  const outcome = await untilWritten(
    async () => {
      const user = await store.users.get(name)
      if (user === undefined)
        return (await create(store, name, party)) === 'created' ? undefined : 'stale'
      if (user.identityProviderId !== '') return elsewhere(name, user.identityProviderId)
      if (user.primaryParty === party) return undefined
      const { isDeactivated, primaryPartyAuthentication, annotations } = user
      const change = { primaryParty: party, isDeactivated, primaryPartyAuthentication, annotations }
      const updated = await store.users.update(name, user.resourceVersion, change, {
        inProvider: '',
      })
      return updated === 'stale' || updated === 'missing' ? 'stale' : undefined
    },
    new Error(`user ${name} is changed all the time`),
  )
  if (outcome !== undefined) throw outcome
}

function elsewhere(name: string, provider: string): Error {
  return new Error(
    `validator.validatorWalletUser is "${name}", but the user of that name belongs to the identity provider "${provider}"; ` +
      'the operator has to be a user of the default one',
  )
}

function create(store: Store, name: string, party: string) {
  return store.users.create(
    {
      id: name,
      primaryParty: party,
      isDeactivated: false,
      primaryPartyAuthentication: false,
      identityProviderId: '',
      annotations: {},
    },
    [],
  )
}

async function ensureParty(store: Store, { name, party }: Operator): Promise<void> {
  await store.parties.allocate(
    { party, isLocal: true, identityProviderId: '', annotations: {}, topology: '' },
    undefined,
  )
  const [known] = await store.parties.get([party])
  if (known?.isLocal === true && known.topology === '') return
  throw new Error(
    `the party ${party} of the operator "${name}" signs with keys of its own; the operator's has to be one of this node`,
  )
}

async function ensureRights(
  store: Store,
  { name, party }: Operator,
  maxRights: number,
): Promise<void> {
  const granted = await store.users.grant(
    name,
    [actAsRight(party), { kind: 'ParticipantAdmin', party: '' }],
    maxRights,
    '',
  )
  if (typeof granted === 'string')
    throw new Error(`the operator "${name}" cannot have the rights that it needs: ${granted}`)
}
