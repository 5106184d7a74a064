// What the wallet makes of the history's entries, without a browser: every kind in words, from both
// sides, and as a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TransactionHistoryEntry, TransferEntry } from '../../generated/validator/types.gen.ts'
import { csvText } from '../../plugins/wallet-ui/web/src/lib/csv.ts'
import { historyTable } from '../../plugins/wallet-ui/web/src/lib/history-csv.ts'
import { EVERYTHING, filtered } from '../../plugins/wallet-ui/web/src/lib/history-filter.ts'
import { lineOf } from '../../plugins/wallet-ui/web/src/lib/history-line.ts'

const [ALICE, BOB, CAROL] = ['alice::1220aa', 'bob::1220bb', 'carol::1220cc']
const NOTHING = '0.0000000000'

function transfer(choice: string, change: Partial<TransferEntry> = {}): TransferEntry {
  return {
    transaction_type: 'transfer',
    transaction_subtype: { template_id: 'p:M:E', choice },
    event_id: `1220${choice}:0`,
    date: '2026-11-21T10:00:00Z',
    sender: { party: ALICE, amount: '-10.0000000000' },
    receivers: [{ party: BOB, amount: '10.0000000000' }],
    holding_fees: NOTHING,
    app_rewards_used: NOTHING,
    validator_rewards_used: NOTHING,
    sv_rewards_used: NOTHING,
    development_fund_coupons_used: NOTHING,
    ...change,
  }
}

function change(choice: string, party: string, amount: string): TransactionHistoryEntry {
  return {
    transaction_type: 'balance_change',
    transaction_subtype: { template_id: 'p:M:E', choice },
    event_id: `1220${choice}:1`,
    date: '2026-11-20T10:00:00Z',
    receivers: [{ party, amount }],
  }
}

test('payments read as what they were, from the side of whoever looks', () => {
  const told = (entry: TransactionHistoryEntry) =>
    [ALICE, BOB].map((party) => {
      const { title, amount, others } = lineOf(entry, party)
      return [title, amount, ...others]
    })
  const ten = 100_000_000_000n
  assert.deepEqual(told(transfer('TransferPreapproval_Send')), [
    ['Sent in one step', -ten, BOB],
    ['Received in one step', ten, ALICE],
  ])
  assert.deepEqual(
    told(transfer('TransferPreapproval_SendV2')),
    told(transfer('TransferPreapproval_Send')),
  )
  assert.deepEqual(told(transfer('AcceptedTransferOffer_Complete')), [
    ['Offer paid', -ten, BOB],
    ['Offer received', ten, ALICE],
  ])
  assert.deepEqual(told(transfer('CoinRules_Transfer')), [
    ['Sent', -ten, BOB],
    ['Received', ten, ALICE],
  ])
  const offered = transfer('TransferFactory_Transfer', {
    receivers: [],
    transfer_instruction_receiver: BOB,
  })
  assert.deepEqual(told(offered), [
    ['Two-step transfer begun', -ten, BOB],
    ['Two-step transfer offered to you', 0n, ALICE],
  ])
  assert.deepEqual(told(change('TransferInstruction_Reject', ALICE, '10'))[0], [
    'Two-step transfer was rejected, coin returned',
    ten,
  ])
  assert.deepEqual(told(change('TransferInstruction_Reject', BOB, NOTHING))[1], [
    'Two-step transfer to you rejected',
    0n,
  ])
})

test('what the wallet does by itself, several receivers, notices and what is not known are told honestly', () => {
  const titleFor = (entry: TransactionHistoryEntry) => lineOf(entry, ALICE).title
  const batch = { sender: { party: ALICE, amount: '3.5000000000' }, receivers: [] }
  assert.equal(
    titleFor(
      transfer('WalletAppInstall_ExecuteBatch', {
        ...batch,
        validator_rewards_used: '3.5000000000',
      }),
    ),
    'Rewards collected',
  )
  assert.equal(titleFor(transfer('WalletAppInstall_ExecuteBatch', { ...batch })), 'Holdings merged')
  assert.equal(titleFor(change('CoinRules_DevNet_Tap', ALICE, '1')), 'Test coin received')
  assert.equal(titleFor(change('CoinRules_Mint', ALICE, '1')), 'Minted')
  assert.equal(
    titleFor(change('LockedCoin_OwnerExpireLockV2', ALICE, '1')),
    'Lock expired, coin returned',
  )
  assert.equal(titleFor(change('Coin_Expire', ALICE, NOTHING)), 'Holding expired')
  assert.equal(
    titleFor(transfer('TransferPreapproval_Renew', { receivers: [] })),
    'Preapproval renewed',
  )
  const bought = lineOf(
    transfer('CoinRules_BuyMemberTraffic', {
      receivers: [{ party: 'DSO::1220', amount: NOTHING }],
    }),
    ALICE,
  )
  assert.deepEqual([bought.title, bought.others], ['Traffic bought', []])
  assert.equal(titleFor(transfer('Something_New')), 'Transfer sent (Something_New)')
  assert.equal(titleFor(change('Something_New', ALICE, '1')), 'Balance changed (Something_New)')
  const common = { event_id: '1220:0:2', date: '2026-11-21T10:00:00Z' }
  const subtype = { template_id: 'unknown', choice: 'unknown' }
  const unknown = lineOf(
    { ...common, transaction_type: 'unknown', transaction_subtype: subtype },
    ALICE,
  )
  assert.deepEqual([unknown.title, unknown.amount], ['Unknown entry (unknown)', undefined])
  const failed = lineOf(
    {
      ...common,
      transaction_type: 'notification',
      details: 'direct transfer failed: out of funds',
      transaction_subtype: {
        template_id: 'p:M:E',
        choice: 'WalletAppInstall_ExecuteBatch',
        coin_operation: 'CO_CompleteAcceptedTransfer',
      },
    },
    ALICE,
  )
  assert.deepEqual(
    [failed.title, failed.description],
    ['Payment of an offer failed', 'direct transfer failed: out of funds'],
  )
  const many = [
    { party: BOB, amount: '4' },
    { party: CAROL, amount: '6' },
  ]
  assert.deepEqual(lineOf(transfer('CoinRules_Transfer', { receivers: many }), ALICE).others, [
    BOB,
    CAROL,
  ])
})

test('filters take kind, direction, text and whole days of this machine', () => {
  const lines = [
    lineOf(transfer('TransferPreapproval_Send', { description: 'Lunch' }), ALICE),
    lineOf(change('CoinRules_DevNet_Tap', ALICE, '1'), ALICE),
  ]
  const titles = (part: object) =>
    filtered(lines, { ...EVERYTHING, ...part }).map(({ title }) => title)
  assert.deepEqual(titles({}), ['Sent in one step', 'Test coin received'])
  assert.deepEqual(titles({ group: 'made' }), ['Test coin received'])
  assert.deepEqual(titles({ direction: 'out' }), ['Sent in one step'])
  assert.deepEqual(titles({ text: ' lUnch ' }), ['Sent in one step'])
  assert.deepEqual(titles({ text: 'bob::' }), ['Sent in one step'])
  const day = (iso: string) => {
    const at = new Date(iso)
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
      .map((n) => String(n).padStart(2, '0'))
      .join('-')
  }
  assert.deepEqual(titles({ from: day('2026-11-21T10:00:00Z') }), ['Sent in one step'])
  assert.deepEqual(titles({ to: day('2026-11-20T10:00:00Z') }), ['Test coin received'])
})

test('a table has exact signed amounts, and no text of it is a formula', () => {
  const [head = '', row = ''] = csvText(
    historyTable([
      lineOf(transfer('TransferPreapproval_Send', { description: '=1+1, "x"\n' }), ALICE),
    ]),
  ).split('\r\n')
  assert.equal(head.split(',').length, 21)
  assert.equal(
    row.slice(0, row.indexOf(',"')),
    `2026-11-21T10:00:00Z,Payments,Sent in one step,-10.0000000000,bob,${BOB}`,
  )
  assert.ok(row.includes(`,"'=1+1, ""x""\n",`), row)
  assert.ok(row.includes(`,${ALICE} -10.0000000000,${BOB} 10.0000000000,`), row)
})

test('whatever the texts, a table has its rows and cells back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), {
        maxLength: 5,
      }),
      (rows) => {
        assert.deepEqual(
          parsed(csvText(rows)),
          rows.map((row) => row.map((cell) => (/^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell))),
        )
      },
    ),
  )
})

/** RFC 4180, read back. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu,
  )) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
