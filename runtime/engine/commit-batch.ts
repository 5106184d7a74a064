// Decides a batch: which of its updates happen, in which order, at which offset and record time,
// and what is written. Pure, since a store may ask again with fresher facts.
// docs/decisions/0003-engine.md
import { BatchState } from './batch-state.ts'
import { IN_FLIGHT, moveTexts } from './move.ts'
import { UNMEASURED, unmeasuredFact, unmeasuredOf } from './time-record.ts'
import { TrafficMeter, TRAFFIC, TRAFFIC_LIMIT } from './traffic.ts'
import { SMALL_NODES } from './transaction.ts'
import type { CommitFacts, CommitReads, CommitWrites } from '../store/store.ts'
import type { Move } from './move.ts'
import type { Moment } from './moment.ts'
import type { Pending } from './order.ts'
import type { Proposal } from './proposal.ts'
import type { Rejection } from './rejection.ts'
import type { TrafficPolicy } from './traffic.ts'

export type BatchEntry = Proposal | Move

export interface BatchRules {
  readonly synchronizerId: string
  readonly traffic: TrafficPolicy | undefined
}

export type Verdict =
  | {
      readonly kind: 'committed'
      readonly updateId: string
      readonly offset: bigint
      readonly recordTime: bigint
    }
  /**
   * Contracts that it needs are not, or no longer, there for it; another interpretation says what
   * that means.
   */
  | { readonly kind: 'lost'; readonly contractIds: readonly string[] }
  | { readonly kind: 'refused'; readonly rejection: Rejection }

/** Reads that a batch needs before it is decided. */
export function readsOf(entries: readonly BatchEntry[], { traffic }: BatchRules): CommitReads {
  const proposals = entries.filter((entry) => entry.kind === 'transaction')
  const moves = entries.filter((entry) => entry.kind === 'move')
  const made = new Set(
    proposals.flatMap(({ created }) => created.map(({ contract }) => contract.contractId)),
  )
  const needed = new Set(entries.flatMap(contractIdsOf))
  const paid =
    traffic === undefined
      ? []
      : membersOf(proposals, traffic).flatMap((key) =>
          [TRAFFIC, TRAFFIC_LIMIT].map((kind) => ({ kind, key })),
        )
  return {
    contractIds: [...needed].filter((id) => !made.has(id)),
    commandKeys: [
      ...new Set(proposals.flatMap(({ commandKey }) => (commandKey === '' ? [] : [commandKey]))),
    ],
    facts: [
      UNMEASURED,
      ...paid,
      ...proposals.flatMap(({ unless }) => unless),
      ...[...new Set(moves.map(({ contractId }) => contractId))].map((key) => ({
        kind: IN_FLIGHT,
        key,
      })),
    ],
  }
}

/** Each once; the engine's own is always among them. */
function membersOf(
  proposals: readonly Proposal[],
  { member: own }: TrafficPolicy,
): readonly string[] {
  return [...new Set([own, ...proposals.map(({ member = own }) => member)])]
}

export interface Decided {
  readonly writes: CommitWrites
  /** The verdict on each entry, in order. */
  readonly result: readonly Verdict[]
}

/** The verdict on each entry, in order, and all that is to be written. */
export function decideBatch(
  entries: readonly BatchEntry[],
  facts: CommitFacts,
  moment: Moment,
  rules: BatchRules,
): Decided {
  const { synchronizerId, traffic } = rules
  const state = new BatchState(facts)
  if (moment.unmeasured !== unmeasuredOf(facts)) state.write(unmeasuredFact(moment.unmeasured))
  const meters = new Map<string, TrafficMeter>()
  const meterOf = ({ member = traffic?.member ?? '' }: Proposal): TrafficMeter | undefined => {
    if (traffic === undefined) return undefined
    const known = meters.get(member) ?? new TrafficMeter({ ...traffic, member }, facts)
    meters.set(member, known)
    return known
  }
  const result = entries.map((entry) =>
    entry.kind === 'move'
      ? decideMove(entry, { state, now: moment.now, synchronizerId })
      : decideProposal(entry, { state, meter: meterOf(entry), moment, synchronizerId }),
  )
  for (const meter of meters.values()) {
    const charged = meter.fact()
    if (charged !== undefined) state.write(charged)
  }
  return { writes: state.writes(), result }
}

interface Deciding {
  readonly state: BatchState
  readonly meter: TrafficMeter | undefined
  readonly moment: Moment
  readonly synchronizerId: string
}

function decideProposal(proposal: Proposal, deciding: Deciding): Verdict {
  const { state, meter, moment } = deciding
  const { latest } = moment
  const { effectiveAt } = proposal.transaction
  const recordTime = nextRecordTime(state, moment.now, effectiveAt)
  // Interpreted by a clock that was ahead for a moment: the same again, by the clock as it is now.
  if (latest !== undefined && recordTime > latest) return { kind: 'lost', contractIds: [] }
  const rejection =
    duplicateOf(proposal, state, measuredAt(recordTime, moment)) ??
    tooEarlyOrLate(proposal, recordTime)
  if (rejection !== undefined) return { kind: 'refused', rejection }
  const contractIds = contractIdsOf(proposal).filter((id) => state.placeOf(id) !== 'here')
  if (contractIds.length > 0) return { kind: 'lost', contractIds }
  const fact = proposal.unless.find(({ kind, key }) => state.fact(kind, key) !== undefined)
  if (fact !== undefined) return { kind: 'refused', rejection: { kind: 'done-before', fact } }
  const unpaid = pay(proposal, meter, recordTime)
  if (unpaid !== undefined) return { kind: 'refused', rejection: unpaid }
  return commit(proposal, recordTime, deciding)
}

function decideMove(
  move: Move,
  {
    state,
    now,
    synchronizerId,
  }: Pick<Deciding, 'state' | 'synchronizerId'> & { readonly now: bigint },
): Verdict {
  const { contractId, updateId, to } = move
  const place = state.placeOf(contractId)
  if (place === undefined)
    return { kind: 'refused', rejection: { kind: 'contract-not-found', contractId } }
  if (place === 'in-flight' && to === '')
    return { kind: 'refused', rejection: { kind: 'contract-in-flight', contractId } }
  if (place === 'here' && to !== '')
    return { kind: 'refused', rejection: { kind: 'invalid', reason: `${contractId} is assigned` } }
  const recordTime = nextRecordTime(state, now, 0n)
  const { body, facts } = moveTexts(move, synchronizerId, state.fact(IN_FLIGHT, contractId))
  state.open({ updateId, recordTime, body, seenBy: move.seenBy })
  state.assign(contractId, to)
  for (const fact of [...facts, ...move.facts]) state.write(fact)
  return { kind: 'committed', updateId, offset: state.offset, recordTime }
}

function commit(
  proposal: Proposal,
  recordTime: bigint,
  { state, moment, synchronizerId }: Deciding,
): Verdict {
  const {
    transaction: { updateId, consumed },
    body,
    seenBy,
    created,
    totals,
    accruals,
    projected,
    commandKey,
    deduplicationMicros,
  } = proposal
  state.open({ updateId, recordTime, body, seenBy })
  for (const { contract, isTransient } of created)
    state.create(contract, isTransient, synchronizerId)
  for (const { contractId } of consumed) state.archive(contractId)
  for (const total of totals) state.addTotal(total)
  for (const row of accruals) state.accruals.add(row)
  for (const { logs, facts } of projected) {
    state.log(logs)
    for (const fact of facts) state.write(fact)
  }
  const { offset } = state
  if (commandKey !== '') {
    state.rememberCommand({
      key: commandKey,
      updateId,
      offset,
      keptUntil: later(recordTime - moment.unmeasured, moment.measured) + deduplicationMicros,
    })
  }
  return { kind: 'committed', updateId, offset, recordTime }
}

/** Rises strictly, whatever the clock of this or another server does. */
function nextRecordTime({ recordTime }: BatchState, now: bigint, effectiveAt: bigint): bigint {
  const afterLast = recordTime + 1n
  return later(later(now, afterLast), effectiveAt)
}

/** Ids live by measured time, which a record time ahead of the clock does not push. */
function measuredAt(recordTime: bigint, { unmeasured, measured }: Moment): bigint {
  const reckoned = recordTime - unmeasured
  return reckoned < measured ? reckoned : measured
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function duplicateOf(
  { commandKey }: Proposal,
  state: BatchState,
  measured: bigint,
): Rejection | undefined {
  const command = commandKey === '' ? undefined : state.command(commandKey)
  if (command === undefined || command.keptUntil < measured) return undefined
  return { kind: 'duplicate', updateId: command.updateId, offset: command.offset }
}

function tooEarlyOrLate(
  { transaction: { notBefore, before } }: Proposal,
  recordTime: bigint,
): Rejection | undefined {
  if (notBefore !== undefined && recordTime < notBefore) return { kind: 'too-early', notBefore }
  if (before !== undefined && recordTime >= before) return { kind: 'too-late', before }
  return undefined
}

function pay(
  { isFree, isLow, share, transaction: { bytes } }: Proposal,
  meter: TrafficMeter | undefined,
  now: bigint,
): Rejection | undefined {
  if (meter === undefined || isFree) return undefined
  const remaining = share === undefined ? 0n : meter.remaining(now)
  const tooMuch = share === undefined || bytes > remaining ? 0n : bytes + share.leaves - remaining
  if (share !== undefined && tooMuch > 0n) {
    return {
      kind: 'over-quota',
      whose: share.whose,
      what: share.what,
      retryMs: meter.refillMs(tooMuch),
    }
  }
  const missingBytes = meter.charge(bytes, now, isLow)
  return missingBytes === 0n
    ? undefined
    : { kind: 'no-traffic', member: meter.member, missingBytes }
}

/** The contracts that were there before and that an entry cannot do without. */
export function contractIdsOf(entry: BatchEntry): readonly string[] {
  if (entry.kind === 'move') return [entry.contractId]
  const { consumed, used } = entry.transaction
  return [...consumed.map(({ contractId }) => contractId), ...used]
}

/** An entry as the order sees it. */
export function pendingOf(entry: BatchEntry): Pending {
  if (entry.kind === 'move') {
    const { seenBy, contractId } = entry
    return { ...sized('', 1, seenBy), changes: [contractId], uses: [] }
  }
  const { payer, seenBy, created, transaction } = entry
  const made = created.map(({ contract }) => contract.contractId)
  const archived = transaction.consumed.map(({ contractId }) => contractId)
  return {
    ...sized(payer, transaction.events.length, seenBy),
    changes: [...made, ...archived],
    uses: transaction.used,
  }
}

function sized(payer: string, nodes: number, seenBy: readonly string[]) {
  const weight = Math.max(nodes, seenBy.length)
  return { payer, weight, isLarge: weight > SMALL_NODES }
}
