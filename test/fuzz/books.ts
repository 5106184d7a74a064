// The books at the end of a run: every update is read again as its events tell, and what contracts
// are there, and what every wallet says that it has, must follow from it. Over HTTP alone, so on
// every store.
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import { KEEPER, WALLETS } from './callers.ts'
import type { World } from './world.ts'

export interface Books {
  readonly findings: readonly string[]
  readonly updates: number
  readonly updateIds: ReadonlySet<string>
  /** Every contract that ever was: true while it is active. */
  readonly lives: ReadonlyMap<string, boolean>
  /** Number of parties with coin. */
  readonly owners: number
}

interface Held {
  readonly unlocked: bigint
  readonly locked: bigint
}

/** A coin: whose, of which kind, and how much. */
type Worth = readonly [owner: string, kind: keyof Held, amount: bigint]

const NOTHING: Held = { unlocked: 0n, locked: 0n }
const PAGE = 200
const TRIES = 60
const EVERYTHING = { filtersForAnyParty: {} }

/** Reads the whole ledger. Balances are compared once nothing is committed in between. */
export async function readBooks(world: World): Promise<Books> {
  const replay = new Replay()
  const wallets = await walletLines(world)
  let findings: readonly string[] = []
  for (let tries = TRIES; tries > 0; tries -= 1) {
    await replay.readUpTo(world)
    findings = [
      ...(await activeFindings(world, replay)),
      ...(await walletFindings(world, replay, wallets)),
    ]
    if (findings.length === 0 || (await endOf(world)) === replay.end) break
    await sleep(200)
  }
  const { end: updates, updateIds, lives } = replay
  return {
    findings: [...replay.findings, ...findings],
    updates,
    updateIds,
    lives,
    owners: replay.coins(true).size,
  }
}

class Replay {
  end = 0
  readonly findings: string[] = []
  readonly updateIds = new Set<string>()
  readonly lives = new Map<string, boolean>()
  /** Contracts between synchronizers, which are not listed as active. docs/differences.md */
  readonly inFlight = new Set<string>()
  readonly #worth = new Map<string, Worth>()

  /** Coins in active contracts, by owner; with those in flight or without. */
  coins(withFlying: boolean): ReadonlyMap<string, Held> {
    const active = [...this.#worth].filter(
      ([id]) => this.lives.get(id) === true && (withFlying || !this.inFlight.has(id)),
    )
    return summed(active.map(([, worth]) => worth))
  }

  async readUpTo(world: World): Promise<void> {
    const end = await endOf(world)
    while (this.end < end) await this.#page(world, Math.min(this.end + PAGE, end))
  }

  async #page({ authority: { done } }: World, endInclusive: number): Promise<void> {
    const transactions = {
      transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      eventFormat: EVERYTHING,
    }
    const updateFormat = { includeTransactions: transactions, includeReassignments: EVERYTHING }
    const page = await done(KEEPER, 'POST /v2/updates', {
      beginExclusive: this.end,
      endInclusive,
      updateFormat,
    })
    for (const one of listOf(page)) this.#update(member(one, 'update'))
    this.end = endInclusive
  }

  #update(update: unknown): void {
    const value = member(member(update, 'Transaction') ?? member(update, 'Reassignment'), 'value')
    const id = member(value, 'updateId')
    if (typeof id === 'string') this.updateIds.add(id)
    for (const event of listOf(member(value, 'events'))) this.#event(event)
  }

  #event(event: unknown): void {
    const [[kind = '', content] = []] = Object.entries(Object(event))
    if (kind === 'CreatedEvent') this.#create(content)
    if (kind === 'ExercisedEvent' && member(content, 'consuming') === true)
      this.#archive(String(member(content, 'contractId')))
    if (kind === 'JsUnassignedEvent')
      this.inFlight.add(String(member(member(content, 'value'), 'contractId')))
    if (kind === 'JsAssignmentEvent')
      this.inFlight.delete(String(member(member(content, 'createdEvent'), 'contractId')))
  }

  #create(created: unknown): void {
    const id = String(member(created, 'contractId'))
    if (this.lives.has(id)) this.findings.push(`contract ${id} is created twice`)
    this.lives.set(id, true)
    const worth = worthOf(created)
    if (worth !== undefined) this.#worth.set(id, worth)
  }

  #archive(id: string): void {
    if (this.lives.get(id) !== true) this.findings.push(`contract ${id} is archived and not active`)
    this.lives.set(id, false)
  }
}

function summed(all: readonly Worth[]): ReadonlyMap<string, Held> {
  const sums = new Map<string, Held>()
  for (const [owner, kind, amount] of all) {
    const held = sums.get(owner) ?? NOTHING
    sums.set(owner, { ...held, [kind]: held[kind] + amount })
  }
  return sums
}

/** The worth that a created event makes, if it makes a coin. */
function worthOf(created: unknown): Worth | undefined {
  const [templateId, payload] = [
    String(member(created, 'templateId')),
    member(created, 'createArgument'),
  ]
  const isLocked = templateId.endsWith(':Network.Coin:LockedCoin')
  if (!isLocked && !templateId.endsWith(':Network.Coin:Coin')) return undefined
  const coin = isLocked ? member(payload, 'coin') : payload
  return [
    String(member(coin, 'owner')),
    isLocked ? 'locked' : 'unlocked',
    decimal(member(member(coin, 'amount'), 'initialAmount')),
  ]
}

async function endOf({ authority: { done } }: World): Promise<number> {
  return Number(member(await done(KEEPER, 'GET /v2/state/ledger-end'), 'offset'))
}

/** Coins that the service holds for active, and those that are by the updates. */
async function activeFindings(
  { authority: { ask } }: World,
  replay: Replay,
): Promise<readonly string[]> {
  const found: Worth[] = []
  for (const entity of ['Coin', 'LockedCoin'] as const) {
    const value = {
      templateId: `#network-coin:Network.Coin:${entity}`,
      includeCreatedEventBlob: false,
    }
    const eventFormat = {
      filtersForAnyParty: { cumulative: [{ identifierFilter: { TemplateFilter: { value } } }] },
    }
    const { status, json } = await ask(KEEPER, 'POST /v2/state/active-contracts', {
      activeAtOffset: replay.end,
      eventFormat,
    })
    // More than a list holds: the wallets are compared all the same.
    if (status !== 200) return []
    found.push(
      ...listOf(json).flatMap((one) => {
        const worth = worthOf(
          member(member(member(one, 'contractEntry'), 'JsActiveContract'), 'createdEvent'),
        )
        return worth === undefined ? [] : [worth]
      }),
    )
  }
  const [active, expected] = [summed(found), replay.coins(false)]
  return [...new Set([...active.keys(), ...expected.keys()])].flatMap((owner) =>
    differences(
      `active coins of ${owner}`,
      active.get(owner) ?? NOTHING,
      expected.get(owner) ?? NOTHING,
    ),
  )
}

function differences(what: string, said: Held, expected: Held): readonly string[] {
  if (said.unlocked === expected.unlocked && said.locked === expected.locked) return []
  return [
    `${what} are ${said.unlocked} and ${said.locked} locked, by updates ${expected.unlocked} and ${expected.locked} locked`,
  ]
}

/** Lines with the user who is asked for each party's balance. */
async function walletLines({
  authority: { ask },
}: World): Promise<readonly (readonly [string, string])[]> {
  const lines: (readonly [string, string])[] = []
  for (const name of WALLETS) {
    const { json } = await ask(name, 'GET /api/validator/v0/wallet/user-status')
    const party = member(json, 'party_id')
    if (typeof party === 'string' && party !== '') lines.push([name, party])
  }
  return lines
}

/** Names and parties of WALLETS, and what both ways to ask say that parties have. */
async function walletFindings(
  { authority: { ask } }: World,
  replay: Replay,
  wallets: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  const coins = replay.coins(true)
  const findings: string[] = []
  for (const [name, party] of wallets) {
    const { status, json } = await ask(name, 'GET /api/validator/v0/wallet/balance')
    const said = {
      unlocked: decimal(member(json, 'effective_unlocked_qty')),
      locked: decimal(member(json, 'effective_locked_qty')),
    }
    if (status === 200)
      findings.push(...differences(`the balance of ${party}`, said, coins.get(party) ?? NOTHING))
  }
  for (const [party, held] of coins) {
    const line = `GET /api/validator/v0/admin/external-party/balance?party_id=${encodeURIComponent(party)}`
    const { status, json } = await ask('operator', line)
    const said = {
      unlocked: decimal(member(json, 'total_unlocked_coin')),
      locked: decimal(member(json, 'total_locked_coin')),
    }
    if (status === 200) findings.push(...differences(`the coins outside of ${party}`, said, held))
  }
  return findings
}

function decimal(text: unknown): bigint {
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)(\d+)(?:\.(\d{1,10}))?$/.exec(String(text)) ?? []
  return whole === '' ? -1n : BigInt(`${sign}${whole}${fraction.padEnd(10, '0')}`)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
