// A token that a party signs lets its user in at the node and on the ledger that it names, as long
// as the node hosts the party. docs/authentication.md
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { eddsa, makeToken, secondsFromNow } from '../../runtime/testing/auth/tokens.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { participantOf, startNodes, synchronizerOf } from './kit.ts'
import type { TestNode } from './kit.ts'
import { ALLOCATE, newOutsider, signedHosting } from './outside-party.ts'

const USER = 'dora'

/** Allocates the party with the hosting that its keys sign, and its user. */
async function host(
  node: TestNode,
  own: ReturnType<typeof newOutsider>,
  serial: number,
): Promise<void> {
  const { request } = await signedHosting(own, [node], serial)
  await node.done('participant_admin', ALLOCATE, request)
  const user = { id: USER, primaryParty: own.party, primaryPartyAuthentication: true }
  const rights = [{ kind: { CanReadAs: { value: { party: own.party } } } }]
  await node.done('participant_admin', 'POST /v2/users', { user, rights })
}

async function letsIn({ url }: TestNode, token: string): Promise<boolean> {
  const { status, text } = await call(url, 'GET /v2/authenticated-user', { token })
  assert.ok(status === 200 || status === 401, text)
  return status === 200
}

for (const storage of storesFor('nodes'))
  test(`a token of a party ends when the party moves, on ${storage.name}`, async () => {
    const { user: home, provider: next, stop } = await startNodes(storage)
    try {
      const own = newOutsider(USER)
      const [holder] = own.holders
      assert.ok(holder)
      const { privateKey, fingerprint: kid } = holder
      const pair = { kid, privateKey, publicKey: createPublicKey(privateKey) }
      const tokenFor = async (node: TestNode): Promise<string> => {
        const aud = [await participantOf(node), await synchronizerOf(node)]
        const claims = { iss: own.party, sub: USER, aud, exp: secondsFromNow(600) }
        return makeToken({ alg: 'EdDSA', kid }, claims, eddsa(pair))
      }
      await host(home, own, 1)
      const token = await tokenFor(home)
      assert.equal(await letsIn(home, token), true)
      await host(next, own, 2)
      await eventually(false, () => letsIn(home, token))
      assert.equal(await letsIn(home, await tokenFor(home)), false)
      assert.equal(await letsIn(next, token), false)
      assert.equal(await letsIn(next, await tokenFor(next)), true)
    } finally {
      await stop()
      await storage.release()
    }
  })
