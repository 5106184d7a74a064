// Who governs the network, by which rules, and under which names. spec/scan.yaml
import type {
  ContractIdInput,
  DsoInfo,
  MaybeCachedContractWithState,
  NetworkInstanceNames,
} from '../../../generated/scan/types.gen.ts'
import { votingThreshold } from '../../contracts/index.ts'
import type { Contract } from '../../engine/index.ts'
import { cachedContract, contractWithState } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import { PlainError } from '../../economy/errors.ts'
import { contractIdOf } from '../../economy/parse.ts'

/** The network's parties, rules and latest round, which may not have opened yet. */
export async function dsoInfo({
  network,
  parties,
  settings,
}: Pick<Economy, 'network' | 'parties' | 'settings'>): Promise<DsoInfo | PlainError> {
  const [coinRules, dsoRules, rounds] = await Promise.all([
    network.coinRules(),
    network.dsoRules(),
    network.openRounds(),
  ])
  const latest = rounds.at(-1)
  if (latest === undefined) return new PlainError(503, 'There are no mining rounds')
  return {
    sv_user: settings.validator.validatorWalletUser,
    sv_party_id: parties.sv,
    dso_party_id: parties.dso,
    voting_threshold: votingThreshold(dsoRules.payload.svs.length),
    latest_mining_round: contractWithState(latest),
    coin_rules: contractWithState(coinRules),
    dso_rules: contractWithState(dsoRules),
    sv_node_states: [],
    initial_round: String(settings.network.initialRound),
  }
}

/** A contract of the network, left out where it is the one that the caller holds. */
export function relativeTo(
  cached: ContractIdInput | undefined,
  contract: Contract<unknown>,
): MaybeCachedContractWithState {
  return cachedContract(contract, new Set(cached === undefined ? [] : [contractIdOf(cached)]))
}

/** Names of the network and its coin, for user interfaces. */
export function instanceNames({
  settings: { network },
}: Pick<Economy, 'settings'>): NetworkInstanceNames {
  return {
    network_name: network.networkName,
    network_favicon_url: network.networkFaviconUrl,
    coin_name: network.coinName,
    coin_name_acronym: network.coinNameAcronym,
    name_service_name: network.nameServiceName,
    name_service_name_acronym: network.nameServiceNameAcronym,
  }
}
