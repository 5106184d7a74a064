// An update carries the trace of the request that led to it, also where the wallet's queue and its
// completion stand between the two; what no request asked for has a trace of its own.
// docs/ledger-rules.md, "Updates"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const HOUR_MICROS = 3_600_000_000

let service: Service
const tokens = new Map<string, string>()
const parties = new Map<string, string>()

async function wallet(
  user: string,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const options = {
    token: tokens.get(user) ?? '',
    headers,
    ...(body === undefined ? {} : { body }),
  }
  const { status, json, text } = await call(
    service.url,
    line.replace(' ', ' /api/validator/v0/wallet/'),
    options,
  )
  assert.equal(status, 200, text)
  return json
}

const traceId = (n: number) => n.toString(16).padStart(32, 'a')
const traceparent = (n: number) => ({
  traceparent: `00-${traceId(n)}-b7ad6b7169203331-01`,
  tracestate: `vendor=${n}`,
})

/** Traces of the updates that alice sees, from the newest to the oldest. */
async function traces(): Promise<readonly unknown[]> {
  const token = tokens.get('alice') ?? ''
  const end = await call(service.url, 'GET /v2/state/ledger-end', { token })
  const found: unknown[] = []
  for (let offset = Number(member(end.json, 'offset')); offset > 0; offset--) {
    const query = `parties=${encodeURIComponent(parties.get('alice') ?? '')}`
    const { status, json } = await call(
      service.url,
      `GET /v2/updates/transaction-tree-by-offset/${offset}?${query}`,
      { token },
    )
    if (status === 200) found.push(member(member(json, 'transaction'), 'traceContext'))
  }
  return found
}

const idOf = (trace: unknown) => String(member(trace, 'traceparent')).split('-')[1]

for (const storage of storesFor('wallet traces')) {
  describe(`traces on ${storage.name}`, () => {
    before(async () => {
      service = await startService({ config: { storage: await storage.section() }, seeded: true })
      for (const user of ['alice', 'bob']) {
        tokens.set(user, await service.token(user))
        parties.set(user, String(member(await wallet(user, 'GET user-status'), 'party_id')))
      }
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test("requests that wait for one party's coins keep their traces apart", async () => {
      const taps = [1, 2, 3, 4]
      await Promise.all(
        taps.map((n) =>
          wallet('alice', 'POST tap', { amount: '1.0', command_id: `tap-${n}` }, traceparent(n)),
        ),
      )
      const seen = await traces()
      for (const n of taps) {
        const trace = seen.find((candidate) => idOf(candidate) === traceId(n))
        assert.equal(member(trace, 'tracestate'), `vendor=${n}`)
      }
    })

    test('the payment of an accepted offer belongs to the acceptance, no poll makes it', async () => {
      const terms = {
        receiver_party_id: parties.get('bob'),
        amount: '1.5',
        description: '',
        tracking_id: 'traced',
        expires_at: Date.now() * 1000 + HOUR_MICROS,
      }
      const made = await wallet('alice', 'POST transfer-offers', terms, traceparent(10))
      await wallet(
        'bob',
        `POST transfer-offers/${String(member(made, 'offer_contract_id'))}/accept`,
        undefined,
        traceparent(11),
      )
      for (let status: unknown; status !== 'completed';)
        status = member(await wallet('alice', 'POST transfer-offers/traced/status'), 'status')
      const ids = (await traces()).map(idOf)
      assert.equal(ids.filter((id) => id === traceId(10)).length, 1)
      assert.equal(ids.filter((id) => id === traceId(11)).length, 2, 'acceptance and payment')
    })

    test('every update has a trace', async () => {
      for (const trace of await traces())
        assert.match(
          String(member(trace, 'traceparent')),
          /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/,
        )
    })
  })
}
