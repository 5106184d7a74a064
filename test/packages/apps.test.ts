// Released apps, test tokens and utilities run as they are: each of their templates is created and
// each of their choices exercised, accepted and refused. What no scene reaches is printed, with its
// reason, and fails unless it is listed here.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storesFor } from '../support/storages.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'
import { catalogueOf } from './apps/catalogue.ts'
import { Stage } from './apps/stage.ts'
import { playDummies, playOnboarding, playTwoDummies } from './apps/small.ts'
import {
  playDelegates,
  playLaterMarkers,
  playMarkers,
  playWalletBatches,
  playWalletUsers,
} from './apps/featured.ts'
import { playAllocationsV2 } from './apps/allocations-v2.ts'
import { playAccounts, playTransfersV2 } from './apps/token-v2.ts'
import { playAsV1 } from './apps/token-v2-as-v1.ts'
import { playTokenV1, TokenV1 } from './apps/token-v1.ts'
import { playTradingV1 } from './apps/trading-v1.ts'
import { playTradingV2 } from './apps/trading-v2.ts'
import { playBatches, playMerges } from './apps/wallet-utilities.ts'
import { newestCoin } from './coin-transfers.ts'
import { startForArchives, upload } from './kit.ts'
import { dars, released, skip, wire } from './released.ts'

type Scene = (stage: Stage, packageId: string, token: TokenV1) => Promise<void>

/** Scenes by the archives whose main packages they are about; the token is the first one's. */
const SCENES: readonly (readonly [archive: string, ...scenes: Scene[]])[] = [
  ['test-token-v1-1.0.0', playTokenV1],
  ['test-token-v2-1.0.0', playTransfersV2, playAccounts, playAllocationsV2, playAsV1],
  ['token-test-dummy-holding-0.0.1', playDummies],
  ...['0.0.2', '0.0.3', '0.0.4'].map(
    (version) => [`token-test-dummy-holding-${version}`, playTwoDummies] as const,
  ),
  ...['1.0.0', '1.0.1', '1.0.2'].map(
    (version) => [`token-test-trading-app-${version}`, playTradingV1] as const,
  ),
  ['token-test-trading-app-v2-1.0.0', playTradingV2],
  ['util-token-standard-wallet-1.0.0', playMerges],
  ['util-token-standard-wallet-1.0.1', playMerges],
  ['util-token-standard-wallet-1.1.0', playMerges, playBatches],
  ['util-featured-app-proxies-1.1.0', playDelegates, playWalletUsers],
  ['util-featured-app-proxies-1.2.4', playDelegates, playWalletUsers, playWalletBatches],
  ['util-batched-markers-1.0.0', playMarkers],
  ['util-batched-markers-1.0.3', playLaterMarkers],
  ['validator-lifecycle-0.1.6', playOnboarding],
]

/** Archives whose packages have no templates. */
const LIBRARIES = /^(api-|util-\d|token-standard-utils-)/

/** Archives of the network itself, which other tests compare with what is in code. */
const OURS = new RegExp(
  `^(${wire('coin')}|wallet|wallet-payments|dso-governance)-[\\d.]+$|-name-service-`,
)

/** Why an outcome is not shown: by parts of its line. */
const NO_CHECK = 'its code checks nothing'
const LISTED: readonly (readonly [RegExp, reason: string])[] = [
  [/_Update done$/, 'its code always fails'],
  [/PublicFetch refused$/, NO_CHECK],
  [/(TokenRules|Dummy\w+|OTC\w+|Merge\w+|\w+Utility|\w+Proposal) create refused$/, NO_CHECK],
  [/(UsedSecret|ValidatorOnboarding|BatchedMarkersProxy|\w+Agreement) create refused$/, NO_CHECK],
  [/DelegateProxy create refused$/, NO_CHECK],
  [/TokenTransferOffer \S+V1\S+ TransferInstruction_(Accept|Reject|Withdraw) refused$/, NO_CHECK],
  [/TokenAllocation \S+ Allocation_(Cancel|Withdraw) refused$/, NO_CHECK],
  [/DummyTwoInterfaces \S+ AllocationRequest_(Reject|Withdraw) refused$/, NO_CHECK],
  [/V1:AllocationRequest AllocationRequest_Withdraw refused$/, NO_CHECK],
  [/MergeDelegation(Proposal)?_(Accept|Reject|Withdraw) refused$/, NO_CHECK],
  [/AccountProposal_(Reject|Withdraw) refused$/, NO_CHECK],
  [/OTCTrade_RequestAllocations refused$/, NO_CHECK],
]

test('every released archive has a scene, or a reason', { skip }, async () => {
  const played = new Set(SCENES.map(([archive]) => released(archive)))
  const rest = dars.map((file) => file.replace(/\.dar$/, '')).filter((name) => !played.has(name))
  const names = rest.map((name) => name.slice(released('').length))
  assert.deepEqual(
    names.filter((name) => !LIBRARIES.test(name) && !OURS.test(name)),
    [],
  )
  for (const name of names.filter((each) => LIBRARIES.test(each)))
    assert.deepEqual((await catalogueOf(released(name))).features, [], name)
})

for (const storage of skip === false ? storesFor('released apps') : [])
  describe(`released apps on ${storage.name}`, () => {
    let ledger: LedgerClient
    let stage: Stage
    let token: TokenV1

    before(async () => {
      ledger = await startForArchives(storage)
      stage = await Stage.open(ledger)
      // Its rights of featured apps are needed by others.
      await upload(ledger, newestCoin().replace(/\.dar$/, ''))
      for (const name of ['test-token-v1-1.0.0', 'test-token-v2-1.0.0'])
        await upload(ledger, released(name))
      token = new TokenV1(stage, (await catalogueOf(released('test-token-v1-1.0.0'))).packageId)
    })
    after(() => ledger.stop())

    for (const [archive, ...scenes] of SCENES)
      test(archive, async () => {
        await upload(ledger, released(archive))
        const { packageId, features } = await catalogueOf(released(archive))
        for (const scene of scenes) await scene(stage, packageId, token)
        const missing = features.flatMap(({ template, action }) => {
          const { isDone, isRefused } = stage.outcomesOf(`${packageId}:${template}`, action)
          const outcomes = [...(isDone ? [] : ['done']), ...(isRefused ? [] : ['refused'])]
          return outcomes.map((outcome) => `${template} ${action} ${outcome}`)
        })
        const unlisted = missing.filter((line) => {
          const reason = LISTED.find(([pattern]) => pattern.test(line))?.[1]
          console.log(`${archive}: ${line}: ${reason ?? 'no scene'}`)
          return reason === undefined
        })
        assert.deepEqual(unlisted, [])
      })
  })
