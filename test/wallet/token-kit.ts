// Token-standard transfers as tests of wallets make them, and how they see that a refused request
// left no trace.
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { member } from '../../runtime/host/member.ts'
import { NOTHING, START_MICROS } from './world.ts'
import type { World } from './world.ts'

export const MINUTE = 60_000_000n
export const DAY = 86_400_000_000n
/** None of them names a contract. */
export const FORGED: readonly string[] = [
  '00',
  'zz',
  '',
  '\0',
  `00${'ab'.repeat(48)}`,
  'ab'.repeat(600),
  '../00',
  '\ud800',
]

export interface TransferTerms {
  readonly from?: string
  readonly to?: string
  /** Instead of `to`. */
  readonly receiver?: string
  readonly amount?: string
  readonly trackingId?: string
  readonly expiresAt?: bigint
  readonly description?: string
}

export async function transfer(world: World, terms: TransferTerms = {}) {
  const {
    from = 'alice',
    to = 'bob',
    amount = '12.5',
    trackingId = 't1',
    expiresAt = world.clock.now + MINUTE,
    description = 'lunch',
  } = terms
  const receiver = terms.receiver ?? (await world.partyOf(to))
  return world.handlers.createTokenStandardTransfer(
    {
      ...NOTHING,
      body: {
        receiver_party_id: receiver,
        amount,
        description,
        expires_at: expiresAt,
        tracking_id: trackingId,
      },
    },
    await world.as(from),
  )
}

/** The id of the instruction that waits for the receiver. */
export async function offered(world: World, terms: TransferTerms = {}): Promise<string> {
  const reply = await transfer(world, terms)
  assert.equal(reply.status, 200, inspect(reply.body))
  return String(member(member(reply.body, 'output'), 'transfer_instruction_cid'))
}

export const byId = (id: string) => ({ ...NOTHING, path: { contract_id: id } })

/** Both shown in coin. */
export async function amounts(world: World, userId: string): Promise<string> {
  const reply = await world.handlers.getBalance(NOTHING, await world.as(userId))
  return `${whole(member(reply.body, 'effective_unlocked_qty'))} + ${whole(member(reply.body, 'effective_locked_qty'))} locked`
}

function whole(text: unknown): string {
  return String(text).replace(/\.?0+$/, '')
}

/** Nothing was written at all: no update, no status, no coin. */
export async function assertUnchanged(world: World, act: () => Promise<void>): Promise<void> {
  const before = await world.store.contracts.ledgerEnd()
  await act()
  await world.settle()
  assert.deepEqual(await world.store.contracts.ledgerEnd(), before)
}

type Rejected = readonly [name: string, status: number, reply: Promise<{ readonly status: number }>]

/** Each has the status that goes with its name. */
export async function assertRefused(replies: Iterable<Rejected>): Promise<void> {
  for (const [name, status, reply] of replies) assert.equal((await reply).status, status, name)
}

export { START_MICROS }
