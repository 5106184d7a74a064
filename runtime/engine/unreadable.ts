// A contract that this program cannot read: of a version of its package that a newer program wrote,
// or one that an upgrade does not bring to the newest. Nothing is wrong with the request, and
// another server may well serve it.
import type { Templated } from './template.ts'

/** `code` of ContractUnreadable. */
export const CONTRACT_UNREADABLE = 'CONTRACT_UNREADABLE'

/**
 * Answered as unavailable: older servers beside newer ones refuse what they cannot read.
 * docs/decisions/0012
 */
export class ContractUnreadable extends Error {
  override readonly name = 'ContractUnreadable'
  readonly code = CONTRACT_UNREADABLE
  readonly templateId: string

  constructor({ templateId, contractId }: UnreadContract, reason: string) {
    super(`Contract ${contractId} of template ${templateId} ${reason}`)
    this.templateId = templateId
  }
}

interface UnreadContract extends Templated {
  readonly contractId: string
}

/** The refusal of a version that this program does not know. */
export function unknownVersion(contract: UnreadContract): ContractUnreadable {
  return new ContractUnreadable(
    contract,
    'was written with a version of its package that this server does not know',
  )
}
