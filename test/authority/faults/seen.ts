// What was seen in the attack that led to docs/authority.md, to be planted again one by one.
import type { Edit } from '../../support/source-edit.ts'
import type { Fault } from './list.ts'

const ONBOARDING = 'runtime/economy/wallets/onboarding.ts'
const USERS = 'runtime/participant/identity/user-admin.ts'
const PARTIES = 'runtime/participant/identity/party-admin.ts'
const WALLETS = 'plugins/storage-sql/wallet-store.ts'
const RULES = 'runtime/store/rules.ts'

const OWN_PARTY =
  'return (party !== undefined && fitsWallet(party) && rights.some((right) => ' +
  "right.kind === 'CanActAs' && right.party === primaryParty))"
const GIVEN_PRIMARY = 'return { party: { given: user.primaryParty }, grantsActAs: false }'
const DEFAULT_ONLY = "if (primaryParty === '' || identityProviderId !== '') return false"
const CHOOSES = '  if (partyId !== undefined) return namedParty(economy, request, partyId)\n'

/** Grants what stands in `primaryParty`, as it was. */
const GRANTS_PRIMARY: readonly Edit[] = [
  {
    file: ONBOARDING,
    search: OWN_PARTY,
    replacement: 'return party !== undefined && fitsWallet(party)',
  },
  {
    file: ONBOARDING,
    search: GIVEN_PRIMARY,
    replacement: 'return { party: { given: user.primaryParty }, grantsActAs: true }',
  },
]

export const SEEN: readonly Fault[] = [
  {
    id: '1a',
    seed: 106,
    what: 'register grants CanActAs on a primary party that the user only reads',
    edits: GRANTS_PRIMARY,
  },
  {
    id: '1b',
    seed: 102,
    what: 'a user is created with any primary party, which register grants',
    edits: [
      {
        file: USERS,
        search: "        ?? primaryPartyProblem(caller, draft.primaryParty ?? '', rights)\n",
        replacement: '',
      },
      {
        file: ONBOARDING,
        search: DEFAULT_ONLY,
        replacement: "if (primaryParty === '') return false",
      },
      ...GRANTS_PRIMARY,
    ],
  },
  {
    id: '1b-patch',
    what: 'an update sets any primary party',
    edits: [
      {
        file: USERS,
        search:
          'gives.party ? primaryPartyProblem(caller, change.primaryParty, rights) : undefined',
        replacement: 'undefined',
      },
    ],
  },
  {
    id: '1b-register',
    seed: 124,
    what: "register takes the primary party of a provider's user for its wallet",
    edits: [
      {
        file: ONBOARDING,
        search: DEFAULT_ONLY,
        replacement: "if (primaryParty === '') return false",
      },
    ],
  },
  {
    id: '1c',
    seed: 109,
    what: 'register brings back a right that was revoked',
    edits: [
      {
        file: ONBOARDING,
        search: '    if (user !== undefined && own !== undefined) return partyId',
        replacement:
          '    if (own !== undefined) await users.grantActAs(name, own)\n    if (user !== undefined && own !== undefined) return partyId',
      },
    ],
  },
  {
    id: '2-operator',
    what: 'an external party is given as a wallet',
    edits: [
      {
        file: RULES,
        search: "return isLocal && topology === '' && ",
        replacement: 'return isLocal && ',
      },
    ],
  },
  {
    id: '2-register',
    what: 'register takes an external primary party for the wallet',
    edits: [
      {
        file: ONBOARDING,
        search: OWN_PARTY,
        replacement: OWN_PARTY.replace(
          'fitsWallet(party)',
          "(party.topology !== '' || fitsWallet(party))",
        ),
      },
      {
        file: WALLETS,
        search: 'return row !== undefined && fitsWallet(partyOf(row))',
        replacement: 'return row !== undefined',
      },
    ],
  },
  {
    id: '2-squatting',
    seed: 105,
    what: 'onboarding makes a party in a foreign namespace',
    edits: [
      {
        file: ONBOARDING,
        search: 'partyId.endsWith(`::${namespace}`) && ',
        replacement: "namespace !== '' && ",
      },
    ],
  },
  {
    id: '3-annotation',
    seed: 118,
    what: "a party that bears the user's name in an annotation becomes its wallet",
    edits: [
      {
        file: ONBOARDING,
        search: CHOOSES,
        replacement: `  const [marked] = await economy.store.parties.get([uniqueIdentifier(partyHint(request.name, request.identityProviderId), economy.node.namespace)])
  if (partyId === undefined && marked?.annotations['wallet-user'] === request.name) return { party: { given: marked.party }, grantsActAs: true }
${CHOOSES}`,
      },
      {
        file: WALLETS,
        search: 'return row !== undefined && fitsWallet(partyOf(row))',
        replacement: 'return row !== undefined',
      },
    ],
  },
  {
    id: '3-deletion',
    what: 'a user inherits the wallet of an earlier one of its name, who was deleted',
    edits: [
      {
        file: ONBOARDING,
        search: CHOOSES,
        replacement: `  const [left] = partyId === undefined ? await installsOf(economy, request.name) : []
  if (left !== undefined) return { party: { given: left.payload.endUserParty }, grantsActAs: true }
${CHOOSES}`,
      },
    ],
  },
  {
    id: '3-offboarding',
    what: 'a user inherits the party of an earlier one of its name, who was offboarded',
    edits: [
      {
        file: ONBOARDING,
        search: CHOOSES,
        replacement: `  const own = uniqueIdentifier(partyHint(request.name, request.identityProviderId), economy.node.namespace)
  if (partyId === undefined && (await economy.store.parties.get([own])).length > 0) return { party: { given: own }, grantsActAs: true }
${CHOOSES}`,
      },
    ],
  },
  {
    id: '4',
    what: 'register creates the user in the default provider',
    edits: [
      {
        file: 'runtime/interfaces/validator/wallet/account-handlers.ts',
        search: 'const { id: name, identityProviderId } = user',
        replacement:
          'const { id: name } = user\n      ' +
          "const identityProviderId = walletParty === undefined ? '' : user.identityProviderId",
      },
    ],
  },
  {
    id: '5-grant',
    seed: 119,
    what: 'a party is allocated for a user of another provider',
    edits: [{ file: PARTIES, search: 'inProvider: party.identityProviderId, ', replacement: '' }],
  },
  {
    id: '5-oracle',
    seed: 102,
    what: 'a user of another provider is refused otherwise than one that is not there',
    edits: [
      {
        file: USERS,
        search:
          "return caller.rights.isAdmin ? ledgerError('PERMISSION_DENIED', {}) : userNotFound(operation, id)",
        replacement: "return ledgerError('PERMISSION_DENIED', {})",
      },
    ],
  },
  {
    id: '9',
    what: 'the operator acts for parties that its node does not serve',
    edits: [
      {
        file: 'runtime/access/guard.ts',
        search: 'parties.length === 0 ? [] : await directory.operatedAmong(parties)',
        replacement: 'directory === undefined ? [] : parties',
      },
    ],
  },
  {
    id: '10',
    seed: 148,
    what: 'an admin of a provider grants CanExecuteAs on a foreign party',
    edits: [
      {
        file: USERS,
        search: 'caller.rights.isAdmin ? [] : await this.#foreignParties(rights, provider)',
        replacement:
          "caller.rights.isAdmin ? [] : await this.#foreignParties(rights.filter(({ kind }) => kind !== 'CanExecuteAs'), provider)",
      },
    ],
  },
]
