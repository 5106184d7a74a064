// Contracts as answers of the validator and of scan show them. docs/ledger-rules.md, "Contracts on
// the wire"
import type {
  Contract as WireContract,
  ContractWithState,
  MaybeCachedContractWithState,
} from '../../generated/validator/types.gen.ts'
import { encodeBlob } from '../engine/index.ts'
import type { Contract } from '../engine/index.ts'
import { timeText } from '../participant/time.ts'

/** A contract without where it is. */
export function contractToWire({ record }: Pick<Contract<unknown>, 'record'>): WireContract {
  return {
    template_id: record.templateId,
    contract_id: record.contractId,
    payload: JSON.parse(record.payload),
    created_event_blob: encodeBlob(record),
    created_at: timeText(record.createdAt),
  }
}

/** A contract with the synchronizer that it is assigned to, absent while it is in flight. */
export function contractWithState(contract: Contract<unknown>): ContractWithState {
  return { contract: contractToWire(contract), ...domainOf(contract) }
}

/**
 * Relative to what the caller holds: where the contract is now, and its content where `cached` does
 * not have its id.
 */
export function cachedContract(
  contract: Contract<unknown>,
  cached: ReadonlySet<string>,
): MaybeCachedContractWithState {
  return cached.has(contract.id) ? domainOf(contract) : contractWithState(contract)
}

/**
 * By contract id, each as `cachedContract` says; ids of `cached` that are no longer there are no
 * keys. docs/economy-rules.md, "Scan"
 */
export function cachedContracts(
  contracts: readonly Contract<unknown>[],
  cached: ReadonlySet<string>,
): Record<string, MaybeCachedContractWithState> {
  return Object.fromEntries(
    contracts.map((contract) => [contract.id, cachedContract(contract, cached)]),
  )
}

function domainOf({ synchronizerId }: Contract<unknown>): { readonly domain_id?: string } {
  return synchronizerId === '' ? {} : { domain_id: synchronizerId }
}
