// Makes the prepared transaction of what was interpreted, and reads out of one what its execution
// takes: who acts, within which bounds, and what the commands did. docs/hashing.md §2
import type { CreateEvent, ExerciseEvent, LedgerEvent, Templated } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import { fromJson, toJson, UntypedValue } from './ledger-value.ts'
import { decodeMessage, identifierOf, identifierText, LF_VERSION } from './message.ts'
import type {
  CreateMessage,
  ExerciseMessage,
  InputMessage,
  NodeMessage,
  PreparedMessage,
  TransactionMessage,
} from './message.ts'
import { nodeSeed } from './prepared-hash.ts'
import { shapesOf } from './shapes.ts'
import type { TemplateShapes, UploadedShapes } from './shapes.ts'
import { OWN_WORDS } from './wire-words.ts'
import type { WireWords } from './wire-words.ts'

/** Times are microseconds. */
export interface PreparedMetadata {
  readonly synchronizerId: string
  /** Sorted by UTF-8 bytes, each once. */
  readonly actAs: readonly string[]
  readonly commandId: string
  readonly transactionUuid: string
  readonly effectiveAt: bigint
  readonly notBefore: bigint | undefined
  /** The earlier of the choices' deadline and the expiry. */
  readonly before: bigint
  readonly expiresAt: bigint
  readonly inputs: readonly PreparedInput[]
}

/** A contract that is used or archived. */
export interface PreparedInput {
  readonly contractId: string
  /** The disclosed contract: JSON text, which is a created-event blob without its base64. */
  readonly disclosed: string
}

/** A root of the transaction, made by a command itself; values are JSON. */
export type PreparedRoot =
  | { readonly kind: 'create'; readonly templateId: string; readonly payload: unknown }
  | {
      readonly kind: 'exercise'
      readonly templateId: string
      readonly packageName: string
      readonly interfaceId: string | undefined
      readonly contractId: string
      readonly choice: string
      readonly argument: unknown
      readonly result: unknown
    }

export interface PreparedTransaction {
  readonly metadata: PreparedMetadata
  readonly roots: readonly PreparedRoot[]
}

/** What templates are called in a message, and of what their values are made. */
export interface Vocabulary {
  readonly words: WireWords
  /** Absent: no uploaded packages are known. */
  readonly uploaded?: UploadedShapes | undefined
}

/** Parts of a message: `contracts` are those that existed before, by id. */
interface Making extends Vocabulary {
  readonly metadata: PreparedMetadata
  readonly seed: Uint8Array
  readonly events: readonly LedgerEvent[]
  readonly contracts: ReadonlyMap<string, PreparedContract>
}

type PreparedContract = Pick<
  ContractRecord,
  | 'contractId'
  | 'templateId'
  | 'packageName'
  | 'payload'
  | 'signatories'
  | 'observers'
  | 'createdAt'
>

/** Throws UntypedValue for contracts of templates that are not known here. */
export function messageOf(making: Making): PreparedMessage {
  const { metadata, contracts } = making
  const { notBefore, before, expiresAt } = metadata
  return {
    transaction: transactionMessage(making),
    metadata: {
      submitter: { actAs: metadata.actAs, commandId: metadata.commandId },
      synchronizerId: metadata.synchronizerId,
      mediatorGroup: 0,
      transactionUuid: metadata.transactionUuid,
      preparationTime: metadata.effectiveAt,
      inputs: metadata.inputs.map(({ contractId, disclosed }): InputMessage => {
        const contract = contracts.get(contractId) ?? unknownContract(contractId)
        const create = createMessage(contract, making)
        return { create, createdAt: contract.createdAt, eventBlob: Buffer.from(disclosed) }
      }),
      minLedgerTime: notBefore,
      maxLedgerTime: before < expiresAt ? before - 1n : undefined,
      maxRecordTime: expiresAt - 1n,
    },
  }
}

/** Ids of the templates that a message names, as clients read them. */
export function templatesIn({ transaction }: PreparedMessage): readonly string[] {
  return transaction.nodes.map(({ node }) => identifierText(node.templateId))
}

/**
 * The transaction in the bytes, the message that they are, or the text of the problem. Never
 * throws.
 */
export function readPrepared(
  bytes: Uint8Array,
  vocabulary: Vocabulary,
): (PreparedTransaction & { readonly message: PreparedMessage }) | string {
  const message = decodeMessage(bytes)
  return typeof message === 'string' ? message : readMessage(message, vocabulary)
}

/** Likewise, of a message. */
export function readMessage(
  message: PreparedMessage,
  vocabulary: Vocabulary,
): (PreparedTransaction & { readonly message: PreparedMessage }) | string {
  const { metadata, transaction } = message
  const expiresAt = metadata.maxRecordTime + 1n
  try {
    return {
      message,
      roots: rootsOf(transaction, vocabulary),
      metadata: {
        synchronizerId: metadata.synchronizerId,
        ...metadata.submitter,
        transactionUuid: metadata.transactionUuid,
        effectiveAt: metadata.preparationTime,
        notBefore: metadata.minLedgerTime,
        before: metadata.maxLedgerTime === undefined ? expiresAt : metadata.maxLedgerTime + 1n,
        expiresAt,
        inputs: metadata.inputs.map(({ create, eventBlob }) => ({
          contractId: create.contractId,
          disclosed: Buffer.from(eventBlob).toString(),
        })),
      },
    }
  } catch (error) {
    if (error instanceof UntypedValue) return error.message
    throw error
  }
}

/** Whether it does one thing alone, with all its consequences. */
export function onlyRoot({ roots }: PreparedTransaction): PreparedRoot | undefined {
  return roots.length === 1 ? roots[0] : undefined
}

function transactionMessage(making: Making): TransactionMessage {
  const { seed, events, contracts } = making
  const known = new Map<string, PreparedContract>(contracts)
  for (const event of events)
    if (event.kind === 'create') known.set(event.contract.contractId, event.contract)
  const nodes = events.map((event, at): NodeMessage => {
    const node =
      event.kind === 'create'
        ? createMessage(event.contract, making)
        : exerciseMessage(event, childrenOf(events, at), known, making)
    return { nodeId: String(at), node }
  })
  return {
    version: LF_VERSION,
    roots: siblings(events, 0, events.length),
    nodes,
    seeds: events.map((_, node) => ({ node, seed: nodeSeed(seed, node) })),
  }
}

function childrenOf(events: readonly LedgerEvent[], at: number): readonly string[] {
  return siblings(events, at + 1, lastOf(events[at], at) + 1)
}

/** The nodes of a range that are below none in it. */
function siblings(events: readonly LedgerEvent[], from: number, to: number): readonly string[] {
  const found: string[] = []
  for (let at = from; at < to; at = lastOf(events[at], at) + 1) found.push(String(at))
  return found
}

function lastOf(event: CreateEvent | ExerciseEvent | undefined, at: number): number {
  return event?.kind === 'exercise' ? Math.max(event.lastDescendant, at) : at
}

interface Typed {
  readonly shapes: TemplateShapes
  /** Uploaded packages have no other words than their own. */
  readonly words: WireWords
}

function typed(subject: Templated, { words, uploaded }: Vocabulary): Typed | undefined {
  const own = shapesOf(subject)
  if (own !== undefined) return { shapes: own, words }
  const shapes = uploaded?.(subject.templateId)
  return shapes && { shapes, words: OWN_WORDS }
}

function createMessage(contract: PreparedContract, vocabulary: Vocabulary): CreateMessage {
  const { contractId, templateId, packageName, payload, signatories, observers } = contract
  const { shapes, words } = typed(contract, vocabulary) ?? unknownContract(contractId)
  return {
    kind: 'create',
    lfVersion: LF_VERSION,
    contractId,
    packageName: words.outward.package(packageName),
    templateId: identifierOf(words.outward.template(templateId)),
    argument: fromJson(shapes.payload, JSON.parse(payload), { of: shapes.name, words }),
    signatories,
    stakeholders: distinct([...signatories, ...observers]),
  }
}

function exerciseMessage(
  event: ExerciseEvent,
  children: readonly string[],
  contracts: ReadonlyMap<string, PreparedContract>,
  vocabulary: Vocabulary,
): ExerciseMessage {
  const { contractId, templateId, packageName, interfaceId, choice } = event
  const contract = contracts.get(contractId) ?? unknownContract(contractId)
  const { shapes: template, words } = typed(event, vocabulary) ?? unknownContract(contractId)
  const shapes = template.choice(choice, interfaceId) ?? unknownContract(contractId)
  const naming = { of: choice, words }
  return {
    kind: 'exercise',
    lfVersion: LF_VERSION,
    contractId,
    packageName: words.outward.package(packageName),
    templateId: identifierOf(words.outward.template(templateId)),
    signatories: contract.signatories,
    stakeholders: distinct([...contract.signatories, ...contract.observers]),
    actingParties: event.actingParties,
    interfaceId:
      interfaceId === undefined ? undefined : identifierOf(words.outward.template(interfaceId)),
    choiceId: words.outward.name(choice),
    chosenValue: fromJson(shapes.argument, event.argument, naming),
    consuming: event.consuming,
    children,
    exerciseResult: fromJson(shapes.result, event.result, naming),
    choiceObservers: [],
  }
}

function rootsOf(
  { roots, nodes }: TransactionMessage,
  vocabulary: Vocabulary,
): readonly PreparedRoot[] {
  return roots.map((id) => {
    const node = nodes[Number(id)]?.node
    if (node === undefined) throw new UntypedValue(`there is no node ${id}`)
    return rootOf(node, vocabulary)
  })
}

function rootOf(node: CreateMessage | ExerciseMessage, vocabulary: Vocabulary): PreparedRoot {
  const written = { templateId: identifierText(node.templateId), packageName: node.packageName }
  const { inward } = vocabulary.words
  const own = {
    templateId: inward.template(written.templateId),
    packageName: inward.package(written.packageName),
  }
  const subject = shapesOf(own) === undefined ? written : own
  const { templateId } = subject
  const { shapes, words } = typed(subject, vocabulary) ?? unknownTemplate(templateId)
  if (node.kind === 'create') {
    const naming = { of: shapes.name, words }
    return { kind: 'create', templateId, payload: toJson(shapes.payload, node.argument, naming) }
  }
  const choice = words.inward.name(node.choiceId)
  const interfaceId = node.interfaceId && words.inward.template(identifierText(node.interfaceId))
  const values = shapes.choice(choice, interfaceId) ?? unknownTemplate(templateId)
  const naming = { of: choice, words }
  return {
    kind: 'exercise',
    ...subject,
    interfaceId,
    contractId: node.contractId,
    choice,
    argument: toJson(values.argument, node.chosenValue, naming),
    result:
      node.exerciseResult === undefined ? null : toJson(values.result, node.exerciseResult, naming),
  }
}

function distinct(parties: readonly string[]): readonly string[] {
  return [...new Set(parties)]
}

function unknownContract(contractId: string): never {
  throw new UntypedValue(`the contract ${contractId} is not known here`)
}

function unknownTemplate(templateId: string): never {
  throw new UntypedValue(`there is no such choice or template: ${templateId}`)
}
