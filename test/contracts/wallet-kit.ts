// What tests of wallet contracts add to the ledger of tests: a round at 0.5 USD a coin, cheap fees,
// coupons and installs.
import assert from 'node:assert/strict'
import {
  appRewardCoupon,
  coin,
  featuredAppRight,
  walletAppInstall,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  creating,
  DAY,
  dec,
  describe,
  DSO,
  testLedger,
} from '../support/ledger.ts'
import type {
  CoinConfig,
  PaymentTransferContext,
  TransferInput,
} from '../../generated/contracts.gen.ts'
import type { Rejected, Transaction, Tx } from '../../runtime/engine/index.ts'
import type { TestLedger, TestLedgerOptions } from '../support/ledger.ts'

export * from '../support/ledger.ts'
export const VALIDATOR = 'validator::12'
export const MEMBER = 'PAR::node::12'
const EVERYBODY = [DSO, ALICE, BOB, CAROL, VALIDATOR]

export interface Network {
  readonly ledger: TestLedger
  readonly reader: TestLedger['reader']
  readonly clock: TestLedger['clock']
  /** All that were committed. */
  readonly transactions: readonly Transaction[]
  readonly openRoundCid: string
  /** An unfeatured app coupon of round 0 brings half its amount. */
  readonly context: PaymentTransferContext
  /** Succeeds. Everything is in sight, so that what is refused is refused for want of authority. */
  run<R>(actAs: readonly string[], run: (tx: Tx) => R): Promise<R>
  /** Fails, for this reason. */
  denied(kind: Rejected['kind'], actAs: readonly string[], run: (tx: Tx) => unknown): Promise<void>
  refused(actAs: readonly string[], run: (tx: Tx) => unknown): Promise<Rejected>
  /** A coin of `owner`, as an input. */
  mint(owner: string, amount: string): Promise<TransferInput>
  /** An unfeatured coupon of round 0, as an input. */
  appCoupon(provider: string, amount: string): Promise<TransferInput>
  feature(provider: string): Promise<string>
  install(endUserParty: string): Promise<string>
  /** Unlocked coins of `owner`, largest first. */
  coinsOf(owner: string): Promise<readonly bigint[]>
}

/** Not a development network unless told. */
export async function startNetwork({ isDevNet = false }: TestLedgerOptions = {}): Promise<Network> {
  const ledger = await testLedger({ isDevNet, config: withFees })
  const { reader, clock, engine } = ledger
  const transactions: Transaction[] = []
  engine.onCommitted(({ transaction }) => void transactions.push(transaction))
  const openRoundCid = await ledger.openRound({ round: 4n, conversionRate: dec('0.5') })
  const issuing = await ledger.issuingRound({
    round: 0n,
    issuancePerUnfeaturedAppRewardCoupon: dec('0.5'),
  })
  const rounds = { openMiningRound: openRoundCid, issuingMiningRounds: [[0n, issuing] as const] }
  const submit = <R>(actAs: readonly string[], run: (tx: Tx) => R) =>
    ledger.submit(actAs, run, { readAs: EVERYBODY })
  const run: Network['run'] = async (actAs, body) => {
    const outcome = await submit(actAs, body)
    return outcome.ok ? outcome.result : assert.fail(describe(outcome))
  }
  const refused: Network['refused'] = async (actAs, body) => {
    const outcome = await submit(actAs, body)
    return outcome.ok ? assert.fail('it succeeded') : outcome
  }
  return {
    ledger,
    reader,
    clock,
    transactions,
    openRoundCid,
    run,
    context: {
      coinRules: ledger.rules,
      context: { ...rounds, validatorRights: [], featuredAppRight: null },
    },
    refused,
    denied: async (kind, actAs, body) => {
      const rejection = await refused(actAs, body)
      assert.equal(rejection.kind, kind, describe(rejection))
    },
    mint: async (owner, amount) => {
      const [value] = await ledger.coins(owner, amount)
      assert.ok(value !== undefined)
      return { tag: 'InputCoin', value }
    },
    appCoupon: async (provider, amount) => {
      const coupon = {
        dso: DSO,
        provider,
        featured: false,
        amount: dec(amount),
        round: 0n,
        beneficiary: null,
      }
      return { tag: 'InputAppRewardCoupon', value: await ledger.create(appRewardCoupon, coupon) }
    },
    feature: (provider) =>
      ledger.create(featuredAppRight, { dso: DSO, provider, activityWeight: null }),
    install: (endUserParty) =>
      run(
        [endUserParty, VALIDATOR],
        creating(walletAppInstall, {
          dsoParty: DSO,
          validatorParty: VALIDATOR,
          endUserName: 'user',
          endUserParty,
        }),
      ),
    coinsOf: async (owner) => {
      const held = await reader.active(coin, { owner }, { order: 'rank-desc' })
      return held.map(({ payload }) => payload.amount.initialAmount)
    },
  }
}

/** Choices in order, two spaces a level; what is created is left out, and archives. */
export function outline(transaction: Transaction | undefined): readonly string[] {
  const ends: number[] = []
  return (transaction?.events ?? []).flatMap((event) => {
    while (event.node > (ends.at(-1) ?? Infinity)) ends.pop()
    if (event.kind === 'create' || event.choice === 'Archive') return []
    const line = `${'  '.repeat(ends.length)}${event.choice}`
    ends.push(event.lastDescendant)
    return [line]
  })
}

/** 10 USD a megabyte; after 90 free days 1 USD a day. */
function withFees(config: CoinConfig): CoinConfig {
  const { decentralizedSynchronizer } = config
  return {
    ...config,
    decentralizedSynchronizer: {
      ...decentralizedSynchronizer,
      fees: {
        ...decentralizedSynchronizer.fees,
        extraTrafficPrice: dec('10'),
        minTopupAmount: 200_000n,
      },
    },
    transferPreapprovalFee: dec('1'),
    transferPreapprovalBaseDuration: 90n * DAY,
    optDevelopmentFundManager: CAROL,
  }
}
