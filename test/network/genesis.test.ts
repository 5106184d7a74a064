// How a network begins: once, whoever starts and however often, and with what the settings say.
// docs/economy-rules.md, "Genesis"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStore } from '../support/test-store.ts'
import {
  ansRules,
  coin,
  coinPriceVote,
  coinRules,
  dsoRules,
  externalPartyCoinRules,
  featuredAppRight,
  openMiningRound,
  testTokenRules,
  validatorLicense,
  validatorRight,
  walletAppInstall,
} from '../../runtime/contracts/index.ts'
import { decimalOf, parseDecimal } from '../../runtime/engine/index.ts'
import { simulatedClock } from '../../runtime/host/clock.ts'
import { START, startNetwork, TICK, type Network } from './kit.ts'

const SINGLES = [
  coinRules,
  externalPartyCoinRules,
  ansRules,
  dsoRules,
  coinPriceVote,
  testTokenRules,
  validatorLicense,
  validatorRight,
  walletAppInstall,
]

async function assertBegun({ store, economy }: Network): Promise<void> {
  for (const template of SINGLES) {
    const found = await store.contracts.active({
      template: template.type.reference,
      order: 'created',
      limit: 10,
    })
    assert.equal(found.length, 1, template.type.name)
  }
  assert.equal((await economy.reader.all(openMiningRound)).length, 3)
  assert.equal((await store.contracts.ledgerEnd()).offset, 1n)
}

test('one update makes the network; a second start makes nothing', async () => {
  const store = await newStore()
  await assertBegun(await startNetwork({ store }))
  await assertBegun(await startNetwork({ store, clock: simulatedClock(START + TICK) }))
})

test('a ledger keeps its network when names in the configuration change', async () => {
  const store = await newStore()
  const {
    economy: { parties },
  } = await startNetwork({ store })
  const renamed = await startNetwork({
    store,
    clock: simulatedClock(START + TICK),
    network: { networkName: 'Another', svName: 'another' },
  })
  assert.deepEqual(renamed.economy.parties, parties)
  await assertBegun(renamed)
})

test('the source of randomness decides ids: the same gives the same, another shares none', async () => {
  const idsWith = async (first: number) => {
    let drawn = first
    const random = (bytes: number) => Buffer.alloc(bytes, (drawn += 1))
    const { economy } = await startNetwork({ store: await newStore(), random })
    const { node, parties } = economy
    return [node.participantUid, node.synchronizerId, parties.dso, parties.sv, parties.operator]
  }
  const ids = await idsWith(0)
  assert.deepEqual(await idsWith(0), ids)
  const others = await idsWith(100)
  assert.deepEqual(
    ids.filter((id) => others.includes(id)),
    [],
  )
})

test('a ledger keeps its operator: another user of that office is refused at the start', async () => {
  const store = await newStore()
  await startNetwork({ store })
  const another = startNetwork({
    store,
    clock: simulatedClock(START + TICK),
    validator: { validatorWalletUser: 'boss' },
  })
  await assert.rejects(
    another,
    /validatorWalletUser is "boss", but this ledger's operator is the user "operator"/,
  )
})

test('servers that start at once make one network', async () => {
  const store = await newStore()
  const networks = await Promise.all(Array.from({ length: 4 }, () => startNetwork({ store })))
  for (const network of networks) await assertBegun(network)
  assert.equal(new Set(networks.map(({ economy }) => JSON.stringify(economy.parties))).size, 1)
})

test('servers that seed at once endow once', async () => {
  const store = await newStore()
  const networks = await Promise.all(
    Array.from({ length: 3 }, () => startNetwork({ store, seeded: true })),
  )
  for (const { economy, payloads } of networks) {
    assert.equal((await payloads(coin)).length, 3)
    assert.equal((await payloads(walletAppInstall)).length, 3)
    assert.equal((await payloads(validatorRight)).length, 3)
    assert.deepEqual(
      (await payloads(featuredAppRight)).map(({ provider }) => provider),
      [economy.parties.operator],
    )
  }
})

test('the operator has user, party, rights, wallet and licence', async () => {
  const { economy, store, only } = await startNetwork({
    validator: { validatorWalletUser: 'keeper' },
  })
  const { operator, dso, sv } = economy.parties
  assert.equal((await store.users.get('keeper'))?.primaryParty, operator)
  assert.deepEqual(await store.users.rights('keeper'), [
    { kind: 'CanActAs', party: operator },
    { kind: 'ParticipantAdmin', party: '' },
  ])
  assert.equal((await store.parties.get([operator])).length, 1)
  assert.match(dso, /^DSO::1220/)
  assert.match(sv, /^sv-1::1220/)
  assert.match(economy.parties.member, /^PAR::participant::1220/)
  const install = (await only(walletAppInstall)).payload
  assert.deepEqual(install, {
    dsoParty: dso,
    validatorParty: operator,
    endUserName: 'keeper',
    endUserParty: operator,
  })
  assert.deepEqual((await only(validatorRight)).payload, {
    dso,
    user: operator,
    validator: operator,
  })
  assert.equal((await only(validatorLicense)).payload.validator, operator)
})

test('a user of that name that was there before keeps its party', async () => {
  const store = await newStore()
  const user = {
    id: 'operator',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    identityProviderId: '',
    annotations: {},
  }
  await store.users.create({ ...user, primaryParty: 'mine::12' }, [])
  const { economy } = await startNetwork({ store })
  assert.equal(economy.parties.operator, 'mine::12')
  assert.deepEqual(
    (await store.users.rights('operator'))?.map(({ kind }) => kind),
    ['CanActAs', 'ParticipantAdmin'],
  )
  const later = await startNetwork({ store })
  assert.equal(later.economy.parties.operator, 'mine::12')
})

test('the settings are in the rules', async () => {
  const { only, payloads } = await startNetwork({
    network: {
      tickSeconds: 60,
      conversionRate: '0.25',
      initialRound: 7,
      developmentFundPercentage: '0.1',
      traffic: { minTopupBytes: 5 },
    },
  })
  const {
    payload: {
      configSchedule: { initialValue },
      isDevNet,
    },
  } = await only(coinRules)
  assert.equal(isDevNet, true)
  assert.equal(initialValue.tickDuration, 60_000_000n)
  assert.equal(initialValue.decentralizedSynchronizer.fees.minTopupAmount, 5n)
  assert.equal(
    initialValue.issuanceCurve.initialValue.optDevelopmentFundPercentage,
    parseDecimal('0.1'),
  )
  assert.equal(
    initialValue.issuanceCurve.initialValue.coinToIssuePerYear,
    decimalOf(40_000_000_000n),
  )
  assert.deepEqual(
    initialValue.issuanceCurve.futureValues.map(([from]) => from / 15_768_000_000_000n),
    [1n, 3n, 10n, 20n],
  )
  const rounds = await payloads(openMiningRound)
  assert.deepEqual(
    rounds.map(({ round }) => round),
    [7n, 8n, 9n],
  )
  assert.ok(rounds.every(({ conversionRate }) => conversionRate === parseDecimal('0.25')))
})

test('without isDevNet nobody may tap, and nothing is seeded', async () => {
  const { payloads, only } = await startNetwork({ seeded: true, network: { isDevNet: false } })
  assert.equal((await only(coinRules)).payload.isDevNet, false)
  assert.deepEqual(await payloads(coin), [])
  assert.deepEqual(await payloads(testTokenRules), [])
})
