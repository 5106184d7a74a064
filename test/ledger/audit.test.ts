// The audit that other tests rely on finds what it is for: each kind of damage to the store of a
// real service is seen and named.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertSound, auditLedger } from '../support/audit.ts'
import { call } from '../support/http.ts'
import { member } from '../../runtime/host/member.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StoreRows } from '../support/store-file.ts'
import { ask, pay } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'

const STORAGE = { use: 'sqlite' }

let service: Service
let rows: StoreRows

before(async () => {
  service = await startService({ config: { storage: STORAGE }, seeded: true })
  const [alice, bob] = [await userOf('alice'), await userOf('bob')]
  assert.deepEqual(
    await pay(service.url, { kind: 'offer', from: alice, to: bob, amount: '2.5', id: 'one' }),
    { end: 'paid' },
  )
  const body = {
    receiver_party_id: bob.party,
    amount: '1',
    description: '',
    tracking_id: 'two',
    expires_at: (Date.now() + 60_000) * 1_000,
  }
  for (const path of ['/transfer-offers', '/token-standard/transfers']) {
    const made = await ask(service.url, alice, `POST ${path}`, body)
    assert.equal(made.status, 200, made.text)
  }
  rows = await readStore(placeOf(STORAGE, service.dataDir))
})

after(async () => service.stop())

async function userOf(name: string): Promise<WalletUser> {
  const token = await service.token(name)
  const { json } = await call(service.url, 'GET /api/validator/v0/wallet/user-status', { token })
  return { token, party: String(member(json, 'party_id')) }
}

/** The rows with each row of a table that matches replaced, or taken out. */
function damaged<T extends 'updates' | 'contracts' | 'totals' | 'logs' | 'facts' | 'commands'>(
  table: T,
  matches: (row: StoreRows[T][number], index: number) => boolean,
  change: (row: StoreRows[T][number]) => readonly object[],
): StoreRows {
  const list: readonly StoreRows[T][number][] = rows[table]
  return {
    ...rows,
    [table]: list.flatMap((row, index) => (matches(row, index) ? change(row) : [row])),
  }
}

const gone = (): readonly object[] => []
const isEntity =
  (entity: string) =>
  ({ template_id: id }: { readonly template_id: string }): boolean =>
    id.endsWith(`:${entity}`)
const isLast = (_row: unknown, index: number): boolean => index === rows.updates.length - 1

test('a ledger as the service wrote it is sound', () => {
  const { supply, minted, burned } = assertSound(rows)
  assert.ok(supply > 0n && burned > 0n && minted === supply + burned)
})

/**
 * The ledger after the network has expired a coin as dust, which the owner's history shows as a
 * change by nothing.
 */
function withDust(coin: StoreRows['contracts'][number]): StoreRows {
  const { initialAmount, owner } = coinOf(coin.payload)
  const offset = rows.updates.length + 1
  const time = String(BigInt(rows.end.record_time) + 1n)
  const event = {
    kind: 'exercise',
    node: 0,
    lastDescendant: 0,
    contractId: coin.contract_id,
    choice: 'Coin_Expire',
    consuming: true,
    argument: {},
    result: {},
  }
  const line = {
    transaction_type: 'balance_change',
    receivers: [{ party: owner, amount: '0.0000000000' }],
  }
  const less = (row: StoreRows['totals'][number]) => [
    {
      ...row,
      amount: String(BigInt(row.amount) - BigInt(initialAmount.replace('.', ''))),
      number: row.number - 1,
    },
  ]
  const counted = damaged(
    'totals',
    ({ name, account }) => name === 'supply' || (name === 'unlocked' && account === owner),
    less,
  )
  return {
    ...counted,
    end: { last_offset: offset, record_time: time },
    contracts: rows.contracts.map((row) =>
      row === coin ? { ...row, archived_offset: offset } : row,
    ),
    updates: [
      ...rows.updates,
      {
        ledger_offset: offset,
        update_id: 'dust',
        record_time: time,
        body: JSON.stringify({ events: [event] }),
      },
    ],
    logs: [...rows.logs, { owner, id: 'dust', body: JSON.stringify(line) }],
  }
}

function coinOf(payload: string): { readonly initialAmount: string; readonly owner: string } {
  const coin: unknown = JSON.parse(payload)
  return {
    initialAmount: String(member(member(coin, 'amount'), 'initialAmount')),
    owner: String(member(coin, 'owner')),
  }
}

test('coin that expired as dust is not missed in a history, and a line for it that is not there is', () => {
  const coin = rows.contracts.find((row) => isEntity('Coin')(row) && row.archived_offset === 0)
  assert.ok(coin !== undefined)
  const dusty = withDust(coin)
  assertSound(dusty)
  const other = withDust(coin).logs.map((line) =>
    line.id === 'dust' ? { ...line, body: line.body.replace('"0.', '"-1.') } : line,
  )
  assert.match(
    auditLedger({ ...dusty, logs: other }).findings.join('\n'),
    /^history of \S+ adds up to/,
  )
})

const DAMAGES: readonly [string, () => StoreRows, RegExp][] = [
  [
    'an update is missing',
    () => damaged('updates', (_row, index) => index === 3, gone),
    /is number|is kept|are kept/,
  ],
  ['the last update is missing', () => damaged('updates', isLast, gone), /the ledger ends at/],
  [
    'an update is listed twice',
    () => damaged('updates', isLast, (row) => [row, row]),
    /is created again|archived at/,
  ],
  [
    'record time stands still',
    () => damaged('updates', isLast, (row) => [{ ...row, record_time: '1' }]),
    /does not rise/,
  ],
  [
    'a contract is missing',
    () => damaged('contracts', isEntity('Coin'), gone),
    /contracts are kept/,
  ],
  [
    'an archived coin is back',
    () => damaged('contracts', isEntity('Coin'), (row) => [{ ...row, archived_offset: 0 }]),
    /is by its updates/,
  ],
  [
    'a coin is worth more',
    () =>
      damaged('contracts', isEntity('Coin'), (row) => [
        { ...row, payload: row.payload.replace('"initialAmount":"', '"initialAmount":"9') },
      ]),
    /is by its updates/,
  ],
  [
    'a mint says less than it made',
    () =>
      damaged(
        'updates',
        ({ body }) => body.includes('CoinRules_DevNet_Tap'),
        (row) => [{ ...row, body: row.body.replace('"amount":"20000.', '"amount":"10000.') }],
      ),
    /coins change by/,
  ],
  [
    'a balance is wrong',
    () =>
      damaged(
        'totals',
        ({ name }) => name === 'unlocked',
        (row) => [{ ...row, amount: '1' }],
      ),
    /total unlocked of/,
  ],
  [
    'a total is missing',
    () => damaged('totals', ({ name }) => name === 'supply', gone),
    /no total for supply/,
  ],
  [
    'a line of history is missing',
    () => damaged('logs', ({ owner }) => owner.startsWith('bob'), gone),
    /history of bob/,
  ],
  [
    'a status is behind',
    () =>
      damaged(
        'facts',
        ({ kind }) => kind === 'wallet.transfer-offer',
        (row) => [{ ...row, body: '{"status":"accepted"}' }],
      ),
    /contracts say (completed|created)/,
  ],
  [
    'a status is missing',
    () => damaged('facts', ({ kind }) => kind === 'wallet.transfer-offer', gone),
    /has no status/,
  ],
  [
    'a command is of no update',
    () =>
      damaged(
        'commands',
        () => true,
        (row) => [{ ...row, update_id: 'x' }],
      ),
    /which has another id/,
  ],
  [
    'a lock has no transfer',
    () =>
      damaged(
        'updates',
        ({ body }) => body.includes('CoinTransferInstruction'),
        (row) => [{ ...row, body: row.body.replaceAll(':CoinTransferInstruction"', ':Other"') }],
      ),
    /belongs to 0 transfers/,
  ],
]

for (const [name, damage, finding] of DAMAGES) {
  test(name, () => assert.match(auditLedger(damage()).findings.join('\n'), finding))
}
