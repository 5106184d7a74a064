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
  const { contractId, templateId, packageName, interfaceId, choice } = event
  const [chosen, ...ids] = texts.places([choice, contractId, templateId, packageName])
  const [ofInterface] = interfaceId === undefined ? [null] : texts.places([interfaceId])
  return JSON.stringify([
    'exercise',
    ...ids,
    ofInterface,
    chosen,
    Number(event.consuming),
    texts.places(event.actingParties),
    texts.places(event.stakeholders),
    texts.places(event.witnesses),
    event.lastDescendant,
    event.argument,
    event.result,
  ])
}

function createText({ contract, witnesses }: CreateEvent, texts: TextTable): string {
  const { contractId, templateId, packageName, signatories, observers } = contract
  const { key1, key2, key3, createdAt, rank, payload } = contract
  const places = JSON.stringify([
    'create',
    ...texts.places([contractId, templateId, packageName]),
    texts.places(signatories),
    texts.places(observers),
    texts.places(witnesses),
    ...texts.places([key1, key2, key3]),
    String(createdAt),
    String(rank),
  ])
  // The payload is JSON already.
  return `${places.slice(0, -1)},${payload}]`
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
