// Scan over HTTP: what the seed and the operator's operations produced, read by anybody, and bad
// input, which is never a 5xx. docs/economy-rules.md, "Scan" and "Wallet answers"; spec/scan.yaml;
// docs/ledger-rules.md, "Errors"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const SCAN = '/api/scan'
const PROXY = '/api/validator/v0/scan-proxy'
const FAR = '2999-01-01T00:00:00Z'
const LATEST = { migration_id: 0, record_time: FAR, record_time_match: 'at_or_before' }

let service: Service
let operator: string
let dso: string

async function scan(line: string, body?: unknown): Promise<Answer> {
  return call(service.url, line.replace(' ', ` ${SCAN}`), body === undefined ? {} : { body })
}

async function ok(answer: Promise<Answer>): Promise<unknown> {
  const { status, json, text } = await answer
  assert.equal(status, 200, text)
  return json
}

async function operate(line: string, body: unknown): Promise<unknown> {
  return ok(call(service.url, line.replace(' ', ' /api/validator'), { token: operator, body }))
}

function listAt(json: unknown, key: string): readonly unknown[] {
  const value = member(json, key)
  assert.ok(Array.isArray(value), key)
  return value
}

function path(json: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(member, json)
}

for (const storage of storesFor('scan')) {
  describe(`scan over HTTP on ${storage.name}`, () => {
    before(async () => {
      service = await startService({
        config: {
          storage: await storage.section(),
          clock: 'simulated',
          validator: { pollMs: 50 },
          server: { responseCheck: 'throw' },
        },
        seeded: true,
      })
      operator = await service.token('operator')
      dso = String(member((await scan('GET /v0/dso-party-id')).json, 'dso_party_id'))
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('discovery tells of one scan, no sequencer, and a history that is whole', async () => {
      const { json: dsoInfo } = await scan('GET /v0/dso')
      const domainId = String(path(dsoInfo, 'coin_rules', 'domain_id'))
      assert.deepEqual(await ok(scan('GET /v0/scans')), {
        scans: [{ domainId, scans: [{ publicUrl: 'http://127.0.0.1:8080', svName: 'sv-1' }] }],
      })
      assert.deepEqual(await ok(scan('GET /v0/dso-sequencers')), {
        domainSequencers: [{ domainId, sequencers: [] }],
      })
      assert.deepEqual(await ok(scan('GET /v0/sv-bft-sequencers')), { bftSequencers: [] })
      assert.deepEqual(await ok(scan('GET /v0/roll-forward-lsu')), {})
      assert.deepEqual(await ok(scan('GET /v0/backfilling/status')), { complete: true })
      const migration = 'POST /v0/backfilling/migration-info'
      const info = await ok(scan(migration, { migration_id: 0 }))
      assert.deepEqual(
        [path(info, 'complete'), path(info, 'record_time_range', '0', 'synchronizer_id')],
        [true, domainId],
      )
      assert.equal((await scan(migration, { migration_id: 1 })).status, 404)
      const hosts = (party: string): string =>
        `GET /v1/domains/${domainId}/parties/${encodeURIComponent(party)}/participant-id`
      const user = 'GET /api/validator/v0/validator-user'
      const validator = await ok(call(service.url, user, { token: operator }))
      const found = await ok(scan(hosts(String(member(validator, 'party_id')))))
      assert.equal(listAt(found, 'participant_ids').length, 1)
      assert.equal((await scan(hosts('nobody::12'))).status, 404)
    })

    test('rounds that the service moves on are told relative to a cache', async () => {
      const none = {
        cached_open_mining_round_contract_ids: [],
        cached_issuing_round_contract_ids: [],
      }
      const first = await ok(scan('POST /v0/open-and-issuing-mining-rounds', none))
      const held = Object.keys(Object(member(first, 'open_mining_rounds')))
      assert.equal(held.length, 3)
      assert.equal(
        (await scan('GET /v0/internal/reward-accounting-process/rounds/earliest-available')).status,
        404,
      )
      await operate('POST /v0/admin/clock', { advance_microseconds: 600_000_000 })
      const cached = { ...none, cached_open_mining_round_contract_ids: held }
      await eventuallyHolds('a round is issuing', async () => {
        const answer = await ok(scan('POST /v0/open-and-issuing-mining-rounds', cached))
        return Object.keys(Object(member(answer, 'issuing_mining_rounds'))).length === 1
      })
      const open: Record<string, unknown> = Object(
        member(
          await ok(scan('POST /v0/open-and-issuing-mining-rounds', cached)),
          'open_mining_rounds',
        ),
      )
      assert.equal(Object.keys(open).length, 3)
      assert.equal(
        Object.values(open).filter((each) => member(each, 'contract') !== undefined).length,
        1,
        'one is new',
      )
      assert.equal(held.filter((id) => open[id] === undefined).length, 1, 'one is gone')
      const earliest = await ok(
        scan('GET /v0/internal/reward-accounting-process/rounds/earliest-available'),
      )
      assert.deepEqual(earliest, { earliest_round: 0 })
    })

    test('the old path of the earliest round says where the new one is', async () => {
      const moved = await fetch(
        `${service.url}${SCAN}/v0/reward-accounting-process/rounds/earliest-available`,
        { redirect: 'manual' },
      )
      assert.equal(moved.status, 308)
      assert.equal(
        moved.headers.get('location'),
        `${SCAN}/v0/internal/reward-accounting-process/rounds/earliest-available`,
      )
    })

    test("traffic of the seed's purchase, of participants that nobody knows, of members that are none", async () => {
      const rules = path(await ok(scan('POST /v0/coin-rules', {})), 'coin_rules_update')
      const domain = String(member(rules, 'domain_id'))
      const party = String(
        member(
          (await call(service.url, 'GET /api/validator/v0/wallet/user-status', { token: operator }))
            .json,
          'party_id',
        ),
      )
      const participant = member(
        await ok(scan(`GET /v0/domains/${domain}/parties/${party}/participant-id`)),
        'participant_id',
      )
      const status = path(
        await ok(scan(`GET /v0/domains/${domain}/members/${String(participant)}/traffic-status`)),
        'traffic_status',
      )
      assert.equal(path(status, 'target', 'total_purchased'), 1_000_000_000)
      for (const [id, expected] of [
        ['PAR::x::12', 404],
        ['MED::x::12', 404],
        ['XYZ::x::12', 400],
        ['PAR', 400],
        ['PAR::x', 400],
      ] as const) {
        assert.equal(
          (await scan(`GET /v0/domains/${domain}/members/${id}/traffic-status`)).status,
          expected,
          id,
        )
      }
    })

    test('a vote is found while it is open and counted once it is closed', async () => {
      const action = {
        tag: 'ARC_DsoRules',
        value: {
          dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'app::12' } },
        },
      }
      const requested = await operate('POST /v0/admin/network/votes', {
        action,
        reason: { url: '', body: 'try it' },
      })
      const id = String(member(requested, 'vote_request_contract_id'))
      assert.equal(
        path(await ok(scan(`GET /v0/voterequests/${id}`)), 'dso_rules_vote_request', 'contract_id'),
        id,
      )
      assert.deepEqual(await ok(scan('POST /v0/admin/sv/voteresults/count', {})), { count: 0 })
      await operate(`POST /v0/admin/network/votes/${id}/close`, {})
      assert.equal((await scan(`GET /v0/voterequests/${id}`)).status, 404)
      assert.deepEqual(
        await ok(
          scan('POST /v0/admin/sv/voteresults/count', {
            accepted: true,
            actionName: 'SRARC_GrantFeaturedAppRight',
          }),
        ),
        { count: 1 },
      )
      assert.deepEqual(await ok(scan('POST /v0/admin/sv/voteresults/count', { accepted: false })), {
        count: 0,
      })
      const results = await ok(scan('POST /v0/admin/sv/voteresults', { limit: 1 }))
      assert.deepEqual(
        path(listAt(results, 'dso_rules_vote_results')[0], 'request', 'action'),
        action,
      )
      assert.equal(
        member(await ok(scan('GET /v0/featured-apps/app::12')), 'featured_app_right') === undefined,
        false,
      )
    })

    test('a snapshot, its contracts and sums, and the updates that led to it', async () => {
      const taken = await ok(scan('POST /v0/state/acs/force', undefined))
      const time = await ok(
        scan(`GET /v0/state/acs/snapshot-timestamp?before=${FAR}&migration_id=0`),
      )
      assert.equal(member(time, 'record_time'), member(taken, 'record_time'))
      const bob = String(
        member(
          (
            await call(service.url, 'GET /api/validator/v0/wallet/user-status', {
              token: await service.token('bob'),
            })
          ).json,
          'party_id',
        ),
      )
      const query = { ...LATEST, owner_party_ids: [bob] }
      for (const summary of [
        await ok(scan('POST /v1/holdings/summary', query)),
        await ok(call(service.url, `POST ${PROXY}/holdings/summary`, { body: query })),
      ]) {
        assert.equal(
          path(listAt(summary, 'summaries')[0], 'total_coin_holdings'),
          '20000.0000000000',
        )
      }
      const coins = await ok(
        scan('POST /v2/state/acs', {
          ...LATEST,
          page_size: 10,
          party_ids: [bob],
          templates: ['network-coin:Network.Coin:Coin'],
        }),
      )
      const [coin] = listAt(coins, 'created_events')
      const update = await ok(
        scan(`GET /v2/updates/${String(member(coin, 'created_in_update_id'))}`),
      )
      const contractIds = Object.values(Object(member(update, 'events_by_id'))).map((event) =>
        member(event, 'contract_id'),
      )
      assert.ok(contractIds.includes(member(coin, 'contract_id')))
      const earlier = { ...LATEST, page_size: 10, owner_party_ids: [bob] }
      const whole = await ok(scan('POST /v0/holdings/state', earlier))
      assert.equal(member(whole, 'next_page_token'), null)
      const events = listAt(whole, 'created_events')
      const event = events.find((one) => member(one, 'contract_id') === member(coin, 'contract_id'))
      const { [String(member(event, 'event_id'))]: creation } = Object(
        member(update, 'events_by_id'),
      )
      assert.deepEqual(creation, event)
      const first = listAt(await ok(scan('POST /v2/updates', { page_size: 2 })), 'transactions')
      const afterFirst = {
        after_migration_id: 0,
        after_record_time: member(first[0], 'record_time'),
      }
      const second = listAt(
        await ok(scan('POST /v2/updates', { page_size: 1, after: afterFirst })),
        'transactions',
      )
      assert.deepEqual(second, first.slice(1))
    })

    test('every scan-proxy path answers as scan does', async () => {
      const same = [
        ['coin-rules', 'GET'],
        ['dso-party-id', 'GET'],
        ['dso', 'GET'],
        ['unclaimed-development-fund-coupons', 'GET'],
        ['open-and-issuing-mining-rounds', 'GET'],
      ]
      for (const [name, method] of same)
        assert.ok(await ok(call(service.url, `${method} ${PROXY}/${name}`)), name)
      assert.deepEqual(await ok(call(service.url, `GET ${PROXY}/dso-party-id`)), {
        dso_party_id: dso,
      })
      assert.ok(
        path(
          await ok(call(service.url, `POST ${PROXY}/ans-rules`, { body: {} })),
          'ans_rules_update',
          'contract',
        ),
      )
      assert.deepEqual(await ok(call(service.url, `GET ${PROXY}/featured-apps/nobody::12`)), {})
      for (const missing of [
        'transfer-preapprovals/by-party/a::12',
        'transfer-command-counter/a::12',
        'transfer-command/status?sender=a::12&nonce=0',
      ]) {
        assert.equal((await call(service.url, `GET ${PROXY}/${missing}`)).status, 404, missing)
      }
    })

    test('every plain read conforms to the document', async () => {
      const plain = [
        'closed-rounds',
        'featured-apps',
        'featured-apps/by-provider/x::12',
        'featured-apps/by-contract-id/00ff',
        'network-instance-names',
        'feature-support',
        'admin/sv/voterequests',
        'coin-price/votes',
        'unclaimed-development-fund-coupons',
      ]
      for (const name of plain) await ok(scan(`GET /v0/${name}`))
      const [licence] = listAt(
        await ok(scan('GET /v0/admin/validator/licenses')),
        'validator_licenses',
      )
      const validator = String(path(licence, 'payload', 'validator'))
      await eventuallyHolds('the validator is alive', async () => {
        const faucets = await ok(
          scan(`GET /v0/validators/validator-faucets?validator_ids=${validator}`),
        )
        return listAt(faucets, 'validatorsReceivedFaucets').length === 1
      })
      assert.equal((await scan('GET /v0/migrations/schedule')).status, 404)
      await ok(scan('POST /v0/external-party-coin-rules', {}))
      const owners = { ...LATEST, owner_party_ids: [validator], page_size: 3 }
      for (const place of ['/v0/holdings/state', '/v1/holdings/state', '/v2/holdings/state'])
        await ok(scan(`POST ${place}`, owners))
      await ok(
        scan(
          'GET /v0/state/acs/snapshot-timestamp-after?after=2000-01-01T00:00:00Z&migration_id=0',
        ),
      )
    })

    test('texts that no schema can tell from good ones are refused', async () => {
      const acs = { ...LATEST, page_size: 10 }
      const holdings = { ...acs, owner_party_ids: ['a::12'] }
      const bad: readonly (readonly [string, unknown])[] = [
        ...['/v0/state/acs', '/v1/state/acs', '/v2/state/acs'].flatMap((place) =>
          [
            { ...acs, templates: ['Coin'] },
            { ...acs, templates: ['#network-coin:Network.Coin:Coin'] },
            { ...acs, party_ids: ['\0'] },
            { ...acs, after: '!!' },
          ].map((body) => [place, body] as const),
        ),
        ['/v1/state/acs', { ...acs, after: -1 }],
        ['/v2/holdings/state', { ...holdings, record_time: '2027-02-30T99:00:00Z' }],
        ['/v2/holdings/state', { ...holdings, after: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw' }],
        ['/v0/holdings/summary', { ...holdings, owner_party_ids: ['\ud800'] }],
        ['/v0/holdings/summary', { ...holdings, as_of_round: -1 }],
        ['/v2/updates', { page_size: 1, after: { after_migration_id: 0, after_record_time: '' } }],
        ['/v0/admin/sv/voteresults', { limit: 1, pageToken: -1 }],
        ['/v0/admin/sv/voteresults/count', { effectiveFrom: 'x' }],
        ['/v0/voterequest', { vote_request_contract_ids: [null] }],
      ]
      for (const [place, body] of bad) {
        const { status, json, text } = await scan(`POST ${place}`, body)
        assert.equal(status, 400, `${place} ${JSON.stringify(body)}: ${text}`)
        assert.equal(typeof member(json, 'error'), 'string')
      }
    })

    test('numbers at the ends of their range find nothing and break nothing', async () => {
      const most = 2n ** 63n - 1n
      const raw = (place: string, body: string) =>
        call(service.url, `POST ${SCAN}${place}`, {
          raw: body,
          headers: { 'content-type': 'application/json' },
        })
      const acs = `"migration_id":0,"record_time":"${FAR}","record_time_match":"at_or_before","page_size":1`
      assert.deepEqual(
        listAt(await ok(raw('/v1/state/acs', `{${acs},"after":${most}}`)), 'created_events'),
        [],
      )
      assert.equal(
        (
          await raw(
            '/v1/state/acs',
            `{"migration_id":${most},"record_time":"${FAR}","page_size":1}`,
          )
        ).status,
        404,
      )
      assert.equal(
        (
          await raw(
            '/v1/state/acs',
            `{"migration_id":${-most},"record_time":"0001-01-01T00:00:00Z","page_size":1}`,
          )
        ).status,
        400,
      )
      assert.deepEqual(
        listAt(
          await ok(scan(`GET /v0/admin/validator/licenses?after=${most}&limit=1000`)),
          'validator_licenses',
        ).length,
        1,
      )
      assert.equal(
        (await scan(`GET /v0/transfer-command/status?sender=a::12&nonce=${most}`)).status,
        404,
      )
      assert.equal((await scan(`GET /v0/admin/validator/licenses?after=${most + 1n}`)).status, 400)
    })
  })
}
