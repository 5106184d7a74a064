// Commands over HTTP: what is committed and shown, what is refused with which error, and that
// nothing is written then.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
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
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  archive,
  commandsOf,
  createdId,
  createRules,
  list,
  mint,
  path,
  RULES,
  SHOW,
  startLedger,
  WAIT,
} from './ledger-kit.ts'
import type { LedgerClient } from './ledger-kit.ts'

const TREE = 'POST /v2/commands/submit-and-wait-for-transaction-tree'
const ASYNC = 'POST /v2/commands/async/submit'
const UNKNOWN = `00${'ab'.repeat(48)}`
const NOWHERE = refusal(11, 'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT')
const preprocessing = (cause: RegExp) => refusal(8, 'COMMAND_PREPROCESSING_FAILED', { cause })
const noTemplate = (id: string) =>
  refusal(11, 'TEMPLATES_OR_INTERFACES_NOT_FOUND', { resources: [['TEMPLATE_ID', id]] })

const exercise = (rest: object): object => ({
  ExerciseCommand: {
    templateId: RULES,
    contractId: UNKNOWN,
    choice: 'Archive',
    choiceArgument: {},
    ...rest,
  },
})

type Row = readonly [
  name: string,
  change: (ledger: LedgerClient) => object,
  expected: Documented | string,
]
const ROWS: readonly Row[] = [
  ['no command id', () => ({ commandId: undefined }), missing('command_id')],
  ['an empty command id', () => ({ commandId: '' }), missing('command_id')],
  ['nobody acts', () => ({ actAs: [] }), missing('party or act_as')],
  ['no commands', () => ({ commands: [] }), missing('commands')],
  [
    'a bad workflow id',
    () => ({ workflowId: 'é' }),
    invalidField(/Invalid field workflow_id: non expected character 0xe9/),
  ],
  [
    'a command id that is too long',
    () => ({ commandId: 'x'.repeat(256) }),
    invalidField(/Invalid field command_id/),
  ],
  [
    'a bad submission id',
    () => ({ submissionId: '*' }),
    invalidField(/Invalid field submission_id/),
  ],
  [
    'an unknown synchronizer',
    () => ({ synchronizerId: 'other::1220ab' }),
    refusal(11, 'SYNCHRONIZER_NOT_FOUND', { resources: [['SYNCHRONIZER_ID', 'other::1220ab']] }),
  ],
  ['another user', () => ({ userId: 'bob' }), DENIED],
  ['another party', ({ bob }) => ({ actAs: [bob.party] }), DENIED],
  ['reading as another party', ({ bob }) => ({ readAs: [bob.party] }), DENIED],
  [
    'by key',
    () => ({
      commands: [
        {
          ExerciseByKeyCommand: {
            templateId: RULES,
            contractKey: 1,
            choice: 'Archive',
            choiceArgument: {},
          },
        },
      ],
    }),
    argument('Contract keys are not supported, so no command can exercise by key'),
  ],
  ['no such variant', () => ({ commands: [{ Nothing: {} }] }), 'Invalid value for: body ('],
  [
    'a template id of two parts',
    () => ({ commands: [exercise({ templateId: 'a:b' })] }),
    invalidField(/Invalid field template_id: Invalid identifier format \(a:b\)/),
  ],
  [
    'a package without code',
    () => ({ commands: [exercise({ templateId: '#notes:Main:Note' })] }),
    noTemplate('#notes:Main:Note'),
  ],
  [
    'a package id without code',
    () => ({ commands: [{ CreateCommand: { templateId: 'ab:Main:Note', createArguments: {} } }] }),
    noTemplate('ab:Main:Note'),
  ],
  [
    'an unknown choice',
    () => ({ commands: [exercise({ choice: 'Nope' })] }),
    preprocessing(/has no choice Nope/),
  ],
  [
    'a choice named like a method',
    () => ({ commands: [exercise({ choice: 'constructor' })] }),
    preprocessing(/has no choice constructor/),
  ],
  [
    'a contract id that is none',
    () => ({ commands: [exercise({ contractId: 'zz' })] }),
    invalidField(/Invalid field contract_id: cannot parse ContractId "zz"/),
  ],
  [
    'an unknown contract',
    () => ({ commands: [exercise({})] }),
    refusal(11, 'CONTRACT_NOT_FOUND', { resources: [['CONTRACT_ID', UNKNOWN]] }),
  ],
  [
    'a payload without its field',
    () => ({ commands: [{ CreateCommand: { templateId: RULES, createArguments: {} } }] }),
    preprocessing(/admin/),
  ],
  [
    'somebody else signs',
    ({ bob }) => ({ commands: [createRules(bob)] }),
    refusal(8, 'AUTHORIZATION_ERROR'),
  ],
  [
    'two ledger times',
    () => ({
      minLedgerTimeAbs: '2020-01-01T00:00:00Z',
      minLedgerTimeRel: { seconds: 1, nanos: 0 },
    }),
    argument('min_ledger_time_abs cannot be specified when min_ledger_time_rel is specified'),
  ],
  [
    'a time that is none',
    () => ({ minLedgerTimeAbs: 'soon' }),
    invalidField(/min_ledger_time_abs: soon is no point in time/),
  ],
  [
    'a time beyond the year 9999',
    () => ({ minLedgerTimeAbs: '+012027-02-07T20:37:00Z' }),
    invalidField(/min_ledger_time_abs: .* is no point in time/),
  ],
  [
    'a time that nobody can write',
    () => ({ minLedgerTimeRel: { seconds: Number.MAX_SAFE_INTEGER, nanos: 0 } }),
    invalidField(/min_ledger_time_rel: .* is no point in time/),
  ],
  [
    'too early',
    () => ({ minLedgerTimeRel: { seconds: 3600, nanos: 0 } }),
    refusal(2, 'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND'),
  ],
  [
    'a negative deduplication period',
    () => ({
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } },
    }),
    invalidField(/deduplication_period: Duration must be positive/),
  ],
  [
    'a deduplication period of two days',
    () => ({
      deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 172_800, nanos: 0 } } },
    }),
    refusal(9, 'INVALID_DEDUPLICATION_PERIOD', { context: { longest_duration: 'PT24H' } }),
  ],
  [
    'a negative deduplication offset',
    () => ({ deduplicationPeriod: { DeduplicationOffset: { value: -1 } } }),
    refusal(8, 'NEGATIVE_OFFSET'),
  ],
  [
    'a disclosed contract that is none',
    () => ({ disclosedContracts: [{ createdEventBlob: 'AAAA' }] }),
    refusal(8, 'DISCLOSED_CONTRACT_AUTHENTICATION_FAILED'),
  ],
  [
    'a blob that is no base64',
    () => ({ disclosedContracts: [{ createdEventBlob: '*' }] }),
    'Invalid value for: body (',
  ],
  [
    'a preferred package that is none',
    () => ({ packageIdSelectionPreference: ['a/b'] }),
    invalidField(/package_id_selection_preference/),
  ],
  ['a body of the wrong type', () => ({ actAs: 'alice' }), 'Invalid value for: body ('],
]

for (const storage of storesFor('commands')) {
  describe(`commands on ${storage.name}`, () => {
    let ledger: LedgerClient
    // Nobody else writes: what a refused command must not do can be told from the ledger's end.
    before(async () => {
      const network = { traffic: { baseBurstBytes: 1_000_000_000 } }
      ledger = await startLedger(storage, {
        validator: { pollMs: 3_600_000 },
        automations: { merging: false },
        network,
      })
    })
    after(() => ledger.stop())

    test('a creation is committed at an offset and can be read there', async () => {
      const { alice, done, end } = ledger
      const answer = await ledger.submit(alice, createRules(alice))
      const offset = path(answer, 'completionOffset')
      assert.ok(Number(offset) <= (await end()))
      const updateFormat = {
        includeTransactions: {
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
          eventFormat: { filtersByParty: { [alice.party]: {} } },
        },
      }
      const update = path(
        await done(alice, 'POST /v2/updates/update-by-offset', { offset, updateFormat }),
        'update',
        'Transaction',
        'value',
      )
      assert.equal(path(update, 'updateId'), path(answer, 'updateId'))
      assert.deepEqual(path(list(path(update, 'events'))[0], 'CreatedEvent', 'createArgument'), {
        admin: alice.party,
      })
    })

    test('commands of one submission see each other and are shown as one transaction', async () => {
      const { alice, done } = ledger
      const createAndMint = {
        CreateAndExerciseCommand: {
          templateId: RULES,
          createArguments: { admin: alice.party },
          choice: 'TestTokenRules_Mint',
          choiceArgument: { owner: alice.party, instrumentId: 'Gold', amount: '2.5' },
        },
      }
      const commands = {
        ...commandsOf(alice, createRules(alice), createAndMint),
        workflowId: 'minting',
      }
      const transaction = path(await done(alice, SHOW, { commands }), 'transaction')
      assert.equal(path(transaction, 'commandId'), commands.commandId)
      assert.equal(path(transaction, 'workflowId'), 'minting')
      assert.deepEqual(
        list(path(transaction, 'events')).map((event) => Object.keys(Object(event))[0]),
        ['CreatedEvent', 'CreatedEvent', 'CreatedEvent'],
      )
      const whole = {
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        eventFormat: { filtersByParty: { [alice.party]: {} }, verbose: false },
      }
      const minting = commandsOf(alice, mint(alice, createdId({ transaction }), '1'))
      const effects = await done(alice, SHOW, { commands: minting, transactionFormat: whole })
      const [exercised] = list(path(effects, 'transaction', 'events'))
      assert.equal(path(exercised, 'ExercisedEvent', 'choice'), 'TestTokenRules_Mint')
      assert.equal(
        typeof path(exercised, 'ExercisedEvent', 'exerciseResult', 'holdingCid'),
        'string',
      )
    })

    test('a transaction is shown as a tree of all its nodes', async () => {
      const { alice, done } = ledger
      const rules = await ledger.create(alice)
      const commands = commandsOf(alice, mint(alice, rules, '1'))
      const tree = path(await done(alice, TREE, commands), 'transactionTree')
      assert.equal(path(tree, 'commandId'), commands.commandId)
      const choice = path(tree, 'eventsById', '0', 'ExercisedTreeEvent', 'value', 'choice')
      assert.equal(choice, 'TestTokenRules_Mint')
      const minted = path(tree, 'eventsById', '1', 'CreatedTreeEvent', 'value')
      assert.equal(path(minted, 'createArgument', 'owner'), alice.party)
    })

    test('what comes of commands without waiting is told by completions, of refusals too', async () => {
      const { alice, bob, ask, done, end } = ledger
      const beginExclusive = await end()
      const contractId = await ledger.create(alice)
      const submissions = [archive(contractId), archive(contractId)].map((command, index) => ({
        ...commandsOf(alice, command),
        submissionId: `try-${index}`,
      }))
      for (const submission of submissions) {
        assert.deepEqual(await done(alice, ASYNC, submission), {})
        await retried(async () => {
          const told = await completions(submission.submissionId)
          assert.equal(told.length, 1)
        })
      }
      const statuses = []
      for (const { submissionId } of submissions)
        statuses.push(path((await completions(submissionId))[0], 'status'))
      assert.deepEqual(statuses[0], { code: 0, message: '' })
      assert.match(String(path(statuses[1], 'message')), /^CONTRACT_NOT_FOUND\(11,/)
      assertRefused(await ask(alice, ASYNC, { ...submissions[0], actAs: [bob.party] }), DENIED)
      assertRefused(
        await ask(alice, ASYNC, { ...submissions[0], commands: [] }),
        missing('commands'),
      )

      async function completions(submissionId: string): Promise<readonly unknown[]> {
        const request = { parties: [alice.party], beginExclusive }
        return list(
          await done(alice, 'POST /v2/commands/completions?stream_idle_timeout_ms=50', request),
        )
          .map((entry) => path(entry, 'completionResponse', 'Completion', 'value'))
          .filter((completion) => path(completion, 'submissionId') === submissionId)
      }
    })

    test('a transaction of five hundred nodes is committed; of a larger one nothing is', async () => {
      const { alice, ask, end } = ledger
      const many = (count: number, command: object): object[] =>
        Array.from({ length: count }, () => command)
      const twoNodes = {
        CreateAndExerciseCommand: {
          templateId: RULES,
          createArguments: { admin: alice.party },
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      const large = refusal(8, 'TRANSACTION_TOO_LARGE', {
        cause: /has more than 500 nodes/,
        context: { limit: '500' },
      })
      for (const [fits, exceeds] of [
        [many(500, createRules(alice)), many(501, createRules(alice))],
        [many(250, twoNodes), many(251, twoNodes)],
      ] as const) {
        await ledger.submit(alice, ...fits)
        const before = await end()
        for (const request of [WAIT, SHOW]) {
          const commands = commandsOf(alice, ...exceeds)
          assertRefused(
            await ask(alice, request, request === WAIT ? commands : { commands }),
            large,
          )
        }
        assert.equal(await end(), before)
      }
    })

    test('a command id is used once, of racers one wins', async () => {
      const { alice, ask, done } = ledger
      const commands = commandsOf(alice, createRules(alice))
      await done(alice, WAIT, commands)
      assertRefused(await ask(alice, WAIT, commands), refusal(10, 'DUPLICATE_COMMAND'))
      const raced = commandsOf(alice, createRules(alice))
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(alice, WAIT, raced)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      for (const { json, status } of answers.filter((answer) => answer.status !== 200)) {
        assert.equal(status, 409)
        assert.match(
          String(path(json, 'code')),
          /^(DUPLICATE_COMMAND|SUBMISSION_ALREADY_IN_FLIGHT)$/,
        )
      }
    })

    test('a contract is archived once, of racers one wins', async () => {
      const { alice, ask } = ledger
      const contractId = await ledger.create(alice)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ask(alice, WAIT, commandsOf(alice, archive(contractId)))),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404])
    })

    test('a contract of somebody else is not found, until it is disclosed', async () => {
      const { alice, bob, ask, done } = ledger
      const withBlob = {
        identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
      }
      const shown = {
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        eventFormat: { filtersByParty: { [alice.party]: { cumulative: [withBlob] } } },
      }
      const created = await done(alice, SHOW, {
        commands: commandsOf(alice, createRules(alice)),
        transactionFormat: shown,
      })
      const event = path(list(path(created, 'transaction', 'events'))[0], 'CreatedEvent')
      const [contractId, createdEventBlob] = [
        path(event, 'contractId'),
        String(path(event, 'createdEventBlob')),
      ]
      assertRefused(
        await ask(bob, WAIT, commandsOf(bob, mint(bob, contractId, '1'))),
        refusal(11, 'CONTRACT_NOT_FOUND'),
      )
      const disclosing = (blob: string, rest: object = {}): object => ({
        ...commandsOf(bob, mint(bob, contractId, '1')),
        disclosedContracts: [{ createdEventBlob: blob, ...rest }],
      })
      assertRefused(
        await ask(bob, WAIT, disclosing(createdEventBlob)),
        refusal(8, 'AUTHORIZATION_ERROR'),
      )
      const content = Buffer.from(createdEventBlob, 'base64').toString()
      const altered = Buffer.from(content.replaceAll(alice.party, bob.party)).toString('base64')
      assertRefused(
        await ask(bob, WAIT, disclosing(altered)),
        refusal(8, 'DISCLOSED_CONTRACT_AUTHENTICATION_FAILED'),
      )
      assertRefused(
        await ask(bob, WAIT, disclosing(createdEventBlob, { contractId: UNKNOWN })),
        argument(/Mismatch between DisclosedContract.contractId/),
      )
    })

    test('who has the right to act for a party that signs for itself, or for none that exists, still cannot submit for it', async () => {
      const { admin, alice, ask, service } = ledger
      const stranger = `stranger::1220${randomBytes(32).toString('hex')}`
      const rights = [{ kind: { CanActAs: { value: { party: stranger } } } }]
      await call(service.url, 'POST /v2/users/alice/rights', {
        token: admin,
        body: { userId: 'alice', rights },
      })
      assertRefused(
        await ask(alice, WAIT, { ...commandsOf(alice, createRules(alice)), actAs: [stranger] }),
        NOWHERE,
      )
    })

    for (const [name, change, expected] of ROWS) {
      test(`refused: ${name}`, async () => {
        const { alice, ask, end } = ledger
        const endBefore = await end()
        assertRefused(
          await ask(alice, WAIT, { ...commandsOf(alice, createRules(alice)), ...change(ledger) }),
          expected,
        )
        assert.equal(await end(), endBefore, 'nothing was written')
      })
    }
  })
}
