// Who there is: identity providers, users with every kind of right, parties of every kind,
// packages, and wallets in every way that a user comes to one and loses it.
import assert from 'node:assert/strict'
import { deal } from '../../support/deal-package.ts'
import { dar } from '../../support/dar-writer.ts'
import { call } from '../../support/http.ts'
import {
  base64,
  hostingTransaction,
  multiHashOf,
  signatureOf,
} from '../../support/topology-reference.ts'
import { generate, signedTopology } from '../../external/kit.ts'
import { textAt } from '../client.ts'
import { holderOf, newPartyKey } from '../keys.ts'
import type { Issuer } from '../keys.ts'
import { idOf } from './making.ts'
import type { Making } from './making.ts'

const ADMIN = 'participant_admin'
export const OPERATOR = 'operator'

/** Providers: one whose users log in, one that is deactivated. */
export async function makeProviders({ done, kept }: Making, { jwksUrl }: Issuer): Promise<void> {
  const { provider, issuer } = kept.issuer
  const add = (identityProviderId: string, rest: object): Promise<unknown> =>
    done(ADMIN, 'POST /v2/idps', { identityProviderConfig: { identityProviderId, ...rest } })
  await add(provider, { issuer, jwksUrl })
  await add('dormant', {
    issuer: 'https://login.dormant.example',
    jwksUrl: 'https://login.dormant.example/keys',
    audience: 'ledger',
    isDeactivated: true,
  })
}

/** Moves the provider's keys: nowhere that a test could reach by accident. */
export async function parkProvider({
  done,
  kept: {
    issuer: { provider, issuer },
  },
}: Making): Promise<void> {
  const identityProviderConfig = { identityProviderId: provider, issuer, jwksUrl: `${issuer}/keys` }
  await done(ADMIN, `PATCH /v2/idps/${provider}`, {
    identityProviderConfig,
    updateMask: { paths: ['jwksUrl'] },
  })
}

/** A package and its upgrade. */
export async function uploadPackages({ url, tokenOf }: Making): Promise<void> {
  const token = await tokenOf(ADMIN)
  for (const version of ['1.0.0', '1.1.0']) {
    const main = deal(version, 'amount: Int64, note: Text')
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await call(url, 'POST /v2/dars', {
      token,
      raw: new Uint8Array(dar({ main })),
      headers,
    })
    assert.equal(answer.status, 200, answer.text)
  }
}

/** Local parties: with annotations, of a provider, of one that is deactivated. */
export async function makeParties(making: Making): Promise<void> {
  const { done, kept } = making
  const allocate = async (name: string, rest: object = {}): Promise<void> => {
    const answer = await done(ADMIN, 'POST /v2/parties', { partyIdHint: name, ...rest })
    kept.parties[name] = textAt(answer, 'partyDetails', 'party')
  }
  await allocate('issuer', {
    localMetadata: {
      annotations: { department: 'treasury', 'example.org/note': 'größer 😀\n"x"' },
    },
  })
  await allocate('household')
  await allocate('tenant', { identityProviderId: kept.issuer.provider })
  await allocate('sleeper', { identityProviderId: 'dormant' })
}

/**
 * Users without a wallet: each kind of right, annotations, a primary party, deactivated ones, ones
 * of other providers.
 */
export async function makeUsers(making: Making): Promise<void> {
  const { done, kept } = making
  const { provider } = kept.issuer
  const add = (id: string, user: object = {}, ...rights: readonly object[]): Promise<unknown> =>
    done(ADMIN, 'POST /v2/users', {
      user: { id, ...user },
      rights: rights.map((kind) => ({ kind })),
    })
  const of = (kind: string, name: string): object => ({
    [kind]: { value: { party: idOf(making, name) } },
  })
  const any = (kind: string): object => ({ [kind]: { value: {} } })
  await add(
    'clerk',
    {
      primaryParty: idOf(making, 'issuer'),
      metadata: { annotations: { team: 'ops', note: '\u2028"é"' } },
    },
    of('CanActAs', 'issuer'),
    of('CanReadAs', 'household'),
    of('CanExecuteAs', 'issuer'),
  )
  await add('shop', {}, of('CanActAs', 'issuer'), of('CanActAs', 'ivan'))
  await add('auditor', {}, any('CanReadAsAnyParty'))
  await add('executor', {}, any('CanExecuteAsAnyParty'))
  await add('deputy', { isDeactivated: true }, any('ParticipantAdmin'))
  await add('acme-admin', { identityProviderId: provider }, any('IdentityProviderAdmin'))
  await add(
    'acme-clerk',
    { identityProviderId: provider, primaryParty: idOf(making, 'tenant') },
    of('CanActAs', 'tenant'),
  )
  await add(
    'keyholder',
    { primaryParty: idOf(making, 'vault'), primaryPartyAuthentication: true },
    of('CanReadAs', 'vault'),
    of('CanExecuteAs', 'vault'),
  )
  await add('reader', { primaryParty: idOf(making, 'alice') }, of('CanReadAs', 'alice'))
  await add(
    'dormouse',
    { identityProviderId: 'dormant', primaryParty: idOf(making, 'sleeper') },
    of('CanReadAs', 'sleeper'),
  )
}

/**
 * Wallets: by the operator, by oneself, of a provider's user, of one who moved to the provider, two
 * on one party, one whose user is deactivated, one that was offboarded, and one whose user was
 * deleted.
 */
export async function makeWallets(making: Making): Promise<void> {
  const { done, kept } = making
  const { provider } = kept.issuer
  const onboard = async (name: string, rest: object = {}): Promise<void> => {
    kept.parties[name] = textAt(
      await done(OPERATOR, 'POST /v0/admin/users', { name, ...rest }),
      'party_id',
    )
  }
  for (const user of [OPERATOR, 'alice', 'bob']) {
    kept.parties[user] = textAt(await done(user, 'GET /v0/wallet/user-status'), 'party_id')
    kept.wallets.push({ user, provider: '', party: idOf(making, user) })
  }
  for (const name of ['carol', 'dave']) await onboard(name, { party_id: idOf(making, 'household') })
  for (const name of ['dan', 'erin', 'frank', 'heidi', 'judy']) await onboard(name)
  kept.parties['ivan'] = textAt(await done('ivan', 'POST /v0/register', {}), 'party_id')
  await done(ADMIN, 'POST /v2/users', { user: { id: 'grace', identityProviderId: provider } })
  kept.parties['grace'] = textAt(await done('grace', 'POST /v0/register', {}), 'party_id')
  await done(ADMIN, 'PATCH /v2/users/heidi/identity-provider-id', {
    userId: 'heidi',
    sourceIdentityProviderId: '',
    targetIdentityProviderId: provider,
  })
  for (const user of ['carol', 'dave', 'frank', 'ivan'])
    kept.wallets.push({ user, provider: '', party: idOf(making, user) })
  for (const user of ['grace', 'heidi'])
    kept.wallets.push({ user, provider, party: idOf(making, user) })
}

/** Ends some of the wallets once they have coin. */
export async function endWallets(making: Making): Promise<void> {
  const { done, kept } = making
  const party = idOf(making, 'judy')
  await done(ADMIN, 'PATCH /v2/users/judy/rights', {
    userId: 'judy',
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  })
  await done(OPERATOR, 'POST /v0/admin/users/offboard?username=dan')
  kept.gone.push({ user: 'dan', party: idOf(making, 'dan'), how: 'offboarded' })
  await done(ADMIN, 'DELETE /v2/users/erin')
  kept.gone.push({ user: 'erin', party: idOf(making, 'erin'), how: 'deleted' })
  await done(ADMIN, 'PATCH /v2/users/frank', {
    user: { id: 'frank', isDeactivated: true },
    updateMask: { paths: ['isDeactivated'] },
  })
}

/** A party by the operator's endpoints, with a key that is kept. */
export async function hostParty(making: Making, name: string): Promise<void> {
  const key = newPartyKey()
  const holder = holderOf(key)
  const generated = await generate(making, name, holder)
  await making.done(
    OPERATOR,
    'POST /v0/admin/external-party/topology/submit',
    signedTopology(generated, holder),
  )
  making.kept.parties[name] = generated.party
  making.kept.partyKeys[generated.party] = key
}

/** A party by the ledger interface, whose user may prepare and execute for it. */
export async function allocateOutside(making: Making, name: string, userId: string): Promise<void> {
  const {
    done,
    network: { participant, synchronizer },
    kept,
  } = making
  const key = newPartyKey()
  const holder = holderOf(key)
  const party = `${name}::${holder.fingerprint}`
  const wrapper = hostingTransaction({
    party,
    threshold: 1,
    hosts: [[participant, 2]],
    keys: [holder],
  })
  await done(ADMIN, 'POST /v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: [{ transaction: base64(wrapper) }],
    multiHashSignatures: [signatureOf(holder, multiHashOf([wrapper]))],
    userId,
  })
  kept.parties[name] = party
  kept.partyKeys[party] = key
}
