// Scan over HTTP: what the seed and the operator's operations produced, read by anybody, and bad
// input, which is never a 5xx. docs/economy-rules.md, "Scan" and "Wallet answers"; spec/scan.yaml;
// docs/ledger-rules.md, "Errors"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { list } from '../interfaces/ledger-kit.ts'

const FAR = '2999-01-01T00:00:00Z'
const LATEST = `migration_id: 0, record_time: '${FAR}', record_time_match: at_or_before`
const MOST = 2n ** 63n - 1n

for (const storage of storesFor('scan')) {
  describe(`scan over HTTP on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    const run = (text: string) => world.run(text)
    const answered = (name: string, ...members: readonly string[]) =>
      world.answered(name, ...members)

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
      const validator = '/api/validator/v0'
      const places = { scan: '/api/scan', proxy: `${validator}/scan-proxy`, validator }
      world = await scriptsOf(service, places, 'operator', 'bob')
      await run(`
        user = operator GET validator/validator-user
        own = bob GET validator/wallet/user-status
        dso = anybody GET scan/v0/dso
      `)
      for (const [name, value] of [
        ['domain', answered('dso', 'coin_rules', 'domain_id')],
        ['party', answered('user', 'party_id')],
        ['bob', answered('own', 'party_id')],
      ] as const)
        world.known.set(name, value)
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('discovery tells of one scan, no sequencer, and a history that is whole', () =>
      run(`
        anybody GET scan/v0/scans == {scans: [{domainId: $domain,
          scans: [{publicUrl: 'http://127.0.0.1:8080', svName: sv-1}]}]}
        anybody GET scan/v0/dso-sequencers
          == {domainSequencers: [{domainId: $domain, sequencers: []}]}
        anybody GET scan/v0/sv-bft-sequencers == {bftSequencers: []}
        anybody GET scan/v0/roll-forward-lsu == {}
        anybody GET scan/v0/backfilling/status == {complete: true}
        anybody POST scan/v0/backfilling/migration-info {migration_id: 0}
          => {complete: true, record_time_range.0.synchronizer_id: $domain}
        404 anybody POST scan/v0/backfilling/migration-info {migration_id: 1}
        anybody GET scan/v1/domains/{domain=$domain}/parties/{party=$party}/participant-id
          => {participant_ids.length: 1}
        404 anybody GET scan/v1/domains/{domain=$domain}/parties/nobody::12/participant-id
      `))

    test('rounds that the service moves on are told relative to a cache', async () => {
      const rounds = 'anybody POST scan/v0/open-and-issuing-mining-rounds'
      const earliest = 'scan/v0/internal/reward-accounting-process/rounds/earliest-available'
      const cached = 'cached_open_mining_round_contract_ids'
      await run(`
        first = ${rounds} {${cached}: [], cached_issuing_round_contract_ids: []}
        404 anybody GET ${earliest}
        operator POST validator/admin/clock {advance_microseconds: 600000000}
      `)
      const held = Object.keys(Object(answered('first', 'open_mining_rounds')))
      assert.equal(held.length, 3)
      world.known.set('held', held)
      await eventuallyHolds('a round is issuing', async () => {
        await run(`next = ${rounds} {${cached}: $held, cached_issuing_round_contract_ids: []}`)
        return Object.keys(Object(answered('next', 'issuing_mining_rounds'))).length === 1
      })
      const open: Record<string, unknown> = Object(answered('next', 'open_mining_rounds'))
      assert.equal(Object.keys(open).length, 3)
      assert.equal(
        Object.values(open).filter((each) => member(each, 'contract') !== undefined).length,
        1,
        'one is new',
      )
      assert.equal(held.filter((id) => open[id] === undefined).length, 1, 'one is gone')
      await run(`anybody GET ${earliest} == {earliest_round: 0}`)
    })

    test('the old path of the earliest round says where the new one is', async () => {
      const moved = await fetch(
        `${service.url}/api/scan/v0/reward-accounting-process/rounds/earliest-available`,
        { redirect: 'manual' },
      )
      assert.equal(moved.status, 308)
      assert.equal(
        moved.headers.get('location'),
        '/api/scan/v0/internal/reward-accounting-process/rounds/earliest-available',
      )
    })

    test("traffic of the seed's purchase, of participants that nobody knows, of members that are none", () =>
      run(`
        hosted = anybody GET scan/v0/domains/{domain=$domain}/parties/{party=$party}/participant-id
        anybody GET scan/v0/domains/{domain=$domain}/members/{id=$hosted.participant_id}/traffic-status
          => {traffic_status.target.total_purchased: 1000000000}
        404 anybody GET scan/v0/domains/{domain=$domain}/members/PAR::x::12/traffic-status
        404 anybody GET scan/v0/domains/{domain=$domain}/members/MED::x::12/traffic-status
        400 anybody GET scan/v0/domains/{domain=$domain}/members/XYZ::x::12/traffic-status
        400 anybody GET scan/v0/domains/{domain=$domain}/members/PAR/traffic-status
        400 anybody GET scan/v0/domains/{domain=$domain}/members/PAR::x/traffic-status
      `))

    test('a vote is found while it is open and counted once it is closed', async () => {
      const action = `{tag: ARC_DsoRules, value:
        {dsoAction: {tag: SRARC_GrantFeaturedAppRight, value: {provider: 'app::12'}}}}`
      await run(`
        vote = operator POST validator/admin/network/votes
          {action: ${action}, reason: {url: '', body: try it}}
        anybody GET scan/v0/voterequests/{id=$vote.vote_request_contract_id}
          => {dso_rules_vote_request.contract_id: $vote.vote_request_contract_id}
        anybody POST scan/v0/admin/sv/voteresults/count {} == {count: 0}
        operator POST validator/admin/network/votes/{id=$vote.vote_request_contract_id}/close {}
        404 anybody GET scan/v0/voterequests/{id=$vote.vote_request_contract_id}
        anybody POST scan/v0/admin/sv/voteresults/count
          {accepted: true, actionName: SRARC_GrantFeaturedAppRight} == {count: 1}
        anybody POST scan/v0/admin/sv/voteresults/count {accepted: false} == {count: 0}
        anybody POST scan/v0/admin/sv/voteresults {limit: 1}
          => {dso_rules_vote_results.0.request.action: ${action}}
        featured = anybody GET scan/v0/featured-apps/app::12
      `)
      assert.ok(answered('featured', 'featured_app_right'))
    })

    test('a snapshot, its contracts and sums, and the updates that led to it', async () => {
      const sum = "=> {summaries.0.total_coin_holdings: '20000.0000000000'}"
      await run(`
        taken = anybody POST scan/v0/state/acs/force
        anybody GET scan/v0/state/acs/snapshot-timestamp ?{before: '${FAR}', migration_id: 0}
          => {record_time: $taken.record_time}
        anybody POST scan/v1/holdings/summary {${LATEST}, owner_party_ids: [$bob]} ${sum}
        anybody POST proxy/holdings/summary {${LATEST}, owner_party_ids: [$bob]} ${sum}
        coins = anybody POST scan/v2/state/acs {${LATEST}, page_size: 10, party_ids: [$bob],
          templates: ['network-coin:Network.Coin:Coin']}
        update = anybody GET scan/v2/updates/{id=$coins.created_events.0.created_in_update_id}
        whole = anybody POST scan/v0/holdings/state
          {${LATEST}, page_size: 10, owner_party_ids: [$bob]} => {next_page_token: null}
        first = anybody POST scan/v2/updates {page_size: 2}
        second = anybody POST scan/v2/updates {page_size: 1, after:
          {after_migration_id: 0, after_record_time: $first.transactions.0.record_time}}
      `)
      const id = answered('coins', 'created_events', '0', 'contract_id')
      const isOfCoin = (event: unknown) => member(event, 'contract_id') === id
      const created = Object.values(Object(answered('update', 'events_by_id'))).find(isOfCoin)
      assert.ok(created)
      assert.deepEqual(list(answered('whole', 'created_events')).find(isOfCoin), created)
      assert.deepEqual(
        answered('second', 'transactions'),
        list(answered('first', 'transactions')).slice(1),
      )
    })

    test('every scan-proxy path answers as scan does', async () => {
      await run(`
        id = anybody GET scan/v0/dso-party-id
        anybody GET proxy/coin-rules
        anybody GET proxy/dso-party-id == $id
        anybody GET proxy/dso
        anybody GET proxy/unclaimed-development-fund-coupons
        anybody GET proxy/open-and-issuing-mining-rounds
        rules = anybody POST proxy/ans-rules {}
        anybody GET proxy/featured-apps/nobody::12 == {}
        404 anybody GET proxy/transfer-preapprovals/by-party/a::12
        404 anybody GET proxy/transfer-command-counter/a::12
        404 anybody GET proxy/transfer-command/status?sender=a::12&nonce=0
      `)
      assert.ok(answered('rules', 'ans_rules_update', 'contract'))
    })

    test('every plain read conforms to the document', async () => {
      await run(`
        anybody GET scan/v0/closed-rounds
        anybody GET scan/v0/featured-apps
        anybody GET scan/v0/featured-apps/by-provider/x::12
        anybody GET scan/v0/featured-apps/by-contract-id/00ff
        anybody GET scan/v0/network-instance-names
        anybody GET scan/v0/feature-support
        anybody GET scan/v0/admin/sv/voterequests
        anybody GET scan/v0/coin-price/votes
        anybody GET scan/v0/unclaimed-development-fund-coupons
        licences = anybody GET scan/v0/admin/validator/licenses
        404 anybody GET scan/v0/migrations/schedule
        anybody POST scan/v0/external-party-coin-rules {}
        anybody GET scan/v0/state/acs/snapshot-timestamp-after
          ?{after: '2000-01-01T00:00:00Z', migration_id: 0}
      `)
      const licensed = answered('licences', 'validator_licenses', '0', 'payload', 'validator')
      world.known.set('licensed', licensed)
      await run(`
        until anybody GET scan/v0/validators/validator-faucets ?{validator_ids: $licensed}
          => {validatorsReceivedFaucets.length: 1}
        anybody POST scan/v0/holdings/state
          {${LATEST}, owner_party_ids: [$licensed], page_size: 3}
        anybody POST scan/v1/holdings/state
          {${LATEST}, owner_party_ids: [$licensed], page_size: 3}
        anybody POST scan/v2/holdings/state
          {${LATEST}, owner_party_ids: [$licensed], page_size: 3}
      `)
    })

    test('texts that no schema can tell from good ones are refused', async () => {
      const acs = `${LATEST}, page_size: 10`
      const holdings = `${acs}, owner_party_ids: ['a::12']`
      for (const version of ['v0', 'v1', 'v2'])
        await run(`
          400 anybody POST scan/${version}/state/acs {${acs}, templates: [Coin]}
          400 anybody POST scan/${version}/state/acs
            {${acs}, templates: ['#network-coin:Network.Coin:Coin']}
          400 anybody POST scan/${version}/state/acs {${acs}, party_ids: ["\\0"]}
          400 anybody POST scan/${version}/state/acs {${acs}, after: '!!'}
        `)
      await run(`
        400 anybody POST scan/v1/state/acs {${acs}, after: -1}
        400 anybody POST scan/v2/holdings/state {${holdings}, record_time: '2027-02-30T99:00:00Z'}
        400 anybody POST scan/v2/holdings/state
          {${holdings}, after: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw'}
        400 anybody POST scan/v0/holdings/summary {${holdings}, as_of_round: -1}
        400 anybody POST scan/v2/updates
          {page_size: 1, after: {after_migration_id: 0, after_record_time: ''}}
        400 anybody POST scan/v0/admin/sv/voteresults {limit: 1, pageToken: -1}
        400 anybody POST scan/v0/admin/sv/voteresults/count {effectiveFrom: x}
        400 anybody POST scan/v0/voterequest {vote_request_contract_ids: [null]}
      `)
      world.known.set('surrogate', '\ud800')
      await run(`400 anybody POST scan/v0/holdings/summary {${acs}, owner_party_ids: [$surrogate]}`)
    })

    test('numbers at the ends of their range find nothing and break nothing', async () => {
      const raw = async (fields: string) =>
        call(service.url, 'POST /api/scan/v1/state/acs', {
          raw: `{${fields},"page_size":1}`,
          headers: { 'content-type': 'application/json' },
        })
      const at = `"record_time":"${FAR}"`
      const found = await raw(
        `"migration_id":0,${at},"record_time_match":"at_or_before","after":${MOST}`,
      )
      assert.deepEqual(member(found.json, 'created_events'), [])
      assert.equal((await raw(`"migration_id":${MOST},${at}`)).status, 404)
      assert.equal(
        (await raw(`"migration_id":${-MOST},"record_time":"0001-01-01T00:00:00Z"`)).status,
        400,
      )
      await run(`
        anybody GET scan/v0/admin/validator/licenses?after=${MOST}&limit=1000
          => {validator_licenses.length: 1}
        404 anybody GET scan/v0/transfer-command/status?sender=a::12&nonce=${MOST}
        400 anybody GET scan/v0/admin/validator/licenses?after=${MOST + 1n}
      `)
    })
  })
}
