// Transactions of parties with keys outside: prepared here, signed there, executed here exactly as
// prepared, once, and not after they expire. Everything that is submitted is interpreted again;
// nothing in the bytes is trusted. docs/ledger-rules.md, "Interactive submission"; docs/hashing.md
import { disclosedContract, encodeBlob } from '../../engine/index.ts'
import type {
  Claim,
  Committed,
  Engine,
  SubmissionNote,
  Rejection,
  Rejected,
  Staged,
  Submission,
  Transaction,
  TransactionLimits,
} from '../../engine/index.ts'
import type { Clock } from '../../host/plugin.ts'
import type { ContractRecord, Store } from '../../store/store.ts'
import { outsideSigners, partySignaturesProblem } from './party-signatures.ts'
import type { PartySignatures } from './party-signatures.ts'
import { UntypedValue } from './ledger-value.ts'
import { decodeMessage, encodeMessage } from './message.ts'
import { messageOf, readMessage, readPrepared, templatesIn } from './prepared.ts'
import type { PreparedMetadata, PreparedTransaction } from './prepared.ts'
import type { PreparedMessage } from './message.ts'
import { hashPrepared, seedOf } from './prepared-hash.ts'
import type { PreparedHashes } from './prepared-hash.ts'
import type { UploadedShapes } from './shapes.ts'
import type { WireWords } from './wire-words.ts'
import { replay } from './replay.ts'
import { DAY_MICROS } from '../../engine/durations.ts'

/** Microseconds for which a prepared transaction can be executed, at most. */
const LIFETIME_MICROS = DAY_MICROS
/** Microseconds that the clocks of servers may be apart. */
const CLOCK_SKEW_MICROS = 2_000_000n
/** Bytes of a UUID. */
export const NONCE_BYTES = 16
const ALTERED = 'prepared-transaction-altered'

interface InteractiveParts {
  readonly engine: Engine
  readonly store: Store
  /** The ledger's time. */
  readonly clock: Clock
  /** 16 bytes or more that nobody can guess. */
  readonly newNonce: () => Uint8Array
  /** The names that clients read in what they sign. */
  readonly words: WireWords
  /** Absent: no uploaded packages are known. */
  readonly uploaded?: UploadedShapes
  /** The first of these templates that is an uploaded one, and not vetted. Absent: all are. */
  readonly unvetted?: (templateIds: readonly string[]) => Promise<string | undefined>
  /** Limits of transactions that are prepared and executed. */
  readonly limits?: TransactionLimits
}

export type InteractiveRejection =
  /** The ledger's refusal of the transaction. */
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  /** The request can never work: malformed, altered, or its signatures prove nothing. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** A party that this node knows no outside keys of. */
  | { readonly kind: 'no-keys'; readonly party: string }

export type InteractiveRejected = { readonly ok: false; readonly rejection: InteractiveRejection }

/**
 * What is prepared: root creates and exercises only, since nothing else of `run` can be done again.
 */
type PreparableSubmission<R> = Pick<
  Submission<R>,
  'actAs' | 'readAs' | 'steps' | 'run' | 'disclosed' | 'disclosedContracts' | 'contractIds'
> & { readonly commandId: string }

export interface Prepared {
  readonly ok: true
  /** The bytes to return at the execution. */
  readonly bytes: Uint8Array
  readonly metadata: PreparedMetadata
  /** `prepared` is what is signed. */
  readonly hashes: PreparedHashes
  readonly transaction: Transaction
  /** Microseconds; the transaction cannot be recorded from then on. */
  readonly before: bigint
}

export interface Execution {
  readonly prepared: Uint8Array
  readonly signatures: readonly PartySignatures[]
  /** The user who executes, and gets the completion. */
  readonly userId: string
  /** Microseconds; earlier it is too early to execute. Absent: as the bytes say. */
  readonly notBefore?: bigint | undefined
  /** Longer than it takes until the transaction expires, microseconds. */
  readonly deduplicationMicros?: bigint
  /** The network's own submissions cost nothing. */
  readonly free?: boolean
  /** The claim of `Submission`. */
  readonly claim?: Claim | undefined
  /** The note of `Submission`. */
  readonly note?: SubmissionNote
}

export interface Interactive {
  /**
   * `expiresAt`: microseconds, at most a day ahead, which is also what absent means. Writes
   * nothing.
   */
  prepare<R>(
    submission: PreparableSubmission<R>,
    expiresAt?: bigint,
  ): Promise<Prepared | InteractiveRejected>
  /** The names in the bytes, for completions; empty if the bytes are invalid. */
  nameOf(prepared: Uint8Array): { readonly actAs: readonly string[]; readonly commandId: string }
  /** Resolves when it is committed. */
  execute(execution: Execution): Promise<Committed<void> | InteractiveRejected>
  /** Resolves when everything but the commit is done. */
  start(execution: Execution): Promise<Staged<void> | InteractiveRejected>
}

/** Prepares and executes over an engine. */
export function createInteractive(parts: InteractiveParts): Interactive {
  return {
    prepare: (submission, expiresAt) => prepare(parts, submission, expiresAt),
    nameOf: (prepared) => {
      const read = readPrepared(prepared, parts)
      if (typeof read === 'string') return { actAs: [], commandId: '' }
      const { actAs, commandId } = read.metadata
      return { actAs, commandId }
    },
    execute: async (execution) => {
      const submission = await readExecution(parts, execution)
      if ('rejection' in submission) return submission
      const outcome = await parts.engine.submit(submission)
      return outcome.ok ? outcome : failureOf(outcome)
    },
    start: async (execution) => {
      const submission = await readExecution(parts, execution)
      if ('rejection' in submission) return submission
      const outcome = await parts.engine.stage(submission)
      return outcome.ok ? outcome : failureOf(outcome)
    },
  }
}

async function prepare<R>(
  parts: InteractiveParts,
  submission: PreparableSubmission<R>,
  wanted: bigint | undefined,
): Promise<Prepared | InteractiveRejected> {
  const { engine, store, clock, newNonce } = parts
  const latest = clock.nowMicros() + LIFETIME_MICROS
  const expiresAt = wanted !== undefined && wanted < latest ? wanted : latest
  const actAs = sorted(submission.actAs)
  const signing = await outsideSigners(store.parties, actAs)
  if ('unknown' in signing) return failed({ kind: 'no-keys', party: signing.unknown })
  const { commandId } = submission
  const head = { actAs, commandId, transactionUuid: uuidOf(newNonce()), expiresAt }
  const first = await engine.rehearse({
    ...submission,
    ...limitsOf(parts),
    userId: '',
    actAs,
    seed: seedOf(head),
    steps: [(tx) => tx.until(expiresAt), ...(submission.steps ?? [])],
    run: (tx) => void submission.run(tx),
  })
  if (!first.ok) return failureOf(first)
  const { transaction } = first
  const inputs = await inputsOf(store, transaction)
  if ('kind' in inputs) return failed({ kind: 'refused', rejection: inputs })
  const { effectiveAt, notBefore, before = expiresAt } = transaction
  const { synchronizerId } = engine
  const metadata = { ...head, synchronizerId, effectiveAt, notBefore, before, inputs }
  return rehearseAgain(parts, metadata, transaction)
}

/** Only what comes out the same when it is done again can be executed later. */
async function rehearseAgain(
  interactive: InteractiveParts,
  metadata: PreparedMetadata,
  { events }: Transaction,
): Promise<Prepared | InteractiveRejected> {
  const message = preparedMessage(interactive, metadata, events)
  if (typeof message === 'string') return invalid(message)
  const strange = await interactive.unvetted?.(templatesIn(message))
  if (strange !== undefined) return invalid(unvettedText(strange))
  const bytes = encodeMessage(message)
  const planned = readPrepared(bytes, interactive)
  if (typeof planned === 'string') return invalid(planned)
  const hashes = hashPrepared(message)
  const again = await interactive.engine.rehearse(submissionOf(interactive, planned, hashes, ''))
  if (!again.ok) return failureOf(again)
  const { before } = metadata
  return { ok: true, bytes, metadata, hashes, transaction: again.transaction, before }
}

/** Everything but the engine's own checks; then the submission that does it again. */
async function readExecution(
  interactive: InteractiveParts,
  execution: Execution,
): Promise<Submission<void> | InteractiveRejected> {
  const { engine, store, clock } = interactive
  const { prepared, signatures, userId, notBefore, deduplicationMicros = 0n, ...rest } = execution
  const decoded = await readReady(interactive, prepared)
  if (typeof decoded === 'string')
    return invalid(`the prepared transaction is malformed: ${decoded}`)
  const { metadata, message } = decoded
  const problem = metadataProblem(metadata, engine.synchronizerId)
  if (problem !== undefined) return invalid(problem)
  const signing = await outsideSigners(store.parties, metadata.actAs)
  if ('unknown' in signing) return failed({ kind: 'no-keys', party: signing.unknown })
  const hashes = hashPrepared(message)
  const unsigned = partySignaturesProblem(signing.signers, hashes.prepared, signatures)
  if (unsigned !== undefined) return invalid(unsigned)
  const rejection = untimely(metadata, clock.nowMicros(), notBefore)
  if (rejection !== undefined) return failed({ kind: 'refused', rejection })
  // Kept until it can no longer be recorded, so that the same bytes are executed once whatever the
  // request says.
  const needed = metadata.expiresAt - metadata.effectiveAt
  const kept = deduplicationMicros > needed ? deduplicationMicros : needed
  const submission = submissionOf(interactive, decoded, hashes, userId)
  return { ...submission, ...rest, deduplicationMicros: kept }
}

/** The transaction in the bytes, once the templates that it names are at hand. */
async function readReady(
  interactive: InteractiveParts,
  bytes: Uint8Array,
): Promise<ReturnType<typeof readPrepared>> {
  const message = decodeMessage(bytes)
  if (typeof message === 'string') return message
  const templates = templatesIn(message)
  await interactive.engine.ready(templates)
  const strange = await interactive.unvetted?.(templates)
  return strange === undefined ? readMessage(message, interactive) : unvettedText(strange)
}

function unvettedText(templateId: string): string {
  return `no package that is vetted here has the template ${templateId}`
}

function metadataProblem(metadata: PreparedMetadata, own: string): string | undefined {
  const { synchronizerId, actAs, commandId, effectiveAt, before, expiresAt, inputs } = metadata
  if (synchronizerId !== own)
    return `the prepared transaction is for the synchronizer ${synchronizerId}, and this ledger's is ${own}`
  if (actAs.length === 0 || !isSorted(actAs) || commandId === '')
    return 'the prepared transaction is not canonical'
  if (before > expiresAt || expiresAt - effectiveAt > LIFETIME_MICROS)
    return 'the prepared transaction lives too long'
  const genuine = inputs.every(
    ({ contractId, disclosed }) => disclosedContract(blobOf(disclosed))?.contractId === contractId,
  )
  return genuine ? undefined : 'an input of the prepared transaction is not genuine'
}

/** A time ahead of the clock would drag the ledger's time along. */
function untimely(
  { effectiveAt, before }: PreparedMetadata,
  now: bigint,
  asked = 0n,
): Rejection | undefined {
  if (asked > now) return { kind: 'too-early', notBefore: asked }
  if (effectiveAt > now + CLOCK_SKEW_MICROS) return { kind: 'too-early', notBefore: effectiveAt }
  return before <= now ? { kind: 'too-late', before } : undefined
}

function submissionOf(
  interactive: InteractiveParts,
  { metadata, roots }: Pick<PreparedTransaction, 'metadata' | 'roots'>,
  hashes: PreparedHashes,
  userId: string,
): Submission<void> {
  const { actAs, commandId, effectiveAt, notBefore, before, inputs } = metadata
  return {
    actAs,
    userId,
    commandId,
    // The bytes say nothing of who executes them: they are executed once, whoever does it.
    commandOwner: '',
    effectiveAt,
    signedHash: Buffer.from(hashes.prepared).toString('hex'),
    seed: seedOf(metadata),
    disclosed: inputs.map(({ disclosed }) => blobOf(disclosed)),
    contractIds: inputs.map(({ contractId }) => contractId),
    ...limitsOf(interactive),
    steps: replay({ roots, notBefore, before }),
    run: () => undefined,
    accept: (transaction) =>
      isAsPrepared(interactive, metadata, transaction, hashes)
        ? undefined
        : {
            id: ALTERED,
            category: 'argument',
            message: 'The transaction is not the one that was prepared',
          },
  }
}

function limitsOf({ limits }: InteractiveParts): Pick<Submission<void>, 'limits'> {
  return limits === undefined ? {} : { limits }
}

/** Whether all that happens is what was prepared: the same hash covers the same effects. */
function isAsPrepared(
  interactive: InteractiveParts,
  metadata: PreparedMetadata,
  transaction: Transaction,
  { prepared }: PreparedHashes,
): boolean {
  const { effectiveAt, notBefore, before = 0n, events, consumed, used } = transaction
  const disclosures = new Map(metadata.inputs.map((input) => [input.contractId, input.disclosed]))
  const ids = sorted([...consumed.map(({ contractId }) => contractId), ...used])
  const inputs = ids.map((contractId) => ({
    contractId,
    disclosed: disclosures.get(contractId) ?? '',
  }))
  const made = { ...metadata, effectiveAt, notBefore, before, inputs }
  const message = preparedMessage(interactive, made, events)
  return typeof message !== 'string' && Buffer.from(prepared).equals(hashPrepared(message).prepared)
}

/** The message, or why there is none. */
function preparedMessage(
  { words, uploaded }: InteractiveParts,
  metadata: PreparedMetadata,
  events: Transaction['events'],
): PreparedMessage | string {
  const inputs = metadata.inputs.map(({ disclosed }) => disclosedContract(blobOf(disclosed)))
  const contracts = new Map(
    inputs.flatMap((input) => (input === undefined ? [] : [[input.contractId, input] as const])),
  )
  try {
    return messageOf({ metadata, seed: seedOf(metadata), events, contracts, words, uploaded })
  } catch (error) {
    if (error instanceof UntypedValue) return error.message
    throw error
  }
}

/**
 * What the transaction uses, to be disclosed with it: whoever executes it need not see all that it
 * touches.
 */
async function inputsOf(
  { contracts }: Store,
  { consumed, used }: Transaction,
): Promise<PreparedMetadata['inputs'] | Rejection> {
  const kept = await contracts.byIds(used)
  const found = [...consumed, ...kept.map(({ contract }) => contract)]
  const records = new Map<string, ContractRecord>(found.map((each) => [each.contractId, each]))
  const unkept = used.filter((id) => !records.has(id))
  if (unkept.length > 0) return { kind: 'contention', contractIds: unkept }
  return [...records.values()]
    .map((record) => ({
      contractId: record.contractId,
      disclosed: Buffer.from(encodeBlob(record), 'base64').toString(),
    }))
    .sort((one, other) => byBytes(one.contractId, other.contractId))
}

/** A UUID of version 4. */
function uuidOf(nonce: Uint8Array): string {
  const bytes = Buffer.from(nonce.subarray(0, NONCE_BYTES))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function blobOf(disclosed: string): string {
  return Buffer.from(disclosed).toString('base64')
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(byBytes)
}

function isSorted(texts: readonly string[]): boolean {
  return texts.every((text, at) => at === 0 || byBytes(texts[at - 1] ?? '', text) < 0)
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function invalid(reason: string): InteractiveRejected {
  return failed({ kind: 'invalid', reason })
}

function failureOf({ ok: _, ...rejection }: Rejected): InteractiveRejected {
  if (rejection.kind === 'aborted' && rejection.reason.id === ALTERED)
    return invalid(rejection.reason.message)
  return failed({ kind: 'refused', rejection })
}

function failed(rejection: InteractiveRejection): InteractiveRejected {
  return { ok: false, rejection }
}
