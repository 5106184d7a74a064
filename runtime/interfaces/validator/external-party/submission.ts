// What an external party signs is prepared here and executed when it comes back with the signature.
// The operator only hands it on: the hash that is signed covers everything that happens.
// docs/hashing.md; docs/economy-rules.md, "External parties"
import type { ExternalPartySubmission } from '../../../../generated/validator/types.gen.ts'
import type { Committed, LedgerEvent, Tx } from '../../../engine/index.ts'
import { templateOf } from '../../../store/rules.ts'
import type { Economy } from '../../../economy/economy.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import { hashingDetails } from '../../../participant/interactive/hashing-details.ts'
import type {
  Interactive,
  InteractiveRejected,
  Prepared,
} from '../../../participant/interactive/interactive.ts'
import { onlyRoot, readPrepared } from '../../../participant/interactive/prepared.ts'
import type { PreparedRoot } from '../../../participant/interactive/prepared.ts'
import type { WireWords } from '../../../participant/interactive/wire-words.ts'
import { signersOf } from '../../../participant/topology/party-topology.ts'
import { hex } from '../../../participant/topology/hashing.ts'
import { badRequest, notFound, PlainError, rejectionError } from '../../../economy/errors.ts'
import { readBase64, readPublicKey, readSignature } from './parse.ts'

/** The parts for preparing and executing. */
export interface ExternalParties {
  readonly economy: Economy
  readonly interactive: Interactive
  /** The words in which clients read what they sign. */
  readonly words: WireWords
}

interface Preparation {
  readonly party: string
  run(tx: Tx): void
  /** The contract that it is about, whose absence is 404. */
  readonly target?: string
}

/**
 * Nobody else can sign for a party that this node signs for, so there is nothing to prepare for it.
 */
export async function externalPartyProblem(
  { store }: Pick<Economy, 'store'>,
  party: string,
): Promise<PlainError | undefined> {
  const [known] = partyProblem(party) === undefined ? await store.parties.get([party]) : []
  if (known?.isLocal !== true) return notFound(`No party ${party} is known`)
  return signersOf(known.topology) === undefined
    ? badRequest(`The keys of the party ${party} are not outside`)
    : undefined
}

/**
 * A transaction for the party to sign. 404 for unknown parties, 400 for those without key outside.
 */
export async function prepareFor(
  { economy, interactive }: ExternalParties,
  { party, run, target }: Preparation,
): Promise<Prepared | PlainError> {
  const problem = await externalPartyProblem(economy, party)
  if (problem !== undefined) return problem
  const prepared = await interactive.prepare({
    actAs: [party],
    commandId: `external-party/${economy.newName()}`,
    run,
    disclosedContracts: await economy.network.disclosures(),
  })
  return prepared.ok ? prepared : failureError(prepared, target)
}

/** The part of an answer that all prepared transactions have. */
export function preparedBody(prepared: Prepared, isVerbose: boolean) {
  const { bytes, metadata, hashes, transaction } = prepared
  return {
    transaction: Buffer.from(bytes).toString('base64'),
    tx_hash: hex(hashes.prepared),
    ...(isVerbose
      ? { hashing_details: hashingDetails({ metadata, events: transaction.events, hashes }) }
      : {}),
  }
}

/** The choice that a transaction must begin with to be what the operation is for. */
interface Expected {
  /** `<package name>:<Module>:<Entity>` */
  readonly template: string
  readonly choice: string
}

type ExerciseRoot = Extract<PreparedRoot, { kind: 'exercise' }>

interface Executed {
  readonly committed: Committed<void>
  readonly root: ExerciseRoot
}

/**
 * Executes what the party signed, in which `expected` must be all that the party does. 400 where it
 * is something else, or the signature is not the party's; 404 for unknown parties and targets, 409
 * where it was executed before, or its time is over.
 */
export async function executeFor(
  { interactive, economy, words }: ExternalParties,
  submission: ExternalPartySubmission,
  expected: Expected,
): Promise<Executed | PlainError> {
  const { party_id: party, public_key, signed_tx_hash } = submission
  const [key, signature, prepared] = [
    readPublicKey(public_key),
    readSignature('signed_tx_hash', signed_tx_hash),
    readBase64('transaction', submission.transaction),
  ]
  if (key instanceof PlainError) return key
  if (signature instanceof PlainError) return signature
  if (prepared instanceof PlainError) return prepared
  const root = readRoot(readPrepared(prepared, { words }), party, expected)
  if (root instanceof PlainError) return root
  const problem = await externalPartyProblem(economy, party)
  if (problem !== undefined) return problem
  const own = {
    format: 'CONCAT' as const,
    algorithm: 'ED25519' as const,
    bytes: signature,
    signedBy: key.fingerprint,
  }
  const committed = await interactive.execute({
    prepared,
    userId: '',
    signatures: [{ party, signatures: [own] }],
  })
  return committed.ok ? { committed, root } : failureError(committed, root.contractId)
}

function readRoot(
  decoded: ReturnType<typeof readPrepared>,
  party: string,
  { template, choice }: Expected,
): ExerciseRoot | PlainError {
  if (typeof decoded === 'string') return badRequest(`transaction: ${decoded}`)
  const { actAs } = decoded.metadata
  if (actAs.length !== 1 || actAs[0] !== party)
    return badRequest(`transaction is not one of the party ${party} alone`)
  const root = onlyRoot(decoded)
  const isExpected =
    root?.kind === 'exercise' && templateOf(root) === template && root.choice === choice
  return isExpected ? root : badRequest(`transaction is something else than ${choice}`)
}

/** The result of a transaction's first choice, still as JSON. */
export function rootResult([root]: readonly LedgerEvent[]): unknown {
  return root?.kind === 'exercise' ? root.result : undefined
}

function failureError({ rejection }: InteractiveRejected, target?: string): PlainError {
  switch (rejection.kind) {
    case 'refused':
      return rejectionError(rejection.rejection, target)
    case 'no-keys':
      return notFound(`No keys of the party ${rejection.party} are known`)
    case 'invalid':
      return badRequest(rejection.reason)
  }
}
