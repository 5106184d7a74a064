// Versions of an uploaded package side by side, and what no version takes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { member } from '../../runtime/host/member.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, createdId, exercise, list, path, WAIT } from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'
import { create, interfaces, startForArchives, token, tokenTemplate, upload } from './kit.ts'
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
  })
