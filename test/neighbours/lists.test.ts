// What a plain user can have as many of as she likes makes no answer large for others, and she gets
// rid of it again.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storesFor } from '../support/storages.ts'
import { commandsOf, list, path, startLedger } from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'

const SCAN = '/api/scan/v0'
const WALLET = '/api/validator/v0/wallet'
const PROXY = '/api/validator/v0/scan-proxy'
const COIN_RULES = '#network-coin:Network.CoinRules:CoinRules'
const [BATCHES, OF_A_BATCH] = [5, 240]

/** Features alice often, as a development network lets every provider do. */
async function featureOften({ alice, done }: LedgerClient): Promise<void> {
  const rules = path(await done(alice, `GET ${PROXY}/coin-rules`), 'coin_rules')
  const contractId = path(rules, 'contract', 'contract_id')
  const disclosed = {
    templateId: path(rules, 'contract', 'template_id'),
    contractId,
    createdEventBlob: path(rules, 'contract', 'created_event_blob'),
    synchronizerId: path(rules, 'domain_id'),
  }
  const feature = {
    ExerciseCommand: {
      templateId: COIN_RULES,
      contractId,
      choice: 'CoinRules_DevNet_FeatureApp',
      choiceArgument: { provider: alice.party },
    },
  }
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const commands = commandsOf(alice, ...Array.from({ length: OF_A_BATCH }, () => feature))
    await done(alice, 'POST /v2/commands/submit-and-wait', {
      ...commands,
      disclosedContracts: [disclosed],
    })
  }
}

async function pagesOf(
  { alice, done }: LedgerClient,
  request: string,
): Promise<readonly (readonly unknown[])[]> {
  const pages: (readonly unknown[])[] = []
  for (let next: unknown; pages.length === 0 || next !== undefined;) {
    const page = await done(
      alice,
      next === undefined ? request : `${request}?after=${String(next)}`,
    )
    pages.push(list(path(page, 'featured_apps')).map((right) => path(right, 'contract_id')))
    next = path(page, 'next_page_token')
  }
  return pages
}

for (const storage of storesFor('lists')) {
  describe(`lists on ${storage.name}`, () => {
    let ledger: LedgerClient
    let others: readonly unknown[] = []
    before(async () => {
      ledger = await startLedger(storage, {
        validator: { pollMs: 3_600_000 },
        network: { traffic: { baseBurstBytes: 1_000_000_000 } },
        quotas: { openContracts: BATCHES * OF_A_BATCH },
      })
      others = (await pagesOf(ledger, `GET ${SCAN}/featured-apps`)).flat()
      await featureOften(ledger)
    })
    after(() => ledger.stop())

    test('of very many featured app rights there are pages, older rights first, and each is told once', async () => {
      const provider = encodeURIComponent(ledger.alice.party)
      for (const [request, first] of [
        ['featured-apps', others],
        [`featured-apps/by-provider/${provider}`, []],
      ] as const) {
        const pages = await pagesOf(ledger, `GET ${SCAN}/${request}`)
        assert.ok(
          pages.every((page) => page.length <= 1_000),
          pages.map((page) => page.length).join(' '),
        )
        const seen = pages.flat()
        assert.deepEqual(seen.slice(0, first.length), first)
        assert.equal(seen.length, first.length + BATCHES * OF_A_BATCH)
        assert.equal(new Set(seen).size, seen.length)
      }
    })

    test('a wallet cancels them all', async () => {
      const { alice, ask } = ledger
      const { status, text } = await ask(alice, `DELETE ${WALLET}/cancel-featured-app-rights`)
      assert.equal(status, 200, text)
      assert.deepEqual((await pagesOf(ledger, `GET ${SCAN}/featured-apps`)).flat(), others)
    })
  })
}
