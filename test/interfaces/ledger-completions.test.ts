// What completions tell of submissions: under which id and for how long they are known, that one
// was refused and why, and which of many executions of one prepared transaction counts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import {
  archive,
  commandsOf,
  createdId,
  createRules,
  list,
  mint,
  outsideParty,
  path,
  signaturesOf,
  startLedger,
  WAIT,
} from './ledger-kit.ts'
import type { LedgerClient, OutsideParty } from './ledger-kit.ts'
import { openStream } from './stream-client.ts'

const INTERACTIVE = 'POST /v2/interactive-submission'
const ABORTED = 10
const TIMES = 10

for (const storage of storesFor('completions')) {
  describe(`completions on ${storage.name}`, () => {
    let ledger: LedgerClient
    let carol: OutsideParty
    const asCarol = () => ({ ...ledger.alice, party: carol.party })
    const prepare = async (...given: object[]): Promise<unknown> =>
      ledger.done(ledger.alice, `${INTERACTIVE}/prepare`, commandsOf(asCarol(), ...given))
    const signed = (prepared: unknown, submissionId: string) => ({
      preparedTransaction: path(prepared, 'preparedTransaction'),
      hashingSchemeVersion: path(prepared, 'hashingSchemeVersion'),
      submissionId,
      partySignatures: {
        signatures: [
          signaturesOf(carol, String(path(prepared, 'preparedTransactionHash')), carol.holders),
        ],
      },
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 90, nanos: 0 } } },
    })
    const execute = (prepared: unknown, submissionId: string) =>
      ledger.ask(ledger.alice, `${INTERACTIVE}/execute`, signed(prepared, submissionId))
    /** The next `count` completions of the parties from an offset on. */
    const completions = async (
      parties: string[],
      beginExclusive: number,
      count: number,
      user = ledger.alice,
    ) => {
      const stream = await openStream(
        ledger.service.url,
        '/v2/commands/completions',
        { parties, beginExclusive },
        { token: user.token },
      )
      assert.ok('elements' in stream)
      const told = () =>
        stream.elements.flatMap((each) => {
          const value = path(each, 'completionResponse', 'Completion', 'value')
          return value === undefined ? [] : [value]
        })
      for (let seen = 1; told().length < count; seen += 1) await stream.until(seen)
      await stream.close()
      return told()
    }
    const newRules = async (): Promise<string> => {
      const body = signed(await prepare(createRules(asCarol())), 'rules')
      const where = `${INTERACTIVE}/executeAndWaitForTransaction`
      return createdId(await ledger.done(ledger.alice, where, body))
    }

    before(async () => {
      ledger = await startLedger(storage)
      carol = await outsideParty(ledger, 'carol', [newHolder('EC_CURVE25519')])
    })
    after(() => ledger.stop())

    test('they name the submission and say how long it is known', async () => {
      const { alice, done, end } = ledger
      const begin = await end()
      const deduplicationPeriod = {
        DeduplicationDuration: { value: { seconds: 30, nanos: 500_000_000 } },
      }
      const commands = commandsOf(alice, createRules(alice))
      await done(alice, WAIT, { ...commands, submissionId: 'mine', deduplicationPeriod })
      const [told] = await completions([alice.party], begin, 1)
      assert.deepEqual(
        [path(told, 'commandId'), path(told, 'submissionId'), path(told, 'status', 'code')],
        [commands.commandId, 'mine', 0],
      )
      assert.deepEqual(path(told, 'deduplicationPeriod'), deduplicationPeriod)
    })

    test('an execution is told with the id of its submission', async () => {
      const begin = await ledger.end()
      const prepared = await prepare(createRules(asCarol()))
      const answer = await execute(prepared, 'executed')
      assert.deepEqual([answer.status, answer.json], [200, {}])
      const [told] = await completions([carol.party], begin, 1)
      assert.deepEqual(
        [path(told, 'submissionId'), path(told, 'status', 'code'), path(told, 'actAs')],
        ['executed', 0, [carol.party]],
      )
      const seconds = path(told, 'deduplicationPeriod', 'DeduplicationDuration', 'value', 'seconds')
      assert.equal(Number(seconds), 90)
    })

    test('a command that was refused is a completion that says why', async () => {
      const { alice, ask, end } = ledger
      const rules = await ledger.create(alice)
      await ledger.submit(alice, archive(rules))
      const begin = await end()
      const commands = { ...commandsOf(alice, archive(rules)), submissionId: 'too-late' }
      const refused = await ask(alice, WAIT, commands)
      assert.equal(refused.status, 404, refused.text)
      const [told] = await completions([alice.party], begin, 1)
      assert.deepEqual(
        [path(told, 'commandId'), path(told, 'submissionId'), path(told, 'updateId')],
        [commands.commandId, 'too-late', undefined],
      )
      assert.equal(path(told, 'status', 'code'), member(refused.json, 'grpcCodeValue'))
      assert.match(String(path(told, 'status', 'message')), /^CONTRACT_NOT_FOUND\(11,/)
      assert.equal(await end(), begin)
    })

    test('whoever goes on from the offset of a refusal misses nothing', async () => {
      const { alice, ask, done, end } = ledger
      await ledger.submit(alice, createRules(alice))
      const begin = await end()
      const created = commandsOf(alice, createRules(alice))
      await done(alice, WAIT, created)
      const gone = commandsOf(alice, archive(`00${'ab'.repeat(48)}`))
      assert.equal((await ask(alice, WAIT, gone)).status, 404)
      const told = await completions([alice.party], begin, 2)
      const at = told.findIndex((each) => path(each, 'commandId') === gone.commandId)
      const later = told.slice(at + 1).map((each) => Number(path(each, 'offset')))
      assert.ok(later.every((offset) => offset > Number(path(told[at], 'offset'))))
      assert.deepEqual(
        told.map((each) => path(each, 'commandId')).sort(),
        [created.commandId, gone.commandId].sort(),
      )
    })

    test('of two executions that spend the same contract one learns that it is locked', async () => {
      const rules = await newRules()
      const begin = await ledger.end()
      const [one, other] = [await prepare(archive(rules)), await prepare(archive(rules))]
      const answers = await Promise.all([execute(one, 'one'), execute(other, 'other')])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const told = await completions([carol.party], begin, 2)
      const codes = told.map((each) => path(each, 'status', 'code'))
      assert.deepEqual(codes.map(Number).sort(), [0, ABORTED])
      const locked = told.find((each) => path(each, 'status', 'code') === ABORTED)
      assert.match(String(path(locked, 'status', 'message')), /^LOCAL_VERDICT_LOCKED_CONTRACTS\(2,/)
      assert.deepEqual(told.map((each) => path(each, 'submissionId')).sort(), ['one', 'other'])
    })

    test('who executes what another user prepared is the one who is told', async () => {
      const { alice, bob, admin, ask, done, end } = ledger
      const value = { party: carol.party }
      const rights = [{ kind: { CanExecuteAs: { value } } }, { kind: { CanReadAs: { value } } }]
      await done({ ...alice, token: admin }, 'POST /v2/users/bob/rights', { userId: 'bob', rights })
      const [begin, prepared] = [await end(), await prepare(createRules(asCarol()))]
      await done(bob, `${INTERACTIVE}/executeAndWait`, signed(prepared, 'by-bob'))
      const again = await ask(alice, `${INTERACTIVE}/executeAndWait`, signed(prepared, 'by-alice'))
      assert.deepEqual([again.status, path(again.json, 'code')], [409, 'DUPLICATE_COMMAND'])
      const told = await completions([carol.party], begin, 1, bob)
      assert.deepEqual(
        told.map((each) => [path(each, 'submissionId'), path(each, 'status', 'code')]),
        [['by-bob', 0]],
      )
    })

    for (const [name, line] of [
      ['executed', 'execute'],
      ['executed and waited for', 'executeAndWait'],
    ] as const) {
      test(`a transaction that is ${name} ten times at once is done once`, async () => {
        const rules = await newRules()
        const begin = await ledger.end()
        const prepared = await prepare(mint(asCarol(), rules, '1'))
        const ids = Array.from({ length: TIMES }, (_, at) => `${line}-${at}`)
        const answers = await Promise.all(
          ids.map((id) => ledger.ask(ledger.alice, `${INTERACTIVE}/${line}`, signed(prepared, id))),
        )
        const done = ids.filter((_, at) => answers[at]?.status === 200)
        assert.equal(done.length, 1)
        for (const { status, json } of answers.filter((answer) => answer.status !== 200)) {
          assert.equal(status, 409)
          const [code, context] = [path(json, 'code'), path(json, 'context')]
          if (code === 'SUBMISSION_ALREADY_IN_FLIGHT')
            assert.ok(ids.includes(String(path(context, 'existingSubmissionId'))))
          else assert.equal(code, 'DUPLICATE_COMMAND')
        }
        const told = await completions([carol.party], begin, 1)
        if (line === 'execute')
          assert.deepEqual(
            told.map((each) => [path(each, 'submissionId'), path(each, 'status', 'code')]),
            [[done[0], 0]],
          )
        const updates = await ledger.done(ledger.alice, 'POST /v2/updates', {
          beginExclusive: begin,
          endInclusive: await ledger.end(),
          updateFormat: {
            includeTransactions: {
              transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
              eventFormat: { filtersByParty: { [carol.party]: {} } },
            },
          },
        })
        assert.equal(list(updates).length, 1)
      })
    }
  })
}
