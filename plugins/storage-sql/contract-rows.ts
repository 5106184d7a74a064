// Rows of the ledger's tables as the records of the contract, and the forms in which values are
// stored.
import { templateOf } from '../../runtime/index.ts'
import { int64Of, textOf } from './database.ts'
import type {
  Accrual,
  AccrualKey,
  ActiveContract,
  CommandRecord,
  ContractRecord,
  ContractState,
  FactRecord,
  History,
  LedgerEnd,
  UpdateRecord,
} from '../../runtime/index.ts'
import type { Row } from './database.ts'
import type { StakeHolder } from './stakes.ts'

const RANK_DIGITS = 38

/** Padded, so that texts sort as the numbers do; PostgreSQL reads it as a number. */
export function rankText(rank: bigint): string {
  return String(rank).padStart(RANK_DIGITS, '0')
}

export function ledgerEndOf(row: Row): LedgerEnd {
  return { offset: int64Of(row, 'last_offset'), recordTime: int64Of(row, 'record_time') }
}

/** The update id in a column that is null without such an update. */
export function updateIdOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column)
}

export function historyOf(row: Row): History {
  return {
    end: ledgerEndOf(row),
    last: updateIdOf(row, 'last'),
    seen: updateIdOf(row, 'seen'),
    now: int64Of(row, 'now'),
  }
}

export function stateOf(row: Row): Omit<ContractState, 'contract'> {
  return {
    createdOffset: int64Of(row, 'created_offset'),
    archivedOffset: int64Of(row, 'archived_offset'),
    synchronizerId: textOf(row, 'synchronizer_id'),
  }
}

export function stakeHolderOf(row: Row): StakeHolder {
  return {
    sequence: int64Of(row, 'sequence'),
    template: templateOf({
      templateId: textOf(row, 'template_id'),
      packageName: textOf(row, 'package_name'),
    }),
    createdOffset: int64Of(row, 'created_offset'),
    archivedOffset: int64Of(row, 'archived_offset'),
    signatories: JSON.parse(textOf(row, 'signatories')),
    observers: JSON.parse(textOf(row, 'observers')),
  }
}

export function activeOf(row: Row): ActiveContract {
  const contract = contractOf(row)
  return {
    contract,
    synchronizerId: textOf(row, 'synchronizer_id'),
    sequence: int64Of(row, 'sequence'),
  }
}

export function contractOf(row: Row): ContractRecord {
  return {
    contractId: textOf(row, 'contract_id'),
    templateId: textOf(row, 'template_id'),
    packageName: textOf(row, 'package_name'),
    payload: textOf(row, 'payload'),
    signatories: JSON.parse(textOf(row, 'signatories')),
    observers: JSON.parse(textOf(row, 'observers')),
    createdAt: int64Of(row, 'created_at'),
    key1: textOf(row, 'key1'),
    key2: textOf(row, 'key2'),
    key3: textOf(row, 'key3'),
    rank: int64Of(row, 'rank'),
  }
}

export function commandOf(row: Row): CommandRecord {
  return {
    key: textOf(row, 'command_key'),
    updateId: textOf(row, 'update_id'),
    offset: int64Of(row, 'ledger_offset'),
    keptUntil: int64Of(row, 'kept_until'),
  }
}

export function factOf(row: Row): FactRecord {
  return { kind: textOf(row, 'kind'), key: textOf(row, 'fact_key'), body: textOf(row, 'body') }
}

export function updateTimeOf(row: Row): Omit<UpdateRecord, 'body'> {
  return {
    offset: int64Of(row, 'ledger_offset'),
    updateId: textOf(row, 'update_id'),
    recordTime: int64Of(row, 'record_time'),
  }
}

export function partOf(text: string): AccrualKey['part'] {
  if (text === 'all' || text === 'since' || text === 'until') return text
  throw new TypeError(`${text} is not a part of a sum`)
}

export function accrualOf(row: Row): Pick<AccrualKey, 'part' | 'at'> & Accrual {
  return {
    part: partOf(textOf(row, 'part')),
    at: int64Of(row, 'at_position'),
    amount: int64Of(row, 'amount'),
    rate: int64Of(row, 'rate'),
    count: int64Of(row, 'contract_count'),
  }
}
