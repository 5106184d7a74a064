// The events of a stored update as JSON: each a list, in which texts stand as their places in the
// table of the update. Payload, argument and result stand as they are.
import type { CreateEvent, ExerciseEvent, LedgerEvent } from './transaction.ts'
import type { Json } from './template.ts'
import type { TextTable } from './update-texts.ts'

type Places = readonly number[]

/** Its node is its place in the list of all. */
export type StoredExercise = readonly [
  kind: 'exercise',
  contractId: number,
  templateId: number,
  packageName: number,
  interfaceId: number | null,
  choice: number,
  consuming: 0 | 1,
  actingParties: Places,
  stakeholders: Places,
  witnesses: Places,
  lastDescendant: number,
  argument: Json,
  result: Json,
]

/** Likewise. */
export type StoredCreate = readonly [
  kind: 'create',
  contractId: number,
  templateId: number,
  packageName: number,
  signatories: Places,
  observers: Places,
  witnesses: Places,
  key1: number,
  key2: number,
  key3: number,
  createdAt: string,
  rank: string,
  payload: Json,
]

export type StoredEvent = StoredExercise | StoredCreate

/** An event; its texts are placed in the table. */
export function eventText(event: LedgerEvent, texts: TextTable): string {
  return event.kind === 'exercise' ? exerciseText(event, texts) : createText(event, texts)
}

/** The event that `eventText` wrote at its place in the list; `text` reads the table. */
export function readEvent(
  event: StoredEvent,
  node: number,
  text: (place: number) => string,
): LedgerEvent {
  return event[0] === 'exercise' ? readExercise(event, node, text) : readCreate(event, node, text)
}

function exerciseText(event: ExerciseEvent, texts: TextTable): string {
  const { interfaceId, argument, result } = event
  const fields = [
    texts.place(event.contractId),
    texts.place(event.templateId),
    texts.place(event.packageName),
    interfaceId === undefined ? 'null' : texts.place(interfaceId),
    texts.place(event.choice),
    Number(event.consuming),
    texts.list(event.actingParties),
    texts.list(event.stakeholders),
    texts.list(event.witnesses),
    event.lastDescendant,
    JSON.stringify(argument),
    JSON.stringify(result),
  ]
  return `["exercise",${fields.join(',')}]`
}

function createText({ contract, witnesses }: CreateEvent, texts: TextTable): string {
  const fields = [
    texts.place(contract.contractId),
    texts.place(contract.templateId),
    texts.place(contract.packageName),
    texts.list(contract.signatories),
    texts.list(contract.observers),
    texts.list(witnesses),
    texts.place(contract.key1),
    texts.place(contract.key2),
    texts.place(contract.key3),
  ]
  const { createdAt, rank, payload } = contract
  return `["create",${fields.join(',')},"${createdAt}","${rank}",${payload}]`
}

function readExercise(
  [
    kind,
    contractId,
    templateId,
    packageName,
    interfaceId,
    choice,
    consuming,
    actingParties,
    stakeholders,
    witnesses,
    lastDescendant,
    argument,
    result,
  ]: StoredExercise,
  node: number,
  text: (place: number) => string,
): ExerciseEvent {
  return {
    kind,
    node,
    contractId: text(contractId),
    templateId: text(templateId),
    packageName: text(packageName),
    ...(interfaceId === null ? {} : { interfaceId: text(interfaceId) }),
    choice: text(choice),
    argument,
    result,
    consuming: consuming === 1,
    actingParties: actingParties.map(text),
    stakeholders: stakeholders.map(text),
    witnesses: witnesses.map(text),
    lastDescendant,
  }
}

function readCreate(
  [
    kind,
    contractId,
    templateId,
    packageName,
    signatories,
    observers,
    witnesses,
    key1,
    key2,
    key3,
    createdAt,
    rank,
    payload,
  ]: StoredCreate,
  node: number,
  text: (place: number) => string,
): CreateEvent {
  const contract = {
    contractId: text(contractId),
    templateId: text(templateId),
    packageName: text(packageName),
    payload: JSON.stringify(payload),
    signatories: signatories.map(text),
    observers: observers.map(text),
    createdAt: BigInt(createdAt),
    key1: text(key1),
    key2: text(key2),
    key3: text(key3),
    rank: BigInt(rank),
  }
  return { kind, node, contract, witnesses: witnesses.map(text) }
}
