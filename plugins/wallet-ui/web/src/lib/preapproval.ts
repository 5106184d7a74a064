// Preapprovals as the wallet shows them: who may be paid in one step, until when, and by whose
// leave.
import type { UseQueryResult } from '@tanstack/react-query'
import { ledgerNow } from './clock.ts'
import { textAt } from './payload.ts'
import { isRefusal } from './problem.ts'
import { ledger, scan } from './wallet.tsx'

export interface Preapproval {
  readonly id: string
  readonly templateId: string
  readonly receiver: string
  readonly provider: string
  /** RFC 3339, as are the other times. */
  readonly validFrom: string
  readonly renewedAt: string
  readonly expiresAt: string
}

export type PreapprovalState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'none' }
  | { readonly kind: 'active' | 'expired'; readonly preapproval: Preapproval }
  | { readonly kind: 'unknown'; readonly error: Error }

interface ContractLike {
  readonly contract_id: string
  readonly template_id: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** A contract of an answer, read. */
export function preapprovalOf({
  contract_id: id,
  template_id: templateId,
  payload,
}: ContractLike): Preapproval {
  return {
    id,
    templateId,
    receiver: textAt(payload, 'receiver'),
    provider: textAt(payload, 'provider'),
    validFrom: textAt(payload, 'validFrom'),
    renewedAt: textAt(payload, 'lastRenewedAt'),
    expiresAt: textAt(payload, 'expiresAt'),
  }
}

/** A party's preapproval, as the network sees it. An empty party is not asked for. */
export function usePreapproval(party: string): PreapprovalState {
  return stateOf(
    scan.useQuery(
      'lookupTransferPreapprovalByParty',
      { path: { party } },
      { enabled: party !== '' },
    ),
  )
}

type LookUp = UseQueryResult<{ readonly transfer_preapproval: { readonly contract: ContractLike } }>

function stateOf({ data, error }: LookUp): PreapprovalState {
  // What was there before stays in `data` when it is gone.
  if (isRefusal(error) && error.status === 404) return { kind: 'none' }
  if (data === undefined) return error === null ? { kind: 'asking' } : { kind: 'unknown', error }
  const preapproval = preapprovalOf(data.transfer_preapproval.contract)
  return {
    kind: Date.parse(preapproval.expiresAt) <= ledgerNow() ? 'expired' : 'active',
    preapproval,
  }
}

const PROPOSAL = '#network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'

/**
 * True where the party has asked for one and the operator has not answered. Only the ledger tells;
 * where it does not, false.
 */
export function useIsRequested(party: string, isAsked: boolean): boolean {
  const end = ledger.useQuery('getLedgerEnd', {}, { enabled: isAsked }).data?.offset
  const identifierFilter = {
    TemplateFilter: { value: { templateId: PROPOSAL, includeCreatedEventBlob: false } },
  }
  const eventFormat = {
    filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } },
    verbose: false,
  }
  const { data } = ledger.useQuery(
    'getActiveContracts',
    { body: { activeAtOffset: end ?? 0n, eventFormat } },
    { enabled: isAsked && end !== undefined, refetchInterval: false },
  )
  return isAsked && data !== undefined && data.length > 0
}
