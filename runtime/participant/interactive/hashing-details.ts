// What was hashed, for people who compare it with what they compute. docs/hashing.md
import type { LedgerEvent } from '../../engine/index.ts'
import { timeText } from '../time.ts'
import type { PreparedMetadata } from './prepared.ts'
import type { PreparedHashes } from './prepared-hash.ts'

interface Details {
  readonly metadata: PreparedMetadata
  readonly events: readonly LedgerEvent[]
  readonly hashes: PreparedHashes
}

/** Lines of text: what the transaction does, its bounds, and the three hashes. */
export function hashingDetails({ metadata, events, hashes }: Details): string {
  const lines = [
    ...events.map(nodeLine),
    ...metadataLines(metadata),
    `transaction hash ${hex(hashes.transaction)}`,
    `metadata hash ${hex(hashes.metadata)}`,
    `prepared transaction hash ${hex(hashes.prepared)}`,
  ]
  return lines.join('\n')
}

function nodeLine(event: LedgerEvent, at: number): string {
  if (event.kind === 'create') {
    const { templateId, contractId, payload } = event.contract
    return `node ${at}: create ${templateId} ${contractId} ${payload}`
  }
  const { choice, templateId, contractId } = event
  const [argument, result] = [JSON.stringify(event.argument), JSON.stringify(event.result)]
  return `node ${at}: exercise ${choice} on ${templateId} ${contractId} ${argument} -> ${result}`
}

function metadataLines({
  actAs,
  commandId,
  transactionUuid,
  effectiveAt,
  before,
  inputs,
}: PreparedMetadata): readonly string[] {
  return [
    `parties ${actAs.join(', ')}`,
    `command ${commandId}, transaction ${transactionUuid}`,
    `effective ${timeText(effectiveAt)}, to be recorded before ${timeText(before)}`,
    ...inputs.map(({ contractId }) => `input ${contractId}`),
  ]
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
