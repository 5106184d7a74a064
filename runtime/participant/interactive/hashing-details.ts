// What was hashed, for people who compare it with what they compute. docs/hashing.md
import { timeText } from '../time.ts'
import type { PreparedMetadata, PreparedNode, PreparedParts } from './prepared.ts'
import { decodePrepared, encodePrepared } from './prepared.ts'
import type { PreparedHashes } from './prepared-hash.ts'

/** Lines of text: what the transaction does, its two parts in hexadecimal, and the three hashes. */
export function hashingDetails(parts: PreparedParts, hashes: PreparedHashes): string {
  const decoded = decodePrepared(encodePrepared(parts))
  if (typeof decoded === 'string') return decoded
  const lines = [
    ...decoded.nodes.map(nodeLine),
    ...metadataLines(decoded.metadata),
    `transaction bytes ${hex(parts.transaction)}`,
    `transaction hash ${hex(hashes.transaction)}`,
    `metadata bytes ${hex(parts.metadata)}`,
    `metadata hash ${hex(hashes.metadata)}`,
    `prepared transaction hash ${hex(hashes.prepared)}`,
  ]
  return lines.join('\n')
}

function nodeLine(node: PreparedNode, at: number): string {
  if (node.kind === 'create')
    return `node ${at}: create ${node.templateId} ${node.contractId} ${node.payload}`
  return `node ${at}: exercise ${node.choice} on ${node.templateId} ${node.contractId} ${node.argument} -> ${node.result}`
}

function metadataLines({
  actAs,
  userId,
  commandId,
  effectiveAt,
  before,
  inputs,
}: PreparedMetadata): readonly string[] {
  return [
    `parties ${actAs.join(', ')}`,
    `command ${commandId} of user ${userId}`,
    `effective ${timeText(effectiveAt)}, to be recorded before ${timeText(before)}`,
    ...inputs.map(({ contractId }) => `input ${contractId}`),
  ]
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
