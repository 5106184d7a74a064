// Faults that docs/authority.md rules out, one for each rule that the product checks in a place of
// its own.
import type { Edit } from '../../support/source-edit.ts'
import type { Fault } from './list.ts'

const ONBOARDING = 'runtime/economy/wallets/onboarding.ts'
const USERS = 'runtime/participant/identity/user-admin.ts'
const PARTIES = 'runtime/participant/identity/party-admin.ts'
const PROVIDERS = 'runtime/participant/identity/identity-provider-admin.ts'
const GUARD = 'runtime/access/guard.ts'
const PRINCIPALS = 'runtime/access/principal.ts'
const RIGHTS = 'runtime/access/rights.ts'
const TABLES = 'plugins/storage-sql/tables.ts'
const STATEMENTS = 'plugins/storage-sql/statements.ts'
const SIGNATURES = 'runtime/participant/interactive/party-signatures.ts'
const TOPOLOGY = 'runtime/participant/topology/authorization.ts'

const edit = (file: string, search: string, replacement: string): readonly Edit[] => [
  { file, search, replacement },
]

const USER_CHANGES: readonly Fault[] = [
  {
    id: 'login-of-wider',
    seed: 105,
    what: 'a provider admin lets a key be a user with wider rights',
    edits: edit(
      USERS,
      'const concerned = gives.party || gives.login ? rights : ',
      'const concerned = gives.party ? rights : gives.login ? [] : ',
    ),
  },
  {
    id: 'party-of-wider',
    seed: 14,
    what: 'a provider admin sets the primary party of a user with wider rights',
    edits: edit(
      USERS,
      'const concerned = gives.party || gives.login ? rights : ',
      'const concerned = gives.login ? rights : gives.party ? [] : ',
    ),
  },
  {
    id: 'wakes-wider',
    seed: 136,
    what: 'a provider admin activates a user with wider rights',
    edits: edit(
      USERS,
      'rights.filter((right) => !isOwnWallet(right))',
      'rights.filter((right) => !isOwnWallet(right) && gives.party)',
    ),
  },
  {
    id: 'wider-kinds',
    what: 'a provider admin gives to a participant admin of its provider',
    edits: edit(
      USERS,
      'concerned.every(({ kind }) => !BEYOND_PROVIDER.has(kind))',
      'concerned.every(() => true)',
    ),
  },
  {
    id: 'operator-deleted',
    what: 'the operator is deleted, and its id is free',
    edits: edit(
      USERS,
      "    if (id === this.#operatorUser) return invalidArgument(reasonText('operatorStays', { id }))\n    const outcome = await this.#store.users.delete(id, user.identityProviderId)",
      '    const outcome = await this.#store.users.delete(id, user.identityProviderId)',
    ),
  },
  {
    id: 'operator-moved',
    seed: 14,
    what: 'the operator becomes a user of a provider',
    edits: edit(
      USERS,
      "    if (id === this.#operatorUser) return invalidArgument(reasonText('operatorStays', { id }))\n    const outcome = await this.#store.users.move(",
      '    const outcome = await this.#store.users.move(',
    ),
  },
  {
    id: 'operator-told',
    what: 'an admin of a provider learns that the operator is there',
    edits: edit(
      USERS,
      "    const user = await this.#find(caller, id, '', operations.deleteUser)\n",
      "    if (id === this.#operatorUser) return invalidArgument(reasonText('operatorStays', { id }))\n" +
        "    const user = await this.#find(caller, id, '', operations.deleteUser)\n",
    ),
  },
  {
    id: 'elevated',
    what: 'an admin of a provider grants ParticipantAdmin',
    edits: edit(
      GUARD,
      'return elevated !== undefined && ',
      'return elevated !== undefined && elevated.of.size === 0 && ',
    ),
  },
  {
    id: 'default-provider-admin',
    what: 'IdentityProviderAdmin in the default provider administers it',
    edits: edit(
      GUARD,
      "return user.identityProviderId !== '' && rights.has('IdentityProviderAdmin')",
      "return rights.has('IdentityProviderAdmin')",
    ),
  },
  {
    id: 'any-provider',
    what: 'an admin of a provider names another one',
    edits: edit(
      GUARD,
      "return effectiveProvider(principal, requested) === own || (own === '' && principal.rights.isAdmin)",
      "return effectiveProvider(principal, requested) === own || principal.rights.isAdmin || principal.rights.has('IdentityProviderAdmin')",
    ),
  },
  {
    id: 'revoked-later',
    what: 'a revoked right counts as long as it is remembered',
    edits: edit(
      USERS,
      'const revoked = await this.#store.users.revoke(id, rights, user.identityProviderId)\n    this.#directory.forget(id)',
      'const revoked = await this.#store.users.revoke(id, rights, user.identityProviderId)',
    ),
  },
  {
    id: 'deactivated',
    what: 'a deactivated user is let in',
    edits: edit(
      GUARD,
      'if (principal !== undefined && !principal.user.isDeactivated) return',
      'if (principal !== undefined) return',
    ),
  },
]

const RACES: readonly Fault[] = [
  {
    id: 'grant-after-move',
    what: 'a grant follows a user that is moved meanwhile',
    store: 'late',
    edits: edit(
      USERS,
      'this.#store.users.grant(id, rights, this.#maxRights, user.identityProviderId)',
      'this.#store.users.grant(id, rights, this.#maxRights)',
    ),
  },
  {
    id: 'login-after-grant',
    what: 'a change that gives is judged by rights that have become wider',
    store: 'late',
    edits: edit(
      USERS,
      '...(seen === undefined ? {} : { rights: seen }) }',
      '...(seen === undefined ? {} : {}) }',
    ),
  },
]

const WALLET_RULES: readonly Fault[] = [
  {
    id: 'wallet-without-right',
    what: 'a wallet is used without CanActAs on its party',
    edits: [
      ...edit(
        GUARD,
        "return walletParty === undefined || rights.allows('act-as', walletParty)",
        'return true',
      ),
      ...edit(
        'runtime/economy/wallets/wallets.ts',
        "if (party !== undefined && !rights.allows('act-as', party)) return",
        "if (party !== undefined && party === '') return",
      ),
    ],
  },
  {
    id: 'party-of-provider',
    what: 'a party of a provider is given as a wallet',
    edits: edit(
      'runtime/store/rules.ts',
      "topology === '' && identityProviderId === ''",
      "topology === ''",
    ),
  },
  {
    id: 'named-fresh',
    what: 'a fresh party is one that a right names already',
    edits: edit(
      STATEMENTS,
      'or exists (select 1 from user_rights where party = ?)',
      'and exists (select 1 from user_rights where party = ?)',
    ),
  },
  {
    id: 'second-wallet',
    seed: 14,
    what: 'onboarding gives a user with a wallet another one',
    edits: edit(
      ONBOARDING,
      'return partyId === undefined || partyId === own ? own : otherParty(name, own)',
      'return partyId ?? own',
    ),
  },
  {
    id: 'other-provider',
    what: 'the operator onboards a user of another provider under its name',
    edits: edit(
      ONBOARDING,
      'if (user !== undefined && user.identityProviderId !== identityProviderId) return otherUser(name)\n',
      'if (user !== undefined && user.identityProviderId !== identityProviderId) return linkedParty(economy, users, { ...request, identityProviderId: user.identityProviderId })\n',
    ),
  },
  {
    id: 'offboarded-stays',
    what: 'an offboarded user keeps its wallet',
    edits: edit(
      ONBOARDING,
      'if (own !== undefined) await users.remove(name)',
      'if (own === undefined) await users.remove(name)',
    ),
  },
  {
    id: 'any-operator',
    seed: 14,
    what: 'every participant admin is the operator',
    edits: edit(
      GUARD,
      "return (rights.isAdmin && user.primaryParty === operatorParty && rights.allows('act-as', operatorParty))",
      'return rights.isAdmin',
    ),
  },
  {
    id: 'newcomer-told',
    seed: 14,
    what: 'a user of another provider is told that it is not welcome',
    edits: edit(
      PRINCIPALS,
      'return ofProvider(known, identityProviderId) ?? newcomer(authenticated)',
      'return known === undefined ? newcomer(authenticated) : ofProvider(known, identityProviderId)',
    ),
  },
]

const PARTY_RULES: readonly Fault[] = [
  {
    id: 'command-for-external',
    seed: 14,
    what: 'a command acts for a party whose keys are outside',
    edits: edit(
      'runtime/interfaces/ledger/commands/submitters.ts',
      "isLocal && topology === '' ? [party]",
      "isLocal || topology !== '' ? [party]",
    ),
  },
  {
    id: 'read-acts',
    seed: 14,
    what: 'CanReadAs lets act',
    edits: edit(RIGHTS, "'act-as': ['CanActAs'],", "'act-as': ['CanActAs', 'CanReadAs'],"),
  },
  {
    id: 'execute-reads',
    seed: 133,
    what: 'CanExecuteAs lets read',
    edits: edit(
      RIGHTS,
      "'read-as': ['CanActAs', 'CanReadAs'],",
      "'read-as': ['CanActAs', 'CanReadAs', 'CanExecuteAs'],",
    ),
  },
  {
    id: 'read-any',
    seed: 133,
    what: 'everybody reads as any party',
    edits: edit(
      GUARD,
      "&& (!anyParty || rights.has('CanReadAsAnyParty'))",
      '&& (!anyParty || parties.length === 0)',
    ),
  },
  {
    id: 'too-many-own',
    what: 'a user allocates itself more parties than it may',
    edits: edit(
      PARTIES,
      "rights.count('CanActAs') < this.#options.maxSelfAllocatedParties",
      'this.#options.maxSelfAllocatedParties > 0',
    ),
  },
  {
    id: 'unsigned',
    what: 'a party acts without its signatures',
    edits: edit(
      SIGNATURES,
      'const problem = own === undefined ? fill(texts.none, { party }) : partyProblem(own, known, message)',
      'const problem = own === undefined ? undefined : partyProblem(own, known, message)',
    ),
  },
  {
    id: 'wrong-signature',
    what: "anybody's signature is the party's",
    edits: [
      ...edit(
        SIGNATURES,
        'if (key === undefined) return fill(texts.unknownKey, { party, key: signature.signedBy })',
        'if (key === undefined) continue',
      ),
    ],
  },
  {
    id: 'one-of-two',
    what: 'one of the keys is enough',
    edits: edit(
      SIGNATURES,
      'if (count >= Math.max(threshold, 1)) return undefined',
      'if (count >= 1) return undefined',
    ),
  },
  {
    id: 'party-login-of-one',
    what: "one of two keys authenticates as the party's user",
    edits: edit(
      'runtime/participant/topology/party-topology.ts',
      'return signers?.threshold === 1 ? signers.keys.map(tokenKey) : []',
      'return signers?.keys.map(tokenKey) ?? []',
    ),
  },
  {
    id: 'namespace',
    what: 'a party is allocated by keys that are not those of its namespace',
    edits: edit(
      TOPOLOGY,
      'if (!holders.has(namespace)) return fill(texts.namespaceUnproven, { namespace })\n    return missingProblem(mapping, [namespace], signers)',
      'return holders.size > 0 ? undefined : missingProblem(mapping, [namespace], signers)',
    ),
  },
]

const TOKEN_RULES: readonly Fault[] = [
  {
    id: 'login-without-right',
    what: 'a key is the user though the right on its party is gone',
    edits: edit(
      PRINCIPALS,
      "rights.allows('read-as', user.primaryParty)\n",
      "(rights.isAdmin || user.primaryParty !== '')\n",
    ),
  },
  {
    id: 'login-unasked',
    what: 'a key is the user though nobody set the flag',
    edits: edit(
      'plugins/auth-jwt/party.ts',
      'if (!user.primaryPartyAuthentication || user.primaryParty !== party) return undefined',
      'if (user.primaryParty !== party) return undefined',
    ),
  },
  {
    id: 'provider-off',
    what: 'the tokens of a deactivated provider are good',
    edits: edit(
      'plugins/auth-jwt/issuer.ts',
      'if (provider.isDeactivated) return',
      "if (provider.id === '') return",
    ),
  },
  {
    id: 'foreign-token',
    what: 'the token of a provider counts for a user of another one',
    edits: edit(
      PRINCIPALS,
      'return principal?.user.identityProviderId === identityProviderId ? principal : undefined',
      'return principal',
    ),
  },
  {
    id: 'issuer-kept',
    what: 'a token of a former key of the provider is good',
    edits: edit(
      'plugins/auth-jwt/issuer.ts',
      'now !== undefined && !now.isDeactivated && now.id === id && now.jwksUrl === jwksUrl && now.audience === audience',
      'now !== undefined',
    ),
  },
  {
    id: 'home-issuer',
    what: 'a provider has the issuer of the configuration',
    edits: edit(
      PROVIDERS,
      'this.#configured = new Set(configured)',
      'this.#configured = new Set(configured.slice(configured.length))',
    ),
  },
  {
    id: 'provider-in-use',
    what: 'a provider is deleted while users or parties belong to it',
    edits: edit(
      TABLES,
      "const OF_PROVIDER = 'foreign key (identity_provider_id) references identity_providers (id)'",
      "const OF_PROVIDER = 'check (true)'",
    ),
  },
]

export const RULED_OUT: readonly Fault[] = [
  ...USER_CHANGES,
  ...RACES,
  ...WALLET_RULES,
  ...PARTY_RULES,
  ...TOKEN_RULES,
]
