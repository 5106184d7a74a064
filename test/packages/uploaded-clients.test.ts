// What clients do with contracts of uploaded packages besides commands: updates by interface, blobs
// that are disclosed, transactions that are signed outside, and a server that was not there when
// the package came.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertRefused, refusal } from '../support/documented.ts'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import { call } from '../support/http.ts'
import { readPrepared } from '../interfaces/hashing-oracle.ts'
import {
  commandsOf,
  createdId,
  exercise,
  list,
  outsideParty,
  path,
  signaturesOf,
  WAIT,
} from '../interfaces/ledger-kit.ts'
import type { LedgerClient, OutsideParty } from '../interfaces/ledger-kit.ts'
import {
  archiveSettings,
  create,
  EXTRA,
  interfaces,
  NO_META,
  startForArchives,
  token,
  tokenTemplate,
  upload,
} from './kit.ts'
import { FOLDER, released, skip } from './released.ts'
import { generate } from '../../codegen/index.ts'
import type * as Typed from '../../codegen/emit/support/package-ledger.ts'
import type { Choice, Template } from '../../codegen/emit/support/package-types.ts'
import { imported, tempFolder } from '../codegen/generator-kit.ts'

const TOKEN = tokenTemplate('Token')
const RULES = tokenTemplate('TokenRules')
const PREPARE = 'POST /v2/interactive-submission/prepare'
const EXECUTE = 'POST /v2/interactive-submission/executeAndWaitForTransaction'
const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2090-01-01T00:00:00Z'

const byInterface = (interfaceId: string, more: object = {}) => ({
  cumulative: [
    {
      identifierFilter: {
        InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, ...more } },
      },
    },
  ],
})

type AnyTemplate = Template<unknown>
type AnyChoice = Choice<unknown, unknown, unknown>

/** The constant of a template or interface in generated code. */
async function generated<T>(out: string, id: string): Promise<T> {
  const [folder = '', module = '', name = ''] = id.replace(/^#/, '').split(':')
  const constants = await imported<Readonly<Record<string, T>>>(
    out,
    'packages',
    folder,
    `${module}.gen.ts`,
  )
  const constant = constants[name]
  assert.ok(constant, `there is no ${name}`)
  return constant
}

for (const storage of skip === false ? storesFor('packages that run') : [])
  describe(`clients of uploaded contracts on ${storage.name}`, () => {
    let ledger: LedgerClient
    let section: object

    before(async () => {
      section = await storage.section()
      ledger = await startForArchives({ ...storage, section: async () => section })
      await upload(ledger, released('test-token-v1-1.0.0'))
    })
    after(() => ledger.stop())

    test('updates are shown by interface, with views and what was done through it', async () => {
      const { alice } = ledger
      const begin = await ledger.end()
      const shown = await ledger.show(alice, create(TOKEN, token(alice.party, alice.party, '7')))
      await ledger.submit(alice, exercise(interfaces.holding, createdId(shown), 'Archive', {}))
      const updates = await ledger.done(alice, 'POST /v2/updates', {
        beginExclusive: begin,
        endInclusive: await ledger.end(),
        updateFormat: {
          includeTransactions: {
            transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
            eventFormat: {
              filtersByParty: { [alice.party]: byInterface(interfaces.holding) },
              verbose: true,
            },
          },
        },
      })
      const [created, archived] = list(updates).flatMap((update) =>
        list(path(update, 'update', 'Transaction', 'value', 'events')),
      )
      const view = path(created, 'CreatedEvent', 'interfaceViews', 0)
      assert.equal(path(view, 'viewValue', 'amount'), '7.0000000000')
      assert.equal(path(archived, 'ExercisedEvent', 'choice'), 'Archive')
      assert.match(String(path(archived, 'ExercisedEvent', 'interfaceId')), /:Holding$/)
      assert.deepEqual(path(archived, 'ExercisedEvent', 'implementedInterfaces'), [
        path(view, 'interfaceId'),
      ])
    })

    test('a contract that is disclosed is used by who does not see it', async () => {
      const { alice, bob } = ledger
      const rules = createdId(await ledger.show(alice, create(RULES, { admin: alice.party })))
      const found = await ledger.done(alice, 'POST /v2/state/active-contracts', {
        activeAtOffset: await ledger.end(),
        eventFormat: {
          filtersByParty: {
            [alice.party]: byInterface(interfaces.transferFactory, {
              includeCreatedEventBlob: true,
            }),
          },
          verbose: true,
        },
      })
      const event = list(found)
        .map((each) => path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'))
        .find((each) => path(each, 'contractId') === rules)
      const read = exercise(interfaces.transferFactory, rules, 'TransferFactory_PublicFetch', {
        expectedAdmin: alice.party,
        actor: bob.party,
      })
      const commands = commandsOf(bob, read)
      assertRefused(await ledger.ask(bob, WAIT, commands), refusal(11, 'CONTRACT_NOT_FOUND'))
      const blob = { createdEventBlob: path(event, 'createdEventBlob') }
      const disclosed = { ...commandsOf(bob, read), disclosedContracts: [blob] }
      const answer = await ledger.ask(bob, WAIT, disclosed)
      assert.equal(answer.status, 200, answer.text)
    })

    test('commands are typed by what is generated from the archive', async (t) => {
      const out = tempFolder(t)
      const archive = join(FOLDER, `${released('test-token-v1-1.0.0')}.dar`)
      const report = await generate({ config: { interfaces: [], packages: [{ archive }], out } })
      assert.equal(report.status, 'written', JSON.stringify(report.findings))
      const { packageLedger } = await imported<typeof Typed>(out, 'packages.gen.ts')
      const [Token, Rules] = [
        await generated<AnyTemplate>(out, TOKEN),
        await generated<AnyTemplate>(out, RULES),
      ]
      const factory = await generated<Readonly<Record<string, AnyChoice>>>(
        out,
        interfaces.transferFactory,
      )
      const transfer = factory['TransferFactory_Transfer']
      assert.ok(transfer)
      const { alice, service } = ledger
      const typed = packageLedger(
        async (body) => {
          const path = 'POST /v2/commands/submit-and-wait-for-transaction'
          const answer = await call(service.url, path, { token: alice.token, body })
          return { status: answer.status, body: answer.json }
        },
        { actAs: [alice.party] },
      )
      const rules = await typed.create(Rules, Rules.payload.decode({ admin: alice.party }))
      const payload = Token.payload.decode(token(alice.party, alice.party, '9'))
      const held = await typed.create(Token, payload)
      const done = await typed.exercise(
        transfer,
        rules.contractId,
        transfer.argument.decode({
          expectedAdmin: alice.party,
          transfer: {
            sender: alice.party,
            receiver: alice.party,
            amount: '1',
            instrumentId: { admin: alice.party, id: 'Gold' },
            requestedAt: PAST,
            executeBefore: FUTURE,
            inputHoldingCids: [held.contractId],
            meta: NO_META,
          },
          extraArgs: EXTRA,
        }),
      )
      assert.equal(path(done.result, 'output', 'tag'), 'TransferInstructionResult_Completed')
      assert.ok(path(done.result, 'meta', 'values') instanceof Map)
      await assert.rejects(typed.exercise(transfer, held.contractId, {}), RangeError)
    })

    test('a transaction is prepared, signed outside by its public hash, and executed', async () => {
      const carol = await outsideParty(ledger, 'carol', [newHolder('EC_CURVE25519')])
      const rules = createdId(await signed(ledger, carol, create(RULES, { admin: carol.party })))
      const coin = createdId(
        await signed(ledger, carol, create(TOKEN, token(carol.party, carol.party, '3'))),
      )
      const done = await signed(
        ledger,
        carol,
        exercise(interfaces.transferFactory, rules, 'TransferFactory_Transfer', {
          expectedAdmin: carol.party,
          transfer: {
            sender: carol.party,
            receiver: carol.party,
            amount: '1',
            instrumentId: { admin: carol.party, id: 'Gold' },
            requestedAt: PAST,
            executeBefore: FUTURE,
            inputHoldingCids: [coin],
            meta: NO_META,
          },
          extraArgs: EXTRA,
        }),
      )
      const amounts = list(path(done, 'transaction', 'events')).map((event) =>
        path(event, 'CreatedEvent', 'createArgument', 'holding', 'amount'),
      )
      assert.deepEqual(amounts.filter((each) => each !== undefined).toSorted(), [
        '1.0000000000',
        '2.0000000000',
      ])
    })

    test('a server that starts later knows the package when it is needed', async (context) => {
      const { alice } = ledger
      if (storage.name === 'memory') return context.skip('a store in memory ends with its server')
      const coin = createdId(
        await ledger.show(alice, create(TOKEN, token(alice.party, alice.party, '9'))),
      )
      const isShared = storage.name === 'postgres'
      if (!isShared) await ledger.service.stop()
      const later = await startService({
        config: { storage: section, ...archiveSettings() },
        seeded: true,
        ...(isShared ? {} : { dataDir: ledger.service.dataDir }),
      })
      const asAlice = { token: await later.token('alice') }
      const end = await call(later.url, 'GET /v2/state/ledger-end', asAlice)
      const body = {
        activeAtOffset: path(end.json, 'offset'),
        eventFormat: {
          filtersByParty: { [alice.party]: byInterface(interfaces.holding) },
          verbose: true,
        },
      }
      const found = await call(later.url, 'POST /v2/state/active-contracts', { ...asAlice, body })
      const views = list(found.json).map((each) =>
        path(each, 'contractEntry', 'JsActiveContract', 'createdEvent', 'interfaceViews', 0),
      )
      assert.ok(views.some((view) => path(view, 'viewValue', 'amount') === '9.0000000000'))
      const gone = await call(later.url, WAIT, {
        ...asAlice,
        body: commandsOf(alice, exercise(TOKEN, coin, 'Archive', {})),
      })
      assert.equal(gone.status, 200, gone.text)
      await later.stop()
    })
  })

/** What the party's signature of the hash commits; an independent reader computes the hash. */
async function signed(
  ledger: LedgerClient,
  party: OutsideParty,
  command: object,
): Promise<unknown> {
  const { alice } = ledger
  const body = commandsOf(party, command)
  const prepared = await ledger.done(alice, PREPARE, body)
  const preparedTransaction = String(path(prepared, 'preparedTransaction'))
  const hash = String(path(prepared, 'preparedTransactionHash'))
  assert.equal(Buffer.from(readPrepared(preparedTransaction).hash).toString('base64'), hash)
  return ledger.done(alice, EXECUTE, {
    preparedTransaction,
    hashingSchemeVersion: path(prepared, 'hashingSchemeVersion'),
    submissionId: 'signed',
    partySignatures: { signatures: [signaturesOf(party, hash, party.holders)] },
  })
}
