// Which operations share a batch, and how a batch becomes one command. docs/economy-rules.md,
// "Treasury"
import { InvalidTransferReason } from '../../../generated/contracts.gen.ts'
import type {
  CoinOperation,
  CoinOperationOutcome,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { installChoices } from '../../contracts/index.ts'
import type {
  Contract,
  AbortReason,
  Rejection,
  Submission,
  TraceContext,
} from '../../engine/index.ts'
import type { ContractRecord, FactName } from '../../store/store.ts'
import { failureText } from '../failure-text.ts'
import { rememberForADay, rememberRequest } from '../wallets/request-ids.ts'
import type { Funds } from './funds.ts'
import { operationCommandId } from './operation-facts.ts'
import type { OperationOptions, TreasuryRejected } from './outcome.ts'
import { failed, refusedOperation } from './outcome.ts'
import { selectInputs } from './select-inputs.ts'

export interface Request {
  readonly kind: 'operation'
  readonly operation: CoinOperation
  readonly options: OperationOptions
  /** Trace of the request. */
  readonly trace: TraceContext | undefined
}

/**
 * Something else that spends the party's coins: it submits by itself, and nothing else runs
 * meanwhile.
 */
interface Alone {
  readonly kind: 'alone'
  readonly trace: TraceContext | undefined
  run(): Promise<void>
}

export type Job = Request | Alone

const FAILED = 'operation-failed'

/**
 * How many jobs from the front run together, at most `batchSize`: as one batch, or as a pipeline.
 */
export function batchLength(waiting: readonly Job[], batchSize: number): number {
  const [first] = waiting
  if (first === undefined) return 1
  const fits = inPipeline(first)
    ? inPipeline
    : isAlone(first)
      ? () => false
      : (job: Job) => !isAlone(job)
  const end = waiting.findIndex((job, index) => index === batchSize || !fits(job))
  return end < 0 ? waiting.length : Math.max(1, end)
}

/**
 * Alone in its batch for its deduplication id only: the next such one may be sent before it is
 * committed. train.ts
 */
export function inPipeline(job: Job): boolean {
  if (job.kind === 'alone') return false
  const { priority, dedup, validatorCoupons } = job.options
  return priority !== 'high' && dedup !== undefined && validatorCoupons === undefined
}

function isAlone(job: Job): boolean {
  if (job.kind === 'alone') return true
  const { priority, dedup, validatorCoupons } = job.options
  return priority === 'high' || dedup !== undefined || validatorCoupons !== undefined
}

/**
 * Those that are submitted: of several merges one, and none where another operation merges anyway.
 */
export function withoutNeedlessMerges(requests: readonly Request[]): readonly Request[] {
  const others = requests.filter((request) => !isMerge(request))
  return others.length > 0 ? others : requests.slice(0, 1)
}

/** Whether all it asks for is that coins become fewer. */
function isMerge({ operation }: Request): boolean {
  return operation.tag === 'CO_MergeTransferInputs'
}

export interface BatchParties {
  readonly operator: string
  readonly install: Contract<WalletAppInstall>
  readonly disclosed: readonly ContractRecord[]
  /** Facts that keep a payment out if its tracking id was paid. */
  readonly unless?: readonly FactName[]
  /** The time of `Engine.measuredMicros`. */
  readonly measured: bigint
}

/**
 * One command for all of `requests`. A batch in which everything failed is not committed: nothing
 * would come of it but costs, and a deduplication id would be used up. A failed completion is,
 * since history tells of it.
 */
export function batchSubmission(
  requests: readonly Request[],
  funds: Funds,
  { operator, install, disclosed, unless = [], measured }: BatchParties,
): Submission<readonly CoinOperationOutcome[]> {
  const operations = requests.map(({ operation }) => operation)
  const taps = operations.filter(({ tag }) => tag === 'CO_Tap').length
  const inputs = selectInputs(funds, funds.maxNumInputs, taps)
  const party = install.payload.endUserParty
  return {
    actAs: [operator],
    readAs: [party, ...funds.users],
    userId: '',
    ...onceOnly(party, requests, measured),
    disclosedContracts: disclosed,
    unless,
    free: operations.every(isPurchaseOfTraffic),
    lowPriority: requests.every(({ options }) => options.priority !== 'high'),
    run: (tx) => {
      const { outcomes } = tx.exercise(installChoices.WalletAppInstall_ExecuteBatch, install.id, {
        context: funds.context,
        inputs,
        operations,
      })
      const reason = commonAbort(operations, outcomes)
      if (reason !== undefined) tx.abort(reason)
      return outcomes
    },
  }
}

/** Command id and memory of a batch that exists for one deduplicated operation. */
function onceOnly(
  party: string,
  [only]: readonly Request[],
  measured: bigint,
): Pick<Submission<unknown>, 'commandId' | 'project'> {
  if (only?.options.dedup === undefined) return {}
  const {
    operation,
    options: {
      dedup: { id, content, isForGood = false },
    },
  } = only
  const asked = { commandId: operationCommandId(party, operation, id), content }
  return {
    commandId: asked.commandId,
    project: isForGood ? rememberRequest(asked) : rememberForADay(asked, measured),
  }
}

/** Whether the operation buys traffic, which needs none. */
function isPurchaseOfTraffic({ tag }: CoinOperation): boolean {
  return tag === 'CO_BuyMemberTraffic' || tag === 'CO_CompleteBuyTrafficRequest'
}

function commonAbort(
  operations: readonly CoinOperation[],
  outcomes: readonly CoinOperationOutcome[],
): AbortReason | undefined {
  const [first] = outcomes
  const isTold = operations.some(({ tag }) => tag === 'CO_CompleteAcceptedTransfer')
  if (first?.tag !== 'COO_Error' || isTold || outcomes.some(({ tag }) => tag !== 'COO_Error'))
    return undefined
  const reason = JSON.stringify(InvalidTransferReason.encode(first.value))
  return { id: FAILED, category: 'state', message: failureText(first.value), metadata: { reason } }
}

/** The failure of an operation whose command was refused. */
export function failureOf(rejection: Rejection): TreasuryRejected {
  if (rejection.kind !== 'aborted' || rejection.reason.id !== FAILED)
    return refusedOperation(rejection)
  const reason = InvalidTransferReason.decode(
    JSON.parse(rejection.reason.metadata?.['reason'] ?? 'null'),
  )
  return failed({ kind: 'invalid-transfer', reason })
}
