// A key that an admin of a provider plants with a user who has no wallet yet opens none later: the
// wallet's party has no keys of its own, so that no key but the provider's speaks for its user.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eddsa, makeToken, secondsFromNow } from '../../runtime/testing/auth/tokens.ts'
import { generate, newKey, signHex } from '../external/kit.ts'
import { ALLOCATE } from '../nodes/outside-party.ts'
import { call } from '../support/http.ts'
import { onEachStore, right, WALLET } from './kit.ts'

onEachStore('a planted key', 'production', (opened) => {
  test('lets its holder in as a user without a wallet, and no more once there is one', async () => {
    const world = opened()
    const holder = newKey()
    const asOperator = (_who: string, line: string, body?: unknown): Promise<unknown> =>
      world.done('operator', line.replace(' ', ' /api/validator'), body)
    const { party, transactions } = await generate({ done: asOperator }, 'planted', holder)
    const ids = await world.done('participant_admin', 'GET /v2/state/connected-synchronizers')
    const [first]: unknown[] = Object(member(ids, 'connectedSynchronizers'))
    const synchronizer = String(member(first, 'synchronizerId'))
    const signatureOf = (hash: string) => ({
      format: 'SIGNATURE_FORMAT_CONCAT',
      signature: Buffer.from(signHex(holder, hash), 'hex').toString('base64'),
      signedBy: holder.fingerprint,
      signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
    })
    await world.done('admin-p@p', ALLOCATE, {
      synchronizer,
      identityProviderId: 'p',
      onboardingTransactions: transactions.map(({ topology_tx, hash }) => ({
        transaction: topology_tx,
        signatures: [signatureOf(hash)],
      })),
    })
    await world.done('admin-p@p', 'POST /v2/users', {
      user: {
        id: 'victim',
        identityProviderId: 'p',
        primaryParty: party,
        primaryPartyAuthentication: true,
      },
      rights: [right('CanActAs', party)],
    })
    const node = await world.done('participant_admin', 'GET /v2/parties/participant-id')
    const aud = [String(member(node, 'participantId')), synchronizer]
    const { privateKey, fingerprint: kid } = holder
    const token = makeToken(
      { alg: 'EdDSA', kid },
      { iss: party, sub: 'victim', aud, exp: secondsFromNow(600) },
      eddsa({ kid, privateKey, publicKey: createPublicKey(privateKey) }),
    )
    const asks = (line: string): Promise<{ readonly status: number }> =>
      call(world.service.url, line, { token })
    assert.equal((await asks('GET /v2/authenticated-user')).status, 200)
    await world.register('victim@p')
    assert.equal((await asks(`GET ${WALLET}/balance`)).status, 401)
    assert.equal((await asks('GET /v2/authenticated-user')).status, 401)
    assert.equal(await world.balanceOf('victim@p'), '0.0000000000')
  })
})
