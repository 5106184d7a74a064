// A wallet costs the operator no right: more newcomers come in than a user may have rights, the
// operator acts for each by the link alone, and one address cannot register without end.
// docs/authority.md R6
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { ADMIN, onEachStore, REGISTER, right } from './kit.ts'

const MAX_RIGHTS = 10
const NEWCOMERS = MAX_RIGHTS + 2
/** Alice of the kit registers too. */
const BURST = NEWCOMERS + 1
const PROPOSAL = '#network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'

const FEW = {
  ledger: { maxRightsPerUser: MAX_RIGHTS },
  quotas: { registrationsPerMinute: 0.1, registrationBurst: BURST },
}

onEachStore(
  'newcomers',
  'production',
  (world) => {
    let dso: string
    const parties = new Map<string, string>()
    const partyOf = (name: string): string => parties.get(name) ?? assert.fail(name)

    /** The statuses of a read and of a submission as the party. */
    async function tried(who: string, party: string): Promise<readonly number[]> {
      const read = await world().ask(who, 'POST /v2/state/active-contracts', {
        activeAtOffset: 0,
        eventFormat: { filtersByParty: { [party]: {} } },
      })
      const createArguments = { receiver: party, provider: world().operator, expectedDso: dso }
      const submitted = await world().ask(who, 'POST /v2/commands/submit-and-wait', {
        commandId: crypto.randomUUID(),
        actAs: [party],
        readAs: [],
        commands: [{ CreateCommand: { templateId: PROPOSAL, createArguments } }],
      })
      return [read.status, submitted.status]
    }

    before(async () => {
      const { json } = await world().ask('alice', 'GET /api/validator/v0/scan-proxy/dso-party-id')
      dso = String(member(json, 'dso_party_id'))
      for (let at = 0; at < NEWCOMERS; at += 1)
        parties.set(`newcomer-${at}`, await world().register(`newcomer-${at}`))
    })

    test('more of them come in than a user may have rights, and none gives the operator one', async () => {
      const rights = await world().rightsOf('operator')
      assert.deepEqual(rights, [`CanActAs ${world().operator}`, 'ParticipantAdmin'])
      assert.deepEqual(await world().rightsOf('newcomer-0'), [`CanActAs ${partyOf('newcomer-0')}`])
    })

    test('the operator acts and reads for each wallet, and no other admin does', async () => {
      for (const name of ['newcomer-0', `newcomer-${NEWCOMERS - 1}`]) {
        assert.deepEqual(await tried('operator', partyOf(name)), [200, 200])
        assert.deepEqual(await tried('participant_admin', partyOf(name)), [403, 403])
        assert.deepEqual(await tried('alice', partyOf(name)), [403, 403])
      }
    })

    test("a party that is nobody's wallet is not the operator's, nor one whose wallet has ended", async () => {
      const allocated = await world().done('participant_admin', 'POST /v2/parties', {
        partyIdHint: 'bare',
      })
      const bare = String(member(member(allocated, 'partyDetails'), 'party'))
      assert.deepEqual(await tried('operator', bare), [403, 403])
      assert.deepEqual(await tried('operator', partyOf('newcomer-1')), [200, 200])
      await world().done('operator', `POST ${ADMIN}/users/offboard?username=newcomer-1`)
      assert.deepEqual(await tried('operator', partyOf('newcomer-1')), [403, 403])
    })

    test("the operator's id is never free", async () => {
      const rights = [right('ParticipantAdmin')]
      await world().done('participant_admin', 'POST /v2/users', { user: { id: 'second' }, rights })
      const { status, text } = await world().ask('second', 'DELETE /v2/users/operator')
      assert.equal(status, 400, text)
    })

    test('one address registers so many at once; the operator and known wallets are not counted', async () => {
      const { status, text, headers } = await world().ask('one-more', REGISTER, {})
      assert.equal(status, 429, text)
      assert.match(text, /the address 127\.0\.0\.1.*0\.1 new wallets a minute/)
      assert.ok(Number(headers.get('retry-after')) > 0)
      assert.equal(await world().rightsOf('one-more'), undefined)
      assert.equal(await world().register('newcomer-0'), partyOf('newcomer-0'))
      await world().done('operator', `POST ${ADMIN}/users`, { name: 'one-more' })
      assert.notEqual(await world().register('one-more'), '')
    })
  },
  FEW,
)
