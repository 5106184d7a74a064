// The history as a table for accountants: amounts exact and with sign, as the interface has them,
// and what each was worth in US dollars at the time.
import { wireAmount, worthOf } from './amount.ts'
import type { Cell } from './csv.ts'
import { GROUPS } from './history-words.ts'
import type { HistoryLine } from './history-line.ts'
import { nameOf } from './party.ts'

const HEAD = [
  'time',
  'kind',
  'what',
  'amount',
  'counterparty',
  'counterparty_id',
  'description',
  'value_usd_then',
  'price_usd_then',
  'round',
  'holding_fees',
  'from',
  'to',
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
 * Head and one row for each line, in their order. Several parties stand in one cell between
 * semicolons; receivers as `party amount`. A value and a price are empty where the ledger does not
 * tell the price of the round.
 */
export function historyTable(lines: readonly HistoryLine[]): ReadonlyArray<readonly Cell[]> {
  return [HEAD, ...lines.map(rowOf)]
}

/** The same as a list of objects, in JSON. */
export function historyJson(lines: readonly HistoryLine[]): string {
  const objects = lines.map((line) =>
    Object.fromEntries(rowOf(line).map((cell, at) => [HEAD[at], textOf(cell)])),
  )
  return `${JSON.stringify(objects, undefined, 2)}\n`
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.exact
}

function rowOf(line: HistoryLine): readonly Cell[] {
  const { entry, amount, rate } = line
  const [from, to] = sidesOf(line)
  const { fees, rewards } = partsOf(line)
  return [
    line.at,
    GROUPS[line.group],
    line.title,
    { exact: amount === undefined ? '' : wireAmount(amount) },
    line.others.map(nameOf).join('; '),
    line.others.join('; '),
    line.description,
    { exact: amount === undefined || rate === undefined ? '' : wireAmount(worthOf(amount, rate)) },
    { exact: rate === undefined ? '' : wireAmount(rate) },
    { exact: line.round === undefined ? '' : String(line.round) },
    { exact: fees },
    from,
    to,
    ...rewards.map((exact) => ({ exact })),
    entry?.transaction_type ?? 'offer',
    line.choice,
    line.id,
    line.updateId,
  ]
}

function sidesOf({ entry }: HistoryLine): readonly [string, string] {
  if (entry?.transaction_type !== 'transfer' && entry?.transaction_type !== 'balance_change')
    return ['', '']
  const to = entry.receivers.map(({ party, amount }) => `${party} ${amount}`).join('; ')
  return entry.transaction_type === 'transfer'
    ? [`${entry.sender.party} ${entry.sender.amount}`, to]
    : ['', to]
}

interface Parts {
  readonly fees: string
  readonly rewards: readonly string[]
}

function partsOf({ entry }: HistoryLine): Parts {
  if (entry?.transaction_type !== 'transfer') return { fees: '', rewards: ['', '', '', ''] }
  const { app_rewards_used: app, validator_rewards_used: validator, sv_rewards_used: sv } = entry
  return {
    fees: entry.holding_fees,
    rewards: [app, validator, sv, entry.development_fund_coupons_used],
  }
}
