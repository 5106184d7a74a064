// A network under other names: what configuration puts in place of our neutral ones is what
// contracts write and registries announce.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../support/service.ts'

const service = await startService({
  seeded: true,
  config: {
    storage: { use: 'memory' },
    wireNames: { instrumentId: 'Thaler', metadataKeyPrefix: 'thaler.example.org/' },
  },
})
after(() => service.stop())

async function call(
  path: string,
  user: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = {
    authorization: `Bearer ${await service.token(user)}`,
    'content-type': 'application/json',
  }
  const response = await fetch(service.url + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  assert.equal(response.status, 200, JSON.stringify(answer))
  assert.ok(isObject(answer))
  return answer
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

test('a transfer by the token standard speaks of the configured instrument under the configured keys', async () => {
  const { party_id: receiver } = await call('/api/validator/v0/wallet/user-status', 'bob')
  const wallet = '/api/validator/v0/wallet/token-standard/transfers'
  await call(wallet, 'alice', {
    receiver_party_id: receiver,
    amount: '1',
    description: 'Rent',
    tracking_id: 'rent-1',
    expires_at: (Date.now() + 3_600_000) * 1_000,
  })
  const listed = JSON.stringify(await call(wallet, 'bob'))
  assert.match(listed, /"id":"Thaler"/)
  assert.match(listed, /"thaler\.example\.org\/reason":"Rent"/)
  assert.match(
    JSON.stringify(await call('/registry/metadata/v1/instruments', 'bob')),
    /"id":"Thaler"/,
  )
})
