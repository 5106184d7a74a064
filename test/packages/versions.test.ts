// Versions of an uploaded package side by side, what no version takes, and what exceptions undo.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { member } from '../../runtime/host/member.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, createdId, exercise, list, path, WAIT } from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'
import { assertRefused, refusal } from '../support/documented.ts'
import {
  create,
  interfaces,
  startForArchives,
  token,
  tokenTemplate,
  upload,
  uploadOwn,
} from './kit.ts'
import { notes } from './small.ts'
import { released, releasedModule, skip } from './released.ts'

const NAME = released('token-test-dummy-holding')
const HOLDING = `#${NAME}:${releasedModule('Api.Token.Test.DummyHolding')}:DummyHolding`
const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'

for (const storage of skip === false ? storesFor('packages that run') : [])
  describe(`versions of uploaded packages on ${storage.name}`, () => {
    let ledger: LedgerClient

    before(async () => {
      ledger = await startForArchives(storage)
      for (const version of ['0.0.1', '0.0.2', '0.0.4']) await upload(ledger, `${NAME}-${version}`)
      await upload(ledger, released('test-token-v1-1.0.0'))
    })
    after(() => ledger.stop())

    test('a name means the highest version, or the one that is preferred', async () => {
      const { alice } = ledger
      const payload = { owner: alice.party, issuer: alice.party, amount: '1.5' }
      const vetted = await ledger.done(alice, 'GET /v2/package-vetting')
      const versions = list(path(vetted, 'vettedPackages'))
        .flatMap((each) => list(path(each, 'packages')))
        .filter((each) => path(each, 'packageName') === NAME)
      const idOf = (version: string) =>
        path(
          versions.find((each) => path(each, 'packageVersion') === version),
          'packageId',
        )
      const [oldest, newest] = [idOf('0.0.1'), idOf('0.0.4')]
      const createdWith = async (preference: readonly unknown[]) => {
        const shown = await ledger.done(alice, SHOW, {
          commands: {
            ...commandsOf(alice, create(HOLDING, payload)),
            packageIdSelectionPreference: preference,
          },
        })
        const event = path(shown, 'transaction', 'events', 0, 'CreatedEvent')
        assert.equal(path(event, 'packageName'), NAME)
        return { id: createdId(shown), package: path(event, 'representativePackageId') }
      }
      assert.equal((await createdWith([])).package, newest)
      const old = await createdWith([oldest])
      assert.equal(old.package, oldest)
      await ledger.submit(alice, exercise(HOLDING, old.id, 'Archive', {}))
      const other = await createdWith([oldest])
      await ledger.submit(alice, exercise(interfaces.holding, other.id, 'Archive', {}))
    })

    test('input that is no value of its type is refused, and writes nothing', async () => {
      const { alice } = ledger
      const whole = token(alice.party, alice.party, '1')
      const shown = await ledger.show(alice, create(tokenTemplate('Token'), whole))
      const end = await ledger.end()
      const seed = Math.floor(Math.random() * 2 ** 31)
      console.log(`seed ${seed}`)
      const wrong = fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc
          .tuple(fc.constantFrom('owner', 'instrumentId', 'amount', 'lock', 'meta'), fc.jsonValue())
          .map(([name, value]) => ({
            holding: { ...Object(path(whole, 'holding')), [name]: value },
          })),
      )
      await fc.assert(
        fc.asyncProperty(wrong, fc.boolean(), async (value, isChoice) => {
          const command = isChoice
            ? exercise(interfaces.transferFactory, createdId(shown), 'TransferFactory_Transfer', {
                expectedAdmin: value,
              })
            : create(tokenTemplate('Token'), { extra: 1, ...Object(value) })
          const answer = await ledger.ask(alice, WAIT, commandsOf(alice, command))
          assert.equal(answer.status, 400, `${JSON.stringify(value)}: ${answer.text}`)
          assert.equal(typeof member(answer.json, 'code'), 'string')
        }),
        { seed, numRuns: 60 },
      )
      assert.equal(await ledger.end(), end)
    })

    test('versions read each other’s contracts as far as they know the fields', async () => {
      const { alice } = ledger
      const [older, newer] = [notes('1.0.0'), notes('2.0.0')]
      await uploadOwn(ledger, older)
      const made = async (more: object = {}): Promise<string> =>
        createdId(await ledger.show(alice, create(NOTES, { owner: alice.party, ...more })))
      const first = await made()
      await uploadOwn(ledger, newer)
      await ledger.submit(alice, exercise(NOTES, first, 'Catch', {}))
      const inOlder = `${older.packageId}:Notes:Note`
      await ledger.submit(alice, exercise(inOlder, await made(), 'Catch', {}))
      const ask = (command: object) => ledger.ask(alice, WAIT, commandsOf(alice, command))
      const note = await made({ text: 'new' })
      assertRefused(
        await ask(exercise(inOlder, note, 'Catch', {})),
        refusal(9, 'INTERPRETATION_USER_ERROR', { cause: /cannot be read/ }),
      )
      assertRefused(
        await ask(create(inOlder, { owner: alice.party, text: 'new' })),
        refusal(8, 'COMMAND_PREPROCESSING_FAILED', { cause: /text/ }),
      )
      await ledger.submit(alice, exercise(NOTES, note, 'Archive', {}))
    })

    test('an exception that nobody catches leaves nothing but a completion', async () => {
      const { alice } = ledger
      await uploadOwn(ledger, notes('1.0.0'))
      const note = createdId(await ledger.show(alice, create(NOTES, { owner: alice.party })))
      const end = await ledger.end()
      const commands = commandsOf(alice, exercise(NOTES, note, 'Throw', {}))
      const refused = await ledger.ask(alice, WAIT, commands)
      assertRefused(refused, refusal(9, 'INTERPRETATION_USER_ERROR'))
      const told = await ledger.done(alice, 'POST /v2/commands/completions', {
        parties: [alice.party],
        beginExclusive: end,
      })
      const [completion] = list(told).map((each) =>
        path(each, 'completionResponse', 'Completion', 'value'),
      )
      assert.equal(path(completion, 'commandId'), commands.commandId)
      assert.equal(path(completion, 'status', 'code'), member(refused.json, 'grpcCodeValue'))
      assert.deepEqual(await active(ledger), [note])
      await ledger.submit(alice, exercise(NOTES, note, 'Archive', {}))
    })

    test('an exception that is caught undoes what was done before it, and no more', async () => {
      const { alice } = ledger
      await uploadOwn(ledger, notes('1.0.0'))
      const note = createdId(await ledger.show(alice, create(NOTES, { owner: alice.party })))
      const shown = await ledger.done(alice, SHOW, {
        commands: commandsOf(alice, exercise(NOTES, note, 'Catch', {})),
        transactionFormat: {
          transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
          eventFormat: { filtersByParty: { [alice.party]: {} }, verbose: true },
        },
      })
      const events = list(path(shown, 'transaction', 'events')).map(Object)
      assert.deepEqual(
        events.map((event) => Object.keys(event)),
        [['ExercisedEvent']],
      )
      assert.deepEqual(await active(ledger), [])
    })
  })

const NOTES = '#notes:Notes:Note'

/** Alice's notes. */
async function active(ledger: LedgerClient): Promise<readonly unknown[]> {
  const { alice } = ledger
  const filter = { identifierFilter: { TemplateFilter: { value: { templateId: NOTES } } } }
  const found = await ledger.done(alice, 'POST /v2/state/active-contracts', {
    activeAtOffset: await ledger.end(),
    eventFormat: { filtersByParty: { [alice.party]: { cumulative: [filter] } }, verbose: true },
  })
  return list(found).map((each) =>
    path(each, 'contractEntry', 'JsActiveContract', 'createdEvent', 'contractId'),
  )
}
