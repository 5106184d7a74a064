// Reads of a wallet: balance, holdings, history, coupons.
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { TransactionHistoryEntry } from '../../../../generated/validator/types.gen.ts'
import {
  appRewardCoupon,
  svRewardCoupon,
  validatorLivenessActivityRecord,
} from '../../../contracts/index.ts'
import { couponsInOrder } from '../../../economy/treasury/validator-coupons.ts'
import type { FoundCoupon } from '../../../economy/treasury/validator-coupons.ts'
import { scheduler } from '../../../work/scheduler.ts'
import type { LogRecord } from '../../../store/store.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { contractToWire } from '../../contract-wire.ts'
import { inSlices, Page } from '../../pages.ts'
import type { ReadSlice } from '../../pages.ts'
import { listed } from '../lists.ts'
import { answer } from '../../../economy/errors.ts'
import { balanceOf, externalBalanceOf, positionsOf } from './holdings.ts'
import { HISTORY_LOG } from '../../../economy/history/projector.ts'
import { listBody, walletLists, walletScope } from './operations.ts'

const EVENT_ID = /^[0-9a-f]+:\d+(:\d+)?$/

/** Handlers of all reads of what a wallet holds and did. */
export function holdingHandlers(
  economy: Pick<Economy, 'network' | 'parties' | 'reader' | 'settings' | 'store'>,
) {
  const inWallet = walletScope(economy)
  const listing = walletLists(economy)
  return {
    getBalance: inWallet(
      ({ party }) => balanceOf(economy, party),
      (balance) => balance,
    ),
    list: inWallet(
      ({ party }, { query }, { signal }) => positionsOf(economy, party, { ...query, signal }),
      (positions) => positions,
    ),
    listTransactions: inWallet(
      ({ party }, { body }, { signal }) =>
        historyPage(economy, party, {
          after: body.begin_after_id ?? '',
          limit: Number(body.page_size),
          signal,
        }),
      (items) => ({ items }),
    ),
    getExternalPartyBalance: async ({ query }) =>
      answer(await externalBalanceOf(economy, query.party_id), (balance) => balance),
    listAppRewardCoupons: listing(
      'app_reward_coupons',
      [appRewardCoupon.by('beneficiary')],
      contractToWire,
    ),
    listValidatorRewardCoupons: inWallet(
      ({ party }, { query }, { signal }) =>
        listed(economy, couponsInOrder(economy, party), collectable, { ...query, signal }),
      (list) => listBody('validator_reward_coupons', list),
    ),
    // Superseded by liveness records: there are none any more.
    listValidatorFaucetCoupons: inWallet(
      async () => [],
      (found) => ({ validator_faucet_coupons: found }),
    ),
    listValidatorLivenessActivityRecords: listing(
      'validator_liveness_activity_records',
      [validatorLivenessActivityRecord.by('validator')],
      contractToWire,
    ),
    listSvRewardCoupons: listing(
      'sv_reward_coupons',
      [svRewardCoupon.by('beneficiary')],
      contractToWire,
    ),
  } satisfies Partial<Handlers<Context>>
}

interface HistoryQuery {
  /** The id of the last entry seen; '' is the start. */
  readonly after: string
  readonly limit: number
  readonly signal: AbortSignal
}

function collectable(coupon: FoundCoupon) {
  return coupon.isCollectable ? contractToWire(coupon) : undefined
}

/** Newest first; the page after an entry that is none is empty. */
async function historyPage(
  { store }: Pick<Economy, 'store'>,
  owner: string,
  { after, limit, signal }: HistoryQuery,
): Promise<TransactionHistoryEntry[]> {
  if (after !== '' && !EVENT_ID.test(after)) return []
  const page = new Page<LogRecord>(limit)
  const read: ReadSlice<LogRecord> = (last, size) =>
    store.contracts.log({
      log: HISTORY_LOG,
      owner,
      after: last?.id ?? after,
      limit: Math.min(size, limit),
    })
  for await (const line of inSlices(read, ({ body }) => body.length, signal)) {
    if (!page.add(line, Buffer.byteLength(line.body)) || page.isFull) break
  }
  const entries: TransactionHistoryEntry[] = []
  const pause = scheduler.parts()
  for (const { body } of page.items) {
    await pause()
    entries.push(JSON.parse(body))
  }
  return entries
}
