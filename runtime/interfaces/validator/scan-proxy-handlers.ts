// Scan as the validator passes it on to its clients: the same reads in full, without the caching
// forms. spec/validator.yaml; spec/scan.yaml
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import { contractWithState } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import type { Context } from '../reply.ts'
import { snapshotHandlers } from '../scan/history-handlers.ts'
import { nameHandlers } from '../scan/name-handlers.ts'
import { networkHandlers } from '../scan/network-handlers.ts'
import { featuredHandlers, transferHandlers } from '../scan/party-handlers.ts'
import { openAndIssuingRounds } from '../scan/rounds.ts'

/** Every scan-proxy operation of the validator interface, without those of the registry. */
export function scanProxyHandlers(economy: Economy) {
  const { getAnsRules, getDsoPartyId, getDsoInfo } = networkHandlers(economy)
  const { lookupFeaturedAppRight } = featuredHandlers(economy)
  const { lookupTransferPreapprovalByParty, ...transfers } = transferHandlers(economy)
  const { getHoldingsSummaryAt } = snapshotHandlers(economy)
  const { listAnsEntries, ...names } = nameHandlers(economy)
  return {
    ...names,
    listAnsEntriesFromScan: listAnsEntries,
    getAnsRules,
    getDsoPartyId,
    getDsoInfo,
    lookupFeaturedAppRight,
    getHoldingsSummaryAt,
    ...transfers,
    lookupTransferPreapprovalByPartyFromScan: lookupTransferPreapprovalByParty,
    getCoinRules: async () => ({
      status: 200,
      body: { coin_rules: contractWithState(await economy.network.coinRules()) },
    }),
    getOpenAndIssuingMiningRounds: async () => {
      const { open, issuing } = await openAndIssuingRounds(economy)
      return {
        status: 200,
        body: {
          open_mining_rounds: open.map(contractWithState),
          issuing_mining_rounds: issuing.map(contractWithState),
        },
      }
    },
  } satisfies Partial<Handlers<Context>>
}
