// The audit of a ledger: what its updates say is replayed, and everything else that the store keeps
// must follow from it. Computes with the texts on the disk only; shares no code with the engine,
// the store or the services. docs/economy-rules.md, "Invariants"
import { createHash } from 'node:crypto'
import { member } from '../../runtime/host/member.ts'
import { eventsIn } from './audit-events.ts'
import type { EventBody } from './audit-events.ts'
import type { StoreRows } from './store-file.ts'

export interface Audit {
  /** Everything that is wrong, a line each. */
  readonly findings: readonly string[]
  readonly updates: number
  /** Decimals x 10^10. */
  readonly supply: bigint
  readonly minted: bigint
  readonly burned: bigint
  /** Unlocked coins by owner. */
  readonly unlocked: ReadonlyMap<string, bigint>
  /** Every contract that ever was, by id. */
  readonly lives: ReadonlyMap<string, Life>
}

export interface Life {
  readonly id: string
  /** Last part of the template's id. */
  readonly entity: string
  readonly payload: unknown
  readonly keys: readonly string[]
  readonly created: number
  /** 0 while it is active. */
  archived: number
  archivedBy: string
}

interface Update {
  readonly offset: number
  readonly updateId: string
  readonly events: readonly EventBody[]
}

/** Ends of contracts that take a coin out of the world without a payment that says so. */
const EXPIRIES = new Set(['Coin_Expire', 'LockedCoin_ExpireCoin'])
const MINTS = new Set(['CoinRules_DevNet_Tap', 'CoinRules_Mint'])
const REWARDS = [
  'inputAppRewardAmount',
  'inputValidatorRewardAmount',
  'inputSvRewardAmount',
  'inputUnclaimedActivityRecordAmount',
  'inputDevelopmentFundAmount',
]

/** Audits the whole ledger. */
export function auditLedger(rows: StoreRows): Audit {
  const updates = rows.updates.map(
    ({ ledger_offset: offset, update_id: updateId, body }): Update => ({
      offset,
      updateId,
      events: eventsIn(body),
    }),
  )
  const findings: string[] = []
  const lives = replay(updates, findings)
  const flows = updates.map((update) => flowOf(update, lives, findings))
  const sumOf = (of: (flow: Flow) => bigint): bigint =>
    flows.reduce((sum, flow) => sum + of(flow), 0n)
  const [minted, burned] = [sumOf((flow) => flow.minted), sumOf((flow) => flow.burned)]
  const unlocked = holdings(lives, 'Coin')
  const supply = sumValues(unlocked) + sumValues(holdings(lives, 'LockedCoin'))
  if (supply !== minted - burned)
    findings.push(`supply ${supply} is not minted ${minted} - burned ${burned}`)
  findings.push(
    ...offsetFindings(rows),
    ...contractFindings(rows, lives),
    ...totalFindings(rows, lives),
    ...lockFindings(lives),
    ...trackingFindings(rows, lives, updates),
    ...historyFindings(rows, lives),
    ...commandFindings(rows),
    ...requestFindings(rows),
  )
  return { findings, updates: updates.length, supply, minted, burned, unlocked, lives }
}

/** Fails with every finding. */
export function assertSound(rows: StoreRows): Audit {
  const audit = auditLedger(rows)
  if (audit.findings.length > 0)
    throw new Error(`${audit.findings.length} findings:\n${audit.findings.slice(0, 40).join('\n')}`)
  return audit
}

/** The lives of all contracts; each is created once, used while it is there, and archived once. */
function replay(updates: readonly Update[], findings: string[]): Map<string, Life> {
  const lives = new Map<string, Life>()
  for (const { offset, events } of updates) {
    for (const event of events) {
      if (event.kind === 'create') begin(lives, event, offset, findings)
      else use(lives, event, offset, findings)
    }
  }
  return lives
}

function begin(
  lives: Map<string, Life>,
  { contract }: EventBody,
  offset: number,
  findings: string[],
): void {
  const { contractId: id, templateId, payload, key1, key2, key3 } = contract
  if (lives.has(id)) findings.push(`${offset}: ${id} is created again`)
  const entity = templateId.split(':').at(-1) ?? ''
  lives.set(id, {
    id,
    entity,
    payload,
    keys: [key1, key2, key3],
    created: offset,
    archived: 0,
    archivedBy: '',
  })
}

function use(
  lives: Map<string, Life>,
  { contractId, choice, consuming }: EventBody,
  offset: number,
  findings: string[],
): void {
  const life = lives.get(contractId)
  if (life === undefined)
    return void findings.push(`${offset}: ${choice} on ${contractId}, which never was`)
  if (life.archived !== 0)
    findings.push(
      `${offset}: ${choice} on ${life.entity} ${contractId}, archived at ${life.archived} by ${life.archivedBy}`,
    )
  if (consuming) Object.assign(life, { archived: offset, archivedBy: choice })
}

interface Flow {
  readonly minted: bigint
  readonly burned: bigint
}

/** Minted and burned coin of an update, by which its coins changed. */
function flowOf(
  { offset, events }: Update,
  lives: ReadonlyMap<string, Life>,
  findings: string[],
): Flow {
  let [minted, burned, change] = [0n, 0n, 0n]
  let told = -1
  for (const event of events) {
    change += coinChange(event, lives)
    if (event.kind === 'create') continue
    if (EXPIRIES.has(event.choice)) burned += coinOf(lives.get(event.contractId))
    if (event.node <= told) continue
    const said = statedBy(event)
    if (said === undefined) continue
    minted += said.minted
    burned += said.burned
    told = event.lastDescendant
  }
  if (change !== minted - burned)
    findings.push(`${offset}: coins change by ${change}, minted are ${minted} and burned ${burned}`)
  return { minted, burned }
}

function coinChange(event: EventBody, lives: ReadonlyMap<string, Life>): bigint {
  if (event.kind === 'create') return coinOf(lives.get(event.contract.contractId))
  return event.consuming ? -coinOf(lives.get(event.contractId)) : 0n
}

/** The outermost event with a payment's summary, or a mint, speaks for all below it. */
function statedBy({ choice, argument, result }: EventBody): Flow | undefined {
  if (MINTS.has(choice)) return { minted: decimal(member(argument, 'amount')), burned: 0n }
  const summary = [result, member(result, 'result'), member(result, 'transferResult')]
    .map((place) => member(place, 'summary'))
    .find((found) => found !== undefined)
  if (summary === undefined) return undefined
  const minted = REWARDS.reduce((sum, name) => sum + decimal(member(summary, name)), 0n)
  return { minted, burned: decimal(member(result, 'coinPaid') ?? '0') }
}

/** The coin that a contract is worth; 0 for all that is no holding of the coin. */
function coinOf(life: Life | undefined): bigint {
  if (life?.entity === 'Coin')
    return decimal(member(member(life.payload, 'amount'), 'initialAmount'))
  if (life?.entity === 'LockedCoin')
    return decimal(member(member(member(life.payload, 'coin'), 'amount'), 'initialAmount'))
  return 0n
}

function decimal(text: unknown): bigint {
  const [, sign, whole = '', fraction = ''] =
    /^(-?)(\d+)(?:\.(\d{1,10}))?$/.exec(String(text)) ?? []
  if (whole === '') throw new Error(`${String(text)} is no decimal`)
  const digits = BigInt(whole + fraction.padEnd(10, '0'))
  return sign === '-' ? -digits : digits
}

function active(lives: ReadonlyMap<string, Life>, entity: string): Life[] {
  return [...lives.values()].filter((life) => life.entity === entity && life.archived === 0)
}

/** Sums of active coins, by owner. */
function holdings(
  lives: ReadonlyMap<string, Life>,
  entity: 'Coin' | 'LockedCoin',
): Map<string, bigint> {
  return sumByOwner(active(lives, entity))
}

function sumByOwner(coins: readonly Life[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const life of coins) {
    const held = life.entity === 'Coin' ? life.payload : member(life.payload, 'coin')
    const owner = String(member(held, 'owner'))
    sums.set(owner, (sums.get(owner) ?? 0n) + coinOf(life))
  }
  return sums
}

function sumValues(sums: ReadonlyMap<string, bigint>): bigint {
  return [...sums.values()].reduce((sum, value) => sum + value, 0n)
}

function offsetFindings({ updates, end }: StoreRows): string[] {
  const findings: string[] = []
  let time = 0n
  updates.forEach(({ ledger_offset: offset, record_time: recordTime }, index) => {
    if (offset !== index + 1) findings.push(`offset ${offset} is number ${index + 1}`)
    if (BigInt(recordTime) <= time)
      findings.push(`${offset}: record time ${recordTime} does not rise`)
    time = BigInt(recordTime)
  })
  if (end.last_offset !== updates.length)
    findings.push(`the ledger ends at ${end.last_offset} with ${updates.length} updates`)
  if (BigInt(end.record_time) !== time)
    findings.push(`the ledger ends at time ${end.record_time}, its last update is of ${time}`)
  return findings
}

/** The table of contracts has those of the updates, no other and none by half. */
function contractFindings({ contracts }: StoreRows, lives: ReadonlyMap<string, Life>): string[] {
  const findings: string[] = []
  for (const {
    contract_id: id,
    created_offset: created,
    archived_offset: archived,
    payload,
  } of contracts) {
    const life = lives.get(id)
    const isSame =
      life !== undefined &&
      life.created === created &&
      life.archived === archived &&
      JSON.stringify(life.payload) === JSON.stringify(JSON.parse(payload))
    if (!isSame)
      findings.push(
        `contract ${id} (${created}, ${archived}) is by its updates ${JSON.stringify(life)}`,
      )
  }
  if (contracts.length !== lives.size)
    findings.push(`${contracts.length} contracts are kept, updates created ${lives.size}`)
  return findings
}

function totalFindings({ totals }: StoreRows, lives: ReadonlyMap<string, Life>): string[] {
  const counted = new Map<string, { amount: bigint; number: number }>()
  const count = (name: string, account: string, amount: bigint): void => {
    const sum = counted.get(`${name} ${account}`) ?? { amount: 0n, number: 0 }
    counted.set(`${name} ${account}`, { amount: sum.amount + amount, number: sum.number + 1 })
  }
  for (const life of [...active(lives, 'Coin'), ...active(lives, 'LockedCoin')]) {
    count(life.entity === 'Coin' ? 'unlocked' : 'locked', life.keys[0] ?? '', coinOf(life))
    count('supply', '', coinOf(life))
  }
  const findings: string[] = []
  for (const { name, account, amount, number } of totals) {
    if (!['unlocked', 'locked', 'supply'].includes(name)) continue
    const sum = counted.get(`${name} ${account}`) ?? { amount: 0n, number: 0 }
    counted.delete(`${name} ${account}`)
    if (BigInt(amount) !== sum.amount || number !== sum.number) {
      findings.push(
        `total ${name} of ${account} is ${amount} in ${number}, holdings have ${sum.amount} in ${sum.number}`,
      )
    }
  }
  return [...findings, ...[...counted.keys()].map((key) => `no total for ${key}`)]
}

/**
 * Choices by which a locked coin goes without its transfer: as dust, or to its owner once its time
 * is over. docs/economy-rules.md, "Fees" and "Token-standard transfers"
 */
const LOCK_ENDS = new Set(['LockedCoin_ExpireCoin', 'LockedCoin_OwnerExpireLock'])

/** Contracts that wait with a locked coin. */
const LOCKING = [
  'CoinTransferInstruction',
  'CoinAllocation',
  'AcceptedAppPayment',
  'SubscriptionInitialPayment',
  'SubscriptionPayment',
]

/** A locked coin belongs to exactly one contract that waits, and such a contract has its coin. */
function lockFindings(lives: ReadonlyMap<string, Life>): string[] {
  const claims = Map.groupBy(
    LOCKING.flatMap((entity) => active(lives, entity)),
    ({ payload }) => String(member(payload, 'lockedCoin')),
  )
  const locked = active(lives, 'LockedCoin').map(({ id }) => id)
  return [
    ...locked
      .filter((id) => claims.get(id)?.length !== 1)
      .map((id) => `locked coin ${id} belongs to ${claims.get(id)?.length ?? 0} transfers`),
    ...[...claims.keys()]
      .filter(
        (id) => lives.get(id)?.archived !== 0 && !LOCK_ENDS.has(lives.get(id)?.archivedBy ?? ''),
      )
      .map((id) => `a transfer waits for coin ${id}, which is gone`),
  ]
}

const FAILED = 'failed'

/** The status that the contracts of a tracking id come to. */
function statusOf(contracts: readonly Life[]): string {
  const open = contracts.find(({ archived }) => archived === 0)
  if (open !== undefined) return open.entity === 'AcceptedTransferOffer' ? 'accepted' : 'created'
  return contracts.some(({ archivedBy }) => archivedBy.endsWith('_Complete')) ? 'completed' : FAILED
}

function trackingKey(life: Life): string {
  const [party = '', second = '', third = ''] = life.keys
  const trackingId = life.entity === 'BuyTrafficRequest' ? second : third
  const key = createHash('sha256')
    .update(JSON.stringify([party, trackingId]))
    .digest('hex')
  return `wallet.${life.entity === 'BuyTrafficRequest' ? 'buy-traffic-request' : 'transfer-offer'} ${key}`
}

/** Tracking ids make one offer or request each, and their statuses say what became of it. */
function trackingFindings(
  { facts }: StoreRows,
  lives: ReadonlyMap<string, Life>,
  updates: readonly Update[],
): string[] {
  const findings: string[] = []
  const tracked = [...lives.values()].filter(({ entity }) =>
    ['TransferOffer', 'AcceptedTransferOffer', 'BuyTrafficRequest'].includes(entity),
  )
  const byKey = Map.groupBy(tracked, trackingKey)
  const updateIds = new Set(updates.map(({ updateId }) => updateId))
  for (const { kind, fact_key: key, body } of facts) {
    if (!/^wallet\.(transfer-offer|buy-traffic-request)$/.test(kind)) continue
    const contracts = byKey.get(`${kind} ${key}`) ?? []
    byKey.delete(`${kind} ${key}`)
    findings.push(
      ...statusFindings(JSON.parse(body), contracts, lives, updateIds).map(
        (what) => `${kind} ${key}: ${what}`,
      ),
    )
  }
  return [...findings, ...[...byKey.keys()].map((key) => `${key} has no status`)]
}

function statusFindings(
  said: unknown,
  contracts: readonly Life[],
  lives: ReadonlyMap<string, Life>,
  updateIds: ReadonlySet<string>,
): string[] {
  const findings: string[] = []
  const status = statusOf(contracts)
  if (member(said, 'status') !== status)
    findings.push(`status is ${JSON.stringify(said)}, contracts say ${status}`)
  if (contracts.filter(({ entity }) => entity !== 'AcceptedTransferOffer').length !== 1)
    findings.push(`${contracts.length} contracts`)
  const [transactionId, contractId] = [member(said, 'transaction_id'), member(said, 'contract_id')]
  if (transactionId !== undefined && !updateIds.has(String(transactionId)))
    findings.push(`transaction ${String(transactionId)} never was`)
  if (contractId !== undefined && !lives.has(String(contractId)))
    findings.push(`contract ${String(contractId)} never was`)
  if (status === 'completed' && contractId !== undefined)
    findings.push(...paidFindings(contracts, lives.get(String(contractId))))
  return findings
}

/** The receiver got what was offered. */
function paidFindings(contracts: readonly Life[], received: Life | undefined): string[] {
  const offer = contracts.find(({ entity }) => entity === 'TransferOffer')
  const amount = decimal(member(member(offer?.payload, 'amount'), 'amount'))
  const isPaid = coinOf(received) === amount && received?.keys[0] === offer?.keys[1]
  return isPaid ? [] : [`${amount} were offered, the receiver got ${JSON.stringify(received)}`]
}

/** A history entry's change of a party's unlocked coins. */
function toldBy(entry: unknown, party: string): bigint {
  const receivers = member(entry, 'receivers')
  return [member(entry, 'sender'), ...(Array.isArray(receivers) ? receivers : [])]
    .filter((part) => member(part, 'party') === party)
    .reduce((sum: bigint, part) => sum + decimal(member(part, 'amount')), 0n)
}

/** History's change of a party's unlocked coins, over all its entries. */
export function historySum(entries: readonly unknown[], party: string): bigint {
  return entries.reduce((sum: bigint, entry) => sum + toldBy(entry, party), 0n)
}

/**
 * Entries say what came and went; of coins that the network expired as dust they say 0, so those
 * are still among what was told. Locked coins were told to be gone when they were locked.
 * docs/economy-rules.md, "Dust"
 */
function historyFindings({ logs }: StoreRows, lives: ReadonlyMap<string, Life>): string[] {
  const byOwner = Map.groupBy(logs, ({ owner }) => owner)
  const expected = sumByOwner(
    [...lives.values()].filter(
      ({ entity, archived, archivedBy }) =>
        entity === 'Coin' && (archived === 0 || EXPIRIES.has(archivedBy)),
    ),
  )
  return [...new Set([...byOwner.keys(), ...expected.keys()])].flatMap((owner) => {
    const told = historySum(
      (byOwner.get(owner) ?? []).map(({ body }): unknown => JSON.parse(body)),
      owner,
    )
    const coins = expected.get(owner) ?? 0n
    return told === coins
      ? []
      : [`history of ${owner} adds up to ${told}, coins that it has or that expired are ${coins}`]
  })
}

function commandFindings({ commands, updates }: StoreRows): string[] {
  const ids = new Map(updates.map(({ ledger_offset: offset, update_id: id }) => [offset, id]))
  return commands
    .filter(({ ledger_offset: offset, update_id: id }) => ids.get(offset) !== id)
    .map(
      ({ command_key: key, ledger_offset: offset }) =>
        `command ${key} is of update ${offset}, which has another id`,
    )
}

/** Each id that a request used says what was asked for, and names the update that did it. */
function requestFindings({ facts, updates }: StoreRows): string[] {
  const ids = new Set(updates.map(({ update_id: id }) => id))
  return facts
    .filter(({ kind }) => /^wallet\.request(\/\d+)?$/.test(kind))
    .flatMap(({ fact_key: key, body }) => {
      const request: unknown = JSON.parse(body)
      const [content, updateId] = [member(request, 'content'), member(request, 'updateId')]
      return [
        ...(typeof content === 'string' && /^[0-9a-f]{64}$/.test(content)
          ? []
          : [`request ${key} has the content ${String(content)}`]),
        ...(typeof updateId === 'string' && ids.has(updateId)
          ? []
          : [`request ${key} is of update ${String(updateId)}, which never was`]),
      ]
    })
}
