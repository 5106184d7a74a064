// A load of payments in every way and what must be true after it, whatever happened to the servers
// meanwhile. The load itself is economy-writer.ts, in processes of its own. docs/economy-rules.md,
// "Invariants"
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import { historySum } from './audit.ts'
import type { Audit } from './audit.ts'
import type { Acknowledged, WriterLine, WriterTask } from './economy-writer.ts'
import { call } from './http.ts'
import type { Service } from './service.ts'
import type { StoreRows } from './store-file.ts'
import { ask, isServed, WALLET } from './wallet-client.ts'
import type { PaymentKind, WalletUser } from './wallet-client.ts'

const SETTLE_MS = 60_000

export interface Wallets {
  readonly users: readonly [WalletUser, WalletUser]
  readonly kinds: readonly PaymentKind[]
  readonly traffic: WriterTask['traffic']
}

export async function openWallets(service: Service): Promise<Wallets> {
  const [alice, bob] = [await userOf(service, 'alice'), await userOf(service, 'bob')]
  const kinds = await kindsOf(service, alice, bob)
  const connected = await call(service.url, 'GET /v2/state/connected-synchronizers', {
    token: alice.token,
  })
  const synchronizer = member(member(connected.json, 'connectedSynchronizers'), '0')
  const traffic = {
    receiver: (await userOf(service, 'operator')).party,
    synchronizerId: String(member(synchronizer, 'synchronizerId')),
  }
  return { users: [alice, bob], kinds, traffic }
}

/** The ways in which one user can pay the other, who has a preapproval afterwards. */
export async function kindsOf(
  { url }: Service,
  payer: WalletUser,
  payee: WalletUser,
): Promise<readonly PaymentKind[]> {
  const kinds: PaymentKind[] = ['offer']
  if (await isServed(url, payer, 'POST /token-standard/transfers')) kinds.push('token')
  if (!(await isServed(url, payer, 'POST /transfer-preapproval/send'))) return kinds
  const made = await ask(url, payee, 'POST /transfer-preapproval')
  assert.ok([200, 409].includes(made.status), made.text)
  return [...kinds, 'send']
}

export async function userOf(service: Service, name: string): Promise<WalletUser> {
  const token = await service.token(name)
  return {
    token,
    party: String(
      member((await call(service.url, `GET ${WALLET}/user-status`, { token })).json, 'party_id'),
    ),
  }
}

export async function linesOf(file: string): Promise<WriterLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line): WriterLine => JSON.parse(line))
}

/** Each acknowledged change is there, and no payment happened twice. */
export function assertAllAcknowledged(
  done: readonly Acknowledged[],
  audit: Audit,
  rows: StoreRows,
): void {
  assert.deepEqual(repeated(audit), [], 'made twice')
  assert.deepEqual(
    done.filter((each) => !isThere(each, audit, rows)),
    [],
    'acknowledged and gone',
  )
}

/**
 * Tracking ids of token-standard transfers, which their descriptions repeat, of which there is more
 * than one.
 */
function repeated({ lives }: Audit): string[] {
  const ids = [...lives.values()]
    .filter(({ entity }) => entity === 'CoinTransferInstruction')
    .flatMap(({ payload }) => /"(r\d+-token\d-\d+)"/.exec(JSON.stringify(payload))?.[1] ?? [])
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function isThere(
  { what, id, contractId }: Acknowledged,
  { lives }: Audit,
  rows: StoreRows,
): boolean {
  if (what === 'send') return sentTimes(rows, id) === 1
  const life = lives.get(contractId)
  if (what === 'token-accept') return life?.archivedBy === 'TransferInstruction_Accept'
  return life !== undefined || (what === 'token' && contractId === '')
}

/** Updates in which a payment in one step with this description happened. */
function sentTimes({ updates }: StoreRows, description: string): number {
  return updates.filter(
    ({ body }) => body.includes('"TransferPreapproval_Send"') && body.includes(`"${description}"`),
  ).length
}

/** Waits until every offer that was accepted has come to its end. */
export async function settle({ url }: Service, { users: [alice, bob] }: Wallets): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; ; await sleep(100)) {
    const open = await Promise.all(
      [alice, bob].map(
        async (user) =>
          Array.from(
            Object(
              member(
                (await ask(url, user, 'GET /accepted-transfer-offers')).json,
                'accepted_offers',
              ),
            ),
          ).length,
      ),
    )
    if (open.every((count) => count === 0)) return
    assert.ok(Date.now() < deadline, `${String(open)} accepted offers are left`)
  }
}

/** Balance, holdings and history, as the wallet shows them, say what the disk says. */
export async function assertWalletsAgree(
  { url }: Service,
  { users }: Wallets,
  audit: Audit,
): Promise<void> {
  for (const user of users) {
    const entries: unknown[] = []
    for (let after: unknown; ; after = member(entries.at(-1), 'event_id')) {
      const { json, text } = await ask(url, user, 'POST /transactions', {
        page_size: 1_000,
        ...(after === undefined ? {} : { begin_after_id: after }),
      })
      const items = member(json, 'items')
      assert.ok(Array.isArray(items), text)
      entries.push(...items)
      if (items.length < 1_000) break
    }
    const balance = scaled(
      member((await ask(url, user, 'GET /balance')).json, 'effective_unlocked_qty'),
    )
    const coins = Array.from(Object(member((await ask(url, user, 'GET /coins')).json, 'coins')))
    const held = coins.reduce(
      (sum: bigint, coin) =>
        sum +
        scaled(
          member(
            member(member(member(member(coin, 'contract'), 'contract'), 'payload'), 'amount'),
            'initialAmount',
          ),
        ),
      0n,
    )
    assert.deepEqual([balance, held], [historySum(entries, user.party), balance], user.party)
    assert.ok(audit.unlocked.has(user.party))
  }
}

function scaled(text: unknown): bigint {
  return BigInt(String(text).replace('.', ''))
}
