// Contracts as answers show them. domain/wire.md §0.2
import type { Contract as WireContract, ContractWithState } from '../../../generated/validator/types.gen.ts'
import { encodeBlob } from '../../ledger/index.ts'
import type { Contract } from '../../ledger/index.ts'
import { timeText } from '../time.ts'

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

/** With the synchronizer that it is assigned to, absent while it is in flight. */
export function contractWithState(contract: Contract<unknown>): ContractWithState {
  const { synchronizerId } = contract
  return { contract: contractToWire(contract), ...(synchronizerId === '' ? {} : { domain_id: synchronizerId }) }
}
