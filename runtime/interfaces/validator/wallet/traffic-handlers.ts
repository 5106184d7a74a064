// Requests to buy traffic, for any validator that hosts a party.
// docs/economy-rules.md, "Traffic"
import { WalletAppInstall } from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { CreateBuyTrafficRequest } from '../../../../generated/validator/types.gen.ts'
import { installChoices } from '../../../contracts/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import {
  badRequest,
  conflict,
  notFound,
  otherContent,
  PlainError,
  rejectionError,
} from '../../../economy/errors.ts'
import { futureTime, textProblem } from '../../../economy/parse.ts'
import {
  contentOf,
  earlierRequest,
  isSameRequest,
  rememberRequest,
} from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { trackedCommandId, trafficRequestStatus } from '../../../economy/wallets/tracking.ts'
import { walletScope } from './operations.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const { WalletAppInstall_CreateBuyTrafficRequest: CREATE } = WalletAppInstall.choices

/** Handlers of all operations on traffic requests. */
export function trafficHandlers(economy: Economy) {
  const inWallet = walletScope(economy)
  return {
    createBuyTrafficRequest: inWallet(
      (wallet, { body }) => create(economy, wallet, body),
      (cid) => ({ request_contract_id: cid }),
    ),
    getBuyTrafficRequestStatus: inWallet(
      async ({ party }, { path }) =>
        (await trafficRequestStatus(economy.store, party, path.tracking_id)) ??
        notFound(`No traffic request with tracking id ${path.tracking_id}`),
      (status) => status,
    ),
  } satisfies Partial<Handlers<Context>>
}

/**
 * Answers the request's id: of the earlier one where the same was asked for under its tracking id.
 */
async function create(
  economy: Economy,
  wallet: Wallet,
  request: CreateBuyTrafficRequest,
): Promise<string | PlainError> {
  const { party, install } = wallet
  const {
    tracking_id: trackingId,
    domain_id: synchronizerId,
    traffic_amount: trafficAmount,
    expires_at,
  } = request
  const { receiving_validator_party_id: receiver } = request
  if (trafficAmount <= 0n) return badRequest('trafficAmount must be positive')
  const problem = textProblem(trackingId, synchronizerId, receiver)
  if (problem !== undefined) return problem
  const content = contentOf(receiver, synchronizerId, trafficAmount, expires_at)
  const asked = { commandId: trackedCommandId('buy-traffic', party, trackingId), content }
  if ((await trafficRequestStatus(economy.store, party, trackingId)) !== undefined)
    return earlier(economy, asked, trackingId)
  const expiresAt = futureTime(expires_at, economy.clock.nowMicros())
  if (expiresAt instanceof PlainError) return expiresAt
  const memberId = await memberHosting(economy, receiver)
  if (memberId instanceof PlainError) return memberId
  const migrationId = BigInt(economy.settings.network.migrationId)
  const terms = { memberId, synchronizerId, migrationId, trafficAmount, expiresAt, trackingId }
  const done = await verdictFor(economy, party, {
    commandId: asked.commandId,
    project: rememberRequest(asked),
    free: true,
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_CreateBuyTrafficRequest, install.id, terms)
        .buyTrafficRequestCid,
  })
  if (done.ok) return done.result
  return done.kind === 'duplicate' ? earlier(economy, asked, trackingId) : rejectionError(done)
}

/**
 * 409 also where it is not known what was asked for: the request was made otherwise, or before
 * contents were kept.
 */
async function earlier(
  { store }: Pick<Economy, 'store'>,
  asked: RequestId,
  trackingId: string,
): Promise<string | PlainError> {
  const made = await earlierRequest(store, asked.commandId)
  if (made === undefined)
    return conflict(`A traffic request with tracking id ${trackingId} was created before`)
  return isSameRequest(made, asked)
    ? CREATE.result.decode(made.result).buyTrafficRequestCid
    : otherContent()
}

/** The participant that hosts the party: this node where it is among several. */
async function memberHosting(
  { hostsOf, parties: { member } }: Pick<Economy, 'hostsOf' | 'parties'>,
  party: string,
): Promise<string | PlainError> {
  const hosts = await hostsOf(party)
  const host = hosts.includes(member) ? member : hosts[0]
  return host ?? badRequest(`No participant hosts the party ${party}`)
}
