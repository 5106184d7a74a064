// Requests to buy traffic, for any validator that hosts a party. domain/wire.md §1.1; domain/behaviour.md §8
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import type { CreateBuyTrafficRequest } from '../../../generated/validator/types.gen.ts'
import { walletAppInstallCreateBuyTrafficRequest } from '../../contracts/index.ts'
import type { Economy } from '../economy.ts'
import type { Context } from '../reply.ts'
import { badRequest, conflict, notFound, PlainError, refusalError } from './errors.ts'
import { futureTime, textFault } from './parse.ts'
import { trackedCommandId, trafficRequestStatus } from './tracking.ts'
import { submitFor, walletScope } from './wallets.ts'
import type { Wallet } from './wallets.ts'

type TrafficHandlers = Pick<Handlers<Context>, 'createBuyTrafficRequest' | 'getBuyTrafficRequestStatus'>

/** Handlers of all operations on traffic requests. */
export function trafficHandlers(economy: Economy): TrafficHandlers {
  const inWallet = walletScope(economy)
  return {
    createBuyTrafficRequest: inWallet(
      (wallet, { body }) => create(economy, wallet, body), (cid) => ({ request_contract_id: cid })),
    getBuyTrafficRequestStatus: inWallet(async ({ party }, { path }) =>
      await trafficRequestStatus(economy.store, party, path.tracking_id)
        ?? notFound(`No traffic request with tracking id ${path.tracking_id}`),
    (status) => status),
  }
}

async function create(economy: Economy, wallet: Wallet, request: CreateBuyTrafficRequest): Promise<string | PlainError> {
  const { party, install } = wallet
  const { tracking_id: trackingId, domain_id: synchronizerId, traffic_amount } = request
  const trafficAmount = BigInt(traffic_amount)
  if (trafficAmount <= 0n) return badRequest('trafficAmount must be positive')
  const expiresAt = futureTime(BigInt(request.expires_at), economy.clock.nowMicros())
  if (expiresAt instanceof PlainError) return expiresAt
  const memberId = textFault(trackingId, synchronizerId) ?? await memberHosting(economy, request.receiving_validator_party_id)
  if (memberId instanceof PlainError) return memberId
  if (await trafficRequestStatus(economy.store, party, trackingId) !== undefined) return usedBefore(trackingId)
  const migrationId = BigInt(economy.settings.network.migrationId)
  const terms = { memberId, synchronizerId, migrationId, trafficAmount, expiresAt, trackingId }
  const done = await submitFor(economy, party, {
    commandId: trackedCommandId('buy-traffic', party, trackingId),
    free: true,
    run: (tx) => tx.exercise(walletAppInstallCreateBuyTrafficRequest, install.id, terms).buyTrafficRequestCid,
  })
  if (done.ok) return done.result
  return done.kind === 'duplicate' ? usedBefore(trackingId) : refusalError(done)
}

/** The one participant that hosts the party: this node, for parties that it acts for or confirms for. */
async function memberHosting({ store, parties, node }: Economy, party: string): Promise<string | PlainError> {
  const fault = textFault(party)
  if (fault !== undefined) return fault
  const [known] = await store.parties.get([party])
  const isHosted = known !== undefined && (known.isLocal || known.topology.includes(node.participantUid))
  return isHosted ? parties.member : badRequest(`No participant hosts the party ${party}`)
}

function usedBefore(trackingId: string): PlainError {
  return conflict(`A traffic request with tracking id ${trackingId} was created before`)
}
