// An interpreted submission, ready for the commit: all that does not depend on who comes first is
// computed here, once.
import { accrualsOf, lessAccrual } from './accruals.ts'
import { updateIdOf } from './contract-id.ts'
import { SMALL_NODES } from './transaction.ts'
import { encodeTransaction, seersOf } from './update-body.ts'
import { templateOf } from '../store/rules.ts'
import type { ContractRecord, FactName, TotalKey, Total } from '../store/store.ts'
import type { AccrualRow } from './accruals.ts'
import type { Interpretation } from './interpreter.ts'
import type { Projected, Projector, TrafficShare } from './submission.ts'
import type { Templates } from './template-index.ts'
import type { Pause } from './order.ts'
import type { Transaction } from './transaction.ts'

interface NewContract {
  readonly contract: ContractRecord
  /** Archived again by the transaction that creates it. */
  readonly isTransient: boolean
}

export interface Proposal {
  readonly kind: 'transaction'
  readonly transaction: Transaction
  readonly body: string
  readonly seenBy: readonly string[]
  readonly created: readonly NewContract[]
  readonly totals: readonly (TotalKey & Total)[]
  readonly accruals: readonly AccrualRow[]
  readonly projected: readonly Projected[]
  /** '' where there is nothing to deduplicate. */
  readonly commandKey: string
  /** The payer whose turn it takes; '' for the network's own, which take none. */
  readonly payer: string
  readonly deduplicationMicros: bigint
  readonly isFree: boolean
  /** The member whose traffic it uses; undefined: the engine's own. */
  readonly member?: string | undefined
  /** Refused where traffic is reserved and runs short. */
  readonly isLow: boolean
  /** It is not committed where one of these is there. */
  readonly unless: readonly FactName[]
  /** Traffic that it has to leave; absent: none. */
  readonly share?: TrafficShare
}

/** Parts of a submission that a proposal takes over. */
export interface ProposalInput {
  readonly head: Pick<
    Transaction,
    | 'commandId'
    | 'userId'
    | 'workflowId'
    | 'actAs'
    | 'effectiveAt'
    | 'synchronizerId'
    | 'traceContext'
    | 'signedHash'
    | 'note'
  >
  readonly seed: string
  readonly commandKey: string
  readonly payer: string
  readonly deduplicationMicros: bigint
  readonly isFree: boolean
  readonly member: string | undefined
  readonly isLow: boolean
  readonly unless: readonly FactName[]
  readonly templates: Templates
  readonly projectors: readonly Projector[]
  /** Most bytes of the whole update. */
  readonly maxBytes: number
  readonly pause: Pause
}

/** Puts together what an interpretation yielded; undefined where that has more than `maxBytes`. */
export async function propose(
  interpretation: Interpretation,
  input: ProposalInput,
): Promise<Proposal | undefined> {
  const { head, seed, commandKey, payer, deduplicationMicros, isFree, member } = input
  const { isLow, unless, templates, projectors, maxBytes } = input
  const {
    created,
    archived,
    lookup: { found },
    bounds: { notBefore, before },
  } = interpretation
  const touched = [...found.values()]
  const consumed = touched.filter(({ contractId }) => archived.has(contractId))
  const used = touched.flatMap(({ contractId }) => (archived.has(contractId) ? [] : [contractId]))
  const updateId = updateIdOf(seed, head.effectiveAt)
  const events = interpretation.events()
  const pause = events.length > SMALL_NODES ? input.pause : undefined
  const plain = { updateId, ...head, events, consumed, used, notBefore, before }
  const encoded = await encodeTransaction(plain, payloadBytes(touched), { maxBytes, pause })
  if (encoded === undefined) return undefined
  const { body, bytes } = encoded
  const transaction = { ...plain, bytes }
  const fresh = Array.from(created.values(), (contract) => ({
    contract,
    isTransient: archived.has(contract.contractId),
  }))
  return {
    kind: 'transaction',
    transaction,
    body,
    seenBy: [...seersOf(transaction)],
    created: fresh,
    totals: totalsOf(templates, consumed, fresh),
    accruals: accruedIn(templates, consumed, fresh),
    projected: await projections(concerned(projectors, created, consumed), transaction, pause),
    commandKey,
    payer,
    deduplicationMicros,
    isFree,
    member,
    isLow,
    unless,
  }
}

function concerned(
  projectors: readonly Projector[],
  created: Interpretation['created'],
  consumed: readonly ContractRecord[],
): readonly Projector[] {
  const changed = new Set<string>()
  for (const contract of created.values()) changed.add(templateOf(contract))
  for (const contract of consumed) changed.add(templateOf(contract))
  return projectors.filter(({ of }) => of === undefined || !of.isDisjointFrom(changed))
}

async function projections(
  projectors: readonly Projector[],
  transaction: Transaction,
  pause: Pause | undefined,
): Promise<readonly Projected[]> {
  const projected: Projected[] = []
  for (const { project } of projectors) {
    const rest = pause?.()
    if (rest !== undefined) await rest
    projected.push(project(transaction))
  }
  return projected
}

/** Each input costs, as it has to be sent along. */
function payloadBytes(contracts: readonly ContractRecord[]): number {
  return contracts.reduce((bytes, { payload }) => bytes + Buffer.byteLength(payload), 0)
}

function totalsOf(
  templates: Templates,
  consumed: readonly ContractRecord[],
  created: readonly NewContract[],
): readonly (TotalKey & Total)[] {
  const declared = (contract: ContractRecord) =>
    templates.get(contract.templateId)?.totalsOf(contract) ?? []
  const gone = consumed
    .flatMap(declared)
    .map(({ name, account, amount }) => ({ name, account, amount: -amount, count: -1n }))
  const come = created.flatMap(({ contract, isTransient }) =>
    isTransient ? [] : declared(contract),
  )
  return [
    ...gone,
    ...come.map(({ name, account, amount }) => ({ name, account, amount, count: 1n })),
  ]
}

function accruedIn(
  templates: Templates,
  consumed: readonly ContractRecord[],
  created: readonly NewContract[],
): readonly AccrualRow[] {
  const rows = (contract: ContractRecord): readonly AccrualRow[] => {
    const template = templates.get(contract.templateId)
    return template?.accrues === true ? template.accrualsOf(contract).flatMap(accrualsOf) : []
  }
  return [
    ...consumed.flatMap(rows).map(lessAccrual),
    ...created.flatMap(({ contract, isTransient }) => (isTransient ? [] : rows(contract))),
  ]
}
