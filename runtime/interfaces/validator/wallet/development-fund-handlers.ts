// The development fund as its manager and its beneficiaries see it.
import type {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { AllocateDevelopmentFundCouponRequest } from '../../../../generated/validator/types.gen.ts'
import {
  configOf,
  developmentFundCoupon,
  installChoices,
  unclaimedDevelopmentFundCoupon,
} from '../../../contracts/index.ts'
import { pauseAfterLoss } from '../../../engine/index.ts'
import type { Contract } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { fundHistory } from '../../../economy/wallets/development-fund-history.ts'
import { badRequest, PlainError, rejectionError } from '../../../economy/errors.ts'
import { contractToWire } from '../../contract-wire.ts'
import { listed, underKeys } from '../lists.ts'
import { actOn, strangerProblem, walletScope } from './operations.ts'
import type { Subject } from './operations.ts'
import { contractIdOf, futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const MAX_LISTED = 1_000
const MAX_ATTEMPTS = 3
/** Microseconds between now and the commit of an allocation whose minting is delayed. */
const COMMIT_MICROS = 60_000_000n

const KEYS = [developmentFundCoupon.by('beneficiary'), developmentFundCoupon.by('fundManager')]

const COUPON: Subject<DevelopmentFundCoupon> = {
  template: developmentFundCoupon,
  what: 'development fund coupon',
  parties: ({ beneficiary, fundManager }) => ({ beneficiary, 'fund manager': fundManager }),
}

/** Handlers of all operations on the development fund. */
export function developmentFundHandlers(economy: Economy) {
  const inWallet = walletScope(economy)
  return {
    allocateDevelopmentFundCoupon: inWallet(
      (wallet, { body }) => allocate(economy, wallet, body),
      ({ developmentFundCouponCid, optUnclaimedDevelopmentFundCouponCid: rest }) => ({
        development_fund_coupon_contract_id: developmentFundCouponCid,
        ...(rest === null ? {} : { unclaimed_development_fund_coupon_contract_id: rest }),
      }),
    ),
    listActiveDevelopmentFundCoupons: inWallet(
      ({ party }, _, { signal }) =>
        listed(economy, underKeys(economy.reader, KEYS, party), (one) => contractToWire(one), {
          limit: MAX_LISTED,
          signal,
        }),
      ({ contracts }) => ({ active_development_fund_coupons: contracts }),
    ),
    listDevelopmentFundCouponHistory: inWallet(
      ({ party }, { query }) => fundHistory(economy.store, party, query),
      ({ coupons, next }) => ({
        development_fund_coupon_history: coupons,
        ...(next === undefined ? {} : { next_page_token: next }),
      }),
    ),
    withdrawDevelopmentFundCoupon: inWallet(
      async (wallet, { path, body: { reason } }) => {
        const cid = contractIdOf(path.contract_id)
        const choice = installChoices.WalletAppInstall_DevelopmentFundCoupon_Withdraw
        return (
          textProblem(reason) ??
          actOn(economy, wallet, COUPON, cid, {
            role: 'fund manager',
            run: (tx) => tx.exercise(choice, wallet.install.id, { cid, reason }),
          })
        )
      },
      ({ unclaimedDevelopmentFundCouponCid: cid }) => ({
        unclaimed_development_fund_coupon_contract_id: cid,
      }),
    ),
  } satisfies Partial<Handlers<Context>>
}

/** Anew where another allocation took the same unclaimed coupons. */
async function allocate(
  economy: Economy,
  wallet: Wallet,
  request: AllocateDevelopmentFundCouponRequest,
) {
  const { party, install } = wallet
  for (let attempt = 1; ; attempt++) {
    const terms = await termsOf(economy, party, request)
    if (terms instanceof PlainError) return terms
    const unclaimed = await unclaimedFor(economy, terms.amount)
    if (unclaimed instanceof PlainError) return unclaimed
    const { id: coinRulesCid } = await economy.network.coinRules()
    const unclaimedDevelopmentFundCouponCids = unclaimed.map(({ id }) => id)
    const done = await verdictFor(economy, party, {
      disclosed: unclaimed.map(({ record }) => record),
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_DevelopmentFundCoupon_Allocate, install.id, {
          coinRulesCid,
          unclaimedDevelopmentFundCouponCids,
          ...terms,
        }),
    })
    if (done.ok) return done.result
    const isTaken = done.kind === 'contract-not-found' || done.kind === 'contention'
    if (!isTaken || attempt === MAX_ATTEMPTS) return rejectionError(done)
    await pauseAfterLoss(attempt)
  }
}

async function termsOf(
  economy: Pick<Economy, 'clock' | 'hostsOf' | 'network'>,
  manager: string,
  request: AllocateDevelopmentFundCouponRequest,
) {
  const { beneficiary, reason } = request
  const config = configOf((await economy.network.coinRules()).payload)
  const isBarred = config.developmentFundManagerBlacklist?.includes(manager) === true
  if (config.optDevelopmentFundManager !== manager || isBarred)
    return badRequest('Only the manager of the development fund may do this')
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  const now = economy.clock.nowMicros()
  const expiresAt = futureTime(request.expiresAt, now)
  if (expiresAt instanceof PlainError) return expiresAt
  const problem = textProblem(beneficiary, reason) ?? (await strangerProblem(economy, beneficiary))
  if (problem !== undefined) return problem
  const delay = config.minDevelopmentFundMintingDelay ?? 0n
  const mintAfter = delay === 0n ? null : now + delay + COMMIT_MICROS
  if (mintAfter !== null && mintAfter >= expiresAt)
    return badRequest('The coupon would expire before it can be minted')
  return { beneficiary, amount, expiresAt, reason, mintAfter, now }
}

/** The oldest that cover the amount. */
async function unclaimedFor(
  { reader, parties: { dso } }: Pick<Economy, 'parties' | 'reader'>,
  amount: bigint,
): Promise<readonly Contract<UnclaimedDevelopmentFundCoupon>[] | PlainError> {
  const chosen: Contract<UnclaimedDevelopmentFundCoupon>[] = []
  let missing = amount
  for (const coupon of await reader.all(unclaimedDevelopmentFundCoupon, { dso })) {
    if (missing <= 0n) break
    chosen.push(coupon)
    missing -= coupon.payload.amount
  }
  return missing <= 0n ? chosen : badRequest('The development fund does not cover the amount')
}
