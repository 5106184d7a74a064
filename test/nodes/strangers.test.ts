// An admin and an operator at a node that does not host a party, yet or any more: whatever they ask
// about it changes nothing on the ledger and shows nothing that the node did not see.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import type { OutsideParty } from '../interfaces/ledger-kit.ts'
import { list, path } from '../interfaces/ledger-kit.ts'
import { newHolder, publicKeyOf } from '../support/topology-reference.ts'
import { openNodes } from './in-process.ts'
import type { LocalNode, LocalNodes } from './in-process.ts'
import { ADMIN, WALLET } from './kit.ts'
import {
  ALLOCATE,
  endOf,
  EXECUTE,
  executed,
  known,
  letRead,
  newOutsider,
  pingOf,
  preparedAt,
  signedHosting,
} from './outside-party.ts'

/** Reads that find the party's contract where it lives. */
const SHOWING = /^POST \/v2\/(state|updates|events|contracts)/
const OWNER = 'participant_admin'

/** A party with a contract of its own, hosted by one of the nodes. */
interface Victim extends OutsideParty {
  readonly host: LocalNode
  readonly contractId: string
  readonly updateId: string
  /** Serial of its hosting. */
  readonly serial: number
}

interface Attempt {
  readonly user: string
  readonly line: string
  readonly body?: object
}

describe('at a node that does not host a party', () => {
  let nodes: LocalNodes
  let [home, next]: readonly LocalNode[] = []

  before(async () => {
    nodes = await openNodes(['home', 'next'])
    ;[home, next] = nodes.all
  })
  after(() => nodes.close())

  for (const kind of ['it never did', 'it left'] as const)
    test(`nobody does or sees anything for it (${kind})`, async () => {
      assert.ok(home !== undefined && next !== undefined)
      const [stranger, host] = kind === 'it left' ? [home, next] : [next, home]
      const own = newOutsider('victim')
      await home.done(OWNER, ALLOCATE, (await signedHosting(own, [home], 1)).request)
      if (kind === 'it left')
        await next.done(OWNER, ALLOCATE, (await signedHosting(own, [next], 2)).request)
      const victim = await withContract(host, own, kind === 'it left' ? 2 : 1)
      await empowered(stranger, own)
      const stolen = await preparedAt(host, own)
      const end = await endOf(host)
      for (const { user, line, body } of await attemptsOn(stranger, victim, stolen)) {
        const { status, text } = await stranger.ask(user, line, body)
        assert.ok(status < 500, `${line}: ${text}`)
        assert.ok(status !== 200 || !text.includes(victim.contractId), `${line}: ${text}`)
        assert.equal(await endOf(host), end, `${line}: ${status} ${text}`)
      }
      assert.deepEqual(await known(host, own.party), [true])
      await empowered(host, own)
      for (const { user, line, body } of await attemptsOn(host, victim, stolen))
        if (SHOWING.test(line))
          assert.match((await host.ask(user, line, body)).text, new RegExp(victim.contractId), line)
      assert.deepEqual(await known(stranger, own.party), kind === 'it left' ? [false] : [])
    })
})

async function withContract(host: LocalNode, own: OutsideParty, serial: number): Promise<Victim> {
  await letRead(host, own.party)
  const { status, text, json } = await executed(host, own, [pingOf(own)])
  assert.equal(status, 200, text)
  const shown = await host.done('reader', 'POST /v2/state/active-contracts', {
    activeAtOffset: await endOf(host),
    eventFormat: { filtersByParty: { [own.party]: { cumulative: [] } }, verbose: true },
  })
  const [first] = list(shown)
  const created = path(first, 'contractEntry', 'JsActiveContract', 'createdEvent')
  const contractId = String(path(created, 'contractId'))
  return { ...own, host, contractId, updateId: String(member(json, 'updateId')), serial }
}

/** Gives people every right on the party that an admin can give. */
async function empowered(node: LocalNode, { party }: OutsideParty): Promise<void> {
  const { operator } = node.services.economy.parties
  const rights = [
    { kind: { ParticipantAdmin: { value: {} } } },
    { kind: { CanReadAsAnyParty: { value: {} } } },
    { kind: { CanExecuteAsAnyParty: { value: {} } } },
    { kind: { CanActAs: { value: { party } } } },
    { kind: { CanActAs: { value: { party: operator } } } },
    { kind: { CanReadAs: { value: { party } } } },
    { kind: { CanExecuteAs: { value: { party } } } },
  ]
  await node.ask(OWNER, 'POST /v2/users', {
    user: { id: 'mallory', identityProviderId: '', primaryParty: party },
    rights: rights.slice(0, 1),
  })
  for (const userId of ['mallory', 'operator'])
    await node.done(OWNER, `POST /v2/users/${userId}/rights`, {
      userId,
      identityProviderId: '',
      rights,
    })
}

/** Everything that names the party, or what it has. */
async function attemptsOn(
  node: LocalNode,
  victim: Victim,
  stolen: object,
): Promise<readonly Attempt[]> {
  const { party, contractId, serial } = victim
  const { synchronizerId, participantUid } = node.services.economy.node
  const asked = encodeURIComponent(party)
  const archive = {
    ExerciseCommand: {
      contractId,
      templateId: '#network-builtin-ping:Network.Internal.Ping:Ping',
      choice: 'Archive',
      choiceArgument: {},
    },
  }
  const own = String(node.services.economy.parties.operator)
  const commands = [[archive], [pingOf(victim)]].flatMap((each) =>
    [[party], [own], [own, party]].map((actAs) => ({
      commandId: `steal-${actAs.length}`,
      actAs,
      readAs: [party],
      commands: each,
    })),
  )
  const submissions = commands.flatMap((command): readonly Attempt[] => [
    { user: 'mallory', line: 'POST /v2/commands/submit-and-wait', body: command },
    {
      user: 'mallory',
      line: 'POST /v2/interactive-submission/prepare',
      body: { ...command, synchronizerId, packageIdSelectionPreference: [] },
    },
  ])
  const end = await endOf(node)
  const reads = readsOf(victim, end)
  const thief = newHolder('EC_CURVE25519')
  const forged = { party, holders: [thief] }
  const hostings = await Promise.all(
    [1, serial, serial + 1].map((each) => signedHosting(forged, [node], each)),
  )
  const external: readonly (readonly [string, object?])[] = [
    [`GET ${ADMIN}/external-party/balance?party_id=${asked}`],
    [`POST ${ADMIN}/external-party/setup-proposal`, { user_party_id: party }],
    [
      `POST ${ADMIN}/external-party/setup-proposal/prepare-accept`,
      { contract_id: contractId, user_party_id: party },
    ],
    [
      `POST ${ADMIN}/external-party/transfer-preapproval/prepare-send`,
      {
        sender_party_id: party,
        receiver_party_id: own,
        amount: '1',
        expires_at: new Date(Date.now() + 60_000).toISOString(),
        nonce: 0,
      },
    ],
    [`POST ${ADMIN}/users`, { name: 'puppet', party_id: party }],
    [`DELETE ${ADMIN}/transfer-preapprovals/by-party/${asked}`],
  ]
  return [
    ...submissions,
    { user: 'mallory', line: EXECUTE, body: stolen },
    ...reads.map(([line, body]) => ({ user: 'mallory', line, ...(body && { body }) })),
    ...hostings.map(({ request }) => ({ user: 'mallory', line: ALLOCATE, body: request })),
    ...external.map(([line, body]) => ({ user: 'operator', line, ...(body && { body }) })),
    ...['balance', 'coins', 'user-status'].map((each) => ({
      user: 'mallory',
      line: `GET ${WALLET}/${each}`,
    })),
    {
      user: 'mallory',
      line: 'POST /v2/parties/external/generate-topology',
      body: {
        synchronizer: synchronizerId,
        partyHint: party.replace(/::.*/, ''),
        publicKey: publicKeyOf(thief),
        otherConfirmingParticipantUids: [participantUid],
      },
    },
  ]
}

/** Each way to read a contract or an update, as the party and as everybody. */
function readsOf(
  { party, contractId, updateId }: Victim,
  end: number,
): readonly (readonly [string, object?])[] {
  const all = { cumulative: [] }
  const each = [{ filtersByParty: { [party]: all } }, { filtersForAnyParty: all }].flatMap(
    (filter): readonly (readonly [string, object])[] => {
      const eventFormat = { ...filter, verbose: true }
      const transactionFormat = {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat,
      }
      const updateFormat = { includeTransactions: transactionFormat }
      const range = { beginExclusive: 0, endInclusive: end }
      return [
        ['state/active-contracts', { activeAtOffset: end, eventFormat }],
        ['updates', { ...range, updateFormat }],
        ['updates/flats', { ...range, filter, verbose: true }],
        ['updates/trees', { ...range, filter, verbose: true }],
        ['updates/get-updates-page', { updateFormat, maxPageSize: 200 }],
        ['updates/update-by-id', { updateId, updateFormat }],
        ['updates/update-by-offset', { offset: end, updateFormat }],
        ['updates/transaction-by-id', { updateId, transactionFormat }],
        ['updates/transaction-by-offset', { offset: end, transactionFormat }],
        ['events/events-by-contract-id', { contractId, eventFormat }],
      ]
    },
  )
  const parties = `parties=${encodeURIComponent(party)}`
  return [
    ...each.map(([path, body]) => [`POST /v2/${path}`, body] as const),
    ['POST /v2/contracts/contract-by-id', { contractId, queryingParties: [party] }],
    ['POST /v2/contracts/contract-by-id', { contractId }],
    [`GET /v2/updates/transaction-tree-by-id/${updateId}?${parties}`],
    [`GET /v2/updates/transaction-tree-by-offset/${end}?${parties}`],
    [
      'POST /v2/commands/completions?limit=9&stream_idle_timeout_ms=5',
      { userId: 'reader', parties: [party], beginExclusive: 0 },
    ],
  ]
}
