// One line of configuration, and the service speaks as the public network does: commands, streams
// and errors of the ledger interface, the registry where clients of a validator look for it, probes
// and the reported version. The names are the preset's own, read from its file.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { renamer } from '../../codegen/vocabulary/words.ts'
import type { NamePlace } from '../../codegen/vocabulary/words.ts'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { ROOT } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import {
  commandsOf,
  createdId,
  list,
  outsideParty,
  path,
  signaturesOf,
  startLedger,
} from './ledger-kit.ts'
import type { LedgerClient, LedgerUser } from './ledger-kit.ts'
import { openStream } from './stream-client.ts'

const MEMORY: StorageUnderTest = {
  name: 'memory',
  durable: false,
  section: async () => ({ use: 'memory' }),
  release: async () => {},
}
const PRESET = 'network-0.6'
const { vocabulary } = loadVocabulary(join(ROOT, `spec/presets/${PRESET}.yaml`))
const said = (place: NamePlace, name: string): string =>
  vocabulary.names.find((one) => one.place === place && one.neutral === name)?.wire ??
  renamer(vocabulary, place)(name)

/** A template's name in the preset's words. */
const template = (packageName: string, module: string, entity: string): string =>
  `#${said('package', packageName)}:${said('module', module)}:${said('payload', entity)}`

const RULES = template('network-coin', 'Network.CoinRules', 'CoinRules')
const COIN = template('network-coin', 'Network.Coin', 'Coin')
const PING = template('network-builtin-ping', 'Network.Internal.Ping', 'Ping')
const UTILITY = template(
  'network-util-token-standard-wallet',
  'Network.Util.Token.Wallet.MergeDelegation',
  'BatchMergeUtility',
)
const PROPOSAL = template(
  'network-wallet',
  'Network.Wallet.TransferPreapproval',
  'TransferPreapprovalProposal',
)
const REQUEST = template('network-wallet-payments', 'Network.Wallet.Payment', 'AppPaymentRequest')
const ACCEPTED = template('network-wallet-payments', 'Network.Wallet.Payment', 'AcceptedAppPayment')
const TAP = said('payload', 'CoinRules_DevNet_Tap')
const PROXY = '/api/validator/v0/scan-proxy'

describe('a service under the preset', () => {
  let ledger: LedgerClient
  let url: string
  let alice: LedgerUser
  const ask = (line: string, body?: unknown): Promise<Answer> => ledger.ask(alice, line, body)
  const done = (line: string, body?: unknown): Promise<unknown> => ledger.done(alice, line, body)
  const submit = (command: object, some: object = {}): Promise<Answer> =>
    ask('POST /v2/commands/submit-and-wait-for-transaction', {
      commands: { ...commandsOf(alice, command), ...some },
    })
  /** A tap as clients of the public model write it. */
  const tap = async (amount: string): Promise<Answer> => {
    const rules = await done(`GET ${PROXY}/${said('path', 'coin-rules')}`)
    const rounds = await done(`GET ${PROXY}/open-and-issuing-mining-rounds`)
    const [round] = list(path(rounds, 'open_mining_rounds'))
    const seen = [path(rules, said('property', 'coin_rules')), round]
    const disclosedContracts = seen.map((one) => ({
      createdEventBlob: path(one, 'contract', 'created_event_blob'),
    }))
    const command = {
      ExerciseCommand: {
        templateId: RULES,
        contractId: path(rules, said('property', 'coin_rules'), 'contract', 'contract_id'),
        choice: TAP,
        choiceArgument: {
          receiver: alice.party,
          amount,
          openRound: path(round, 'contract', 'contract_id'),
        },
      },
    }
    return submit(command, { disclosedContracts })
  }

  before(async () => {
    ledger = await startLedger(MEMORY, {
      vocabulary: { preset: PRESET },
      automations: { preapprovals: { everyMs: 50 } },
    })
    alice = ledger.alice
    url = ledger.service.url
  })
  after(() => ledger.stop())

  test('the version is the one that clients of that network accept', async () => {
    assert.equal(member(await done('GET /v2/version'), 'version'), '3.4.0')
  })

  test('a tap, its events and the contracts have the names of the preset', async () => {
    const answer = await tap('7.0')
    assert.equal(answer.status, 200, answer.text)
    const created = path(list(path(answer.json, 'transaction', 'events'))[0], 'CreatedEvent')
    const price = vocabulary.names.find(({ neutral }) => neutral === 'conversionRate')?.wire ?? ''
    const effects = await done('POST /v2/updates/update-by-id', {
      updateId: path(answer.json, 'transaction', 'updateId'),
      updateFormat: {
        includeTransactions: {
          eventFormat: { filtersByParty: { [alice.party]: {} }, verbose: true },
          transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
        },
      },
    })
    assert.match(JSON.stringify(effects), new RegExp(`"${price}":"0\\.005`), 'the price of a sum')
    assert.equal(path(created, 'packageName'), said('package', 'network-coin'))
    assert.equal(
      String(path(created, 'templateId')).split(':').slice(1).join(':'),
      COIN.split(':').slice(1).join(':'),
    )
    const { offset } = Object(await done('GET /v2/state/ledger-end'))
    const contracts = await done('POST /v2/state/active-contracts', {
      activeAtOffset: offset,
      filter: filterOf(alice.party, COIN),
      verbose: true,
    })
    assert.ok(list(contracts).length > 0)
    assert.ok(
      list(contracts).every((one) =>
        String(
          path(one, 'contractEntry', 'JsActiveContract', 'createdEvent', 'templateId'),
        ).endsWith(COIN.slice(COIN.indexOf(':'))),
      ),
    )
    assert.doesNotMatch(JSON.stringify(contracts), /Network\.|network-coin|CoinRules/)
  })

  test('a stream takes filters and shows events in these names', async () => {
    const { offset } = Object(await done('GET /v2/state/ledger-end'))
    const stream = await openStream(
      url,
      '/v2/updates',
      {
        beginExclusive: offset,
        updateFormat: {
          includeTransactions: {
            eventFormat: { ...filterOf(alice.party, COIN), verbose: true },
            transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
          },
        },
      },
      { token: alice.token },
    )
    assert.ok('until' in stream, JSON.stringify(stream))
    assert.equal((await tap('8.0')).status, 200)
    await stream.until(1)
    await eventuallyHolds('the coin is in the stream', () =>
      JSON.stringify(stream.elements).includes(COIN.slice(COIN.indexOf(':'))),
    )
    assert.doesNotMatch(JSON.stringify(stream.elements), /Network\.|network-coin|CoinRules/)
    await stream.close()
  })

  test('errors name templates and members as the caller does', async () => {
    const unknown = await submit({
      CreateCommand: { templateId: COIN.replace(/\w+$/, 'None'), createArguments: {} },
    })
    assert.ok(unknown.status >= 400 && unknown.status < 500)
    assert.doesNotMatch(unknown.text, /Network\.|network-coin/)
    const wrong = await submit({
      CreateAndExerciseCommand: {
        templateId: PING,
        createArguments: { id: 'x', initiator: alice.party, responder: alice.party },
        choice: 'None',
        choiceArgument: {},
      },
    })
    assert.ok(wrong.status >= 400 && wrong.status < 500)
    assert.doesNotMatch(wrong.text, /Network\.|network-builtin/)
    const tooMuch = await tap('100000001.0')
    assert.equal(tooMuch.status, 400)
    assert.doesNotMatch(tooMuch.text, /\bcoin|Coin/)
  })

  test('a party pings itself', async () => {
    const made = await submit({
      CreateCommand: {
        templateId: PING,
        createArguments: { id: 'one', initiator: alice.party, responder: alice.party },
      },
    })
    assert.equal(made.status, 200, made.text)
    const contractId = createdId(made.json)
    const ended = await submit({
      ExerciseCommand: { templateId: PING, contractId, choice: 'Respond', choiceArgument: {} },
    })
    assert.equal(ended.status, 200, ended.text)
  })

  test('optional members may be null, known ones and such as nobody knows', async () => {
    const createArguments = { id: 'n', initiator: alice.party, responder: alice.party, lock: null }
    const create = { CreateCommand: { templateId: PING, createArguments } }
    const answer = await submit(create)
    assert.equal(answer.status, 200, answer.text)
    const other = { ...createArguments, lock: 'x' }
    const refused = await submit({ CreateCommand: { templateId: PING, createArguments: other } })
    assert.equal(refused.status, 400, refused.text)
  })

  test('an app asks for a payment and collects it, all in these names', async () => {
    const info = await call(url, 'GET /registry/metadata/v1/info')
    const asked = await submit({
      CreateCommand: {
        templateId: REQUEST,
        createArguments: {
          sender: alice.party,
          receiverAmounts: [
            { receiver: alice.party, amount: { amount: '2', unit: said('payload', 'CoinUnit') } },
          ],
          provider: alice.party,
          dso: path(info.json, 'adminId'),
          expiresAt: '2999-01-01T00:00:00Z',
          description: 'A coin',
        },
      },
    })
    assert.equal(asked.status, 200, asked.text)
    const requests = '/api/validator/v0/wallet/app-payment-requests'
    const accepted = await done(`POST ${requests}/${createdId(asked.json)}/accept`)
    const contractId = path(accepted, 'accepted_payment_contract_id')
    const listed = await done('GET /api/validator/v0/wallet/accepted-app-payments')
    const payload = path(list(path(listed, 'accepted_app_payments'))[0], 'contract', 'payload')
    const amount = path(payload, said('payload', 'coinReceiverAmounts'), 0)
    assert.equal(path(amount, said('payload', 'coinAmount')), '2.0000000000')
    assert.doesNotMatch(JSON.stringify(payload), /[cC]oin/)
    const rules = await done(`GET ${PROXY}/${said('path', 'coin-rules')}`)
    const rounds = await done(`GET ${PROXY}/open-and-issuing-mining-rounds`)
    const seen = [
      path(rules, said('property', 'coin_rules')),
      path(rounds, 'open_mining_rounds', 0),
    ]
    const [coinRules, openMiningRound] = seen.map((one) => path(one, 'contract', 'contract_id'))
    const context = {
      [said('payload', 'coinRules')]: coinRules,
      openMiningRound,
      featuredAppRight: null,
    }
    const collected = await submit(
      {
        ExerciseCommand: {
          templateId: ACCEPTED,
          contractId,
          choice: 'AcceptedAppPayment_Collect',
          choiceArgument: { context },
        },
      },
      {
        disclosedContracts: seen.map((one) => ({
          createdEventBlob: path(one, 'contract', 'created_event_blob'),
        })),
      },
    )
    assert.equal(collected.status, 200, collected.text)
  })

  test('arguments have the names of the public model', async () => {
    const transferCommand = template(
      'network-coin',
      'Network.ExternalPartyCoinRules',
      'TransferCommand',
    )
    const expired = await submit({
      ExerciseCommand: {
        templateId: transferCommand,
        contractId: `00${'ab'.repeat(48)}`,
        choice: 'TransferCommand_Expire',
        choiceArgument: { p: alice.party },
      },
    })
    assert.equal(path(expired.json, 'code'), 'CONTRACT_NOT_FOUND', expired.text)
  })

  test('the registry answers under the scan proxy as at its own place, without a token', async () => {
    for (const place of [PROXY, '']) {
      const answer = await call(url, `GET ${place}/registry/metadata/v1/info`)
      assert.equal(answer.status, 200, answer.text)
      const apis = Object.keys(Object(member(answer.json, 'supportedApis')))
      assert.ok(apis.includes(said('package', 'network-api-token-holding-v1')), apis.join())
    }
    const list = `${PROXY}/registry/metadata/v1/instruments`
    assert.equal((await call(url, `GET ${list}?pageToken=zzz`)).status, 400)
    const { json } = await call(url, `GET ${list}`)
    const preset = readFileSync(join(ROOT, 'spec/presets/network-0.6.yaml'), 'utf8')
    const [, instrument] = /instrumentId: (\w+)/u.exec(preset) ?? []
    assert.equal(path(json, 'instruments', 0, 'id'), instrument)
  })

  test('validator and scan are probed under their own prefixes', async () => {
    for (const prefix of ['/api/validator', '/api/scan']) {
      for (const probe of ['readyz', 'livez']) {
        const answer = await call(url, `GET ${prefix}/${probe}`)
        assert.deepEqual([answer.status, answer.text], [200, ''])
      }
      const { json: status } = await call(url, `GET ${prefix}/status`)
      assert.equal(path(status, 'success', 'active'), true)
      assert.match(String(path(status, 'success', 'uptime')), /^PT\d+(\.\d+)?S$/)
      const { json: version } = await call(url, `GET ${prefix}/version`)
      assert.match(String(member(version, 'version')), /^\d+\.\d+\.\d+/)
    }
  })

  test('holdings are merged under both names of the choice', async () => {
    for (const choice of ['BatchMergeUtility_BatchMerge', 'BatchMergeUtility_MergeHoldings']) {
      const merged = await submit({
        CreateAndExerciseCommand: {
          templateId: UTILITY,
          createArguments: { operator: alice.party },
          choice,
          choiceArgument: { mergeCalls: [] },
        },
      })
      assert.equal(merged.status, 200, merged.text)
    }
  })

  test('who was allocated over the ledger interface and proposes a preapproval gets it', async () => {
    const dora = await outsideParty(ledger, 'dora', [newHolder('EC_CURVE25519')])
    const validator = await done('GET /api/validator/v0/validator-user')
    const dso = await done('GET /api/scan/v0/dso-party-id')
    const prepared = await done('POST /v2/interactive-submission/prepare', {
      ...commandsOf(
        { ...alice, party: dora.party },
        {
          CreateCommand: {
            templateId: PROPOSAL,
            createArguments: {
              receiver: dora.party,
              provider: member(validator, 'party_id'),
              expectedDso: member(dso, 'dso_party_id'),
            },
          },
        },
      ),
      synchronizerId: '',
      packageIdSelectionPreference: [],
      verboseHashing: false,
    })
    await done('POST /v2/interactive-submission/executeAndWait', {
      preparedTransaction: member(prepared, 'preparedTransaction'),
      hashingSchemeVersion: member(prepared, 'hashingSchemeVersion'),
      submissionId: 'dora-1',
      deduplicationPeriod: { Empty: {} },
      partySignatures: {
        signatures: [
          signaturesOf(dora, String(member(prepared, 'preparedTransactionHash')), dora.holders),
        ],
      },
    })
    const line = `GET ${PROXY}/transfer-preapprovals/by-party/${encodeURIComponent(dora.party)}`
    await eventuallyHolds('the proposal is accepted', async () => (await ask(line)).status === 200)
  })

  test('the absence of a preapproval is told in the sentence that clients know', async () => {
    const party = 'nobody::1220ab'
    const { status, json } = await ask(`GET ${PROXY}/transfer-preapprovals/by-party/${party}`)
    const sentence = `No TransferPreapproval found for party: ${party}`
    assert.deepEqual([status, member(json, 'error')], [404, sentence])
  })
})

function filterOf(party: string, templateId: string): object {
  const cumulative = [
    {
      identifierFilter: {
        TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } },
      },
    },
  ]
  return { filtersByParty: { [party]: { cumulative } } }
}
