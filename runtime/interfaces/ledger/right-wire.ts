// Between the wire's rights and the stored ones. docs/ledger-rules.md, "Rights"
import type { Right, RightKind } from '../../../generated/ledger/types.gen.ts'
import type { RightRecord } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, ledgerError, LedgerError } from '../../errors/errors.ts'
import { partyProblem } from '../../errors/grammar.ts'

/** A stored right as answers show it. The store holds only what `readRights` let in. */
export function rightToWire({ kind, party }: RightRecord): Right {
  switch (kind) {
    case 'CanActAs':
      return { kind: { CanActAs: { value: { party } } } }
    case 'CanReadAs':
      return { kind: { CanReadAs: { value: { party } } } }
    case 'CanExecuteAs':
      return { kind: { CanExecuteAs: { value: { party } } } }
    case 'CanReadAsAnyParty':
      return { kind: { CanReadAsAnyParty: { value: {} } } }
    case 'CanExecuteAsAnyParty':
      return { kind: { CanExecuteAsAnyParty: { value: {} } } }
    case 'IdentityProviderAdmin':
      return { kind: { IdentityProviderAdmin: { value: {} } } }
    case 'ParticipantAdmin':
      return { kind: { ParticipantAdmin: { value: {} } } }
    default:
      throw new Error(`the store holds a right of the unknown kind ${kind}`)
  }
}

/**
 * The rights of a request, or the problem of the first that cannot be granted: INVALID_ARGUMENT,
 * MISSING_FIELD.
 */
export function readRights(rights: readonly Right[]): readonly RightRecord[] | LedgerError {
  const records: RightRecord[] = []
  for (const { kind } of rights) {
    const record = readRight(kind)
    if (record instanceof LedgerError) return record
    records.push(record)
  }
  return records
}

function readRight(kind: RightKind): RightRecord | LedgerError {
  if ('Empty' in kind) return invalidArgument(reasonText('unknownRightKind'))
  if ('CanActAs' in kind) return partyRight('CanActAs', kind.CanActAs.value.party)
  if ('CanReadAs' in kind) return partyRight('CanReadAs', kind.CanReadAs.value.party)
  if ('CanExecuteAs' in kind) return partyRight('CanExecuteAs', kind.CanExecuteAs.value.party)
  const [name = ''] = Object.keys(kind)
  return { kind: name, party: '' }
}

function partyRight(kind: string, party: string): RightRecord | LedgerError {
  if (party === '') return ledgerError('MISSING_FIELD', { field_name: 'party' })
  const problem = partyProblem(party)
  return problem === undefined ? { kind, party } : invalidArgument(problem)
}
