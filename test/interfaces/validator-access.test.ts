// Who reaches which operation of the validator: its document's access rules under the guard, with
// stored users. domain/wire.md §0.5
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { wire } from '../../generated/validator/routes.gen.ts'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import type { AuthService } from '../../runtime/index.ts'
import { LedgerGuard } from '../../runtime/access/guard.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'

const store = createMemoryStore()
/** A token is `<user>@<identity provider>`. */
const auth: AuthService = {
  authenticate: (token) => {
    const [userId = '', identityProviderId = ''] = token.split('@')
    return { kind: 'user', user: { userId, identityProviderId } }
  },
}
const directory = new PrincipalDirectory(store, systemClock)
const OPERATOR = 'validator::1220ba5e'
const options = {
  auth: [auth],
  directory,
  webSocketTokenPrefix: 'jwt.token.',
  operatorParty: OPERATOR,
  ignoresNeedlessTokens: true,
}
const guard = new LedgerGuard(options)
const closedGuard = new LedgerGuard({ ...options, closed: new Set(['scan-proxy']) })

const USERS = [
  {
    id: 'alice',
    primaryParty: 'alice::1220a11c',
    rights: [{ kind: 'CanActAs', party: 'alice::1220a11c' }],
  },
  {
    id: 'reader',
    primaryParty: 'alice::1220a11c',
    rights: [{ kind: 'CanReadAs', party: 'alice::1220a11c' }],
  },
  { id: 'partyless', primaryParty: '', rights: [] },
  {
    id: 'gone',
    primaryParty: 'gone::1220',
    rights: [{ kind: 'CanActAs', party: 'gone::1220' }],
    isDeactivated: true,
  },
  {
    id: 'operator',
    primaryParty: OPERATOR,
    rights: [
      { kind: 'CanActAs', party: OPERATOR },
      { kind: 'ParticipantAdmin', party: '' },
    ],
  },
  {
    id: 'other-admin',
    primaryParty: 'other::1220',
    rights: [
      { kind: 'CanActAs', party: 'other::1220' },
      { kind: 'CanActAs', party: OPERATOR },
      { kind: 'ParticipantAdmin', party: '' },
    ],
  },
  { id: 'powerless', primaryParty: OPERATOR, rights: [{ kind: 'ParticipantAdmin', party: '' }] },
]

const NO_PARTY = {
  primaryParty: '',
  isDeactivated: false,
  primaryPartyAuthentication: false,
  identityProviderId: '',
  annotations: {},
}

before(async () => {
  for (const { rights, ...user } of USERS)
    await store.users.create({ ...NO_PARTY, ...user }, rights)
  const given = 'alice::1220a11c'
  await store.parties.allocate(
    { party: given, isLocal: true, identityProviderId: '', annotations: {}, topology: '' },
    undefined,
  )
  for (const userId of ['alice', 'reader']) {
    await store.wallets.open({
      userId,
      identityProviderId: '',
      createsUser: false,
      party: { given },
      grantsActAs: false,
      maxRights: 9,
    })
  }
})

async function reach(operationId: string, token?: string, by = guard): Promise<string> {
  const operation = wire.operations.find((known) => known.operationId === operationId)
  assert.ok(operation, operationId)
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const identity = await by.authenticate(
    { authorization, webSocketProtocol: undefined, remoteAddress: '' },
    operation,
  )
  if (identity.kind === 'refused') return 'refused'
  const decision = await by.authorize(operation, identity, {
    path: {},
    query: {},
    headers: {},
    cookies: {},
    body: undefined,
  })
  return decision.allowed ? 'passes' : decision.cause
}

const CALLERS = [
  'alice',
  'reader',
  'partyless',
  'operator',
  'gone',
  'newcomer',
  'alice@elsewhere',
  undefined,
]
const REACHED: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    [
      'getBalance',
      'createTransferOffer',
      'createTokenStandardTransfer',
      'withdrawMintingDelegationProposal',
      'getMergeDelegation',
    ],
    ['passes', 'forbidden', 'passes', 'passes', 'refused', 'passes', 'passes', 'unauthenticated'],
  ],
  [
    ['register', 'userStatus', 'featureSupport'],
    ['passes', 'passes', 'passes', 'passes', 'refused', 'passes', 'passes', 'unauthenticated'],
  ],
  [
    ['onboardUser', 'setClock', 'cancelTransferPreapprovalByParty'],
    [
      'forbidden',
      'forbidden',
      'forbidden',
      'passes',
      'refused',
      'refused',
      'refused',
      'unauthenticated',
    ],
  ],
]

for (const [operations, answers] of REACHED) {
  for (const operation of operations) {
    test(`who reaches ${operation}`, async () => {
      const found = await Promise.all(
        CALLERS.map(async (token) => [token, await reach(operation, token)]),
      )
      assert.deepEqual(
        found,
        CALLERS.map((token, at) => [token, answers[at]]),
      )
    })
  }
}

test('validator-user and the scan proxy ask for no token', async () => {
  for (const { operationId, path } of wire.operations) {
    if (path.startsWith('/v0/scan-proxy/') || path === '/v0/validator-user')
      assert.equal(await reach(operationId), 'passes', operationId)
  }
})

test('an admin with a party of its own, and one who may not act as the operator, are no operators', async () => {
  for (const { operationId, access } of wire.operations) {
    if (!JSON.stringify(access).includes('validator-operator')) continue
    assert.equal(await reach(operationId, 'other-admin'), 'forbidden', operationId)
    assert.equal(await reach(operationId, 'powerless'), 'forbidden', operationId)
  }
})

test('where no token is needed, none is refused', async () => {
  for (const token of ['newcomer', 'gone', 'alice@elsewhere', 'a b']) {
    assert.equal(await reach('getValidatorUserInfo', token), 'passes')
    assert.equal(await reach('getDsoPartyId', token), 'passes')
  }
})

test('a closed scan proxy asks for a token of a user, or of a subject that is no user yet; validator-user stays open', async () => {
  for (const { operationId, path } of wire.operations.filter((operation) =>
    operation.path.startsWith('/v0/scan-proxy/'),
  )) {
    const found = await Promise.all(
      [undefined, 'gone', 'newcomer', 'alice'].map((token) =>
        reach(operationId, token, closedGuard),
      ),
    )
    assert.deepEqual(found, ['unauthenticated', 'refused', 'passes', 'passes'], path)
  }
  assert.equal(await reach('getValidatorUserInfo', undefined, closedGuard), 'passes')
})

test('a newcomer is not kept: who has registered is found', async () => {
  assert.equal(await reach('userStatus', 'fresh'), 'passes')
  assert.equal(await reach('onboardUser', 'fresh'), 'refused')
  await store.users.create({ ...NO_PARTY, id: 'fresh' }, [])
  assert.equal(await reach('onboardUser', 'fresh'), 'forbidden')
})
