// The history as a table: amounts exact and with sign, as the interface has them.
import { wireAmount } from './amount.ts'
import type { Cell } from './csv.ts'
import { GROUPS } from './history-words.ts'
import type { HistoryLine } from './history-line.ts'

const HEAD = [
  'time',
  'kind',
  'what',
  'amount',
  'from',
  'to',
  'description',
  'holding_fees',
  'app_rewards_used',
  'validator_rewards_used',
  'sv_rewards_used',
  'development_fund_coupons_used',
  'transaction_type',
  'choice',
  'event_id',
  'update_id',
] as const

/**
 * Head and one row for each line, in their order. Several receivers stand in one cell, `party
 * amount` each, between semicolons.
 */
export function historyTable(lines: readonly HistoryLine[]): ReadonlyArray<readonly Cell[]> {
  return [HEAD, ...lines.map(rowOf)]
}

function rowOf(line: HistoryLine): readonly Cell[] {
  const { entry } = line
  const [from, to] = sidesOf(line)
  return [
    line.at,
    GROUPS[line.group],
    line.title,
    { exact: line.amount === undefined ? '' : wireAmount(line.amount) },
    from,
    to,
    line.description,
    ...partsOf(line),
    entry.transaction_type,
    entry.transaction_subtype.choice,
    line.id,
    line.updateId,
  ]
}

function sidesOf({ entry }: HistoryLine): readonly [string, string] {
  if (entry.transaction_type === 'notification' || entry.transaction_type === 'unknown')
    return ['', '']
  const to = entry.receivers.map(({ party, amount }) => `${party} ${amount}`).join('; ')
  return entry.transaction_type === 'transfer'
    ? [`${entry.sender.party} ${entry.sender.amount}`, to]
    : ['', to]
}

function partsOf({ entry }: HistoryLine): readonly Cell[] {
  if (entry.transaction_type !== 'transfer') return ['', '', '', '', '']
  const {
    holding_fees: fees,
    app_rewards_used: app,
    validator_rewards_used: validator,
    sv_rewards_used: sv,
  } = entry
  return [fees, app, validator, sv, entry.development_fund_coupons_used].map((exact) => ({ exact }))
}
