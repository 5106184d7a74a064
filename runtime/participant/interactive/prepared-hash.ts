// What is signed of a prepared transaction, and the seed that its contracts come from.
// docs/hashing.md §3, §4; rulings.md 20
import { createHash } from 'node:crypto'
import { purposes } from '../topology/hashing.ts'
import { ByteWriter } from './binary.ts'
import type { PreparedMetadata, PreparedParts } from './prepared.ts'

/** Of the scheme; the highest bit says that it is this service's own. */
const SCHEME = 0x81
const SEED = 0x82

/** What is hashed on the way to the hash that is signed; each 32 bytes. */
export interface PreparedHashes {
  readonly transaction: Uint8Array
  readonly metadata: Uint8Array
  readonly prepared: Uint8Array
}

export function hashPrepared(parts: PreparedParts): PreparedHashes {
  const [transaction, metadata] = [digest(parts.transaction), digest(parts.metadata)]
  return { transaction, metadata, prepared: digest(Uint8Array.of(SCHEME), transaction, metadata) }
}

/**
 * The seed of the transaction. It follows from what makes a command the same command, so that
 * nobody who writes such bytes can choose the seed of another transaction.
 */
export function seedOf(
  metadata: Pick<
    PreparedMetadata,
    'userId' | 'actAs' | 'commandId' | 'workflowId' | 'nonce' | 'expiresAt'
  >,
): Uint8Array {
  const { userId, actAs, commandId, workflowId, nonce, expiresAt } = metadata
  const bytes = new ByteWriter()
    .byte(SEED)
    .text(userId)
    .texts(actAs)
    .text(commandId)
    .text(workflowId)
    .raw(nonce)
    .int64(expiresAt)
  return digest(bytes.finish())
}

function digest(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(
    new ByteWriter().int32(purposes.preparedSubmission).finish(),
  )
  for (const part of parts) hash.update(part)
  return hash.digest()
}
