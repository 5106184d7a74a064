// Transactions that are signed outside, over HTTP: what an independent reading of docs/hashing.md
// computes, who may execute what and when, and that whatever does not fit changes nothing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  argument,
  assertRefused,
  DENIED,
  invalidField,
  missing,
  refusal,
} from '../support/documented.ts'
import type { Documented } from '../support/documented.ts'
import type { Answer } from '../support/http.ts'
import { eventually } from '../support/eventually.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import { readPrepared } from './hashing-oracle.ts'
import {
  archive,
  commandsOf,
  createdId,
  createRules,
  mint,
  outsideParty,
  path,
  signaturesOf,
  startLedger,
} from './ledger-kit.ts'
import type { LedgerClient, OutsideParty } from './ledger-kit.ts'

const PREPARE = 'POST /v2/interactive-submission/prepare'
const EXECUTE = 'POST /v2/interactive-submission/execute'
const WAIT = `${EXECUTE}AndWait`
const SHOW = `${EXECUTE}AndWaitForTransaction`
const MINUTE = 60_000_000

interface Prepared {
  readonly preparedTransaction: string
  readonly preparedTransactionHash: string
  readonly hashingSchemeVersion: string
}

for (const storage of storesFor('interactive submission')) {
  describe(`signed outside on ${storage.name}`, () => {
    let ledger: LedgerClient
    let carol: OutsideParty
    let rulesId: string
    const asUser = (party: OutsideParty) => ({ ...ledger.alice, party: party.party })
    const prepare = async (party: OutsideParty, ...given: object[]): Promise<Prepared> =>
      readBody(await ledger.done(ledger.alice, PREPARE, commandsOf(asUser(party), ...given)))
    const execution = (prepared: Prepared, ...partySignatures: object[]) => ({
      preparedTransaction: prepared.preparedTransaction,
      hashingSchemeVersion: prepared.hashingSchemeVersion,
      submissionId: 'submission',
      partySignatures: { signatures: partySignatures },
    })
    const signed = (party: OutsideParty, prepared: Prepared, holders = party.holders) =>
      execution(prepared, signaturesOf(party, prepared.preparedTransactionHash, holders))
    const advance = async (micros: number): Promise<void> => {
      const operator = { ...ledger.alice, token: await ledger.service.token('operator') }
      await ledger.done(operator, 'POST /api/validator/v0/admin/clock', {
        advance_microseconds: micros,
      })
    }
    const assertUnchanged = async (
      act: () => Promise<Answer>,
      expected: Documented,
    ): Promise<void> => {
      const beginExclusive = await ledger.end()
      assertRefused(await act(), expected)
      const updateFormat = {
        includeTransactions: {
          transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
          eventFormat: { filtersByParty: { [carol.party]: {} } },
        },
      }
      assert.deepEqual(
        await ledger.done(ledger.alice, 'POST /v2/updates', {
          beginExclusive,
          endInclusive: await ledger.end(),
          updateFormat,
        }),
        [],
      )
    }

    before(async () => {
      ledger = await startLedger(storage, { clock: 'simulated' })
      carol = await outsideParty(ledger, 'carol', [newHolder('EC_CURVE25519')])
      const created = await ledger.done(
        ledger.alice,
        SHOW,
        signed(carol, await prepare(carol, createRules(asUser(carol)))),
      )
      rulesId = createdId(created)
    })
    after(() => ledger.stop())

    test('members that other commands have and preparing has not are not read, whatever they are', async () => {
      const duration = { value: { seconds: 1, nanos: 0 } }
      for (const member of [
        { deduplicationPeriod: { DeduplicationDuration: duration } },
        { deduplicationPeriod: 5 },
        { workflowId: {} },
        { submissionId: '*' },
        { minLedgerTimeAbs: 5 },
        { minLedgerTimeRel: { seconds: 'x' } },
      ]) {
        const answer = await ledger.ask(ledger.alice, PREPARE, {
          ...commandsOf(asUser(carol), createRules(asUser(carol))),
          ...member,
        })
        assert.equal(answer.status, 200, `${JSON.stringify(member)}: ${answer.text}`)
      }
    })

    test('what is prepared is what an independent reader computes and what is recorded', async () => {
      const minting = commandsOf(asUser(carol), mint(asUser(carol), rulesId, '3'))
      const body = await ledger.done(ledger.alice, PREPARE, { ...minting, verboseHashing: true })
      const prepared = readBody(body)
      const read = readPrepared(prepared.preparedTransaction)
      assert.equal(Buffer.from(read.hash).toString('base64'), prepared.preparedTransactionHash)
      assert.deepEqual(
        [read.parties, read.commandId, read.inputs],
        [[carol.party], minting.commandId, [rulesId]],
      )
      assert.deepEqual(read.recomputed.inputs, read.inputs)
      const made = read.nodes.filter(({ kind }) => kind === 'create')
      assert.deepEqual(
        read.recomputed.created,
        made.map(({ contractId }) => contractId),
      )
      assert.deepEqual(
        read.nodes.map(({ choice }) => choice),
        ['TestTokenRules_Mint', undefined],
      )
      const details = String(path(body, 'hashingDetails'))
      assert.match(details, /node 0: exercise TestTokenRules_Mint/)
      assert.match(
        details,
        new RegExp(`prepared transaction hash ${Buffer.from(read.hash).toString('hex')}$`),
      )
      assert.ok(Number(path(body, 'costEstimation', 'totalTrafficCostEstimation')) > 0)
      const done = await ledger.done(ledger.alice, SHOW, signed(carol, prepared))
      assert.equal(path(done, 'transaction', 'updateId'), read.updateId)
      assert.equal(createdId(done), made[0]?.contractId)
      assert.equal(path(done, 'transaction', 'commandId'), minting.commandId)
      assert.equal(
        path(done, 'transaction', 'externalTransactionHash'),
        prepared.preparedTransactionHash,
      )
    })

    test('it is executed once, whoever asks and however often', async () => {
      const prepared = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ledger.ask(ledger.alice, WAIT, signed(carol, prepared))),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
      assertRefused(
        await ledger.ask(ledger.alice, WAIT, signed(carol, prepared)),
        refusal(10, 'DUPLICATE_COMMAND'),
      )
      const short = {
        ...signed(carol, prepared),
        deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 0, nanos: 0 } } },
      }
      const rights = [{ kind: { CanExecuteAs: { value: { party: carol.party } } } }]
      await ledger.ask({ ...ledger.alice, token: ledger.admin }, 'POST /v2/users/bob/rights', {
        userId: 'bob',
        rights,
      })
      await advance(30 * MINUTE)
      assertRefused(await ledger.ask(ledger.bob, WAIT, short), refusal(10, 'DUPLICATE_COMMAND'))
    })

    test('minutes later it is executed, after its expiry it is not', async () => {
      const late = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      const { now } = readClock(
        await ledger.ask(
          { ...ledger.alice, token: await ledger.service.token('operator') },
          'GET /api/validator/v0/admin/clock',
        ),
      )
      const commands = commandsOf(asUser(carol), mint(asUser(carol), rulesId, '1'))
      const maxRecordTime = new Date(Date.parse(now) + 120_000).toISOString()
      const short = readBody(
        await ledger.done(ledger.alice, PREPARE, { ...commands, maxRecordTime }),
      )
      await advance(5 * MINUTE)
      await ledger.done(ledger.alice, WAIT, signed(carol, late))
      await assertUnchanged(
        () => ledger.ask(ledger.alice, WAIT, signed(carol, short)),
        refusal(9, 'MAX_RECORD_TIME_EXCEEDED'),
      )
      const day = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      await advance(24 * 60 * MINUTE)
      await assertUnchanged(
        () => ledger.ask(ledger.alice, WAIT, signed(carol, day)),
        refusal(9, 'MAX_RECORD_TIME_EXCEEDED'),
      )
    })

    test('without waiting it is on its way and shows up', async () => {
      const prepared = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      assert.deepEqual(await ledger.done(ledger.alice, EXECUTE, signed(carol, prepared)), {})
      const { updateId } = readPrepared(prepared.preparedTransaction)
      const updateFormat = {
        includeTransactions: {
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
          eventFormat: { filtersByParty: { [carol.party]: {} } },
        },
      }
      await eventually(
        200,
        async () =>
          (
            await ledger.ask(ledger.alice, 'POST /v2/updates/update-by-id', {
              updateId,
              updateFormat,
            })
          ).status,
      )
    })

    test('keys on P-256 and thresholds', async () => {
      const dora = await outsideParty(ledger, 'dora', [newHolder('EC_P256')])
      await ledger.done(
        ledger.alice,
        WAIT,
        signed(dora, await prepare(dora, createRules(asUser(dora)))),
      )
      const holders = [newHolder('EC_CURVE25519'), newHolder('EC_P256'), newHolder('EC_CURVE25519')]
      const team = await outsideParty(ledger, 'team', holders, { keyThreshold: 2 })
      const prepared = await prepare(team, createRules(asUser(team)))
      const [one, two] = holders
      assert.ok(one && two)
      assertRefused(
        await ledger.ask(ledger.alice, WAIT, signed(team, prepared, [one])),
        argument(/needs signatures by 2 of its keys, 1 are there/),
      )
      assertRefused(
        await ledger.ask(ledger.alice, WAIT, signed(team, prepared, [one, one])),
        argument(/needs signatures by 2 of its keys, 1 are there/),
      )
      await ledger.done(ledger.alice, WAIT, signed(team, prepared, [two, one]))
    })

    test('an input that another transaction spent is locked', async () => {
      const rules = createdId(
        await ledger.done(
          ledger.alice,
          SHOW,
          signed(carol, await prepare(carol, createRules(asUser(carol)))),
        ),
      )
      const [first, second] = [
        await prepare(carol, archive(rules)),
        await prepare(carol, mint(asUser(carol), rules, '1')),
      ]
      await ledger.done(ledger.alice, WAIT, signed(carol, first))
      await assertUnchanged(
        () => ledger.ask(ledger.alice, WAIT, signed(carol, second)),
        refusal(2, 'LOCAL_VERDICT_LOCKED_CONTRACTS', { resources: [['CONTRACT_ID', rules]] }),
      )
    })

    test('a signature by the wrong key, over another hash or for another party changes nothing', async () => {
      const prepared = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      const other = await prepare(carol, mint(asUser(carol), rulesId, '2'))
      const [stranger, hash] = [newHolder('EC_CURVE25519'), prepared.preparedTransactionHash]
      const own = signaturesOf(carol, hash, carol.holders)
      const forged = {
        ...signaturesOf(carol, hash, [stranger]).signatures[0],
        signedBy: carol.holders[0]?.fingerprint,
      }
      const rows: [string, object, RegExp][] = [
        [
          'another hash',
          signaturesOf(carol, other.preparedTransactionHash, carol.holders),
          /the signature by \w+ is invalid/,
        ],
        ['an unknown key', signaturesOf(carol, hash, [stranger]), /has no key/],
        [
          'a key that pretends',
          { party: carol.party, signatures: [forged] },
          /the signature by \w+ is invalid/,
        ],
        [
          'a good and a bad one',
          { party: carol.party, signatures: [...own.signatures, forged] },
          /the signature by \w+ is invalid/,
        ],
        [
          'none',
          { party: carol.party, signatures: [] },
          /needs signatures by 1 of its keys, 0 are there/,
        ],
        [
          'another party',
          { ...own, party: ledger.alice.party },
          /does not act in the prepared transaction/,
        ],
      ]
      for (const [, signatures, reason] of rows) {
        await assertUnchanged(
          () => ledger.ask(ledger.alice, WAIT, execution(prepared, signatures)),
          argument(reason),
        )
      }
      assertRefused(
        await ledger.ask(ledger.alice, WAIT, execution(prepared, own, own)),
        argument(/signatures of the party .* twice/),
      )
      await ledger.done(ledger.alice, WAIT, signed(carol, prepared))
    })

    test('who has no right over the party, and a party that this node signs for', async () => {
      const { alice, bob, ask } = ledger
      const eve = await outsideParty(ledger, 'eve', [newHolder('EC_CURVE25519')])
      const commands = commandsOf({ ...bob, party: eve.party }, createRules(asUser(eve)))
      assertRefused(await ask(bob, PREPARE, commands), DENIED)
      const prepared = await prepare(eve, createRules(asUser(eve)))
      assertRefused(await ask(bob, WAIT, signed(eve, prepared)), DENIED)
      assertRefused(await ask(alice, PREPARE, { ...commands, userId: 'bob' }), DENIED)
      assertRefused(
        await ask(alice, PREPARE, commandsOf(alice, createRules(alice))),
        refusal(11, 'PARTY_SIGNING_KEYS_NOT_FOUND', { resources: [['PARTY', alice.party]] }),
      )
      assertRefused(
        await ask(
          alice,
          'POST /v2/commands/submit-and-wait',
          commandsOf(asUser(eve), createRules(asUser(eve))),
        ),
        refusal(11, 'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT'),
      )
    })

    test('bad input', async () => {
      const { alice, ask } = ledger
      const prepared = await prepare(carol, mint(asUser(carol), rulesId, '1'))
      const good = signed(carol, prepared)
      const rows: [object, Documented | string][] = [
        [{ preparedTransaction: undefined }, missing('prepared_transaction')],
        [{ preparedTransaction: '' }, missing('prepared_transaction')],
        [{ preparedTransaction: '***' }, 'Invalid value for: body ('],
        [
          { preparedTransaction: 'AAAA' },
          argument(/the prepared transaction is malformed: illegal tag/),
        ],
        [
          { preparedTransaction: `${prepared.preparedTransaction.slice(0, 400)}` },
          argument(/malformed/),
        ],
        [{ submissionId: '' }, missing('submission_id')],
        [{ submissionId: '*' }, invalidField(/submission_id/)],
        [
          { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' },
          argument(/The hashing scheme HASHING_SCHEME_VERSION_V3 is not supported/),
        ],
        [{ hashingSchemeVersion: 'NEW' }, 'Invalid value for: body ('],
        [{ partySignatures: { signatures: [] } }, missing('signatures')],
        [{ userId: 'bob' }, DENIED],
      ]
      for (const [change, expected] of rows)
        assertRefused(await ask(alice, WAIT, { ...good, ...change }), expected)
      const commands = commandsOf(asUser(carol), mint(asUser(carol), rulesId, '1'))
      assertRefused(
        await ask(alice, PREPARE, { ...commands, maxRecordTime: 'never' }),
        invalidField(/max_record_time/),
      )
      assertRefused(
        await ask(alice, PREPARE, { ...commands, maxRecordTime: '2001-01-01T00:00:00Z' }),
        refusal(9, 'MAX_RECORD_TIME_EXCEEDED'),
      )
      assertRefused(
        await ask(alice, PREPARE, {
          ...commands,
          hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3',
        }),
        argument(/The hashing scheme HASHING_SCHEME_VERSION_V3 is not supported/),
      )
    })

    test('an execution can be asked not to be earlier than a time', async () => {
      const { alice, ask, done } = ledger
      const good = signed(carol, await prepare(carol, mint(asUser(carol), rulesId, '1')))
      const from = (value: string): object => ({
        minLedgerTime: { time: { MinLedgerTimeAbs: { value } } },
      })
      assertRefused(
        await ask(alice, WAIT, { ...good, ...from('2999-01-01T00:00:00Z') }),
        refusal(2, 'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND'),
      )
      assertRefused(
        await ask(alice, WAIT, { ...good, ...from('soon') }),
        invalidField(/min_ledger_time_abs/),
      )
      for (const value of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z'])
        await done(alice, PREPARE, {
          ...commandsOf(asUser(carol), mint(asUser(carol), rulesId, '1')),
          ...from(value),
        })
      await done(alice, WAIT, { ...good, ...from('2001-01-01T00:00:00Z') })
    })
  })
}

function readBody(body: unknown): Prepared {
  const text = (name: string): string => String(path(body, name))
  return {
    preparedTransaction: text('preparedTransaction'),
    preparedTransactionHash: text('preparedTransactionHash'),
    hashingSchemeVersion: text('hashingSchemeVersion'),
  }
}

function readClock({ json }: Answer): { readonly now: string } {
  return { now: String(path(json, 'now')) }
}
