// Minting delegations as a page shows them, read from the contracts and their proposals.
import type { validator } from './wallet.tsx'
import { textAt } from './payload.ts'
import { t } from './language.ts'

type Entries = validator.Data<'listMintingDelegations'>['delegations']

export interface Delegation {
  readonly id: string
  readonly beneficiary: string
  readonly delegate: string
  /** RFC 3339. */
  readonly expiresAt: string
  /** Merging starts at twice as many coins as this, and leaves as many. */
  readonly mergeLimit: string
  /** This validator hosts the beneficiary. */
  readonly isHosted: boolean
}

/** Delegations, the first to expire first. The terms of a proposal are in its `delegation`. */
export function delegationsOf(entries: Entries): readonly Delegation[] {
  return entries
    .map(delegationOf)
    .toSorted((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt) || (a.id < b.id ? -1 : 1))
}

function delegationOf({
  contract: { contract_id: id, payload },
  beneficiary_hosted: isHosted,
}: Entries[number]): Delegation {
  const terms = payload['delegation'] ?? payload
  return {
    id,
    isHosted,
    beneficiary: textAt(terms, 'beneficiary'),
    delegate: textAt(terms, 'delegate'),
    expiresAt: textAt(terms, 'expiresAt'),
    mergeLimit: textAt(terms, 'coinMergeLimit'),
  }
}

/**
 * Why a proposal cannot be accepted, at a time in milliseconds since 1970; undefined where it can.
 */
export function obstacle({ expiresAt, isHosted }: Delegation, nowMs: number): string | undefined {
  if (Date.parse(expiresAt) <= nowMs) return t('It has expired.')
  return isHosted
    ? undefined
    : t('This validator does not host the beneficiary and cannot mint for it.')
}
