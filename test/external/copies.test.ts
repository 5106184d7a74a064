// A ledger and its copies: one that goes on beside its origin is another ledger, and nothing that
// was signed for either is valid in both; one that takes the place of a lost ledger is the same.
// docs/decisions/0048-copies.md
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { MAIN, run } from '../e2e/cli-kit.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  EXTERNAL,
  hosted,
  idsOf,
  prepareAccept,
  propose,
  startExternal,
  submissionOf,
} from './kit.ts'
import type { External, ExternalNetwork, Ids } from './kit.ts'

const ACCEPT = `POST ${EXTERNAL}/setup-proposal/submit-accept`

/** Bytes of traffic that are bought, and when they surely count. */
const MORE = 1_000_000
const APPLIED_SECONDS = 3_600

/** A party that was asked whether it wants to be set up here. */
interface Asked {
  readonly party: External
  readonly proposal: string
}

type Signed = ReturnType<typeof submissionOf>

async function asked(network: ExternalNetwork, hint: string): Promise<Asked> {
  const party = await hosted(network, hint)
  return { party, proposal: await propose(network, party) }
}

async function sign(network: ExternalNetwork, { party, proposal }: Asked): Promise<Signed> {
  return submissionOf(party, await prepareAccept(network, party, proposal))
}

/** The refusal names the ledger that it was signed for, and this one. */
async function assertForAnother(
  network: ExternalNetwork,
  signed: Signed,
  meant: Ids,
): Promise<void> {
  const before = await network.end()
  const { status, text } = await network.ask('operator', ACCEPT, signed)
  assert.equal(status, 400, text)
  for (const { synchronizer } of [meant, await idsOf(network)])
    assert.ok(text.includes(synchronizer), text)
  assert.equal(await network.end(), before)
}

interface Traffic {
  readonly limit: number
  readonly bought: number
}

/** Scan's account of this node's extra traffic. */
async function trafficOf(network: ExternalNetwork): Promise<Traffic> {
  const { synchronizer, participant } = await idsOf(network)
  const [domain, id] = [synchronizer, `PAR::${participant}`].map(encodeURIComponent)
  const scan = '/api/scan/v0/domains'
  const line = `GET ${scan}/${domain}/members/${id}/traffic-status`
  const { status, text, json } = await call(network.service.url, line)
  assert.equal(status, 200, text)
  const party = encodeURIComponent(network.party('alice'))
  const found = await call(
    network.service.url,
    `GET ${scan}/${domain}/parties/${party}/participant-id`,
  )
  assert.equal(member(found.json, 'participant_id'), `PAR::${participant}`)
  const { actual, target } = Object(member(json, 'traffic_status'))
  return { limit: Number(actual.total_limit), bought: Number(target.total_purchased) }
}

/** All that is active is on the one synchronizer, and so are rules, contexts and traffic. */
async function assertAtHome(network: ExternalNetwork): Promise<void> {
  const { synchronizer } = await idsOf(network)
  const { limit, bought } = await trafficOf(network)
  const list = await network.done('auditor', 'POST /v2/state/active-contracts?limit=200', {
    activeAtOffset: await network.end(),
    eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: false },
  })
  assert.ok(Array.isArray(list) && list.length > 0)
  for (const each of list)
    assert.equal(
      member(member(member(each, 'contractEntry'), 'JsActiveContract'), 'synchronizerId'),
      synchronizer,
    )
  const rules = JSON.stringify(await network.done('alice', 'GET /v0/scan-proxy/coin-rules'))
  assert.ok(rules.includes(`"activeSynchronizer":"${synchronizer}"`), rules)
  assert.ok(rules.includes(`"domain_id":"${synchronizer}"`), rules)
  await network.done('operator', 'POST /v0/wallet/tap', { amount: '100' })
  await network.done('operator', 'POST /v0/wallet/buy-traffic-requests', {
    receiving_validator_party_id: network.party('operator'),
    domain_id: synchronizer,
    traffic_amount: MORE,
    tracking_id: 'more',
    expires_at: Date.parse(await network.inSeconds(3_600)) * 1_000,
  })
  await eventually('completed', async () =>
    member(
      await network.done('operator', 'POST /v0/wallet/buy-traffic-requests/more/status'),
      'status',
    ),
  )
  await network.advance(APPLIED_SECONDS)
  await eventually(true, async () => (await trafficOf(network)).limit === limit + MORE)
  assert.equal((await trafficOf(network)).bought, bought + MORE)
}

function same(one: Ids, other: Ids): Readonly<Record<keyof Ids, boolean>> {
  return {
    synchronizer: one.synchronizer === other.synchronizer,
    participant: one.participant === other.participant,
    dso: one.dso === other.dso,
    operator: one.operator === other.operator,
  }
}

/** A copy's node keeps the namespace in which ids of its parties end. */
function assertNodeOf(origin: Ids, copy: Ids): void {
  const [name = '', space] = origin.participant.split('::')
  const [other = '', same] = copy.participant.split('::')
  assert.equal(space, same)
  const drawn = name.replace(/-[0-9a-f]{16}$/, '')
  assert.match(other, new RegExp(`^${drawn}-[0-9a-f]{16}$`))
}

const COPIED = { synchronizer: false, participant: false, dso: true, operator: true }
const SAME = { ...COPIED, synchronizer: true, participant: true }
const NEW = { synchronizer: false, participant: false, dso: false, operator: false }

for (const storage of storesFor('external parties: copies')) {
  describe(`copies of a ledger on ${storage.name}`, () => {
    let origin: ExternalNetwork
    let dora: Asked
    let meant: Ids
    /** Signed before there was a copy, and kept. */
    let kept: Signed
    let file = ''

    /** The command on a storage of its own; then the service on it. */
    const placeOf = async () => {
      const { path } = await tempDir()
      const section = await storage.section()
      const config = join(path, 'ledgerwright.config.json')
      await writeFile(config, JSON.stringify({ storage: section }))
      return {
        command: (...args: readonly string[]) =>
          run(MAIN, [...args, '--config', config, '--data', path], { cwd: path }),
        open: (ledger = {}) =>
          startExternal(
            { section: async () => section, release: async () => {} },
            {},
            { dataDir: path, ledger },
          ),
      }
    }
    const restored = async (...flags: readonly string[]) => {
      const place = await placeOf()
      const { code, stdout, stderr } = await place.command('restore', '--from', file, ...flags)
      assert.equal(code, 0, stderr)
      return { ...place, said: stdout }
    }
    const develop = async (line: string, body: object): Promise<void> => {
      const token = origin.token('operator')
      const { status, text } = await call(origin.service.url, line, { token, body })
      assert.equal(status, 200, text)
    }

    before(async () => {
      origin = await startExternal(storage)
      dora = await asked(origin, 'dora')
      meant = await idsOf(origin)
      kept = await sign(origin, dora)
      file = join(origin.service.dataDir, 'kept.backup')
      const config = join(origin.service.dataDir, 'ledgerwright.config.json')
      const flags = ['--config', config, '--data', origin.service.dataDir]
      const { code, stderr } = await run(MAIN, ['backup', '--to', file, ...flags], {
        cwd: origin.service.dataDir,
      })
      assert.equal(code, 0, stderr)
    })
    after(() => origin.stop())

    test('a restored copy is another ledger, which nobody has to ask for', async () => {
      const { command, open, said } = await restored()
      assert.match(said, /a copy with ids of its own for synchronizer and participants/)
      const copy = await open({ participantId: meant.participant })
      try {
        assert.deepEqual(same(meant, await idsOf(copy)), COPIED)
        assertNodeOf(meant, await idsOf(copy))
        await assertForAnother(copy, kept, meant)
        const there = await sign(copy, dora)
        await assertForAnother(origin, there, await idsOf(copy))
        await copy.done('operator', ACCEPT, there)
        await assertAtHome(copy)
      } finally {
        await copy.stop()
      }
      assert.match((await command('verify')).stdout, /^no problem in /)
    })

    test('in the place of its original it is the same ledger, until it is made a copy', async () => {
      const { open, command } = await restored('--in-place')
      assert.equal((await command('ids')).stdout, `synchronizer ${meant.synchronizer}\n`)
      assert.equal((await command('ids', '--copy')).code, 2)
      const stand = await open()
      assert.deepEqual(same(meant, await idsOf(stand)), SAME)
      await stand.done('operator', ACCEPT, kept)
      await stand.stop()
      const { code, stdout } = await command('ids', '--copy', '--yes')
      assert.equal(code, 0)
      const copy = await open()
      try {
        const ids = await idsOf(copy)
        assert.deepEqual(same(meant, ids), COPIED)
        assert.equal(stdout, `synchronizer ${ids.synchronizer}\n`)
        await assertAtHome(copy)
      } finally {
        await copy.stop()
      }
    })

    test('flags that contradict each other are refused', async () => {
      const { command } = await placeOf()
      const { code, stderr } = await command('restore', '--from', file, '--copy', '--in-place')
      assert.equal(code, 2)
      assert.match(stderr, /--in-place and --copy exclude each other/)
    })

    test('after a revert nothing that was signed before it is executed, a second time or a first', async () => {
      const erin = await asked(origin, 'erin')
      await develop('POST /development/snapshots', { name: 'start' })
      const once = await sign(origin, erin)
      const never = await sign(origin, dora)
      const traffic = await trafficOf(origin)
      await origin.done('operator', ACCEPT, once)
      const before = await idsOf(origin)
      await develop('POST /development/revert', { snapshot: 'start' })
      assert.deepEqual(same(before, await idsOf(origin)), COPIED)
      await assertForAnother(origin, once, before)
      await assertForAnother(origin, never, before)
      assert.deepEqual(await trafficOf(origin), traffic)
      await origin.done('operator', ACCEPT, await sign(origin, erin))
      await assertAtHome(origin)
    })

    test('a fork is another ledger than the one of the backup, and a reset is a new one', async () => {
      await develop('POST /development/fork', { backup: file })
      const forked = await idsOf(origin)
      assert.deepEqual(same(meant, forked), COPIED)
      await assertForAnother(origin, kept, meant)
      await develop('POST /development/fork', { backup: file })
      const again = await idsOf(origin)
      assert.deepEqual(same(forked, again), COPIED)
      assertNodeOf(forked, again)
      await develop('POST /development/reset', {})
      const fresh = await idsOf(origin)
      assert.deepEqual(same(forked, { ...fresh, operator: '' }), NEW)
    })
  })
}
