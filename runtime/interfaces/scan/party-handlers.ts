// Scan's operations on parties, providers and validators. docs/economy-rules.md, "Scan" and
// "Development fund"; spec/scan.yaml
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type {
  ListFeaturedAppRightsResponse,
  LookupFeaturedAppRightResponse,
} from '../../../generated/scan/types.gen.ts'
import {
  featuredAppRight,
  transferCommandCounter,
  unclaimedDevelopmentFundCoupon,
  validatorLicense,
} from '../../contracts/index.ts'
import type { FeaturedAppRight } from '../../../generated/contracts.gen.ts'
import type { ActivePage, Contract } from '../../engine/index.ts'
import { contractToWire, contractWithState } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import { nextPage, pageAfter } from '../pages.ts'
import type { ContractPage } from '../pages.ts'
import type { Context } from '../reply.ts'
import { answer, noPreapproval, notFound } from '../../economy/errors.ts'
import { contractIdOf } from '../../economy/parse.ts'
import { isPartyId } from './parse.ts'
import { faucetsOf, participantOf, participantsOf, trafficStatusOf } from './participants.ts'
import { transferCommandsOf } from './transfer-commands.ts'

/** Handlers of featured app rights; the one of a single provider serves the scan proxy too. */
export function featuredHandlers(economy: Pick<Economy, 'network' | 'reader'>) {
  const { reader, network } = economy
  return {
    listFeaturedAppRights: async ({ query }) =>
      answer(
        await pageAfter(query, (page) => reader.active(featuredAppRight, {}, page)),
        rightsToWire,
      ),
    lookupFeaturedAppRight: async ({ path: { provider_party_id: provider } }) => ({
      status: 200,
      body: rightToWire(
        isPartyId(provider) ? await network.featuredAppRightOf(provider) : undefined,
      ),
    }),
    listFeaturedAppRightsByProvider: async ({ path: { provider_party_id: provider }, query }) =>
      answer(
        await pageAfter(query, async (page) =>
          isPartyId(provider) ? reader.active(featuredAppRight, { provider }, page) : [],
        ),
        rightsToWire,
      ),
    lookupFeaturedAppRightByContractId: async ({ path }) => ({
      status: 200,
      body: rightToWire(await reader.get(featuredAppRight, contractIdOf(path.contract_id))),
    }),
  } satisfies Partial<Handlers<Context>>
}

/**
 * Handlers of what transfers need, and of the development fund; all of them serve the scan proxy
 * too.
 */
export function transferHandlers(economy: Economy) {
  const {
    reader,
    network,
    parties: { dso },
  } = economy
  return {
    lookupTransferPreapprovalByParty: async ({ path: { party } }) => {
      const found = isPartyId(party) ? await network.preapprovalOf(party) : undefined
      return answer(found ?? notFound(noPreapproval(party)), (one) => ({
        transfer_preapproval: contractWithState(one),
      }))
    },
    lookupTransferCommandCounterByParty: async ({ path: { party } }) => {
      const [counter] = isPartyId(party)
        ? await reader.active(transferCommandCounter, { sender: party }, { limit: 1 })
        : []
      return answer(counter ?? notFound(`${party} has no transfer command counter`), (one) => ({
        transfer_command_counter: contractWithState(one),
      }))
    },
    lookupTransferCommandStatus: async ({ query: { sender, nonce } }) =>
      answer(await transferCommandsOf(economy, sender, nonce), (commands) => ({
        transfer_commands_by_contract_id: commands,
      })),
    listUnclaimedDevelopmentFundCoupons: async () => {
      const coupons = await reader.all(unclaimedDevelopmentFundCoupon, { dso })
      return {
        status: 200,
        body: { 'unclaimed-development-fund-coupons': coupons.map(contractWithState) },
      }
    },
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of participants and validators. */
export function validatorHandlers(
  economy: Pick<Economy, 'hostsOf' | 'node' | 'parties' | 'reader' | 'store'>,
) {
  const newestLicences = (page: ActivePage) =>
    economy.reader.active(validatorLicense, {}, { order: 'created-desc', ...page })
  return {
    getPartyToParticipant: async ({ path }) =>
      answer(await participantOf(economy, path.domain_id, path.party_id), (participant) => ({
        participant_id: participant,
      })),
    getPartyToParticipantV1: async ({ path }) =>
      answer(await participantsOf(economy, path.domain_id, path.party_id), (participants) => ({
        participant_ids: [...participants],
      })),
    listValidatorLicenses: async ({ query }) =>
      answer(await pageAfter(query, newestLicences), ({ contracts, ...more }) => ({
        validator_licenses: contracts.map(contractToWire),
        ...nextPage(more),
      })),
    getValidatorFaucetsByValidator: async ({ query }) => ({
      status: 200,
      body: { validatorsReceivedFaucets: await faucetsOf(economy, query.validator_ids) },
    }),
    getMemberTrafficStatus: async ({ path }) =>
      answer(await trafficStatusOf(economy, path.domain_id, path.member_id), (status) => ({
        traffic_status: status,
      })),
  } satisfies Partial<Handlers<Context>>
}

/** Oldest first, so that a flood of new ones hides none. */
function rightsToWire({
  contracts,
  ...more
}: ContractPage<FeaturedAppRight>): ListFeaturedAppRightsResponse {
  return { featured_apps: contracts.map(contractToWire), ...nextPage(more) }
}

function rightToWire(right: Contract<unknown> | undefined): LookupFeaturedAppRightResponse {
  return right === undefined ? {} : { featured_app_right: contractToWire(right) }
}
